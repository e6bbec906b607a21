//! Every kind of component of the shared crowd, with any numbers in all of its fields: nothing becomes infinite, and nobody else is
//! harmed.

#[path = "../heap/crowd.rs"]
#[allow(dead_code, reason = "the tests use a part of what the file shares")]
pub mod crowd;

use bevy::ecs::reflect::AppTypeRegistry;
use bevy::reflect::{PartialReflect, ReflectMut};

use super::*;

const ODD: [f32; 10] = [0.0, -1.0, 0.5, 40.0, 1e-30, 1e9, 1e30, f32::NAN, f32::INFINITY, f32::NEG_INFINITY];

/// Puts odd numbers into all fields of a value.
fn scramble(value: &mut dyn PartialReflect, odd: &mut dyn FnMut() -> f32) {
    if let Some(number) = value.try_downcast_mut::<f32>() {
        *number = odd();
    } else if let Some(number) = value.try_downcast_mut::<Option<f32>>() {
        *number = Some(odd());
    } else if let Some(number) = value.try_downcast_mut::<u32>() {
        *number = odd() as u32;
    } else {
        match value.reflect_mut() {
            ReflectMut::Struct(value) => {
                (0..value.field_len()).for_each(|k| scramble(value.field_at_mut(k).expect("a field"), odd));
            }
            ReflectMut::TupleStruct(value) => {
                (0..value.field_len()).for_each(|k| scramble(value.field_mut(k).expect("a field"), odd));
            }
            ReflectMut::Enum(value) => {
                (0..value.field_len()).for_each(|k| scramble(value.field_at_mut(k).expect("a field"), odd));
            }
            ReflectMut::List(value) => {
                (0..value.len()).for_each(|k| scramble(value.get_mut(k).expect("an item"), odd));
            }
            ReflectMut::Array(value) => {
                (0..value.len()).for_each(|k| scramble(value.get_mut(k).expect("an item"), odd));
            }
            _ => {}
        }
    }
}

/// Puts odd numbers into the plugin's settings of an agent, but not into where it is and how it moves.
fn scramble_settings(world: &mut World, agent: Entity, odd: &mut dyn FnMut() -> f32) {
    let registry = world.resource::<AppTypeRegistry>().clone();
    let registry = registry.read();
    for registration in registry.iter() {
        let path = registration.type_info().type_path();
        let is_settings = ["bevy_steerling::behaviors", "bevy_steerling::constraints", "bevy_steerling::motion"]
            .iter()
            .any(|module| path.starts_with(module))
            || path.ends_with("::BodyLimits")
            || path.ends_with("::Arbitration");
        // Relationships cannot be changed.
        let is_mutable = |id| world.components().get_info(id).is_some_and(|info| info.mutable());
        if let Some(component) = registration.data::<ReflectComponent>().filter(|_| is_settings)
            && world.components().get_id(registration.type_id()).is_some_and(is_mutable)
            && let Some(mut value) = component.reflect_mut(world.entity_mut(agent))
        {
            scramble(value.as_partial_reflect_mut(), odd);
        }
    }
}

#[test]
fn any_numbers_in_any_component_keep_everybody_finite() {
    let mut random = numbers(77);
    for kind in 0..crowd::KINDS {
        for round in 0..12 {
            let mut app = app();
            let world = app.world_mut();
            crowd::dimension::spawn_obstacle(world, round);
            let target = world.spawn((Velocity(Vec2::new(5.0, 1.0)), at(150.0, 20.0))).id();
            let healthy = world.spawn((Wander::default(), Solid::default(), at(12.0, 5.0))).id();
            let agents = [0, 1].map(|k| world.spawn((SteeringAgent::default(), at(8.0 * k as f32, 3.0))).id());
            for agent in agents {
                // Something to bend, to log and to arbitrate.
                world.entity_mut(agent).insert(Seek::new(target));
                crowd::insert(&mut world.entity_mut(agent), kind, Target::Entity(target));
                scramble_settings(world, agent, &mut || ODD[(random() * ODD.len() as f32) as usize % ODD.len()]);
            }
            run(&mut app, 20);
            for agent in [agents[0], agents[1], healthy] {
                let state = [position(&app, agent), velocity(&app, agent), force(&app, agent)];
                assert!(state.iter().all(|vector| vector.is_finite()), "kind {kind}, round {round}: {state:?}");
            }
        }
    }
}
