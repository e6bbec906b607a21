//! JSON text.

use std::cell::Cell;
use std::fmt;
use std::fs;
use std::path::Path;

use serde::Deserializer;
use serde::de::{DeserializeOwned, DeserializeSeed, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;
use serde_json::de::StrRead;

use crate::dimension::DIMENSIONS;
use crate::scenario::error::ScenarioError;

/// Reads the text of a file.
///
/// # Errors
///
/// If the file cannot be read. The error gives the file and the reason.
pub fn read_text(path: &Path) -> Result<String, ScenarioError> {
    fs::read_to_string(path).map_err(|source| ScenarioError::Unreadable { file: path.display().to_string(), source })
}

/// The structure at the top of a file, as far as it can be read.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Outline {
    /// Whether it has a `scenario`.
    pub is_wrapped: bool,
    /// The number of dimensions that it says the scenario has, NaN if it says anything but a number.
    pub dimensions: Option<f64>,
    /// Whether it can be read to the end.
    is_whole: bool,
}

impl Outline {
    /// The outline of a text, which has no outline if it is not an object.
    fn of(text: &str) -> Self {
        let (outer, inner) = (Cell::default(), Cell::default());
        let search = Search { found: &outer, inner: Some(&inner) };
        let is_whole = json(text).deserialize_map(search).is_ok();
        let Self { is_wrapped, dimensions, .. } = outer.get();
        Self { is_wrapped, dimensions: if is_wrapped { inner.get().dimensions } else { dimensions }, is_whole }
    }

    /// The outline of the text of a file. If it cannot be read to the end because the text is not JSON, the error says why: what is
    /// wrong with the fields may follow from a wrong number of dimensions.
    pub fn checked(file: &str, text: &str) -> Result<Self, ScenarioError> {
        let outline = Self::of(text);
        if !outline.is_whole {
            parse_json::<Value>(file, text)?;
        }
        Ok(outline)
    }
}

struct Search<'a> {
    found: &'a Cell<Outline>,
    /// The outline of the nested `scenario`; `None` where there can be none.
    inner: Option<&'a Cell<Outline>>,
}

impl<'de> Visitor<'de> for Search<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<(), A::Error> {
        while let Some(key) = access.next_key::<String>()? {
            let found = self.found.get();
            match (key.as_str(), self.inner) {
                ("dimensions", _) => {
                    let dimensions = access.next_value::<Value>()?.as_f64().unwrap_or(f64::NAN);
                    self.found.set(Outline { dimensions: Some(dimensions), ..found });
                }
                ("scenario", Some(inner)) => {
                    self.found.set(Outline { is_wrapped: true, ..found });
                    access.next_value_seed(Search { found: inner, inner: None })?;
                }
                _ => {
                    access.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Search<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

/// The number of dimensions of the scene in the text of a file, plain or wrapped in an [`Expectation`](crate::Expectation): 3 if the
/// file says so, or else 2. Whether the file is valid does not matter.
///
/// ```
/// assert_eq!(steerling_scenario::dimensions(r#"{"dimensions": 3, "ticks": 100}"#), 3);
/// assert_eq!(steerling_scenario::dimensions(r#"{"ticks": 100}"#), 2);
/// ```
pub fn dimensions(text: &str) -> usize {
    if Outline::of(text).dimensions == Some(3.0) { 3 } else { 2 }
}

/// Checks that a scene in the other number of dimensions is not read by this crate.
pub(crate) fn check_dimensions(file: &str, outline: Outline) -> Result<(), ScenarioError> {
    let other = 5 - DIMENSIONS;
    let default = other == 2 && outline.is_whole;
    let says_so = outline.dimensions.map_or(default, |dimensions| dimensions == other as f64);
    if !says_so {
        return Ok(());
    }
    let root = if outline.is_wrapped { "scenario." } else { "" };
    let problem = format!("{root}dimensions: expected {DIMENSIONS} here, but the scene has {other} dimensions");
    Err(ScenarioError::Invalid { file: file.to_owned(), problem })
}

/// The reader of a JSON text, which may start with a byte order mark.
fn json(text: &str) -> serde_json::Deserializer<StrRead<'_>> {
    serde_json::Deserializer::from_str(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// Parses JSON. Errors give the place both as a JSON path and as line and column.
pub(crate) fn parse_json<T: DeserializeOwned>(file: &str, text: &str) -> Result<T, ScenarioError> {
    let invalid = |problem: String| ScenarioError::Invalid { file: file.to_owned(), problem };
    let mut deserializer = json(text);
    let content = serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        // The last segment is unknown if the error is in the key.
        let path = error.path().to_string();
        let path = path.strip_suffix('?').unwrap_or(&path).trim_end_matches('.').to_owned();
        let inner = error.into_inner();
        invalid(if path.is_empty() { inner.to_string() } else { format!("{path}: {inner}") })
    })?;
    deserializer.end().map_err(|error| invalid(error.to_string()))?;
    Ok(content)
}
