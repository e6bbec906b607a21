//! Reading scenario files, and refusing what makes no sense.

use std::cell::Cell;
use std::collections::{BTreeSet, HashMap};
use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::io;
use std::iter::repeat_n;
use std::mem;
use std::path::Path;
use std::sync::Arc;

use bevy::math::Vec2;
use bevy_steerling::prelude::SteeringId;
use serde::Deserializer;
use serde::de::{DeserializeOwned, IgnoredAny, MapAccess, Visitor};
use twox_hash::XxHash64;

use crate::crowds;
use crate::file::{Area, Behavior, Kind, ScenarioFile, Target, vector};
use crate::json::{Object, OneKey};
use crate::number::Seed;
use crate::obstacles;

/// Why a file was refused: one line, whatever names the file holds.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScenarioError {
    /// The file cannot be read.
    #[error("{}: cannot be read: {source}", one_line(file))]
    Unreadable {
        /// Its name.
        file: String,
        /// What the operating system says.
        source: io::Error,
    },
    /// The file is not a scenario.
    #[error("{}: {}", one_line(file), one_line(problem))]
    Invalid {
        /// Its name.
        file: String,
        /// Where in the file, what is wrong there, and what was expected.
        problem: String,
    },
}

/// Names may hold anything; what is said about them must not start new lines or do worse to a terminal.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { c.escape_default().to_string() } else { c.to_string() }).collect()
}

/// A scene as data: read from a file and found to be sound.
#[derive(Clone, Debug)]
pub struct Scenario {
    pub(crate) file: ScenarioFile,
    /// Those of the file's list, and then the crowds.
    pub(crate) agents: Vec<PlacedAgent>,
    /// Whether it is kept what led to the motion.
    pub(crate) explained: bool,
    /// The file's name.
    source: String,
}

/// An agent where it starts.
#[derive(Clone, Debug)]
pub(crate) struct PlacedAgent {
    pub id: String,
    pub position: Vec2,
    pub velocity: Vec2,
    pub kind: Arc<Kind>,
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

    /// Reads a scenario file, with another seed than its own.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read).
    pub fn read_with_seed(path: impl AsRef<Path>, seed: u64) -> Result<Self, ScenarioError> {
        Self::parse_with(&path.as_ref().display().to_string(), &read_text(path.as_ref())?, Some(seed))
    }

    /// Reads a scenario from the text of a file called `file`.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read).
    pub fn parse(file: &str, text: &str) -> Result<Self, ScenarioError> {
        Self::parse_with(file, text, None)
    }

    fn parse_with(file: &str, text: &str, seed: Option<u64>) -> Result<Self, ScenarioError> {
        if is_wrapped(text) {
            crate::Expectation::parse_with(file, text, seed).map(crate::Expectation::into_scenario)
        } else {
            Self::new(file, "", parse_json::<Object<ScenarioFile>>(file, text)?.0, seed)
        }
    }

    /// Places the agents, and checks what the types of the file cannot say. `root` is the JSON path of the scenario within
    /// the file.
    pub(crate) fn new(
        source: &str,
        root: &str,
        mut file: ScenarioFile,
        seed: Option<u64>,
    ) -> Result<Self, ScenarioError> {
        file.seed = seed.map_or(file.seed, Seed);
        let listed = mem::take(&mut file.agents).into_iter().map(|Object(agent)| {
            let (id, position, kind) = agent.into_parts();
            PlacedAgent { id, position: vector(position), velocity: kind.start_velocity(), kind: Arc::new(kind) }
        });
        let agents = listed.collect();
        let scenario = Self { file, agents, explained: false, source: source.to_owned() };
        scenario
            .checked()
            .map_err(|problem| ScenarioError::Invalid { file: source.to_owned(), problem: format!("{root}{problem}") })
    }

    /// With the crowds in their places, if nothing is wrong.
    fn checked(mut self) -> Result<Self, String> {
        check(&self.file, &self.agents)?;
        let listed = self.agents.len();
        let bounds = self.file.steering_bounds();
        for (index, crowd) in self.file.crowds.iter().enumerate() {
            let placed = crowds::place(crowd, self.file.seed.0, &bounds).ok_or_else(|| {
                format!(
                    "crowds[{index}]: expected an area with room for {} agents {} apart, but one found no place in {} tries",
                    crowd.count.0,
                    crowd.spacing.map_or(0.0, f32::from),
                    crowds::TRIES
                )
            })?;
            self.agents.extend(placed);
        }
        check_names(&self.file, &self.agents, listed)?;
        Ok(self)
    }

