//! The motion of a scene in the plane z = 0 is that of the same scene in two dimensions.

use std::convert::Infallible;

use serde_json::{Value, json};
use {steerling_scenario as flat, steerling_scenario_3d as deep};

/// A place or vector with z = 0.
fn deepened(value: &Value) -> Value {
    match value {
        Value::Array(items) if !items.is_empty() && items.iter().all(Value::is_number) => {
            Value::Array(items.iter().cloned().chain([json!(0)]).collect())
        }
        Value::Array(items) => items.iter().map(deepened).collect(),
        Value::Object(fields) => fields.iter().map(|(key, value)| (key.clone(), deepened(value))).collect(),
        other => other.clone(),
    }
}

/// The largest distance between agents of the two scenes in any tick, and the way of the agent that gets farthest from its start.
fn compare(file: &Value) -> (f32, f32) {
    let mut space = deepened(file);
    space["dimensions"] = json!(3);
    if let Some(max) = space.pointer_mut("/bounds/max/2") {
        *max = json!(60);
    }
    if let Some(min) = space.pointer_mut("/bounds/min/2") {
        *min = json!(-60);
    }
    let flat_scene = flat::Scenario::parse("flat.json", &file.to_string()).unwrap_or_else(|error| panic!("{error}"));
    let deep_scene = deep::Scenario::parse("deep.json", &space.to_string()).unwrap_or_else(|error| panic!("{error}"));
    let mut places = Vec::new();
    let Ok(_) = flat::run::<Infallible>(&flat_scene, flat_scene.ticks(), flat::Threads::Exactly(1), |simulation| {
        places.push(simulation.agents().iter().map(|agent| agent.position).collect::<Vec<_>>());
        Ok(())
    });
    let (mut off, mut way, mut tick) = (0.0_f32, 0.0_f32, 0);
    let Ok(_) = deep::run::<Infallible>(&deep_scene, deep_scene.ticks(), deep::Threads::Exactly(1), |simulation| {
        for ((agent, place), start) in simulation.agents().iter().zip(&places[tick]).zip(&places[0]) {
            off = off.max(agent.position.distance(place.extend(0.0)));
            way = way.max(place.distance(*start));
        }
        tick += 1;
        Ok(())
    });
    (off, way)
}

#[test]
fn seek_arrive_and_pursue_move_in_the_plane_as_in_two_dimensions() {
    let (off, way) = compare(&json!({
        "ticks": 300, "markers": {"m": [[0, 90, 20], [2, -50, 40]]},
        "agents": [
            {"id": "s", "position": [0, 0], "velocity": [5, -30], "behaviors": [{"seek": {"target": {"marker": "m"}}}]},
            {"id": "a", "position": [9, 70], "mass": 2, "behaviors": [{"arrive": {"target": {"point": [-80, 10]}}}]},
            {"id": "p", "position": [-90, 9], "behaviors": [{"pursue": {"target": {"agent": "s"}}}]},
            {"id": "e", "position": [40, 9], "behaviors": [{"evade": {"target": {"agent": "p"}}}],
             "impulse": {"velocity": [3, 50]}}
        ]
    }));
    assert!(off < 5e-5 * way && way > 100.0, "{off} after {way}");
}

#[test]
fn a_flock_moves_in_the_plane_as_in_two_dimensions() {
    // A longer run of a flock amplifies rounding.
    for edge in ["none", "wrap", "bounce"] {
        let agents: Vec<Value> = (0..40_u8)
            .map(|k| {
                let (column, row) = (k % 8, k / 8);
                let place = [10.0 * f32::from(column) + f32::from(row), 9.0 * f32::from(row) + f32::from(k % 3)];
                let velocity = [20.0 + f32::from(k % 5), f32::from(k % 7) * 4.0 - 12.0];
                json!({"id": k.to_string(), "position": place, "velocity": velocity, "max_speed": 40, "radius": 2, "response_time": 0.3,
                       "behaviors": [{"flock": {}}]})
            })
            .collect();
        let bounds = json!({"min": [-5, -5], "max": [85, 55], "edge": edge});
        let (off, way) = compare(&json!({"ticks": 30, "bounds": bounds, "agents": agents}));
        assert!(off < 1e-3 && way > 8.0, "{edge}: {off} after {way}");
    }
}
