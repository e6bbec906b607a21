//! Agents in three dimensions.

use std::f32::consts::PI;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bevy::prelude::*;
use bevy::tasks::{ComputeTaskPool, TaskPoolBuilder};
use bevy_steerling_3d::behavior_prelude::*;
use bevy_steerling_3d::prelude::*;

mod bodies;
mod drones;
mod engine;
mod events;
mod fields;
mod formations;
mod motion;
mod obstacles;
mod seeing;
mod turning_obstacles;
mod ways;
mod world;

const TICK: f32 = 1.0 / 60.0;

/// Gives all tests of this process several threads, unless a plugin of Bevy has started others before.
fn start_threads() {
    ComputeTaskPool::get_or_init(|| TaskPoolBuilder::new().num_threads(3).build());
}

fn app() -> App {
    let mut app = App::new();
    app.add_plugins(SteeringPlugin::new(Update)).insert_resource(SteeringThreads::Single);
    app.finish();
    app
}

fn run(app: &mut App, ticks: usize) {
    for _ in 0..ticks {
        app.world_mut().resource_mut::<Time>().advance_by(Duration::from_secs_f32(TICK));
        app.world_mut().run_schedule(SteeringSchedule);
        app.world_mut().clear_trackers();
    }
}

fn transform(app: &App, agent: Entity) -> Transform {
    *app.world().get(agent).expect("agents have a place")
}

fn position(app: &App, agent: Entity) -> Vec3 {
    transform(app, agent).translation
}

fn velocity(app: &App, agent: Entity) -> Vec3 {
    app.world().get::<Velocity>(agent).expect("agents have a velocity").0
}

/// Collects the agents that are warned of collisions, each with the entity that it is warned of.
fn warnings(app: &mut App) -> Arc<Mutex<Vec<(Entity, Entity)>>> {
    let warned = Arc::new(Mutex::new(Vec::new()));
    let seen = warned.clone();
    app.add_observer(move |event: On<CollisionImminent>| seen.lock().unwrap().push((event.entity, event.other)));
    warned
}

/// Numbers from 0 to 1.
fn numbers(seed: u64) -> impl FnMut() -> f32 {
    let mut random = SteeringRng::new(SteeringSeed(seed), SteeringId::new(0), 0);
    move || random.uniform()
}

/// A vector in a cube around the origin.
fn vector(random: &mut impl FnMut() -> f32, size: f32) -> Vec3 {
    Vec3::from_array([(); 3].map(|()| random() - 0.5)) * size
}

/// A unit vector.
fn direction(random: &mut impl FnMut() -> f32) -> Vec3 {
    loop {
        let vector = vector(random, 2.0);
        if (0.1..1.0).contains(&vector.length()) {
            return vector.normalize();
        }
    }
}

fn rotation(random: &mut impl FnMut() -> f32) -> Quat {
    Quat::from_axis_angle(direction(random), random() * PI)
}
