//! Watches which agents cross gates, and when.

use bevy::math::{DVec2, Vec2};
use bevy_steerling::math::space::Edge;
use bevy_steerling::math::space::Space;
use bevy_steerling::prelude::SteeringBounds;

use crate::file::gate;
use crate::scenario::scene::Scenario;
use crate::simulation::agents::AgentState;
use crate::simulation::gate_summary::GateSummary;
use crate::simulation::gates::crossing::{distance_to_segment, first_contact};
use crate::simulation::gates::order::kendall_tau;
use crate::simulation::gates::statistics::{flow, longest_gap};

/// All gates of a scenario and the crossings so far. Agents are identified by their numbers.
#[derive(Default)]
pub(crate) struct Gates {
    gates: Vec<Gate>,
    space: Space,
    /// The offsets of a place's images across the seams of a world that wraps, including zero.
    images: Vec<DVec2>,
}

struct Gate {
    id: String,
    ends: [DVec2; 2],
    removes: bool,
    /// The distance of each agent at the start.
    distances: Vec<f64>,
    /// The time at which each agent crossed.
    crossed_at: Vec<Option<f64>>,
}

impl Gates {
    /// The gates of a scenario whose agents start in these states.
    pub fn new(scenario: &Scenario, agents: &[AgentState]) -> Self {
        let bounds = scenario.file.steering_bounds();
        let images = images(&bounds);
        let gate = |file: &gate::Gate| {
            let ends = file.ends().map(|end| end.as_dvec2());
            let distance = |agent: &AgentState| {
                let seen = images.iter().map(|image| agent.position.as_dvec2() + image);
                seen.map(|place| distance_to_segment(ends, place)).fold(f64::INFINITY, f64::min)
            };
            Gate {
                id: file.id.clone(),
                ends,
                removes: file.remove,
                distances: agents.iter().map(distance).collect(),
                crossed_at: vec![None; agents.len()],
            }
        };
        let gates = scenario.file.gates.iter().map(|file| gate(file)).collect();
        Self { gates, space: bounds.space(), images }
    }

    /// Records that an agent has moved from one place to another in a tick that began at `start`. Returns whether a
    /// gate removes it.
    pub fn record(&mut self, agent: usize, from: Vec2, to: Vec2, start: f64, tick: f64) -> bool {
        let mut is_removed = false;
        for gate in self.gates.iter_mut().filter(|gate| gate.crossed_at[agent].is_none()) {
            let way = self.space.displacement(from, to);
            let to = if way == to - from { to.as_dvec2() } else { from.as_dvec2() + way.as_dvec2() };
            let first = self
                .images
                .iter()
                .filter_map(|image| first_contact(gate.ends, from.as_dvec2() + image, to + image))
                .reduce(f64::min);
            if let Some(fraction) = first {
                gate.crossed_at[agent] = Some(start + fraction * tick);
                is_removed |= gate.removes;
            }
        }
        is_removed
    }

    /// The crossings of each gate up to the time `end`. `removed` are the removed agents and when they were removed.
    pub fn summaries(&self, removed: &[(usize, f64)], end: f64) -> Vec<GateSummary> {
        self.gates.iter().map(|gate| gate.summary(removed, end)).collect()
    }
}

impl Gate {
    fn summary(&self, removed: &[(usize, f64)], end: f64) -> GateSummary {
        let crossed = self.distances.iter().zip(&self.crossed_at);
        let order = crossed.filter_map(|(distance, time)| Some((*distance, (*time)?))).collect();
        let mut times: Vec<f64> = self.crossed_at.iter().copied().flatten().collect();
        times.sort_by(f64::total_cmp);
        let gone = removed.iter().filter(|(agent, _)| self.crossed_at[*agent].is_none()).map(|(_, time)| *time);
        GateSummary {
            id: self.id.clone(),
            crossings: times.len(),
            first: times.first().copied(),
            last: times.last().copied(),
            flow: flow(&times),
            longest_gap: longest_gap(&times, gone, self.distances.len(), end),
            order_tau: kendall_tau(order),
        }
    }
}

/// The offsets of the nine images of a world that wraps in both axes. Only zero in a world without seams.
fn images(bounds: &SteeringBounds) -> Vec<DVec2> {
    let size = if bounds.edge == Edge::Wrap { (bounds.max - bounds.min).as_dvec2() } else { DVec2::ZERO };
    let steps = |size: f64| if size > 0.0 { vec![0.0, -size, size] } else { vec![0.0] };
    let rows = steps(size.y);
    steps(size.x).into_iter().flat_map(|x| rows.iter().map(move |y| DVec2::new(x, *y))).collect()
}
