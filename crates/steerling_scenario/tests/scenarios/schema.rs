//! The JSON Schema accepts and rejects the same fields as the reader.

use std::fs;

use serde_json::{Value, json};
use steerling_scenario::{BEHAVIOR_KEYS, Scenario, schema};

use crate::agreement::Agreement;
use crate::full::full;

const ASSETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets");

fn agreement() -> Agreement {
    Agreement::new(&schema(), |text| Scenario::parse("scene.json", text).map(drop).map_err(|error| error.to_string()))
}

#[test]
fn all_scenarios_of_the_project_are_valid() {
    let validator = jsonschema::validator_for(&schema()).expect("it is a schema");
    let mut checked = 0;
    let folders = [
        "scenarios",
        "scenarios/bench",
        "scenarios/doorway",
        "scenarios/figures",
        "scenarios/hard",
        "scenarios/hard/limits",
        "scenarios/pedestrians",
        "scenarios/steerbench",
        "traces",
    ];
    for folder in folders {
        for entry in fs::read_dir(format!("{ASSETS}/{folder}")).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "json") {
                continue;
            }
            let file: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
            let scenario = file.get("scenario").unwrap_or(&file);
            if let Err(error) = validator.validate(scenario) {
                panic!("{}: {}: {error}", path.display(), error.instance_path());
            }
            checked += 1;
        }
    }
    assert!(checked > 30, "{checked} files");
}

#[test]
fn the_full_file_has_every_behavior() {
    let full = full();
    let behaviors = full["agents"][0]["behaviors"].as_array().unwrap();
    for key in BEHAVIOR_KEYS {
        assert!(behaviors.iter().any(|behavior| behavior.get(key).is_some()), "{key}");
    }
}

#[test]
fn an_obstacle_has_exactly_one_shape_and_some_layer() {
    let agreement = agreement();
    let takes_obstacle = |obstacle: Value| agreement.takes(&json!({"obstacles": [obstacle]}));
    assert!(takes_obstacle(json!({"circle": {"center": [0, 0], "radius": 0}, "layers": 4_294_967_295_u32})));
    assert!(!takes_obstacle(json!({"velocity": [1, 2]})));
    assert!(!takes_obstacle(json!({
        "circle": {"center": [0, 0], "radius": 1}, "segment": {"start": [0, 0], "end": [1, 1]}
    })));
    for layers in [json!(0), json!(1.5), json!(4_294_967_296_u64), json!(-1)] {
        assert!(!takes_obstacle(json!({"circle": {"center": [0, 0], "radius": 1}, "layers": layers})));
    }
    assert!(!takes_obstacle(json!({"polygon": {"points": [[0, 0], [1, 0]]}})));
    assert!(!takes_obstacle(json!({"polyline": {"points": [[0, 0]]}})));
}

#[test]
fn a_region_is_a_circle_a_rectangle_or_a_polygon() {
    let agreement = agreement();
    let takes_region = |region: Value| {
        let behaviors = json!([{"contain": {"region": region}}]);
        agreement.takes(&json!({"agents": [{"id": "a", "position": [0, 0], "behaviors": behaviors}]}))
    };
    assert!(takes_region(json!({"circle": {"center": [0, 0], "radius": 0}})));
    assert!(takes_region(json!({"rectangle": {"center": [0, 0], "half_size": [9, 8]}})));
    assert!(takes_region(json!({"polygon": {"points": [[0, 0], [1, 0], [0, 1]]}})));
    assert!(!takes_region(json!({"polygon": {"points": [[0, 0], [1, 0]]}})));
    assert!(!takes_region(json!({"segment": {"start": [0, 0], "end": [1, 1]}})));
    assert!(!takes_region(json!({"circle": {"center": [0, 0], "radius": 1}, "layers": 1})));
    assert!(!takes_region(json!({})));
}

#[test]
fn the_schema_refuses_wrong_types_and_unknown_fields_where_the_reader_does() {
    let (agreement, full) = (agreement(), full());
    for (seed, good) in [(json!(u64::MAX), true), (json!(3.0), true), (json!(2e19), false), (json!(0.5), false)] {
        let mut file = full.clone();
        file["seed"] = seed;
        assert_eq!(agreement.takes(&file), good);
    }
    for (dimensions, good) in [(json!(2), true), (json!(2.0), true), (json!(3), false), (json!(4), false)] {
        let mut file = full.clone();
        file["dimensions"] = dimensions;
        assert_eq!(agreement.takes(&file), good);
    }
    agreement.refuses_wrong_types_and_unknown_fields(&full);
}
