//! `FollowPath`, and the geometry of paths.

use bevy::ecs::entity::EntityHashMap;
use bevy::prelude::*;
use bevy_steerling::math::Vector;
use bevy_steerling::prelude::*;
use serde_json::Value;

use crate::case::{Input, to_number};
use crate::dimension::at;
use crate::outcome::{Outcome, ensure, near, near_number};
use crate::stage::*;

/// The points under this name.
fn points(input: &mut Input, key: &str) -> Vec<Vector> {
    let points = input.list(key);
    points.iter().map(|point| input.flatten(point)).collect()
}

pub fn follows(input: &mut Input) -> Outcome {
    let mut app = app_of(input);
    let (body, place, velocity) = agent_of(input);
    let path = points(input, "path");
    // The plugin finds out by itself how far an agent is, and how it slows down.
    for key in ["current", "next_waypoint_distance", "deceleration_s"] {
        input.ignore(key);
    }
    let follow = FollowPath { radius: input.number("satisfaction_radius"), ..FollowPath::new(path) };
    let agent = app.world_mut().spawn((follow, body, place, velocity)).id();
    app.update();
    as_expected(input, &app, agent)
}

/// A path does not turn its agent, whatever its kinematics and points.
pub fn never_turns(input: &mut Input) -> Outcome {
    // Any floats: those below.
    input.ignore("random");
    let (mut vector, mut app) = (vectors(), app(1.0));
    let mut before = EntityHashMap::default();
    for k in 0..200_u8 {
        let place = at(vector()).with_rotation(Quat::from_rotation_z(f32::from(k)));
        let follow = FollowPath::new(SteeringPath::new((0..k % 5).map(|_| vector())));
        before.insert(app.world_mut().spawn((follow, place, Velocity(vector()))).id(), place.rotation);
    }
    (0..5).for_each(|_| app.update());
    before.into_iter().try_for_each(|(agent, rotation)| {
        let place = app.world().get::<Transform>(agent).expect("it has a place");
        ensure(place.is_finite() && place.rotation == rotation, || format!("turned to {place:?}"))
    })
}

#[derive(Resource, Default)]
struct Reached(Vec<usize>);

/// The points that an agent passes, in order, on a straight path of so many points.
pub fn passes_points(input: &mut Input) -> Outcome {
    let count = input.number("waypoints").expect("it has points") as usize;
    let end = if input.take("loop") == Some(Value::Bool(true)) { PathEnd::Loop } else { PathEnd::Stop };
    let mut app = app(0.1);
    app.init_resource::<Reached>()
        .add_observer(|on: On<WaypointReached>, mut reached: ResMut<Reached>| reached.0.push(on.index));
    let follow = FollowPath::new(SteeringPath::new((0..count).map(|k| Vector::X * 50.0 * k as f32))).with_end(end);
    let agent = app.world_mut().spawn((follow, SteeringEvents::default(), at(Vector::ZERO))).id();
    (0..300).for_each(|_| app.update());
    let progress = app.world().get::<PathProgress>(agent).expect("it is on a path");
    match (input.case.expect.kind.as_str(), &input.case.expect.value) {
        ("bool", finished) => {
            let index = input.number("index").expect("it has an index") as usize;
            ensure(*finished == progress.is_finished() && progress.waypoint() == index, || format!("{progress:?}"))
        }
        ("index_sequence", Value::Array(indices)) => {
            input.ignore("advances");
            let mut reached = app.world().resource::<Reached>().0.clone();
            // After the end, the last point remains the next one.
            reached.resize(reached.len().max(indices.len()), progress.waypoint());
            let mut both = reached.iter().zip(indices);
            both.try_for_each(|(reached, index)| near_number(input, *reached as f32, to_number(index)))
        }
        (kind, _) => panic!("nothing is known of a `{kind}`"),
    }
}

/// Lengths and places on a path. A loop is a path that ends at its first point; a segment is a path of two points.
pub fn measures_path(input: &mut Input) -> Outcome {
    let mut points = points(input, "points");
    let is_loop = input.take("loop") == Some(Value::Bool(true));
    if is_loop {
        points.push(points[0]);
    }
    if let Some(segment) = input.number("segment") {
        points = points[segment as usize..][..2].to_vec();
    }
    let path = SteeringPath::new(points.iter().copied());
    let length = |ends: &[Vector]| SteeringPath::new(ends.iter().copied()).length();
    let lengths: Vec<f32> = points.windows(2).map(length).collect();
    let query = input.vector("query").map(|place| (place, path.distance_to_nearest(place)));
    let distance = input.number("distance");
    let expect = &input.case.expect;
    match (expect.kind.as_str(), query, distance) {
        ("scalar", Some((_, along)), None) => near_number(input, along, to_number(&expect.value)),
        ("scalar", None, None) => near_number(input, path.length(), to_number(&expect.value)),
        ("sequence", None, None) => are_near(input, &lengths, &expect.value),
        ("vec", None, Some(distance)) => {
            let distance = if is_loop { distance.max(0.0) % path.length() } else { distance };
            near(input, path.point_at(distance).expect("it has points"), input.expected())
        }
        ("nearest", Some((place, along)), None) => {
            let nearest = path.point_at(along).expect("it has points");
            let tangent = (path.point_at(along + 0.01).expect("it has points") - nearest).normalize();
            near(input, nearest, input.flatten(&expect.more["point"]))?;
            near(input, tangent, input.flatten(&expect.more["tangent"]))?;
            near_number(input, nearest.distance(place), to_number(&expect.more["outside"]))?;
            near_number(input, along, to_number(&expect.more["distance_along"]))
        }
        ("state", None, None) => {
            near_number(input, path.length(), to_number(&expect.more["length"]))?;
            match expect.more.get("segment_lengths") {
                Some(expected) => are_near(input, &lengths, expected),
                None => ensure(lengths.is_empty() && path.points().is_empty(), || format!("{path:?}")),
            }
        }
        (kind, ..) => panic!("nothing is known of a `{kind}`"),
    }
}

fn are_near(input: &Input, numbers: &[f32], expected: &Value) -> Outcome {
    let expected = expected.as_array().expect("it is a list");
    ensure(numbers.len() == expected.len(), || format!("{numbers:?}"))?;
    numbers.iter().zip(expected).try_for_each(|(number, expected)| near_number(input, *number, to_number(expected)))
}
