//! Reading scenarios from files.

use std::path::Path;

use crate::file::scenario::ScenarioFile;
use crate::json::strict::Object;
use crate::scenario::error::ScenarioError;
use crate::scenario::expected::parse_wrapped;
use crate::scenario::scene::Scenario;
use crate::scenario::text::{Outline, check_dimensions, parse_json, read_text};

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
        Self::parse_with_seed(&path.as_ref().display().to_string(), &read_text(path.as_ref())?, seed)
    }

    /// Reads a scenario from the text of a file called `file`.
    ///
    /// # Errors
    ///
    /// The same as for [`read`](Self::read).
    pub fn parse(file: &str, text: &str) -> Result<Self, ScenarioError> {
        parse(file, text, None)
    }

    /// Reads a scenario from the text of a file called `file` and replaces its seed.
    ///
    /// # Errors
    ///
    /// The same as for [`read`](Self::read).
    pub fn parse_with_seed(file: &str, text: &str, seed: u64) -> Result<Self, ScenarioError> {
        parse(file, text, Some(seed))
    }
}

fn parse(file: &str, text: &str, seed: Option<u64>) -> Result<Scenario, ScenarioError> {
    let outline = Outline::checked(file, text)?;
    if outline.is_wrapped {
        parse_wrapped(file, text, seed).map(|(scenario, _)| scenario)
    } else {
        check_dimensions(file, outline)?;
        Scenario::new(file, "", parse_json::<Object<ScenarioFile>>(file, text)?.0, seed)
    }
}
