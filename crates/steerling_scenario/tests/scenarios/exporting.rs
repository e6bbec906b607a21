//! What the tests of exporting share, in either dimension. The file that includes this names the crate `scenario`.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::scenario::{Exported, Scenario, Simulation, Threads, export, schema};

/// Fields that describe no entities: a world does not have them.
const NOT_IN_A_WORLD: [&str; 5] = ["gates", "goal", "goals", "flock_measures", "crowds"];

#[track_caller]
pub fn parse(text: &str) -> Scenario {
    Scenario::parse("scene.json", text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

pub fn simulation(scenario: &Scenario) -> Simulation {
    Simulation::new(scenario, Threads::Exactly(1))
}

pub fn exported(scenario: &Scenario) -> Exported {
    export(simulation(scenario).world())
}

/// Runs a file and its export, and checks that they move alike, bit by bit, and that nothing is left out.
#[track_caller]
pub fn check_that_exports_move_alike(name: &str, mut file: Value, ticks: u64) {
    remove_fields(&mut file, &["gates", "goal", "goals", "flock_measures"]);
    let original = parse(&file.to_string());
    let exported = exported(&original);
    assert!(exported.left_out.is_empty(), "{name}: {:?}", exported.left_out);
    let again = parse(&exported.text);
    let (mut one, mut other) = (simulation(&original), simulation(&again));
    assert_eq!(one.agents(), other.agents(), "{name}: at the start");
    for tick in 1..=ticks {
        one.step();
        other.step();
        assert_eq!(one.state_hash(), other.state_hash(), "{name}: tick {tick}\n{}", exported.text);
    }
}

/// The ids, positions and velocities of all agents, bit by bit.
pub fn states(simulation: &Simulation) -> Vec<(String, Vec<u32>)> {
    let agents = simulation.agents().iter();
    agents
        .map(|agent| {
            let numbers = agent.position.to_array().into_iter().chain(agent.velocity.to_array());
            (agent.id.clone(), numbers.map(f32::to_bits).collect())
        })
        .collect()
}

/// Runs a file for some ticks, and checks that an export starts with the positions and velocities of that moment.
#[track_caller]
pub fn check_that_an_export_starts_there(name: &str, file: &Value) {
    let mut running = simulation(&parse(&file.to_string()));
    (0..137).for_each(|_| running.step());
    let again = simulation(&parse(&export(running.world()).text));
    assert_eq!(states(&running), states(&again), "{name}");
    assert_eq!(running.tick(), again.tick(), "{name}");
}

fn remove_fields(value: &mut Value, names: &[&str]) {
    match value {
        Value::Object(fields) => {
            fields.retain(|key, _| !names.contains(&key.as_str()));
            fields.values_mut().for_each(|field| remove_fields(field, names));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| remove_fields(item, names)),
        _ => {}
    }
}

/// Checks that a file, which says everything in the way an export does, is exported as it is.
#[track_caller]
pub fn check_that_nothing_changes(text: &str) {
    let exported = exported(&parse(text));
    assert!(exported.left_out.is_empty(), "{:?}", exported.left_out);
    let lines = |text: &str| -> Vec<String> {
        let file: Value = serde_json::from_str(text).expect("it is JSON");
        let pretty = serde_json::to_string_pretty(&comparable(file)).expect("it is JSON");
        pretty.lines().map(str::to_owned).collect()
    };
    let (expected, got) = (lines(text), lines(&exported.text));
    let differs = expected.iter().zip(&got).position(|(expected, got)| expected != got);
    if let Some(line) = differs.or_else(|| (expected.len() != got.len()).then(|| expected.len().min(got.len()))) {
        let around = |lines: &[String]| lines[line.saturating_sub(12)..lines.len().min(line + 4)].join("\n");
        panic!("expected\n{}\n\ngot\n{}", around(&expected), around(&got));
    }
}

/// The same file with all numbers as floating point numbers: 1 and 1.0 are the same. The corners of a convex hull have no order, so they
/// are sorted.
fn comparable(value: Value) -> Value {
    let field = |(key, field): (String, Value)| {
        let mut field = comparable(field);
        if let ("convex_hull", Some(Value::Array(corners))) = (key.as_str(), field.get_mut("points")) {
            corners.sort_by_key(Value::to_string);
        }
        (key, field)
    };
    match value {
        Value::Object(fields) => fields.into_iter().map(field).collect(),
        Value::Array(items) => items.into_iter().map(comparable).collect(),
        Value::Number(number) => number.as_f64().into(),
        other => other,
    }
}

/// Checks that a file has every field of the format at least once, except for those that are not in a world and `others`.
#[track_caller]
pub fn check_that_every_field_is_there(text: &str, others: &[&str]) {
    let file: Value = serde_json::from_str(text).expect("it is JSON");
    let schema = schema();
    let mut seen = Seen { schema: &schema, properties: BTreeSet::new(), found: BTreeSet::new() };
    seen.visit("Scenario", &schema, &file);
    let ignored = |name: &str| NOT_IN_A_WORLD.contains(&name) || others.contains(&name);
    let missing: Vec<_> = seen.properties.difference(&seen.found).filter(|(_, name)| !ignored(name)).collect();
    assert!(missing.is_empty(), "fields that the file does not have: {missing:?}");
}

/// The properties of all parts of the schema that a file uses, and those that the file has.
struct Seen<'a> {
    schema: &'a Value,
    properties: BTreeSet<(String, String)>,
    found: BTreeSet<(String, String)>,
}

impl Seen<'_> {
    fn visit(&mut self, part: &str, schema: &Value, value: &Value) {
        if let Some(name) = schema["$ref"].as_str() {
            let schema = self.schema.pointer(&name[1..]).expect("the schema refers to its own parts").clone();
            return self.visit(name, &schema, value);
        }
        for choice in schema["oneOf"].as_array().into_iter().chain(schema["anyOf"].as_array()).flatten() {
            let keys: Vec<&String> =
                choice["properties"].as_object().into_iter().flat_map(|fields| fields.keys()).collect();
            let is_of_one_key = keys.len() == 1 && choice["required"].as_array().map(Vec::len) == Some(1);
            if is_of_one_key && value.get(keys[0]).is_some() {
                return self.visit(part, &choice["properties"][keys[0]], &value[keys[0]]);
            }
            if choice.get("$ref").is_some() && value.is_object() {
                self.visit(part, choice, value);
            }
        }
        for (key, property) in schema["properties"].as_object().into_iter().flatten() {
            self.properties.insert((part.to_owned(), key.clone()));
            if let Some(value) = value.get(key) {
                self.found.insert((part.to_owned(), key.clone()));
                self.visit(part, property, value);
            }
        }
        for item in value.as_array().into_iter().flatten() {
            self.visit(part, &schema["items"], item);
        }
        if let (Some(others), Some(fields)) = (schema.get("additionalProperties"), value.as_object()) {
            fields.values().for_each(|field| self.visit(part, others, field));
        }
    }
}
