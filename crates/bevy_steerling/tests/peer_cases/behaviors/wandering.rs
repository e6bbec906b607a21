//! Wander.

use std::f32::consts::PI;

use bevy::math::ops;
use bevy::prelude::*;
use bevy_steerling::behaviors::wander::{WanderDrive, WanderState};
use bevy_steerling::math::Vector;
use bevy_steerling::prelude::*;

use crate::case::{Input, to_number};
use crate::dimension::{FARTHEST_TURN, direction_at, point_of, starting_at};
use crate::outcome::{Outcome, ensure, near, near_number};
use crate::stage::*;

fn wander_of(input: &mut Input) -> Wander {
    let (distance, radius) = (input.number("distance"), input.number("radius"));
    let wander = Wander { distance, radius, ..default() };
    // How far the point may stray on a circle of this radius, as an angle.
    input
        .number("jitter")
        .zip(radius)
        .map_or(wander.clone(), |(jitter, radius)| wander.with_angle_change(jitter / radius))
}

pub fn wanders(input: &mut Input) -> Outcome {
    let mut app = app_of(input);
    let wanderer = (agent_of(input), wander_of(input));
    let agents: Vec<Entity> = (0..20).map(|_| app.world_mut().spawn(wanderer.clone()).id()).collect();
    app.update();
    agents.iter().try_for_each(|agent| as_expected(input, &app, *agent))
}

/// With [`WanderDrive::Displacement`] and ticks of a second the force is the displacement to the point on the circle.
pub fn is_on_a_circle(input: &mut Input) -> Outcome {
    let mut app = app_of(input);
    let mut body = agent_of(input);
    if input.case.input.get("vel").is_none() {
        body.2 = Velocity(Vector::Y * 7.0);
    }
    let wander = wander_of(input).with_drive(WanderDrive::Displacement);
    let (one, wanderer) = (direction_at(0.3), |direction| (body, starting_at(wander.clone(), direction)));
    let points = [one, -one].map(|direction| app.world_mut().spawn(wanderer(direction)).id());
    app.update();
    let points = points.map(|agent| force(&app, agent));
    match input.case.expect.kind.as_str() {
        // The center is halfway between two opposite points.
        "vec" => near(input, (points[0] + points[1]) / 2.0, input.expected()),
        "length" => {
            let center = body.2.normalize() * wander.distance.expect("it has a distance");
            near_number(input, points[0].distance(center), to_number(&input.case.expect.value))
        }
        kind => panic!("nothing is known of a `{kind}`"),
    }
}

pub fn turns_little(input: &mut Input) -> Outcome {
    let bound = input.number("angle_change").expect("it turns");
    let samples = input.number("samples").expect("it turns often") as usize;
    // The peer's number is the farthest that the point turns.
    let wander = Wander::default().with_angle_change(bound / FARTHEST_TURN);
    let mut last = direction_at(0.0);
    let wander = starting_at(wander, last);
    let mut app = app_of(input);
    let agent = app.world_mut().spawn(wander).id();
    let mut most = 0.0_f32;
    for _ in 0..samples {
        app.update();
        let point = app.world().get::<WanderState>(agent).and_then(point_of).expect("it wanders");
        most = most.max(last.distance(point));
        last = point;
    }
    // And nearly as far as it may, now and then.
    let limit = 2.0 * ops::sin(0.5 * PI / 100.0) * (1.0 + 1e-5);
    ensure(most <= limit && most > 0.85 * limit, || format!("{most} at most instead of {limit}"))
}
