//! Goals: which agents reach all of theirs in order, and when.

use std::sync::Arc;

use bevy_steerling::math::Vector;
use bevy_steerling::math::space::Space;
use serde::Serialize;

use crate::file::agents::Kind;
use crate::json::number::vector;
use crate::scenario::scene::Scenario;

/// Agents that reached all their goals in order. An agent reaches a goal when its center is within the goal's radius at
/// the end of a tick. Only its next goal counts, so it may reach several in one tick if they overlap.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Goals {
    /// The number of agents that reached all their goals.
    pub reached: usize,
    /// The number of agents that have goals.
    pub of: usize,
    /// The mean time at which they reached the last one, seconds.
    pub mean_time: Option<f64>,
    /// The latest time at which one of them did, seconds.
    pub last_time: Option<f64>,
}

/// The progress of all agents, indexed by their numbers.
#[derive(Default)]
pub(crate) struct GoalWatch {
    agents: Vec<Progress>,
    space: Space,
}

struct Progress {
    kind: Arc<Kind>,
    /// The number of goals reached.
    reached: usize,
    finished_at: Option<f64>,
}

impl GoalWatch {
    pub fn new(scenario: &Scenario) -> Self {
        let progress = |kind: &Arc<Kind>| Progress { kind: kind.clone(), reached: 0, finished_at: None };
        Self {
            agents: scenario.agents_by_id().into_iter().map(|agent| progress(&agent.kind)).collect(),
            space: scenario.file.steering_bounds().space(),
        }
    }

    /// Records the place of an agent at a time. Returns whether it reaches a goal that removes it.
    pub fn record(&mut self, agent: usize, place: Vector, time: f64) -> bool {
        let Progress { kind, reached, finished_at } = &mut self.agents[agent];
        for goal in &kind.goals_in_order()[*reached..] {
            let is_within = self.space.displacement(place, vector(goal.position)).length() <= goal.radius.into();
            if !is_within {
                return false;
            }
            *reached += 1;
            if *reached == kind.goals_in_order().len() {
                *finished_at = Some(time);
                return goal.remove;
            }
        }
        false
    }

    pub fn summary(&self) -> Goals {
        let times: Vec<f64> = self.agents.iter().filter_map(|agent| agent.finished_at).collect();
        Goals {
            reached: times.len(),
            of: self.agents.iter().filter(|agent| !agent.kind.goals_in_order().is_empty()).count(),
            mean_time: (!times.is_empty()).then(|| times.iter().sum::<f64>() / times.len() as f64),
            last_time: times.iter().copied().reduce(f64::max),
        }
    }
}
