//! Overlaps of agents with each other and with obstacles.

use std::mem;

use bevy_steerling::math::Vector;
use bevy_steerling::math::space::Edge;
use bevy_steerling::prelude::SteeringBounds;
use serde::Serialize;

use crate::simulation::headless::Simulation;

/// Overlaps of agents with each other and with obstacles at the ends of ticks.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Collisions {
    /// Overlaps with each other.
    #[serde(flatten)]
    pub with_agents: Overlaps,
    /// Overlaps with obstacles.
    pub with_obstacles: Overlaps,
}

/// Overlaps that are deeper than a thousandth of the smaller radius. For a shape without a radius, the agent's radius
/// counts.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Overlaps {
    /// The number of overlaps, each counted once from the first touch to separation.
    pub unique: u64,
    /// The number of overlapping agents, summed over ticks.
    pub agent_ticks: u64,
    /// The largest depth, units.
    pub max_depth: f64,
}

/// Measures overlaps during a run.
pub(crate) struct OverlapMeter {
    /// The radius of each agent by its number.
    radii: Vec<f32>,
    /// The width of a world that wraps.
    period: Option<f32>,
    with_agents: Watch,
    with_obstacles: Watch,
}

/// Overlaps of one kind so far.
#[derive(Default)]
struct Watch {
    overlaps: Overlaps,
    /// The pairs that overlapped in the last tick, sorted.
    before: Vec<(usize, usize)>,
    /// The pairs found in this tick.
    now: Vec<(usize, usize)>,
}

impl Watch {
    /// Adds a pair, if its overlap is deep enough.
    fn add(&mut self, pair: (usize, usize), depth: f32, smaller_radius: f32) {
        if depth > 0.001 * smaller_radius {
            self.now.push(pair);
            self.overlaps.max_depth = self.overlaps.max_depth.max(f64::from(depth));
        }
    }

    /// Counts the pairs of the tick. Numbers below `agents` are those of agents.
    fn count(&mut self, agents: usize) {
        self.now.sort_unstable();
        self.now.dedup();
        let mut in_overlap = vec![false; agents];
        for pair in &self.now {
            for number in [pair.0, pair.1].into_iter().filter(|number| *number < agents) {
                in_overlap[number] = true;
            }
            self.overlaps.unique += u64::from(self.before.binary_search(pair).is_err());
        }
        self.overlaps.agent_ticks += in_overlap.iter().filter(|overlaps| **overlaps).count() as u64;
        mem::swap(&mut self.before, &mut self.now);
        self.now.clear();
    }
}

impl OverlapMeter {
    pub fn new(simulation: &Simulation) -> Self {
        let bounds = simulation.world().resource::<SteeringBounds>();
        Self {
            radii: simulation.bodies().map(|body| body.radius).collect(),
            period: (bounds.edge == Edge::Wrap).then_some(bounds.max.x - bounds.min.x),
            with_agents: Watch::default(),
            with_obstacles: Watch::default(),
        }
    }

    /// Measures the end of a tick.
    pub fn measure(&mut self, simulation: &Simulation) {
        let space = simulation.space();
        let (agents, numbers, obstacles) = (simulation.agents(), simulation.numbers(), simulation.obstacles());
        let radii: Vec<f32> = numbers.iter().map(|number| self.radii[*number]).collect();
        let bodies = agents.iter().zip(&radii).map(|(agent, radius)| (agent.position, *radius));
        let rims = obstacles.iter().map(|shape| (shape.center(), shape.extent()));
        for_each_near_pair(bodies.chain(rims), self.period, |a, b| {
            let (Some(agent), Some(radius)) = (agents.get(a), radii.get(a)) else { return };
            if let (Some(other), Some(other_radius)) = (agents.get(b), radii.get(b)) {
                let distance = space.displacement(agent.position, other.position).length();
                self.with_agents.add(
                    (numbers[a], numbers[b]),
                    radius + other_radius - distance,
                    radius.min(*other_radius),
                );
            } else {
                let obstacle = b - agents.len();
                let shape = &obstacles[obstacle];
                let is_bounded = shape.extent().is_finite();
                let straight = shape.center() - agent.position;
                let to_center = if is_bounded { space.displacement(agent.position, shape.center()) } else { straight };
                if to_center.length() < radius + shape.extent() {
                    let (distance, _) = shape.distance(shape.center() - to_center);
                    let smaller = if shape.radius() > 0.0 { radius.min(shape.radius()) } else { *radius };
                    let pair = (numbers[a], self.radii.len() + obstacle);
                    self.with_obstacles.add(pair, radius - distance, smaller);
                }
            }
        });
        self.with_agents.count(self.radii.len());
        self.with_obstacles.count(self.radii.len());
    }