    /// The same, where each agent keeps what led to its motion, for [`Why`](crate::Why). It moves in the same way, but takes longer.
    #[must_use]
    pub fn explained(self) -> Self {
        Self { explained: true, ..self }
    }

    /// The name in the file, or the file's own name without extension.
    pub fn name(&self) -> &str {
        let stem = || Path::new(&self.source).file_stem().and_then(OsStr::to_str).unwrap_or(&self.source);
        self.file.name.as_deref().unwrap_or_else(stem)
    }

    /// What the file says about itself, in a sentence.
    pub fn about(&self) -> Option<&str> {
        self.file.about.as_deref()
    }

    /// How many ticks to run.
    pub fn ticks(&self) -> u64 {
        self.file.ticks.0 as u64
    }

    /// The length of a tick, seconds.
    pub fn tick(&self) -> f64 {
        self.file.tick.0
    }

    /// Whether it is measured who gets through somewhere: they may have to leave.
    pub(crate) fn has_gates(&self) -> bool {
        !self.file.gates.is_empty()
    }

    /// How many agents there are.
    pub fn agent_count(&self) -> usize {
        self.agents.len()
    }

    /// How many obstacles there are.
    pub fn obstacle_count(&self) -> usize {
        self.file.obstacles.len()
    }

    /// How many agents belong together, in their order: each listed one alone, and the crowds.
    pub(crate) fn group_sizes(&self) -> impl Iterator<Item = usize> {
        repeat_n(1, self.listed()).chain(self.file.crowds.iter().map(|crowd| crowd.count.0 as usize))
    }

