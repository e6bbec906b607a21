//! JSON text.

use std::cell::Cell;
use std::fmt;
use std::fs;
use std::path::Path;

use serde::Deserializer;
use serde::de::{DeserializeOwned, IgnoredAny, MapAccess, Visitor};

use crate::scenario::error::ScenarioError;

/// Reads the text of a file.
pub(crate) fn read_text(path: &Path) -> Result<String, ScenarioError> {
    fs::read_to_string(path).map_err(|source| ScenarioError::Unreadable { file: path.display().to_string(), source })
}

/// Whether the text is an object with a `scenario` field, as far as it can be read.
pub(crate) fn is_wrapped(text: &str) -> bool {
    struct Search<'a>(&'a Cell<bool>);

    impl<'de> Visitor<'de> for Search<'_> {
        type Value = ();

        fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
            formatter.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<(), A::Error> {
            while let Some(key) = access.next_key::<String>()? {
                self.0.set(self.0.get() || key == "scenario");
                access.next_value::<IgnoredAny>()?;
            }
            Ok(())
        }
    }

    let found = Cell::new(false);
    // The actual reader reports the errors.
    let _ = serde_json::Deserializer::from_str(text).deserialize_map(Search(&found));
    found.get()
}

/// Parses JSON. Errors give the place both as a JSON path and as line and column.
pub(crate) fn parse_json<T: DeserializeOwned>(file: &str, text: &str) -> Result<T, ScenarioError> {
    let invalid = |problem: String| ScenarioError::Invalid { file: file.to_owned(), problem };
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let content = serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        let path = error.path().to_string();
        let inner = error.into_inner();
        invalid(if path == "." { inner.to_string() } else { format!("{path}: {inner}") })
    })?;
    deserializer.end().map_err(|error| invalid(error.to_string()))?;
    Ok(content)
}
