//! The plugin as a game sees it: entities with behaviors in an `App`.

mod arbitration;
mod arriving;
mod arriving_anew;
mod avoiding;
mod avoiding_neighbors;
mod bad_inputs;
mod behaviors;
mod body;
mod bounds;
mod builders;
mod closing_up;
mod components;
mod containing;
mod corridors;
#[path = "../heap/crowd.rs"]
#[allow(dead_code, reason = "the tests use a part of what the file shares")]
mod crowd;
mod custom;
mod dead_ends;
mod eight_at_once;
mod events;
mod facing;
mod flocking;
mod floors;
mod following_field;
mod following_path;
mod following_wall;
mod formation_slots;
mod formations;
mod groups;
mod hard_places;
mod heaps;
mod hiding;
mod holding;
mod intercepting;
mod irregular_frames;
mod jams;
mod keeping_apart;
mod keeping_place;
mod knockback;
mod known_breakages;
mod leading;
mod lifecycle;
mod light_bodies;
mod limits;
mod losing_targets;
mod mazes;
mod melees;
mod mixed_bodies;
mod mixing;
mod non_finite;
mod one_sided_crowds;
mod orbiting;
mod parents;
mod path_ends;
mod path_progress;
mod planes;
mod querying;
mod queueing;
mod rates;
mod reaching;
mod rooms;
mod scenes;
mod schedule;
mod seeing;
mod solid;
mod thinking;
mod threads;
mod turning_obstacles;
mod weights;
mod within_a_tick;

use std::time::Duration;

use bevy::app::Plugins;
use bevy::ecs::schedule::SingleThreadedExecutor;
use bevy::prelude::*;
use bevy::reflect::GetPath;
use bevy::tasks::{ComputeTaskPool, TaskPoolBuilder};
use bevy::time::TimeUpdateStrategy;
use bevy_steerling::behavior_prelude::*;
use bevy_steerling::prelude::*;
use proptest::test_runner::{Config as ProptestConfig, RngSeed};

/// Ticks per second in these tests.
const RATE: f64 = 60.0;
const TICK: f32 = (1.0 / RATE) as f32;

/// An app that runs exactly one tick in each update.
fn app() -> App {
    app_at(RATE)
}

fn app_at(rate: f64) -> App {
    app_with((), rate)
}

fn app_with<M>(plugins: impl Plugins<M>, rate: f64) -> App {
    // Several threads, also on machines with two cores.
    ComputeTaskPool::get_or_init(|| TaskPoolBuilder::new().num_threads(3).build());
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, SteeringPlugin::default()))
        .add_plugins(plugins)
        .insert_resource(Time::<Fixed>::from_hz(rate))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.world_mut().resource_mut::<Time<Virtual>>().set_max_delta(Duration::MAX);
    app.finish();
    // With the features of the scenes, Bevy runs schedules on threads, which takes several times as long for so few systems.
    for (_, schedule) in app.world_mut().resource_mut::<Schedules>().iter_mut() {
        schedule.set_executor(SingleThreadedExecutor::new());
    }
    // The first update passes no time.
    app.update();
    app
}

fn run(app: &mut App, ticks: usize) {
    for _ in 0..ticks {
        app.update();
    }
}

fn position(app: &App, entity: Entity) -> Vec2 {
    app.world().get::<Transform>(entity).expect("it has a place").translation.truncate()
}

fn velocity(app: &App, entity: Entity) -> Vec2 {
    app.world().get::<Velocity>(entity).expect("it moves").0
}

fn force(app: &App, entity: Entity) -> Vec2 {
    app.world().get::<SteeringForce>(entity).expect("it is steered").0
}

/// A quarter of the cases, or all of them if the environment variable `ALL_CASES` is set.
fn quarter_of(cases: u32) -> u32 {
    if std::env::var_os("ALL_CASES").is_some() { cases } else { cases.div_ceil(4) }
}

/// So many cases of a property, the same in every run.
fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::with_cases(cases) }
}

/// Deterministic numbers in [0, 1).
fn numbers(seed: u64) -> impl FnMut() -> f32 {
    let mut random = SteeringRng::new(SteeringSeed(seed), SteeringId::new(0), 1);
    move || random.uniform()
}

/// A body with a random radius, which takes from 1/8 to 1/2 s to reach its max speed.
fn random_body(number: &mut impl FnMut() -> f32) -> SteeringAgent {
    let radius = 2.0 + 8.0 * number();
    let max_speed = radius * (3.0 + 9.0 * number());
    SteeringAgent { max_speed, max_force: max_speed * (2.0 + 6.0 * number()), radius, ..default() }
}

/// Spawns a wall at x = 0, 400 times as long as the radius of a body on both sides of a door, with these halves of the door's width and the
/// wall's depth.
fn spawn_wall_with_door(app: &mut App, radius: f32, half_width: f32, half_depth: f32) {
    for side in [-1.0, 1.0] {
        let wall = Obstacle::new(Rectangle::new(2.0 * half_depth, 400.0 * radius));
        app.world_mut().spawn((wall, at(0.0, side * (half_width + 200.0 * radius))));
    }
}

/// The state of a behavior as a saved game may have it: with this value in the field at `path`.
fn state_with<S: Reflect + Default, T: Reflect>(path: &str, value: T) -> S {
    let mut state = S::default();
    *state.path_mut::<T>(path).expect("there is such a field") = value;
    state
}

/// The distance of a place from the segment from `a` to `b`.
fn to_segment(place: Vec2, a: Vec2, b: Vec2) -> f32 {
    let along = b - a;
    let share = ((place - a).dot(along) / along.length_squared().max(1e-12)).clamp(0.0, 1.0);
    place.distance(a + along * share)
}

/// A transform at a place.
fn at(x: f32, y: f32) -> Transform {
    Transform::from_xyz(x, y, 0.0)
}
