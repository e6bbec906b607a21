//! Facing where one goes.

use bevy::prelude::*;
use bevy_steerling::math::Vector;
use bevy_steerling::prelude::*;
use serde_json::Value;

use crate::behaviors::forces::Push;
use crate::case::{Input, to_number};
use crate::dimension::{angle_of, at, direction_at, looking_along, position_of};
use crate::outcome::{Outcome, ensure, near, near_angle};
use crate::stage::*;

/// Facing a place is facing one's velocity, on the way there.
pub fn faces(input: &mut Input) -> Outcome {
    let mut app = app_of(input);
    let steps = input.number("steps").unwrap_or(1.0) as usize;
    let turn_rate = input.number("turn_rate_deg").map(f32::to_radians);
    let start = input.vector("heading").or(input.number("facing_deg").map(|angle| direction_at(angle.to_radians())));
    let (body, place, velocity) = agent_of(input);
    let way = input.vector("target").map(|target| target - position_of(&place));
    let way = way.or(input.number("target_deg").map(|angle| direction_at(angle.to_radians())));
    let velocity = way.map_or(velocity, Velocity);
    // Not by chance where it is to look.
    let rotation = looking_along(start.unwrap_or(direction_at(1.0)));
    let facing = turn_rate.map_or_else(FaceVelocity::default, |rate| FaceVelocity::default().with_turn_rate(rate));
    let agent = app.world_mut().spawn((body, place.with_rotation(rotation), velocity, facing)).id();
    let mut headings = Vec::new();
    for _ in 0..steps {
        app.update();
        headings.push(heading(&app, agent));
    }
    let last = headings[steps - 1];
    match (input.case.expect.kind.as_str(), &input.case.expect.value) {
        ("sequence", Value::Array(angles)) => {
            ensure(angles.len() == steps, || "not as many angles as steps".to_owned())?;
            let mut angles = headings.iter().map(|heading| angle_of(*heading).to_degrees()).zip(angles);
            angles.try_for_each(|(angle, expected)| near_angle(input, angle, to_number(expected)))
        }
        ("aim_point", _) => near(input, last, input.expected_way()),
        ("property", _) => {
            assert_eq!(input.case.expect.rule.as_deref(), Some("heading.y>0"));
            ensure(input.lift(last).y > 0.0, || format!("looks to {last}"))
        }
        (kind, _) => panic!("nothing is known of a `{kind}`"),
    }
}

/// Neither at rest nor in the place it goes to does an agent turn.
pub fn has_no_way_to_face(input: &mut Input) -> Outcome {
    // Any floats: those below.
    input.ignore("random");
    let at_rest = input.take("vel").is_some();
    let mut vector = vectors();
    let mut app = app(1.0);
    let agents: Vec<(Entity, Quat)> = (0..100_u8)
        .map(|k| {
            let (place, rotation) = (vector(), Quat::from_rotation_z(f32::from(k)));
            let body = SteeringAgent { max_force: f32::INFINITY, ..default() };
            let agent = (FaceVelocity::default(), body, at(place).with_rotation(rotation));
            let mut agent = app.world_mut().spawn(agent);
            if !at_rest {
                agent.insert((Seek::new(place), Velocity(vector())));
            }
            (agent.id(), rotation)
        })
        .collect();
    app.update();
    let rotation = |agent| app.world().get::<Transform>(agent).expect("it has a place").rotation;
    agents.iter().try_for_each(|(agent, before)| {
        ensure(rotation(*agent) == *before, || format!("turned from {before} to {}", rotation(*agent)))
    })
}

pub fn keeps_facing(input: &mut Input) -> Outcome {
    let mut app = app_of(input);
    let force = input.vector("force").expect("it is pushed");
    let rotation = Quat::from_rotation_z(2.0);
    let agent =
        app.world_mut().spawn((agent_of(input), FaceVelocity::default(), Push::<0> { force, weight: 1.0 })).id();
    app.world_mut().get_mut::<Transform>(agent).expect("it has a place").rotation = rotation;
    app.update();
    ensure(velocity(&app, agent) != Vector::ZERO, || "does not move at all".to_owned())?;
    let after = app.world().get::<Transform>(agent).expect("it has a place").rotation;
    ensure(after == rotation, || format!("turned from {rotation} to {after}"))
}
