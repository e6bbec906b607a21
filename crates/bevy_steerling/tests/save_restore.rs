//! A game that is saved and restored, or set back, goes on as if nothing had happened: by way of reflection alone, as any game can save
//! it without knowing the components, by way of serde, and in Bevy's own format for worlds. What counts as the game is what the type
//! registry says.
//! `bevy_steerling_3d` runs the same tests.

#[cfg(dim3)]
extern crate bevy_steerling_3d as bevy_steerling;

#[path = "heap/crowd.rs"]
mod crowd;

use std::any::TypeId;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use bevy::ecs::entity::EntityHashMap;
use bevy::ecs::reflect::{AppTypeRegistry, ReflectComponent, ReflectResource};
use bevy::ecs::relationship::RelationshipHookMode;
use bevy::prelude::*;
use bevy::reflect::enums::VariantInfo;
use bevy::reflect::serde::{TypedReflectDeserializer, TypedReflectSerializer};
use bevy::reflect::{ReflectDeserialize, ReflectSerialize, TypeInfo, TypeRegistration, TypeRegistry};
use bevy::world_serialization::serde::WorldDeserializer;
use bevy_steerling::agent::NextSteeringId;
use bevy_steerling::math::Vector;
use bevy_steerling::prelude::*;
use serde::de::DeserializeSeed;

const CROWD: usize = 2 * crowd::KINDS;

/// How a component is kept.
type Copier = fn(&dyn PartialReflect, &TypeRegistration, &TypeRegistry) -> Box<dyn PartialReflect>;

fn reflected(value: &dyn PartialReflect, _: &TypeRegistration, _: &TypeRegistry) -> Box<dyn PartialReflect> {
    value.to_dynamic()
}

