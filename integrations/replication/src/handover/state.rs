//! Everything that steering remembers about an agent, as bytes.

use std::any::TypeId;
use std::hash::{DefaultHasher, Hash, Hasher};

use bevy::ecs::entity::EntityMapper;
use bevy::ecs::reflect::{AppTypeRegistry, ReflectComponent, ReflectResource};
use bevy::ecs::relationship::RelationshipHookMode;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy::reflect::serde::{TypedReflectDeserializer, TypedReflectSerializer};
use bevy::reflect::{GetTypeRegistration, TypeRegistry};
use bevy_steerling::prelude::*;
use serde::de::DeserializeSeed;
use serde::{Deserialize, Serialize};

/// The state of an agent: all components of the plugin, its `Transform`, and the game's own components that were registered.
///
/// References to other entities are kept as their [`SteeringId`]s.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentState {
    pub(super) id: SteeringId,
    /// The place of each component in the list of types, and its value.
    components: Vec<(u16, Vec<u8>)>,
    /// The entities in the components are places in this list.
    references: Vec<Option<SteeringId>>,
}

/// Registers components of a game for handovers.
pub trait BorderAppExt {
    /// Hands over this component together with the state of steering. It needs `#[reflect(Component, Clone, Serialize, Deserialize)]`.
    /// Both servers must register the same components.
    fn hand_over<C: Component + GetTypeRegistration>(&mut self) -> &mut Self;
}

impl BorderAppExt for App {
    fn hand_over<C: Component + GetTypeRegistration>(&mut self) -> &mut Self {
        self.register_type::<C>();
        self.world_mut().get_resource_or_init::<OfGame>().0.push(TypeId::of::<C>());
        self
    }
}

/// The game's own components.
#[derive(Resource, Default)]
struct OfGame(Vec<TypeId>);

/// The types of the components that are handed over, in an order on which both servers agree.
#[derive(Resource, Clone, Debug)]
pub(super) struct Types {
    ids: Vec<TypeId>,
    /// Differs between servers that do not agree.
    pub fingerprint: u64,
}

impl Types {
    pub fn new(world: &World) -> Self {
        let registry = world.resource::<AppTypeRegistry>().read();
        let of_game = world.get_resource::<OfGame>();
        let mut types: Vec<(&str, TypeId)> = registry
            .iter()
            .filter(|registration| registration.data::<ReflectComponent>().is_some())
            .filter(|registration| registration.data::<ReflectResource>().is_none())
            .map(|registration| (registration.type_info().type_path(), registration.type_id()))
            .filter(|(path, id)| {
                let is_of_game = of_game.is_some_and(|of_game| of_game.0.contains(id));
                // Bevy writes the list of members.
                let is_list = *id == TypeId::of::<FormationMembers>();
                (path.starts_with("bevy_steerling::") && !is_list) || *id == TypeId::of::<Transform>() || is_of_game
            })
            .collect();
        types.sort_unstable();
        let mut hasher = DefaultHasher::new();
        types.iter().for_each(|(path, _)| path.hash(&mut hasher));
        Self { ids: types.into_iter().map(|(_, id)| id).collect(), fingerprint: hasher.finish() }
    }
}

/// Replaces entities by places in a list of ids.
struct Collector<'w> {
    world: &'w World,
    references: Vec<Option<SteeringId>>,
}

impl EntityMapper for Collector<'_> {
    fn get_mapped(&mut self, source: Entity) -> Entity {
        let id = self.world.get::<SteeringId>(source).copied();
        let place = self.references.iter().position(|known| *known == id).unwrap_or_else(|| {
            self.references.push(id);
            self.references.len() - 1
        });
        Entity::from_raw_u32(place as u32).unwrap_or(Entity::PLACEHOLDER)
    }

    fn set_mapped(&mut self, _: Entity, _: Entity) {}
}

/// Replaces places in the list by the entities that have these ids here.
struct Resolver(Vec<Entity>, Entity);

impl EntityMapper for Resolver {
    fn get_mapped(&mut self, source: Entity) -> Entity {
        self.0.get(source.index_u32() as usize).copied().unwrap_or(self.1)
    }

    fn set_mapped(&mut self, _: Entity, _: Entity) {}
}

