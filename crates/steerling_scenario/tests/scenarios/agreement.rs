//! Whether the JSON Schema and the reader accept the same files, in either dimension.

use jsonschema::Validator;
use serde_json::{Value, json};

/// A schema and a reader, which must agree.
pub struct Agreement {
    validator: Validator,
    read: fn(&str) -> Result<(), String>,
}

impl Agreement {
    pub fn new(schema: &Value, read: fn(&str) -> Result<(), String>) -> Self {
        Self { validator: jsonschema::validator_for(schema).expect("it is a schema"), read }
    }

    /// Whether both accept a file.
    #[track_caller]
    pub fn takes(&self, file: &Value) -> bool {
        let read = (self.read)(&file.to_string());
        assert_eq!(self.validator.is_valid(file), read.is_ok(), "schema and reader differ: {read:?}");
        read.is_ok()
    }

    /// Checks that both accept a file that uses every field, and neither accepts it with a wrong value or an unknown field anywhere.
    pub fn refuses_wrong_types_and_unknown_fields(&self, full: &Value) {
        assert!(self.takes(full));
        let mut all = Vec::new();
        pointers(full, String::new(), &mut all);
        assert!(all.len() > 100);
        for pointer in all {
            for wrong in [json!(null), json!(true), json!([[]]), json!({"x": 1}), json!(-2e9)] {
                let mut file = full.clone();
                let place = file.pointer_mut(&pointer).unwrap();
                if place.is_boolean() && wrong.is_boolean() {
                    continue;
                }
                *place = wrong.clone();
                assert!(!self.takes(&file), "{wrong} at {pointer}");
            }
            let mut file = full.clone();
            // Markers may have any names.
            if pointer != "/markers"
                && let Some(Value::Object(fields)) = file.pointer_mut(&pointer)
            {
                fields.insert("unknown".to_owned(), json!({}));
                assert!(!self.takes(&file), "an unknown field in {pointer}");
            }
        }
    }
}

/// Every place in a file, as a JSON pointer.
fn pointers(value: &Value, here: String, all: &mut Vec<String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(key, value)| pointers(value, format!("{here}/{key}"), all)),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| pointers(item, format!("{here}/{index}"), all));
        }
        _ => {}
    }
    all.push(here);
}