    /// The overlaps so far.
    pub fn finish(self) -> Collisions {
        Collisions { with_agents: self.with_agents.overlaps, with_obstacles: self.with_obstacles.overlaps }
    }
}

/// Calls `visit` with every pair of discs or balls that may overlap, by sorting them along x (sort and sweep). If the world
/// wraps, `period` is its width, and a pair may be visited twice. Those without an end, such as half-spaces, are paired with all others.
fn for_each_near_pair(
    discs: impl Iterator<Item = (Vector, f32)>,
    period: Option<f32>,
    mut visit: impl FnMut(usize, usize),
) {
    let discs = discs.enumerate().filter(|(_, (position, _))| position.is_finite());
    let (discs, boundless): (Vec<_>, Vec<_>) = discs.partition(|(_, (_, radius))| radius.is_finite());
    for (b, _) in boundless {
        discs.iter().for_each(|(a, _)| visit(*a, b));
    }
    let mut widest = 0.0_f32;
    let mut spans: Vec<(f32, f32, usize)> = discs
        .into_iter()
        .map(|(index, (position, radius))| {
            widest = widest.max(radius);
            (position.x - radius, position.x + radius, index)
        })
        .collect();
    spans.sort_by(|a, b| a.0.total_cmp(&b.0));
    if let Some(period) = period
        && let Some(&(leftmost, ..)) = spans.first()
    {
        // Discs at the left edge also appear just beyond the right edge.
        for index in 0..spans.partition_point(|span| span.0 <= leftmost + 4.0 * widest) {
            let (left, right, agent) = spans[index];
            spans.push((left + period, right + period, agent));
        }
        spans.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    for (index, &(_, right, a)) in spans.iter().enumerate() {
        for &(_, _, b) in spans[index + 1..].iter().take_while(|span| span.0 <= right) {
            if a != b {
                visit(a.min(b), a.max(b));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use bevy::math::Vec2;
    use bevy_steerling::behavior_prelude::SteeringRng;
    use bevy_steerling::math::space::Space;
    use bevy_steerling::prelude::{SteeringId, SteeringSeed};

    #[test]
    fn finds_the_overlaps_that_a_search_through_all_pairs_finds() {
        let mut random = SteeringRng::new(SteeringSeed(5), SteeringId::new(0), 1);
        let positions: Vec<Vec2> = (0..300).map(|_| 100.0 * Vec2::new(random.uniform(), random.uniform())).collect();
        let radii: Vec<f32> = (0..300).map(|_| 4.0 * random.uniform()).collect();
        let torus = SteeringBounds::wrap(Vec2::ZERO, Vec2::splat(100.0)).space();
        let mut counts = Vec::new();
        for (space, period) in [(Space::default(), None), (torus, Some(100.0))] {
            let overlap =
                |a: usize, b: usize| space.displacement(positions[a], positions[b]).length() < radii[a] + radii[b];
            let expected: BTreeSet<_> =
                (0..300).flat_map(|b| (0..b).map(move |a| (a, b))).filter(|&(a, b)| overlap(a, b)).collect();
            let mut found = BTreeSet::new();
            for_each_near_pair(positions.iter().copied().zip(radii.iter().copied()), period, |a, b| {
                if overlap(a, b) {
                    found.insert((a, b));
                }
            });
            assert_eq!(found, expected);
            counts.push(found.len());
        }
        assert!(counts[0] > 50 && counts[1] > counts[0], "{counts:?}");
    }
}
