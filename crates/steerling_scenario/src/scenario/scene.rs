//! A scenario that was read and found to be valid.

use std::ffi::OsStr;
use std::iter::repeat_n;
use std::mem;
use std::path::Path;
use std::sync::Arc;

use bevy_steerling::math::Vector;
use bevy_steerling::prelude::FlowField;

use crate::file::scenario::ScenarioFile;
use crate::json::number::{Seed, vector};
use crate::json::strict::Object;
use crate::scenario::agents::StartingAgent;
use crate::scenario::checks::check;
use crate::scenario::crowds;
use crate::scenario::error::ScenarioError;
use crate::scenario::formations::{Troop, troops};
use crate::scenario::names::check_names;

/// A scene as data, read from a valid file.
#[derive(Clone, Debug)]
pub struct Scenario {
    pub(crate) file: ScenarioFile,
    /// The agents of the file's list, followed by those of the crowds.
    pub(crate) agents: Vec<StartingAgent>,
    /// The formations, in the order of the file.
    pub(crate) troops: Vec<Troop>,
    /// The flow fields, in the order of the file.
    pub(crate) fields: Vec<FlowField>,
    /// Whether each agent records the contributions of its behaviors.
    pub(crate) explained: bool,
    /// The file's name.
    source: String,
}

impl Scenario {
    /// Checks a file and places its agents. `root` is the JSON path of the scenario within the file.
    pub(crate) fn new(
        source: &str,
        root: &str,
        mut file: ScenarioFile,
        seed: Option<u64>,
    ) -> Result<Self, ScenarioError> {
        file.seed = seed.map_or(file.seed, Seed);
        let listed = mem::take(&mut file.agents).into_iter().map(|Object(agent)| {
            let (id, position, kind) = agent.into_parts();
            StartingAgent { id, position: vector(position), velocity: kind.start_velocity(), kind: Arc::new(kind) }
        });
        let agents = listed.collect();
        let scenario =
            Self { file, agents, troops: Vec::new(), fields: Vec::new(), explained: false, source: source.to_owned() };
        scenario
            .with_crowds()
            .map_err(|problem| ScenarioError::Invalid { file: source.to_owned(), problem: format!("{root}{problem}") })
    }

    /// Checks the file and adds the agents of the crowds.
    fn with_crowds(mut self) -> Result<Self, String> {
        self.fields = check(&self.file, &self.agents)?;
        let listed = self.agents.len();
        let bounds = self.file.steering_bounds();
        for (index, crowd) in self.file.crowds.iter().enumerate() {
            let placed = crowds::place(crowd, self.file.seed.0, &bounds).ok_or_else(|| {
                format!(
                    "crowds[{index}]: expected an area with room for {} agents {} apart, but found no place for one in {} tries",
                    crowd.count.0,
                    crowd.spacing.map_or(0.0, f32::from),
                    crowds::TRIES
                )
            })?;
            self.agents.extend(placed);
        }
        check_names(&self.file, &self.agents, listed)?;
        self.troops = troops(&self.file, &self.agents, listed)?;
        Ok(self)
    }

    /// The same scenario, in which each agent records the contributions of its behaviors for [`Why`](crate::Why). The
    /// motion is the same, but takes longer to compute.
    #[must_use]
    pub fn explained(self) -> Self {
        Self { explained: true, ..self }
    }

    /// The name in the file, or the file's own name without its extension.
    pub fn name(&self) -> &str {
        let stem = || Path::new(&self.source).file_stem().and_then(OsStr::to_str).unwrap_or(&self.source);
        self.file.name.as_deref().unwrap_or_else(stem)
    }

    /// The file's one-sentence description of the scene.
    pub fn about(&self) -> Option<&str> {
        self.file.about.as_deref()
    }

    /// How many ticks to run.
    pub fn ticks(&self) -> u64 {
        self.file.ticks.0 as u64
    }

    /// The number of dimensions of the scene.
    pub fn dimensions(&self) -> usize {
        self.file.dimensions.0 as usize
    }

    /// The length of a tick, seconds.
    pub fn tick(&self) -> f64 {
        self.file.tick.0
    }

    /// The number of agents.
    pub fn agent_count(&self) -> usize {
        self.agents.len()
    }

    /// The number of obstacles.
    pub fn obstacle_count(&self) -> usize {
        self.file.obstacles.len()
    }

    /// The goals of agents: the center of each and its radius.
    pub fn goals(&self) -> impl Iterator<Item = (Vector, f32)> {
        let goals = self.agents.iter().flat_map(|agent| agent.kind.goals_in_order());
        goals.map(|goal| (vector(goal.position), goal.radius.into()))
    }

    /// The gates: the two ends of each.
    #[cfg(not(dim3))]
    pub fn gates(&self) -> impl Iterator<Item = [Vector; 2]> {
        self.file.gates.iter().map(|gate| gate.ends())
    }

    /// Whether a gate or a goal removes agents.
    pub(crate) fn removes_agents(&self) -> bool {
        #[cfg(not(dim3))]
        if self.file.gates.iter().any(|gate| gate.remove) {
            return true;
        }
        let mut goals = self.agents.iter().filter_map(|agent| agent.kind.goals_in_order().last());
        goals.any(|goal| goal.remove)
    }

    /// The agents in the order of their ids.
    pub(crate) fn agents_by_id(&self) -> Vec<&StartingAgent> {
        let mut agents: Vec<_> = self.agents.iter().collect();
        agents.sort_by_key(|agent| agent.id.as_str());
        agents
    }

    /// The sizes of groups of agents, in their order: each listed agent is a group, and so is each crowd.
    pub(crate) fn group_sizes(&self) -> impl Iterator<Item = usize> {
        let crowds = self.file.crowds.iter().map(|crowd| crowd.count.0 as usize);
        let listed = self.agents.len() - crowds.clone().sum::<usize>();
        repeat_n(1, listed).chain(crowds)
    }
}
