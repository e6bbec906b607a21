//! A scene in other units of length and mass. The file that includes this names the crate `scenario`.

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

/// The fields whose numbers contain the unit of mass: masses and forces.
const WITH_MASS: &str = "mass max_avoid_force max_force max_separation threshold";

const FLOCK_PART: &str = "a part of a flock";

/// The factors on all numbers that contain a unit.
#[derive(Clone, Copy, Debug)]
struct Factors {
    length: f64,
    mass: f64,
}

/// The same scene with all lengths and masses multiplied by `factors`. Bodies get their default values explicitly.
fn scaled(file: &Value, factors: Factors) -> Value {
    let mut file = file.clone();
    add_defaults(&mut file);
    scale_object(file.as_object_mut().expect("it is an object"), "", factors);
    file
}

/// The agents of a scene, and the one that all agents of each crowd are like.
pub fn agents_of(file: &mut Value) -> impl Iterator<Item = &mut Value> {
    let lists = file.as_object_mut().expect("it is an object").iter_mut();
    lists.filter(|(key, _)| ["agents", "crowds"].contains(&key.as_str())).flat_map(|(key, list)| {
        let is_crowd = key == "crowds";
        let entries = list.as_array_mut().into_iter().flatten();
        entries.map(move |entry| if is_crowd { &mut entry["agent"] } else { entry })
    })
}

/// Writes the default values of bodies into a scene.
pub fn add_defaults(file: &mut Value) {
    let body = SteeringAgent::default();
    let defaults =
        [("mass", body.mass), ("max_speed", body.max_speed), ("max_force", body.max_force), ("radius", body.radius)];
    for agent in agents_of(file) {
        for (key, default) in defaults {
            if agent[key].is_null() {
                agent[key] = json!(default);
            }
        }
    }
}

fn scale_object(object: &mut Map<String, Value>, name: &str, factors: Factors) {
    // The displacement of a wandering agent is its force.
    let displaces = object.get("drive").is_some_and(|drive| drive == "displacement");
    for (key, value) in object {
        let length = if has(WITHOUT_LENGTH, key) { 1.0 } else { factors.length };
        let has_mass = has(WITH_MASS, key) || displaces && ["distance", "radius"].contains(&key.as_str());
        let factor = length * if has_mass { factors.mass } else { 1.0 };
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
            Value::Object(part) if name == "flock" => scale_object(part, FLOCK_PART, factors),
            Value::Number(_) if key == "weight" && name == FLOCK_PART => {
                scale_numbers(value, factors.length * factors.mass);
            }
            Value::Object(_) if ["priorities", "probabilities"].contains(&key.as_str()) => {}
            Value::Object(object) => scale_object(object, key, factors),
            Value::Array(list) if list.iter().any(Value::is_object) => {
                list.iter_mut().filter_map(Value::as_object_mut).for_each(|object| scale_object(object, key, factors));
            }
            Value::Array(_) | Value::Number(_) => {
                let is_known = has(WITH_LENGTH, key) || has(WITHOUT_LENGTH, key) || !has_numbers(value);
                assert!(is_known, "{name}.{key}: does its unit contain the unit of length, or that of mass?");
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
    // Whole numbers stay what they are.
    if factor == 1.0 {
        return;
    }
    if let Value::Array(list) = value {
        list.iter_mut().for_each(|value| scale_numbers(value, factor));
    } else if let Some(number) = value.as_f64() {
        *value = json!(number * factor);
    }
}

/// The squares of lengths and speeds below this, such as those of agents at rest, underflow in other units.
const NOTHING: f32 = 1e-9;

/// A power of two with which nobody in a scene is heavier than 1. The wishes of heavier bodies are not proportional to their mass.
fn unit_of_mass(value: &Value) -> f64 {
    let masses: Vec<f64> = match value {
        Value::Object(object) => {
            let all = object.iter().map(|(key, value)| match value.as_f64() {
                Some(mass) if key == "mass" => 1.0 / mass.log2().ceil().exp2(),
                _ => unit_of_mass(value),
            });
            all.collect()
        }
        Value::Array(list) => list.iter().map(unit_of_mass).collect(),
        _ => Vec::new(),
    };
    masses.into_iter().fold(1.0, f64::min)
}

/// Checks that a scene moves in the same way in other units of length and mass. Multiplying by a power of two is exact, so positions and
/// velocities are the same, bit by bit.
#[track_caller]
pub fn check_that_units_do_not_matter(name: &str, file: &Value, ticks: u64) {
    let simulation = |factors: Factors| {
        let text = scaled(file, factors).to_string();
        let scenario = Scenario::parse(name, &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        Simulation::new(&scenario, Threads::Exactly(1))
    };
    let mass = unit_of_mass(file);
    let mut original = simulation(Factors { length: 1.0, mass });
    let others = [Factors { length: 1.0 / 256.0, mass: mass / 8.0 }, Factors { length: 64.0, mass: mass / 512.0 }];
    let mut others = others.map(|factors| (factors, simulation(factors)));
    for tick in 1..=ticks {
        original.step();
        for (factors, other) in &mut others {
            other.step();
            let factor = factors.length as f32;
            assert_eq!(original.agents().len(), other.agents().len(), "{name}: tick {tick}");
            for (one, other) in original.agents().iter().zip(other.agents()) {
                for (one_has, other_has) in [(one.position, other.position), (one.velocity, other.velocity)] {
                    let differs = (one_has * factor).distance(other_has) > NOTHING * factor;
                    assert!(!differs, "{name}, {} in tick {tick}: {one_has} is {other_has} with {factors:?}", one.id);
                }
            }
        }
    }
}
