//! Reading scenarios from files.

use std::path::Path;

use crate::file::scenario::ScenarioFile;
use crate::json::strict::Object;
use crate::scenario::error::ScenarioError;
use crate::scenario::expected::parse_wrapped;
use crate::scenario::scene::Scenario;
use crate::scenario::text::{is_wrapped, parse_json, read_text};

impl Scenario {
    /// Reads a scenario file, which may also be wrapped in an [`Expectation`](crate::Expectation).
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is not a valid scenario. The error gives the file, the place and what was expected
    /// there.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, ScenarioError> {
        Self::parse(&path.as_ref().display().to_string(), &read_text(path.as_ref())?)
    }

    /// Reads a scenario file and replaces its seed.
    ///
    /// # Errors
    ///
    /// The same as for [`read`](Self::read).
    pub fn read_with_seed(path: impl AsRef<Path>, seed: u64) -> Result<Self, ScenarioError> {
        parse(&path.as_ref().display().to_string(), &read_text(path.as_ref())?, Some(seed))
    }

    /// Reads a scenario from the text of a file called `file`.
    ///
    /// # Errors
    ///
    /// The same as for [`read`](Self::read).
    pub fn parse(file: &str, text: &str) -> Result<Self, ScenarioError> {
        parse(file, text, None)
    }
}

fn parse(file: &str, text: &str, seed: Option<u64>) -> Result<Scenario, ScenarioError> {
    if is_wrapped(text) {
        parse_wrapped(file, text, seed).map(|(scenario, _)| scenario)
    } else {
        Scenario::new(file, "", parse_json::<Object<ScenarioFile>>(file, text)?.0, seed)
    }
}