fn by_serde(
    value: &dyn PartialReflect,
    registration: &TypeRegistration,
    registry: &TypeRegistry,
) -> Box<dyn PartialReflect> {
    let text = serde_json::to_string(&TypedReflectSerializer::new(value, registry)).expect("it is written");
    let mut reader = serde_json::Deserializer::from_str(&text);
    let read = TypedReflectDeserializer::new(registration, registry).deserialize(&mut reader);
    read.unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The types that make up a game's state: those of this crate, and places.
fn is_state(registration: &TypeRegistration) -> bool {
    registration.type_info().type_path().starts_with("bevy_steerling")
        || registration.type_id() == TypeId::of::<Transform>()
}

/// All components of some entities.
struct Save(Vec<(Entity, Vec<(TypeId, Box<dyn PartialReflect>)>)>);

impl Save {
    fn of(world: &World, entities: &[Entity], copier: Copier) -> Self {
        let registry = world.resource::<AppTypeRegistry>().read();
        let components = |&entity: &Entity| {
            let components = registry.iter().filter(|registration| is_state(registration)).filter_map(|registration| {
                let component = registration.data::<ReflectComponent>()?.reflect(world.entity(entity))?;
                Some((registration.type_id(), copier(component.as_partial_reflect(), registration, &registry)))
            });
            (entity, components.collect())
        };
        Self(entities.iter().map(components).collect())
    }

    /// Gives the entities that stand for those saved their components, and takes all others that are state.
    fn restore(&self, world: &mut World, entities: &mut EntityHashMap<Entity>) {
        let registry = world.resource::<AppTypeRegistry>().clone();
        let registry = registry.read();
        for (saved, components) in &self.0 {
            let entity = entities[saved];
            for registration in registry.iter().filter(|registration| is_state(registration)) {
                let Some(reflect) = registration.data::<ReflectComponent>() else { continue };
                let kept = components.iter().find(|(id, _)| *id == registration.type_id());
                let mut entity = world.entity_mut(entity);
                match kept {
                    Some((_, component)) => reflect.apply_or_insert_mapped(
                        &mut entity,
                        &**component,
                        &registry,
                        entities,
                        RelationshipHookMode::Run,
                    ),
                    None => reflect.remove(&mut entity),
                }
            }
        }
    }
}

/// Copies the resources of this crate. A resource is a component of an entity of its own.
fn copy_resources(from: &World, to: &mut World, copier: Copier) {
    let entity_of =
        |world: &World, resource: TypeId| world.resource_entities().get(world.components().get_id(resource)?);
    let registry = from.resource::<AppTypeRegistry>().read();
    let mut copied = 0;
    for registration in registry.iter().filter(|registration| is_state(registration)) {
        if registration.data::<ReflectResource>().is_none() {
            continue;
        }
        let reflect = registration.data::<ReflectComponent>().expect("a resource is a component");
        let [source, target] =
            [from, &*to].map(|world| entity_of(world, registration.type_id()).expect("the plugin inserts it"));
        let resource = reflect.reflect(from.entity(source)).expect("it is there");
        let copy = copier(resource.as_partial_reflect(), registration, &registry);
        let mut target = to.entity_mut(target);
        reflect.apply_or_insert_mapped(&mut target, &*copy, &registry, &mut (), RelationshipHookMode::Run);
        copied += 1;
    }
    assert!(copied >= 4, "{copied} resources");
}

/// A fingerprint of everything that is the state of these entities.
fn hash(world: &World, entities: &[Entity]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for &entity in entities {
        let transform = world.get::<Transform>(entity).expect("it has a place");
        let [velocity, force] = [
            world.get::<Velocity>(entity).map_or(Vector::ZERO, |velocity| velocity.0),
            world.get::<SteeringForce>(entity).map_or(Vector::ZERO, |force| force.0),
        ];
        transform.translation.to_array().map(f32::to_bits).hash(&mut hasher);
        transform.rotation.to_array().map(f32::to_bits).hash(&mut hasher);
        [velocity, force].map(|vector| vector.to_array().map(f32::to_bits)).hash(&mut hasher);
    }
    hasher.finish()
}

/// A world with a crowd that has run for a while, and all entities in it that have a place.
fn running() -> (App, Vec<Entity>) {
    let mut app = crowd::app();
    app.register_type::<Transform>();
    let world = app.world_mut();
    crowd::spawn_crowd(world, CROWD);
    for _ in 0..60 {
        crowd::tick(world);
    }
    let mut entities: Vec<Entity> = world.query_filtered::<Entity, With<Transform>>().iter(world).collect();
    entities.sort();
    (app, entities)
}

/// How much has been told.
#[derive(Resource, Default)]
struct Count(usize);

fn count_events(app: &mut App) {
    app.init_resource::<Count>()
        .add_observer(|_: On<TargetLost>, mut count: ResMut<Count>| count.0 += 1)
        .add_observer(|_: On<Arrived>, mut count: ResMut<Count>| count.0 += 1)
        .add_observer(|_: On<Stuck>, mut count: ResMut<Count>| count.0 += 1)
        .add_observer(|_: On<CollisionImminent>, mut count: ResMut<Count>| count.0 += 1);
}

#[test]
fn every_component_of_the_crate_is_registered_and_takes_part() {
    let (app, entities) = running();
    let world = app.world();
    let registry = world.resource::<AppTypeRegistry>().read();
    let registered: BTreeSet<&str> = registry
        .iter()
        .filter(|registration| is_state(registration) && registration.data::<ReflectComponent>().is_some())
        .filter(|registration| registration.data::<ReflectResource>().is_none())
        .map(|registration| registration.type_info().type_path())
        .collect();
    let mut there = BTreeSet::new();
    for entity in entities {
        for component in world.inspect_entity(entity).expect("it is there") {
            let id = component.type_id().expect("it is a type of Rust");
            let name = component.name().to_string();
            match registry.get(id) {
                Some(registration) if is_state(registration) => _ = there.insert(registration.type_info().type_path()),
                // What lasts no longer than a tick is no state.
                _ => assert!(
                    !name.starts_with("bevy_steerling")
                        || name.ends_with("::ContributionLog")
                        || name.ends_with("::Destination"),
                    "{name} is not registered"
                ),
            }
        }
    }
    assert_eq!(there, registered, "left: who takes part; right: what is registered");
}

/// The types of the parts of a type that reflection serializes part by part, or none if serde serializes the type.
fn parts(registration: &TypeRegistration) -> Vec<TypeId> {
    let registered = [registration.contains::<ReflectSerialize>(), registration.contains::<ReflectDeserialize>()];
    assert_eq!(registered[0], registered[1], "{}", registration.type_info().type_path());
    if registered[0] {
        return Vec::new();
    }
    match registration.type_info() {
        TypeInfo::Struct(info) => info.iter().map(|field| field.type_id()).collect(),
        TypeInfo::TupleStruct(info) => info.iter().map(|field| field.type_id()).collect(),
        TypeInfo::Tuple(info) => info.iter().map(|field| field.type_id()).collect(),
        TypeInfo::List(info) => vec![info.item_ty().id()],
        TypeInfo::Array(info) => vec![info.item_ty().id()],
        TypeInfo::Map(info) => vec![info.key_ty().id(), info.value_ty().id()],
        TypeInfo::Enum(info) => info
            .iter()
            .flat_map(|variant| match variant {
                VariantInfo::Struct(variant) => variant.iter().map(|field| field.type_id()).collect(),
                VariantInfo::Tuple(variant) => variant.iter().map(|field| field.type_id()).collect(),
                VariantInfo::Unit(_) => Vec::new(),
            })
            .collect(),
        other => panic!("neither serde nor reflection serializes {}", other.type_path()),
    }
}

#[test]
fn every_type_is_serialized() {
    let app = crowd::app();
    let registry = app.world().resource::<AppTypeRegistry>().read();
    let ours = registry.iter().filter(|registration| is_state(registration));
    let mut next: Vec<TypeId> = ours.map(TypeRegistration::type_id).collect();
    let mut seen = BTreeSet::new();
    while let Some(id) = next.pop() {
        if seen.insert(id) {
            next.extend(parts(registry.get(id).expect("it is registered with the type that it is a part of")));
        }
    }
    assert!(seen.len() > 100, "{} types", seen.len());
}

/// Brings the state of a game into another world. Returns which entity is which there.
type Way = fn(&World, &[Entity], &mut World) -> EntityHashMap<Entity>;

fn copy(from: &World, entities: &[Entity], to: &mut World, copier: Copier) -> EntityHashMap<Entity> {
    let save = Save::of(from, entities, copier);
    let mut map = entities.iter().rev().map(|&entity| (entity, to.spawn_empty().id())).collect();
    save.restore(to, &mut map);
    // Last, because new agents are given numbers before they get back their own.
    copy_resources(from, to, copier);
    map
}

/// By way of a text in the format of `.scn.ron` files.
fn load_saved_world(from: &World, entities: &[Entity], to: &mut World) -> EntityHashMap<Entity> {
    let registry = from.resource::<AppTypeRegistry>().read();
    let state = registry.iter().filter(|registration| is_state(registration));
    let filter = state.fold(WorldFilter::deny_all(), |filter, state| filter.allow_by_id(state.type_id()));
    let saved = DynamicWorldBuilder::from_world(from, &registry)
        .with_component_filter(filter.clone())
        .with_resource_filter(filter)
        .extract_entities(entities.iter().copied())
        .extract_resources()
        .build();
    let text = saved.serialize(&registry).expect("it is written");

    let registry = to.resource::<AppTypeRegistry>().clone();
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), AssetPlugin::default()));
    let mut assets = app.world().resource::<AssetServer>().clone();
    let mut reader = ron::Deserializer::from_str(&text).expect("it is RON");
    let loaded = {
        let registry = registry.read();
        let world = WorldDeserializer { type_registry: &registry, load_from_path: &mut assets };
        world.deserialize(&mut reader).unwrap_or_else(|error| panic!("{}", reader.span_error(error)))
    };
    let mut map = EntityHashMap::default();
    loaded.write_to_world(to, &mut map).expect("everything is registered");
    map
}

