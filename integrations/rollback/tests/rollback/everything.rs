//! Nothing that the plugin remembers is left out.

use std::any::TypeId;
use std::collections::{BTreeMap, BTreeSet};

use bevy::ecs::reflect::{AppTypeRegistry, ReflectComponent, ReflectResource};
use bevy::prelude::*;
use bevy::reflect::TypeRegistration;
use bevy_ggrs::{LoadWorld, RollbackId, SaveWorld};
use bevy_steerling::prelude::*;

use crate::random_crowd::running_crowd;
use crate::session::{run, start_sync_test};

fn is_of_plugin(registration: &TypeRegistration) -> bool {
    registration.type_info().type_path().starts_with("bevy_steerling")
}

/// A component of an agent.
struct Remembered {
    agent: Entity,
    id: TypeId,
    path: &'static str,
    value: Box<dyn PartialReflect>,
}

/// The members of all formations.
fn formations(world: &mut World) -> BTreeMap<Entity, FormationMembers> {
    let mut formations = world.query::<(Entity, &FormationMembers)>();
    formations.iter(world).map(|(anchor, members)| (anchor, members.clone())).collect()
}

/// All components of the plugin except for the lists of members. The plugin's tests show that all of them are in this crowd.
fn remembered(world: &mut World) -> Vec<Remembered> {
    let mut agents = world.query_filtered::<Entity, With<RollbackId>>();
    let agents: Vec<Entity> = agents.iter(world).collect();
    let registry = world.resource::<AppTypeRegistry>().read();
    let components = agents.into_iter().flat_map(|agent| {
        let world = &*world;
        let is_kept = |registration: &&TypeRegistration| {
            is_of_plugin(registration) && registration.type_id() != TypeId::of::<FormationMembers>()
        };
        registry.iter().filter(is_kept).filter_map(move |registration| {
            let component = registration.data::<ReflectComponent>()?.reflect(world.entity(agent))?;
            let (id, path) = (registration.type_id(), registration.type_info().type_path());
            Some(Remembered { agent, id, path, value: component.as_partial_reflect().to_dynamic() })
        })
    });
    components.collect()
}

#[test]
fn every_component_of_the_plugin_is_restored() {
    let mut app = running_crowd(1);
    start_sync_test(&mut app, 0);
    run(&mut app, 60);
    let world = app.world_mut();
    world.run_schedule(SaveWorld);
    let (before, members) = (remembered(world), formations(world));
    assert!(!members.is_empty());
    let paths: BTreeSet<&str> = before.iter().map(|component| component.path).collect();
    assert!(paths.len() > 60, "{paths:?}");
    let registry = world.resource::<AppTypeRegistry>().clone();
    for Remembered { agent, id, .. } in &before {
        let registry = registry.read();
        let reflect = registry.get_type_data::<ReflectComponent>(*id).expect("it was reflected");
        reflect.remove(&mut world.entity_mut(*agent));
    }
    world.flush();
    world.run_schedule(LoadWorld);
    let after = remembered(world);
    let lost: BTreeSet<&str> = before
        .iter()
        .filter(|component| {
            let is_same = |other: &&Remembered| other.agent == component.agent && other.id == component.id;
            let restored = after.iter().find(is_same);
            restored.and_then(|restored| component.value.reflect_partial_eq(&*restored.value)) != Some(true)
        })
        .map(|component| component.path)
        .collect();
    assert!(lost.is_empty(), "not restored: {lost:?}");
    assert_eq!(before.len(), after.len());
    assert_eq!(formations(world), members);
}

#[test]
fn every_resource_of_the_plugin_is_known() {
    let app = running_crowd(1);
    let registry = app.world().resource::<AppTypeRegistry>().read();
    let resources: BTreeSet<&str> = registry
        .iter()
        .filter(|registration| is_of_plugin(registration) && registration.data::<ReflectResource>().is_some())
        .map(|registration| registration.type_info().type_path_table().short_path())
        .collect();
    // All but the threads, which do not change any result, are rolled back.
    let known = ["LongestTick", "NextSteeringId", "SteeringBounds", "SteeringPlane", "SteeringSeed", "SteeringThreads"];
    assert_eq!(resources, BTreeSet::from(known));
}

#[test]
fn resources_are_restored() {
    let mut app = running_crowd(1);
    start_sync_test(&mut app, 0);
    run(&mut app, 20);
    let world = app.world_mut();
    world.run_schedule(SaveWorld);
    fn resources(world: &World) -> (SteeringSeed, SteeringBounds, SteeringPlane, LongestTick) {
        (*world.resource(), *world.resource(), *world.resource(), *world.resource())
    }
    let before = resources(world);
    world.insert_resource(SteeringSeed(99));
    world.insert_resource(SteeringBounds::default());
    world.insert_resource(SteeringPlane::XZ);
    world.insert_resource(LongestTick(1.0));
    world.run_schedule(LoadWorld);
    assert_eq!(resources(world), before);
}
