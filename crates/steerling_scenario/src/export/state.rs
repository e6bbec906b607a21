//! The state that agents keep between ticks. Files do not contain it.

use bevy::ecs::component::ComponentCloneBehavior;
use bevy::ecs::reflect::ReflectComponent;
use bevy::prelude::*;
use bevy::reflect::{TypeRegistration, TypeRegistry};
use bevy_steerling::prelude::{SteeringAgent, SteeringId};

use crate::mapping::place::Place;

/// The components that hold the state of agents.
pub(crate) struct States(Vec<State>);

struct State {
    name: String,
    component: ReflectComponent,
    initial: Box<dyn Reflect>,
}

impl States {
    /// All such components of a world: the plugin's components that are not cloned.
    pub fn new(world: &World) -> Self {
        let Some(registry) = world.get_resource::<AppTypeRegistry>() else { return Self(Vec::new()) };
        let registry: &TypeRegistry = &registry.read();
        let mut states: Vec<State> = registry.iter().filter_map(|registered| State::of(registered, world)).collect();
        states.sort_by(|a, b| a.name.cmp(&b.name));
        Self(states)
    }

    /// Notes the state of an agent that differs from that of a new agent.
    pub fn note(&self, agent: EntityRef, place: &Place) {
        for State { name, component, initial } in &self.0 {
            let state = component.reflect(agent);
            if state.is_some_and(|state| state.reflect_partial_eq(initial.as_partial_reflect()) != Some(true)) {
                place.note(&format!("`{name}` starts anew"));
            }
        }
    }
}

impl State {
    fn of(registered: &TypeRegistration, world: &World) -> Option<Self> {
        let (plugin, _) = std::any::type_name::<SteeringAgent>().split_once("::")?;
        let path = registered.type_info().type_path_table();
        let is_state =
            path.crate_name() == Some(plugin) && registered.type_id() != std::any::TypeId::of::<SteeringId>();
        let component = registered.data::<ReflectComponent>().filter(|_| is_state)?;
        let id = world.components().get_id(registered.type_id())?;
        let is_cloned = !matches!(world.components().get_info(id)?.clone_behavior(), ComponentCloneBehavior::Ignore);
        let initial = registered.data::<ReflectDefault>().filter(|_| !is_cloned)?.default();
        Some(Self { name: path.short_path().to_owned(), component: component.clone(), initial })
    }
}
