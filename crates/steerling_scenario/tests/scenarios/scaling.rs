//! A scene in another unit of length. The file that includes this names the crate `scenario`.

use bevy_steerling::prelude::SteeringAgent;
use serde_json::{Map, Value, json};

use crate::scenario::{Scenario, Simulation, Threads};

/// The fields whose numbers contain the unit of length: lengths, speeds, accelerations and forces.
const WITH_LENGTH: &str = "arrival_tolerance cell center clearance distance end half_size link_radius look_ahead max max_acceleration \
    max_avoid_force max_braking max_force max_separation max_speed min min_turning_radius mirrored offset \
    panic_distance path pattern pivot place point points position radius range reach reverse_speed slowing_radius \
    spacing speed start threshold toward velocity";

/// All other fields with numbers.
const WITHOUT_LENGTH: &str = "angle angle_change brake count dimensions field_of_view fixed from group groups hard_stop heading headway \
    layers mass max_neighbors max_prediction max_turn_rate normal rate response_time rotation seed tick ticks \
    time_constant time_gap turn_rate weight";

const FLOCK_PART: &str = "a part of a flock";

/// The same scene with all lengths multiplied by `factor`. Bodies get their default values explicitly.
fn scaled(file: &Value, factor: f64) -> Value {
    let mut file = file.clone();
    for agent in file.get_mut("agents").and_then(Value::as_array_mut).into_iter().flatten() {
        add_defaults(agent);
    }
    for crowd in file.get_mut("crowds").and_then(Value::as_array_mut).into_iter().flatten() {
        add_defaults(&mut crowd["agent"]);
    }
    scale_object(file.as_object_mut().expect("it is an object"), "", factor);
    file
}

fn add_defaults(agent: &mut Value) {
    let body = SteeringAgent::default();
    for (key, default) in [("max_speed", body.max_speed), ("max_force", body.max_force), ("radius", body.radius)] {
        if agent[key].is_null() {
            agent[key] = json!(default);
        }
    }
}

fn scale_object(object: &mut Map<String, Value>, name: &str, factor: f64) {
    for (key, value) in object {
        match value {
            // Tracks: times, and coordinates.
            Value::Object(markers) if key == "markers" => {
                let entries = markers.values_mut().flat_map(|track| track.as_array_mut().into_iter().flatten());
                let coordinates = entries.filter_map(Value::as_array_mut).flat_map(|entry| &mut entry[1..]);
                coordinates.for_each(|coordinate| scale_numbers(coordinate, factor));
            }
            // A time.
            Value::Number(_) if key == "look_ahead" && name == "avoid_neighbors" => {}
            // The weights of the parts of a flock are forces.
            Value::Object(part) if name == "flock" => scale_object(part, FLOCK_PART, factor),
            Value::Number(_) if key == "weight" && name == FLOCK_PART => scale_numbers(value, factor),
            _ if has(WITHOUT_LENGTH, key) && !value.is_object() => {}
            Value::Object(_) if ["priorities", "probabilities"].contains(&key.as_str()) => {}
            Value::Object(object) => scale_object(object, key, factor),
            Value::Array(list) if list.iter().any(Value::is_object) => {
                list.iter_mut().filter_map(Value::as_object_mut).for_each(|object| scale_object(object, key, factor));
            }
            Value::Array(_) | Value::Number(_) => {
                let is_known = has(WITH_LENGTH, key) || !has_numbers(value);
                assert!(is_known, "{name}.{key}: does its unit contain the unit of length?");
                scale_numbers(value, factor);
            }
            _ => {}
        }
    }
}

fn has(names: &str, name: &str) -> bool {
    names.split_whitespace().any(|other| other == name)
}

fn has_numbers(value: &Value) -> bool {
    value.is_number() || value.as_array().is_some_and(|list| list.iter().any(has_numbers))
}

fn scale_numbers(value: &mut Value, factor: f64) {
    if let Value::Array(list) = value {
        list.iter_mut().for_each(|value| scale_numbers(value, factor));
    } else if let Some(number) = value.as_f64() {
        *value = json!(number * factor);
    }
}

/// The squares of lengths and speeds below this, such as those of agents at rest, underflow in other units.
const NOTHING: f32 = 1e-9;

/// Checks that a scene moves in the same way in other units of length. Multiplying by a power of two is exact, so positions and velocities
/// are the same, bit by bit.
#[track_caller]
pub fn check_that_the_unit_of_length_does_not_matter(name: &str, file: &Value, ticks: u64) {
    let simulation = |factor: f64| {
        let text = scaled(file, factor).to_string();
        let scenario = Scenario::parse(name, &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        Simulation::new(&scenario, Threads::Exactly(1))
    };
    let mut original = simulation(1.0);
    let mut others = [1.0 / 256.0, 64.0].map(|factor| (factor as f32, simulation(factor)));
    for tick in 1..=ticks {
        original.step();
        for (factor, other) in &mut others {
            other.step();
            assert_eq!(original.agents().len(), other.agents().len(), "{name}: tick {tick}");
            for (one, other) in original.agents().iter().zip(other.agents()) {
                for (one_has, other_has) in [(one.position, other.position), (one.velocity, other.velocity)] {
                    let differs = (one_has * *factor).distance(other_has) > NOTHING * *factor;
                    assert!(!differs, "{name}, {} in tick {tick}: {one_has} times {factor} is {other_has}", one.id);
                }
            }
        }
    }
}
