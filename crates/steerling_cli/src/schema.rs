//! The JSON Schema of scenario files of both dimensions.

use serde_json::{Value, json};

/// The JSON Schema (draft 2020-12) of a scenario file: one of two schemas, as its `dimensions` say.
pub fn schema() -> Value {
    let [plane, space] = [steerling_scenario::schema(), steerling_scenario_3d::schema()];
    json!({
        "$schema": plane["$schema"],
        "title": plane["title"],
        "description": plane["description"],
        "if": {"properties": {"dimensions": {"const": 3}}, "required": ["dimensions"]},
        "then": {"$ref": "#/$defs/space"},
        "else": {"$ref": "#/$defs/plane"},
        "$defs": {
            "plane": named("urn:steerling:scenario:2d", plane),
            "space": named("urn:steerling:scenario:3d", space),
        },
    })
}

/// The schema with an id, so that what it refers to is looked up in itself.
fn named(id: &str, mut schema: Value) -> Value {
    schema["$id"] = json!(id);
    schema
}
