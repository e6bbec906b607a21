//! The JSON Schema of scenario files, for editors and other programs.

use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use serde_json::{Map, Value};

use crate::file::scenario::ScenarioFile;

/// The JSON Schema (draft 2020-12) of a scenario file in the dimensions that this crate reads.
///
/// It describes each field by itself. Only [`Scenario::parse`](crate::Scenario::parse) checks that names and places fit
/// together.
///
/// ```
/// let schema = steerling_scenario::schema();
/// assert_eq!(schema["properties"]["ticks"]["type"], "integer");
/// ```
pub fn schema() -> Value {
    let mut schema = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<ScenarioFile>();
    RecursiveTransform(reject_null).transform(&mut schema);
    RecursiveTransform(leave_out_refused).transform(&mut schema);
    schema.to_value()
}

/// Removes the fields and behaviors of which no value is valid.
fn leave_out_refused(schema: &mut Schema) {
    let is_refused = |value: &Value| value.get("not").is_some_and(|not| not.as_object().is_some_and(Map::is_empty));
    let Some(object) = schema.as_object_mut() else { return };
    if let Some(Value::Object(properties)) = object.get_mut("properties") {
        properties.retain(|_, property| !is_refused(property));
    }
    if let Some(Value::Array(choices)) = object.get_mut("oneOf") {
        choices.retain(|choice| {
            let properties = choice.get("properties").and_then(Value::as_object);
            properties.is_none_or(|properties| !properties.values().any(is_refused))
        });
    }
}

/// Removes null from the types of optional fields: they may be missing, but not null.
fn reject_null(schema: &mut Schema) {
    let null = |value: &Value| value == "null" || value["type"] == "null";
    let Some(object) = schema.as_object_mut() else { return };
    if object.get("default").is_some_and(Value::is_null) {
        object.remove("default");
    }
    for key in ["type", "anyOf"] {
        let Some(Value::Array(choices)) = object.get_mut(key) else { continue };
        choices.retain(|choice| !null(choice));
        let [only] = choices.as_mut_slice() else { continue };
        let only = only.take();
        match only {
            Value::Object(only) => {
                object.remove(key);
                object.extend(only);
            }
            only => {
                object.insert(key.to_owned(), only);
            }
        }
    }
}