#[test]
fn a_game_restored_in_another_app_goes_on_identically() {
    let ways: [Way; 3] = [
        |from, entities, to| copy(from, entities, to, reflected),
        |from, entities, to| copy(from, entities, to, by_serde),
        load_saved_world,
    ];
    for way in ways {
        let (mut original, entities) = running();
        #[cfg(not(dim3))]
        original.insert_resource(SteeringPlane::new(Dir3::X, Dir3::Z));
        let mut restored = crowd::app();
        restored.register_type::<Transform>();
        let world = restored.world_mut();
        // Other entities than there: the numbers of those that were saved mean nothing here.
        world.spawn_batch((0..100).map(|_| Name::new("in the way")));
        let map = way(original.world(), &entities, world);
        let theirs: Vec<Entity> = entities.iter().map(|entity| map[entity]).collect();
        assert_eq!(hash(original.world(), &entities), hash(restored.world(), &theirs));
        count_events(&mut original);
        count_events(&mut restored);
        for tick in 1..=300 {
            crowd::tick(original.world_mut());
            crowd::tick(restored.world_mut());
            let hashes = [hash(original.world(), &entities), hash(restored.world(), &theirs)];
            assert_eq!(hashes[0], hashes[1], "tick {tick}");
        }
        let next = |app: &App| app.world().resource::<NextSteeringId>().clone();
        assert_eq!(next(&original), next(&restored));
        let told = |app: &App| app.world().resource::<Count>().0;
        assert!(told(&original) > 0);
        assert_eq!(told(&original), told(&restored));
    }
}

const ROUNDS: usize = if cfg!(dim3) { 100 } else { 1000 };

#[test]
fn eight_ticks_back_and_forth_again_and_again() {
    let (mut app, entities) = running();
    let (mut undisturbed, _) = running();
    let world = app.world_mut();
    let mut itself: EntityHashMap<Entity> = entities.iter().map(|&entity| (entity, entity)).collect();
    for round in 0..ROUNDS {
        let save = Save::of(world, &entities, reflected);
        let run = |world: &mut World| {
            for _ in 0..8 {
                crowd::tick(world);
            }
            hash(world, &entities)
        };
        let first = run(world);
        save.restore(world, &mut itself);
        assert_eq!(run(world), first, "round {round}");
        assert_eq!(run(undisturbed.world_mut()), first, "round {round}, never set back");
    }
}
