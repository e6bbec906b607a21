//! The stage on which a case is run: an app, the agent, and what has become of it.

use std::time::Duration;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_steerling::behavior_prelude::*;
use bevy_steerling::math::Vector;
use bevy_steerling::prelude::*;

use crate::behaviors::forces::Push;
use crate::behaviors::neighbors::Lookout;
use crate::case::{Input, to_number};
use crate::dimension::{DIMENSIONS, at, heading_of, position_of};
use crate::outcome::{Outcome, any_direction, near, near_number, obeys_rule};

/// An app in which a tick, this many seconds long, passes with each update.
pub fn app(tick: f32) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, SteeringPlugin::new(Update)))
        .insert_resource(LongestTick::UNLIMITED)
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f32(tick)))
        .add_steering_behavior::<Push<0>>()
        .add_steering_behavior::<Push<1>>()
        .add_steering_behavior::<Push<2>>()
        .add_steering_behavior::<Lookout>();
    app.world_mut().resource_mut::<Time<Virtual>>().set_max_delta(Duration::MAX);
    app.finish();
    // The first update passes no time.
    app.update();
    app
}

pub fn app_of(input: &mut Input) -> App {
    app(input.number("dt").unwrap_or(1.0))
}

/// More force than any case needs.
pub const STRONG: f32 = 1e9;

/// The agent of a case: its body, where it is, and how it moves.
pub fn agent_of(input: &mut Input) -> (SteeringAgent, Transform, Velocity) {
    let default = SteeringAgent::default();
    let mass = input.number("mass").unwrap_or(default.mass);
    let max_acceleration = input.number("max_acceleration").unwrap_or(STRONG);
    let agent = SteeringAgent {
        mass,
        max_speed: input.number("max_speed").unwrap_or(default.max_speed),
        max_force: input.number("max_force").unwrap_or(max_acceleration * mass),
        ..default
    };
    (agent, at(input.vector("pos").unwrap_or_default()), Velocity(input.vector("vel").unwrap_or_default()))
}

pub fn position(app: &App, agent: Entity) -> Vector {
    position_of(app.world().get(agent).expect("it has a place"))
}

pub fn velocity(app: &App, agent: Entity) -> Vector {
    app.world().get::<Velocity>(agent).expect("it moves").0
}

pub fn force(app: &App, agent: Entity) -> Vector {
    app.world().get::<SteeringForce>(agent).expect("it is steered").0
}

/// The direction in which an agent looks.
pub fn heading(app: &App, agent: Entity) -> Vector {
    heading_of(app.world().get(agent).expect("it has a place"))
}

/// Compares what has become of `agent` with what its case expects.
pub fn as_expected(input: &Input, app: &App, agent: Entity) -> Outcome {
    match input.case.expect.kind.as_str() {
        "vec" if any_direction(input.case) => near_number(input, force(app, agent).length(), input.expected().length()),
        "vec" => near(input, force(app, agent), input.expected()),
        "aim_point" => near(input, force(app, agent).normalize(), input.expected_way()),
        "velocity" => near(input, velocity(app, agent), input.expected()),
        "position" => near(input, position(app, agent), input.expected()),
        "length" => near_number(input, force(app, agent).length(), to_number(&input.case.expect.value)),
        "property" => obeys_rule(input, force(app, agent)),
        kind => panic!("{}: nothing is known of a `{kind}`", input.case.id),
    }
}

/// Numbers in [0, 1), always the same.
pub fn numbers() -> impl FnMut() -> f32 {
    let mut random = SteeringRng::new(SteeringSeed(0), SteeringId::new(0), 1);
    move || random.uniform()
}

/// A vector in a square or a cube around the origin with sides of one unit.
pub fn vector_of(random: &mut impl FnMut() -> f32) -> Vector {
    Vector::from_array([(); DIMENSIONS].map(|()| random() - 0.5))
}

/// Vectors of any size, also zero.
pub fn vectors() -> impl FnMut() -> Vector {
    let mut random = numbers();
    let mut number = move || {
        let scale = [0.0, 1e-6, 1.0, 100.0, 1e9][(random() * 5.0) as usize];
        (random() - 0.5) * scale
    };
    move || Vector::from_array([(); DIMENSIONS].map(|()| number()))
}
