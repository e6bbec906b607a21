//! Reading scenario files, and refusing what makes no sense.

use std::cell::Cell;
use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::fs;
use std::io;
use std::path::Path;

use serde::Deserializer;
use serde::de::{DeserializeOwned, IgnoredAny, MapAccess, Visitor};

use crate::file::{Behavior, ScenarioFile, Target};
use crate::json::{Object, OneKey};

/// Why a file was refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScenarioError {
    /// The file cannot be read.
    #[error("{file}: cannot be read: {source}")]
    Unreadable {
        /// Its name.
        file: String,
        /// What the operating system says.
        source: io::Error,
    },
    /// The file is not a scenario.
    #[error("{file}: {problem}")]
    Invalid {
        /// Its name.
        file: String,
        /// Where in the file, what is wrong there, and what was expected.
        problem: String,
    },
}

/// A scene as data: read from a file and found to be sound.
#[derive(Clone, Debug)]
pub struct Scenario {
    pub(crate) file: ScenarioFile,
    name: String,
}

impl Scenario {
    /// Reads a scenario file, also one wrapped in an [`Expectation`](crate::Expectation).
    ///
    /// # Errors
    ///
    /// When the file cannot be read or is not a sound scenario; the error names the file, the place and what was expected.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, ScenarioError> {
        Self::parse(&path.as_ref().display().to_string(), &read_text(path.as_ref())?)
    }

    /// Reads a scenario from the text of a file called `file`.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read).
    pub fn parse(file: &str, text: &str) -> Result<Self, ScenarioError> {
        if is_wrapped(text) {
            crate::Expectation::parse(file, text).map(crate::Expectation::into_scenario)
        } else {
            Self::new(file, "", parse_json::<Object<ScenarioFile>>(file, text)?.0)
        }
    }

    /// Checks what the types of the file cannot say. `root` is the JSON path of the scenario within the file.
    pub(crate) fn new(file: &str, root: &str, content: ScenarioFile) -> Result<Self, ScenarioError> {
        check(&content)
            .map_err(|problem| ScenarioError::Invalid { file: file.to_owned(), problem: format!("{root}{problem}") })?;
        let stem = || Path::new(file).file_stem().map_or_else(|| file.to_owned(), |stem| stem.display().to_string());
        let name = content.name.clone().unwrap_or_else(stem);
        Ok(Self { file: content, name })
    }

    /// The name in the file, or the file's own name without extension.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many ticks to run.
    pub fn ticks(&self) -> u64 {
        self.file.ticks.0 as u64
    }

    /// The length of a tick, seconds.
    pub fn tick(&self) -> f64 {
        self.file.tick.0
    }

    /// Sets the seed of everything random.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.file.seed = seed;
        self
    }
}

pub(crate) fn read_text(path: &Path) -> Result<String, ScenarioError> {
    fs::read_to_string(path).map_err(|source| ScenarioError::Unreadable { file: path.display().to_string(), source })
}

/// Whether the text is an object with a `scenario` in it, as far as it can be read.
fn is_wrapped(text: &str) -> bool {
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
    // Whatever is wrong with the text, the real reader says it better.
    let _ = serde_json::Deserializer::from_str(text).deserialize_map(Search(&found));
    found.get()
}

/// Parses JSON; an error names the place both as JSON path and as line and column.
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

/// The first thing wrong with a file: its JSON path and what was expected there.
fn check(file: &ScenarioFile) -> Result<(), String> {
    if let Some(bounds) = &file.bounds
        && !bounds.min.iter().zip(bounds.max).all(|(min, max)| f32::from(*min) < f32::from(max))
    {
        return Err("bounds.max: expected both coordinates to be larger than those of `min`".to_owned());
    }

    for (name, entries) in &file.markers.0 {
        if entries.is_empty() {
            return Err(format!("markers.{name}: expected at least one [time, x, y]"));
        }
        if let Some(late) = entries.windows(2).position(|pair| pair[1].0 < pair[0].0) {
            return Err(format!("markers.{name}[{}][0]: expected a time not before that of the entry above", late + 1));
        }
    }

    let mut ids = HashMap::new();
    for (index, agent) in file.agents.iter().enumerate() {
        if let Some(first) = ids.insert(agent.id.as_str(), index) {
            return Err(format!(
                "agents[{index}].id: expected an id of its own, but agents[{first}] is called `{}` too",
                agent.id
            ));
        }
    }

    for (index, agent) in file.agents.iter().enumerate() {
        let mut seen = BTreeSet::new();
        for (place, OneKey(behavior)) in agent.behaviors.iter().enumerate() {
            let (key, target) = key_and_target(behavior);
            let path = format!("agents[{index}].behaviors[{place}].{key}");
            if !seen.insert(key) {
                return Err(format!("{path}: expected each behavior at most once, but this is the second `{key}`"));
            }
            match target {
                Some(Target::Agent(id)) if *id == agent.id => {
                    return Err(format!("{path}.target.agent: expected another agent than `{id}` itself"));
                }
                Some(Target::Agent(id)) if !ids.contains_key(id.as_str()) => {
                    return Err(format!("{path}.target.agent: expected the id of an agent, but none is called `{id}`"));
                }
                Some(Target::Marker(name)) if !file.markers.0.contains_key(name) => {
                    return Err(format!(
                        "{path}.target.marker: expected the name of a marker, but none is called `{name}`"
                    ));
                }
                _ => {}
            }
        }
    }
    Ok(())
}

fn key_and_target(behavior: &Behavior) -> (&'static str, Option<&Target>) {
    match behavior {
        Behavior::Seek(seek) => ("seek", Some(&seek.target.0)),
        Behavior::Flee(flee) => ("flee", Some(&flee.target.0)),
        Behavior::Arrive(arrive) => ("arrive", Some(&arrive.target.0)),
        Behavior::Pursue(pursue) => ("pursue", Some(&pursue.target.0)),
        Behavior::Evade(evade) => ("evade", Some(&evade.target.0)),
        Behavior::Wander(_) => ("wander", None),
        Behavior::Separation(_) => ("separation", None),
    }
}
