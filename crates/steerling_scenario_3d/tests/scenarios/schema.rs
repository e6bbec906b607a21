//! The JSON Schema of files in three dimensions accepts and rejects the same fields as the reader.

use std::fs;

use serde_json::{Value, json};
use steerling_scenario_3d::{BEHAVIOR_KEYS, Scenario, schema};

use crate::agreement::Agreement;

fn agreement() -> Agreement {
    Agreement::new(&schema(), |text| Scenario::parse("scene.json", text).map(drop).map_err(|error| error.to_string()))
}

#[test]
fn all_scenarios_of_the_project_are_valid() {
    let agreement = agreement();
    for (folder, count) in [("scenarios/space", 3), ("traces_3d", 14)] {
        let folder = format!("{}/../../assets/{folder}", env!("CARGO_MANIFEST_DIR"));
        let files = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        let files: Vec<_> =
            files.filter(|path| path.extension().is_some_and(|extension| extension == "json")).collect();
        assert_eq!(files.len(), count, "{folder}");
        for path in files {
            let file: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
            assert!(agreement.takes(file.get("scenario").unwrap_or(&file)), "{}", path.display());
        }
    }
}

/// A scenario that uses every field.
fn full() -> Value {
    let behaviors: Value = serde_json::from_str(include_str!("../data/every_behavior.json")).unwrap();
    json!({
        "name": "full", "about": "everything", "dimensions": 3, "tick": 0.02, "ticks": 10, "seed": 3,
        "bounds": {"min": [0, 0, 0], "max": [500, 400, 300], "edge": "wrap"},
        "markers": {"m": [[0, 1, 2, 3], [1, 3, 4, 5]]},
        "obstacles": [
            {"sphere": {"center": [1, 2, 3], "radius": 4}, "velocity": [1, 2, 3], "layers": 3},
            {"cuboid": {"center": [1, 2, 3], "half_size": [4, 5, 6], "rotation": [0, 1, 0]}},
            {"capsule": {"start": [1, 2, 3], "end": [4, 5, 6], "radius": 2}},
            {"cylinder": {"start": [1, 2, 3], "end": [4, 5, 6], "radius": 2}},
            {"half_space": {"point": [0, -9, 0], "normal": [0, 1, 0]}},
            {"convex_hull": {"points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}}
        ],
        "agents": [{
            "id": "a", "position": [1, 2, 3], "velocity": [3, 4, 5], "mass": 1, "max_speed": 2, "max_force": 3, "radius": 4,
            "response_time": 0.1, "groups": 5, "events": true, "solid": true,
            "impulse": {"velocity": [7, 8, 9], "time_constant": 9},
            "arbitration": {
                "mode": "dithering", "threshold": 5, "priorities": {"seek": 3}, "probabilities": {"wander": 0.25, "separation": 1}
            },
            "goal": {"position": [0, 0, 0], "radius": 1},
            "behaviors": behaviors
        }],
        "crowds": [{
            "prefix": "c", "count": 5, "area": {"min": [0, 0, 0], "max": [100, 100, 100]}, "spacing": 5, "speed": 3,
            "agent": {
                "mass": 2,
                "goals": [{"position": [0, 0, 0], "radius": 1}, {"position": [0, 0, 0], "radius": 1, "remove": true}],
                "behaviors": [{"arrive": {"target": {"point": [0, 0, 0]}, "slowing_radius": 9}}]
            }
        }],
        "formations": [
            {"anchor": "a", "pattern": "sphere", "spacing": 9, "succession": "dissolve", "members": ["c1"]},
            {"anchor": "c0", "pattern": [[1, 2, 3]], "members": ["c2"]}
        ],
        "fields": [{"id": "f", "toward": [[0, 0, 0], [9, 9, 9]], "cell": 20, "clearance": 3}],
        "respawns": [{"inside": {"min": [0, 0, 0], "max": [9, 9, 9]}, "to": {"min": [50, 50, 50], "max": [60, 60, 60]}}],
        "flock_measures": {"link_radius": 9, "from": 0.1, "to": 0.2, "groups": 6}
    })
}

#[test]
fn the_schema_refuses_wrong_types_and_unknown_fields_where_the_reader_does() {
    agreement().refuses_wrong_types_and_unknown_fields(&full());
}

#[test]
fn the_schema_refuses_what_exists_only_in_two_dimensions() {
    let (agreement, full) = (agreement(), full());
    let behaviors = full["agents"][0]["behaviors"].as_array().unwrap();
    let planar = BEHAVIOR_KEYS.iter().filter(|key| behaviors.iter().all(|behavior| behavior.get(key).is_none()));
    let mut count = 0;
    for key in planar {
        let agent = json!({"id": "a", "position": [0, 0, 0], "behaviors": [{*key: {}}]});
        assert!(!agreement.takes(&json!({"dimensions": 3, "agents": [agent]})), "{key}");
        count += 1;
    }
    assert_eq!(count, 2);
    let mut file = full.clone();
    file["gates"] = json!([{}]);
    assert!(!agreement.takes(&file));
    let mut file = full.clone();
    file["agents"][0]["limits"] = json!({});
    assert!(!agreement.takes(&file));
    let fields = schema()["$defs"]["Agent"]["properties"].clone();
    assert!(fields.get("mass").is_some() && fields.get("limits").is_none(), "nor offers it");
}

#[test]
fn a_file_without_dimensions_is_not_one_in_three() {
    let agreement = agreement();
    for (dimensions, good) in [(json!(3), true), (json!(3.0), true), (json!(2), false), (json!(5), false)] {
        assert_eq!(agreement.takes(&json!({"dimensions": dimensions})), good);
    }
    assert!(!agreement.takes(&json!({"ticks": 3})));
}
