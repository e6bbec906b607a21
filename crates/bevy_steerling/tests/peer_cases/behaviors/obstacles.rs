//! `AvoidObstacles`.

use bevy::prelude::*;
use bevy_steerling::math::Vector;
use bevy_steerling::prelude::*;
use serde_json::{Value, json};

use crate::case::{Input, to_number};
use crate::dimension::*;
use crate::outcome::{Outcome, ensure, near};
use crate::stage::*;

pub fn avoids(input: &mut Input) -> Outcome {
    let (mut app, agent) = scene(input, |_| true);
    app.update();
    as_expected(input, &app, agent)
}

/// The force of one that comes toward the only obstacle does not point toward its center.
pub fn is_not_drawn_in(input: &mut Input) -> Outcome {
    let center = input.case.input["obstacles"][0]["pos"].clone();
    let (mut app, agent) = scene(input, |_| true);
    let outward = position(&app, agent) - input.flatten(&center);
    app.update();
    let force = force(&app, agent);
    ensure(force.is_finite() && outward.dot(force) >= 0.0, || format!("{force}"))
}

/// Of several obstacles it does what it does of the threat alone.
pub fn minds_the_threat(input: &mut Input) -> Outcome {
    let threat = to_number(&input.case.expect.value);
    let wanted = |input: &mut Input, shown: &dyn Fn(usize) -> bool| {
        let (mut app, agent) = scene(input, shown);
        app.update();
        force(&app, agent)
    };
    let again = || Input::of(input.case).expect("it fits into the plane");
    let (alone, other) =
        (wanted(&mut again(), &|index| index as f32 == threat), wanted(&mut again(), &|index| index as f32 != threat));
    let all = wanted(input, &|_| true);
    ensure(alone != other, || "both are the same to it".to_owned())?;
    near(input, all, alone)
}

pub fn never_turns(input: &mut Input) -> Outcome {
    input.ignore("random");
    // None is what the agent meets by default.
    let no_obstacles = input.take("targets").is_some();
    let mut random = vectors();
    for _ in 0..200 {
        let mut app = app(1.0);
        let kinematics = (AvoidObstacles::default(), at(random()), Velocity(random()));
        let agent = app.world_mut().spawn(kinematics).id();
        if !no_obstacles {
            app.world_mut().spawn((Obstacle::new(round(random().length())), at(random())));
        }
        app.update();
        let rotation = app.world().get::<Transform>(agent).expect("it has a place").rotation;
        ensure(rotation == Quat::IDENTITY, || format!("turns to {rotation}"))?;
        ensure(!no_obstacles || force(&app, agent) == Vector::ZERO, || "avoids nothing".to_owned())?;
    }
    Ok(())
}

/// An agent that avoids those of the obstacles that are shown.
fn scene(input: &mut Input, shown: impl Fn(usize) -> bool) -> (App, Entity) {
    let mut app = app_of(input);
    let (mut body, place, mut velocity) = agent_of(input);
    body.radius = input.number("radius").unwrap_or(0.0);
    // Where only a direction is given, it runs that way.
    if let Some(heading) = input.vector("forward").or_else(|| input.vector("heading")) {
        velocity.0 = heading * body.max_speed;
    }
    // It wants to go on as it moves.
    input.ignore("preferred_velocity");
    // Feelers are straight here.
    input.ignore("feeler_angle_deg");
    let by_time = input.number("lookahead_s").map(|seconds| seconds * body.max_speed);
    let look_ahead = ["lookahead", "feeler", "box_min_length"].iter().find_map(|key| input.number(key)).or(by_time);

    let obstacles = obstacles_of(input).into_iter().enumerate().filter(|(index, _)| shown(*index));
    for (_, (shape, transform)) in obstacles {
        app.world_mut().spawn((Obstacle::new(shape), transform));
    }
    let avoid = AvoidObstacles { look_ahead, ..default() };
    let agent = app.world_mut().spawn((avoid, body, place, velocity)).id();
    (app, agent)
}

fn obstacles_of(input: &mut Input) -> Vec<(ObstacleShape, Transform)> {
    let mut obstacles = Vec::new();
    for obstacle in input.list("obstacles") {
        let mut place = at(input.flatten(&obstacle["pos"]));
        let shape = match &obstacle["radius"] {
            Value::Null => {
                // A box stands along the axes of its own space.
                let size = [0, 1, 2].map(|axis| to_number(&obstacle["box"][axis]));
                let (shape, rotation) = upright_box(size, input.flatten(&json!([1, 0, 0])));
                place.rotation = rotation;
                shape
            }
            radius => round(to_number(radius)),
        };
        obstacles.push((shape, place));
    }
    for corners in input.list("boxes") {
        let [min, max] = [0, 1].map(|corner| input.flatten(&corners[corner]));
        obstacles.push((block(max - min).into(), at(0.5 * (min + max))));
    }
    for wall in input.list("walls") {
        let points = wall.as_array().expect("a wall has points").iter().map(|point| input.flatten(point));
        obstacles.extend(walls(&points.collect::<Vec<_>>()));
    }
    obstacles
}
