//! Measures a flock during a run.

use std::ops::RangeInclusive;

use serde::Serialize;

use crate::dimension::{DVector, precise};
use crate::file::scenario::FlockMeasures;
use crate::measures::flock::components::component_sizes;
use crate::measures::flock::nearest::nearest_distances;
use crate::measures::flock::torus::Torus;
use crate::scenario::scene::Scenario;
use crate::simulation::headless::Simulation;

/// The measures of a flock: means over the ends of the measured ticks. `None` without any ticks or agents.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FlockSummary {
    /// The alignment of the directions of motion, from 0 to 1: `|Σ unit velocities|/N`. The unit velocity of an agent
    /// at rest is zero.
    pub polarization: Option<f64>,
    /// How well the flock holds together.
    pub components: Components,
    /// The mean over agents of the distance to the nearest other one, units. `None` for a single agent.
    pub nearest_neighbor: Option<f64>,
}

/// The connected components of the graph that links agents whose centers are at most a link radius apart.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Components {
    /// The number of components.
    pub count: Option<f64>,
    /// The share of all agents that are in the largest component.
    pub largest: Option<f64>,
}

/// A running mean.
#[derive(Default)]
struct Mean {
    sum: f64,
    count: f64,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1.0;
    }

    fn get(&self) -> Option<f64> {
        (self.count > 0.0).then(|| self.sum / self.count)
    }
}

/// Measures a flock during a run.
pub(crate) struct FlockMeter {
    /// The measured ticks.
    ticks: RangeInclusive<f64>,
    link_radius: f64,
    /// For each agent by its number, whether it counts.
    members: Vec<bool>,
    torus: Option<Torus>,
    polarization: Mean,
    count: Mean,
    largest: Mean,
    nearest: Mean,
}

impl FlockMeter {
    pub fn new(scenario: &Scenario, measures: &FlockMeasures) -> Self {
        let groups = measures.groups.map_or(u32::MAX, u32::from);
        // The slack keeps both ends of the time span in it in spite of rounding.
        let ticks = |seconds: f64, slack: f64| seconds / scenario.tick() + slack;
        let from = measures.from.map_or(0.0, |from| ticks(from.0, -0.001));
        let to = measures.to.map_or(f64::INFINITY, |to| ticks(to.0, 0.001));
        Self {
            ticks: from..=to,
            link_radius: measures.link_radius.0,
            members: scenario
                .agents_by_id()
                .into_iter()
                .map(|agent| agent.kind.groups().bits() & groups != 0)
                .collect(),
            torus: Torus::of(scenario),
            polarization: Mean::default(),
            count: Mean::default(),
            largest: Mean::default(),
            nearest: Mean::default(),
        }
    }

    /// Measures the end of a tick, if it is one of the measured ticks.
    pub fn measure(&mut self, simulation: &Simulation) {
        if !self.ticks.contains(&(simulation.ticks_done() as f64)) {
            return;
        }
        let agents = simulation.numbers().iter().zip(simulation.agents());
        let members = agents.filter(|(number, _)| self.members[**number]).map(|(_, agent)| agent);
        let (places, velocities): (Vec<_>, Vec<_>) =
            members.map(|agent| (precise(agent.position), precise(agent.velocity))).unzip();
        if places.is_empty() {
            return;
        }
        let all = places.len() as f64;
        self.polarization.add(velocities.iter().map(|v| v.normalize_or_zero()).sum::<DVector>().length() / all);
        let sizes = component_sizes(&places, self.link_radius, self.torus);
        self.count.add(sizes.len() as f64);
        self.largest.add(sizes.iter().copied().max().unwrap_or_default() as f64 / all);
        if places.len() > 1 {
            self.nearest.add(nearest_distances(&places, self.torus).sum::<f64>() / all);
        }
    }

    /// The means so far.
    pub fn finish(&self) -> FlockSummary {
        FlockSummary {
            polarization: self.polarization.get(),
            components: Components { count: self.count.get(), largest: self.largest.get() },
            nearest_neighbor: self.nearest.get(),
        }
    }
}