    /// How many agents are not of a crowd.
    fn listed(&self) -> usize {
        self.agents.len() - self.file.crowds.iter().map(|crowd| crowd.count.0 as usize).sum::<usize>()
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

/// The number that an id in a file stands for, whatever other ids there are.
pub(crate) fn steering_id(id: &str) -> SteeringId {
    // One bit less than a hash has: the largest number means that there is none.
    SteeringId::new(XxHash64::oneshot(0, id.as_bytes()) >> 1)
}

/// The first thing wrong with what the file says, but for names: its JSON path and what was expected there.
fn check(file: &ScenarioFile, listed: &[PlacedAgent]) -> Result<(), String> {
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

    for (index, obstacle) in file.obstacles.iter().enumerate() {
        obstacles::check(&obstacle.shape).map_err(|problem| format!("obstacles[{index}].{problem}"))?;
    }

    for (index, crowd) in file.crowds.iter().enumerate() {
        check_area(&format!("crowds[{index}].area"), &crowd.area)?;
        if crowd.speed.is_some() && crowd.agent.velocity.is_some() {
            return Err(format!("crowds[{index}].agent.velocity: expected none, because the crowd has a `speed`"));
        }
    }
    for (index, respawn) in file.respawns.iter().enumerate() {
        check_area(&format!("respawns[{index}].inside"), &respawn.inside)?;
        check_area(&format!("respawns[{index}].to"), &respawn.to)?;
    }
    for (index, gate) in file.gates.iter().enumerate() {
        if let Some(first) = file.gates[..index].iter().position(|other| other.id == gate.id) {
            return Err(format!(
                "gates[{index}].id: expected an id of its own, but gates[{first}] is called `{}` too",
                gate.id
            ));
        }
        if vector(gate.start) == vector(gate.end) {
            return Err(format!("gates[{index}].end: expected another place than that of `start`"));
        }
    }

    if let Some(measures) = &file.flock_measures {
        let (from, end) = (measures.from.map_or(0.0, |from| from.0), file.ticks.0 * file.tick.0);
        if from > end * (1.0 + 1e-9) {
            return Err(format!("flock_measures.from: expected a time within the run of {end} s"));
        }
        if measures.to.is_some_and(|to| to.0 < from) {
            return Err("flock_measures.to: expected a time not before `from`".to_owned());
        }
    }

    let kinds = listed.iter().enumerate().map(|(index, agent)| (format!("agents[{index}]"), &*agent.kind));
    let crowds = file.crowds.iter().enumerate();
    let crowd_kinds = crowds.map(|(index, crowd)| (format!("crowds[{index}].agent"), &*crowd.agent));
    for (path, kind) in kinds.chain(crowd_kinds) {
        let mut seen = BTreeSet::new();
        for (place, OneKey(behavior)) in kind.behaviors.iter().enumerate() {
            let (key, target) = key_and_target(behavior);
            if !seen.insert(key) {
                return Err(format!(
                    "{path}.behaviors[{place}].{key}: expected each behavior at most once, but this is the second `{key}`"
                ));
            }
            if let Behavior::Contain(contain) = behavior {
                obstacles::check_region(&contain.region.0)
                    .map_err(|problem| format!("{path}.behaviors[{place}].{key}.region.{problem}"))?;
            }
            if let Some(Target::Marker(name)) = target
                && !file.markers.0.contains_key(name)
            {
                return Err(format!(
                    "{path}.behaviors[{place}].{key}.target.marker: expected the name of a marker, but none is called `{name}`"
                ));
            }
        }
    }
    Ok(())
}

fn check_area(path: &str, area: &Area) -> Result<(), String> {
    if area.min.iter().zip(area.max).all(|(min, max)| *min <= max) {
        Ok(())
    } else {
        Err(format!("{path}.max: expected both coordinates to be at least those of `min`"))
    }
}

/// The first name of an agent that is not its own, or that nobody has. The first `listed` agents are those of the file's list.
fn check_names(file: &ScenarioFile, agents: &[PlacedAgent], listed: usize) -> Result<(), String> {
    // Where an agent is in the file, and where its kind is.
    let crowd_paths = file.crowds.iter().enumerate().flat_map(|(index, crowd)| {
        repeat_n((format!("crowds[{index}].prefix"), format!("crowds[{index}].agent")), crowd.count.0 as usize)
    });
    let listed_paths = (0..listed).map(|index| (format!("agents[{index}].id"), format!("agents[{index}]")));
    let paths = || listed_paths.clone().chain(crowd_paths.clone());

    let mut ids: HashMap<&str, usize> = HashMap::with_capacity(agents.len());
    for (index, agent) in agents.iter().enumerate() {
        if let Some(first) = ids.insert(&agent.id, index)
            && let (Some((path, _)), Some((_, first))) = (paths().nth(index), paths().nth(first))
        {
            return Err(format!("{path}: expected an id of its own, but {first} is called `{}` too", agent.id));
        }
    }

    for (index, agent) in agents.iter().enumerate() {
        for (place, OneKey(behavior)) in agent.kind.behaviors.iter().enumerate() {
            let (key, Some(Target::Agent(id))) = key_and_target(behavior) else { continue };
            let expected = if *id == agent.id {
                format!("expected another agent than `{id}` itself")
            } else if !ids.contains_key(id.as_str()) {
                format!("expected the id of an agent, but none is called `{id}`")
            } else {
                continue;
            };
            let kind = paths().nth(index).map(|(_, kind)| kind).unwrap_or_default();
            return Err(format!("{kind}.behaviors[{place}].{key}.target.agent: {expected}"));
        }
    }
    Ok(())
}

pub(crate) fn key_and_target(behavior: &Behavior) -> (&'static str, Option<&Target>) {
    match behavior {
        Behavior::Seek(seek) => ("seek", Some(&seek.target.0)),
        Behavior::Flee(flee) => ("flee", Some(&flee.target.0)),
        Behavior::Arrive(arrive) => ("arrive", Some(&arrive.target.0)),
        Behavior::Pursue(pursue) => ("pursue", Some(&pursue.target.0)),
        Behavior::Evade(evade) => ("evade", Some(&evade.target.0)),
        Behavior::MatchVelocity(matching) => ("match_velocity", Some(&matching.target.0)),
        Behavior::Wander(_) => ("wander", None),
        Behavior::Separation(_) => ("separation", None),
        Behavior::Alignment(_) => ("alignment", None),
        Behavior::Cohesion(_) => ("cohesion", None),
        Behavior::Flock(_) => ("flock", None),
        Behavior::Contain(_) => ("contain", None),
        Behavior::AvoidObstacles(_) => ("avoid_obstacles", None),
        Behavior::AvoidNeighbors(_) => ("avoid_neighbors", None),
        Behavior::Queue(_) => ("queue", None),
    }
}
