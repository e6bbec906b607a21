//! The state that agents keep between ticks. Files do not contain it.

use bevy::ecs::reflect::{ReflectComponent, ReflectResource};
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
    /// All such components that are registered in a world: the plugin's components that are not cloned.
    pub fn new(world: &World) -> Self {
        let Some(registry) = world.get_resource::<AppTypeRegistry>() else { return Self(Vec::new()) };
        let registry: &TypeRegistry = &registry.read();
        let mut scratch = World::new();
        let states = registry.iter().filter_map(|registered| State::of(registered, registry, &mut scratch));
        let mut states: Vec<State> = states.collect();
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
    fn of(registered: &TypeRegistration, registry: &TypeRegistry, scratch: &mut World) -> Option<Self> {
        let (plugin, _) = std::any::type_name::<SteeringAgent>().split_once("::")?;
        let path = registered.type_info().type_path_table();
        // A resource is a component, too.
        let is_candidate = path.crate_name() == Some(plugin)
            && registered.type_id() != std::any::TypeId::of::<SteeringId>()
            && !registered.contains::<ReflectResource>();
        let component = registered.data::<ReflectComponent>().filter(|_| is_candidate)?;
        let initial = registered.data::<ReflectDefault>()?.default();
        let mut original = scratch.spawn_empty();
        component.insert(&mut original, initial.as_partial_reflect(), registry);
        let clone = original.clone_and_spawn();
        let is_cloned = component.contains(scratch.entity(clone));
        (!is_cloned).then(|| Self { name: path.short_path().to_owned(), component: component.clone(), initial })
    }
}