impl AgentState {
    /// The state of an agent.
    ///
    /// # Errors
    ///
    /// If it is no agent, or if a component cannot be written.
    pub fn of(world: &World, agent: Entity) -> Result<Self, BevyError> {
        let id = *world.get::<SteeringId>(agent).ok_or("it has no SteeringId")?;
        let registry = world.resource::<AppTypeRegistry>().read();
        let mut collector = Collector { world, references: Vec::new() };
        let mut components = Vec::new();
        for (place, type_id) in world.resource::<Types>().ids.iter().enumerate() {
            let Some(reflect) = registry.get_type_data::<ReflectComponent>(*type_id) else { continue };
            let Some(component) = reflect.reflect(world.entity(agent)) else { continue };
            let mut component = component.reflect_clone()?;
            reflect.map_entities(&mut *component, &mut collector);
            let serializer = TypedReflectSerializer::new(component.as_partial_reflect(), &registry);
            components.push((place as u16, postcard::to_stdvec(&serializer)?));
        }
        Ok(Self { id, components, references: collector.references })
    }

    /// The id of the agent.
    pub fn id(&self) -> SteeringId {
        self.id
    }

    /// The ids of the other entities to which the state refers.
    pub fn references(&self) -> impl Iterator<Item = SteeringId> {
        self.references.iter().copied().flatten()
    }

    /// Checks that all components can be read.
    pub(super) fn check(&self, world: &World) -> Result<(), BevyError> {
        let registry = world.resource::<AppTypeRegistry>().read();
        self.read(&registry, &world.resource::<Types>().ids).map(|_| ())
    }

    /// Gives `agent` this state. `ids` has all entities with an id.
    ///
    /// # Errors
    ///
    /// If a component cannot be read. Then `agent` is unchanged.
    pub(super) fn apply(
        &self,
        world: &mut World,
        agent: Entity,
        ids: &HashMap<SteeringId, Entity>,
    ) -> Result<(), BevyError> {
        let registry = world.resource::<AppTypeRegistry>().clone();
        let registry = registry.read();
        let components = self.read(&registry, &world.resource::<Types>().ids)?;
        // No entity will ever have this number.
        let nobody = world.spawn_empty().id();
        world.despawn(nobody);
        let find = |id: &Option<SteeringId>| id.and_then(|id| ids.get(&id).copied()).unwrap_or(nobody);
        let mut resolver = Resolver(self.references.iter().map(find).collect(), nobody);
        for (reflect, component) in components {
            let anchor = component.try_downcast_ref::<InFormation>().map(|member| resolver.get_mapped(member.0));
            // A formation whose anchor is not here.
            if anchor.is_some_and(|anchor| world.get_entity(anchor).is_err()) {
                continue;
            }
            let mut entity = world.entity_mut(agent);
            reflect.apply_or_insert_mapped(
                &mut entity,
                &*component,
                &registry,
                &mut resolver,
                RelationshipHookMode::Run,
            );
        }
        Ok(())
    }

    fn read<'a>(
        &self,
        registry: &'a TypeRegistry,
        types: &[TypeId],
    ) -> Result<Vec<(&'a ReflectComponent, Box<dyn PartialReflect>)>, BevyError> {
        let mut components = Vec::new();
        for (place, bytes) in &self.components {
            let id = types.get(usize::from(*place)).ok_or("it has an unknown component")?;
            let registration = registry.get(*id).ok_or("it has a component that is not registered")?;
            let reflect = registration.data::<ReflectComponent>().ok_or("it has something that is no component")?;
            let mut reader = postcard::Deserializer::from_bytes(bytes);
            let value = TypedReflectDeserializer::new(registration, registry).deserialize(&mut reader)?;
            components.push((reflect, value));
        }
        Ok(components)
    }
}

/// Takes everything from an agent that another server has now, except what others see of it.
pub(super) fn strip(world: &mut World, agent: Entity) {
    let seen = [
        TypeId::of::<SteeringAgent>(),
        TypeId::of::<SteeringId>(),
        TypeId::of::<SteeringGroups>(),
        TypeId::of::<SteeringForce>(),
        TypeId::of::<Velocity>(),
        TypeId::of::<Transform>(),
    ];
    let registry = world.resource::<AppTypeRegistry>().clone();
    let registry = registry.read();
    let types = world.resource::<Types>().clone();
    for id in types.ids.iter().filter(|id| !seen.contains(id)) {
        if let Some(reflect) = registry.get_type_data::<ReflectComponent>(*id) {
            reflect.remove(&mut world.entity_mut(agent));
        }
    }
}
