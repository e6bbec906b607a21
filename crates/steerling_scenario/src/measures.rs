//! What a run amounts to: who got where, who ran into whom, at what effort.

use std::mem;

use bevy::prelude::*;
use bevy_steerling::math::space::Space;
use serde::Serialize;

use crate::events::EventCounts;
use crate::file::{self, Edge, vector};
use crate::flock::{FlockMeter, FlockSummary};
use crate::gates::GateSummary;
use crate::json::Object;
use crate::scenario::Scenario;
use crate::simulation::{Simulation, Threads};

/// A run in numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The scenario's name.
    pub name: String,
    /// How many agents there are.
    pub agents: usize,
    /// How many ticks ran.
    pub ticks: u64,
    /// The length of a tick, seconds.
    pub tick: f64,
    /// Agents that overlapped.
    pub collisions: Collisions,
    /// Agents that got to their goal.
    pub goals: Goals,
    /// How many times an agent was put back to a start.
    pub respawns: u64,
    /// What happened to the agents that the scenario watches.
    pub events: EventCounts,
    /// Who crossed the gates, in the order of the file.
    pub gates: Vec<GateSummary>,
    /// How much of a flock the agents are, where the scenario asks for it.
    #[serde(flatten)]
    pub flock: Option<FlockSummary>,
    /// Mean over agents of the distance traveled, units; jumps at the world's edges do not count. Without agents none.
    pub path_length: Option<f64>,
    /// Mean over agents of the summed acceleration spent on steering, `Σ|F|/m · tick`, units/s.
    pub effort: Option<f64>,
    /// Mean over agents, as long as they were there, and ticks of the speed, units/s.
    pub speed: Option<f64>,
    /// [`Simulation::state_hash`] at the end, 16 hexadecimal digits.
    pub state_hash: String,
    /// Time taken by the ticks alone, nanoseconds per agent and tick.
    pub ns_per_agent_tick: Option<f64>,
}

/// Overlaps of agents with each other and with obstacles, at the end of each tick.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Collisions {
    /// With each other.
    #[serde(flatten)]
    pub with_agents: Overlaps,
    /// With obstacles.
    pub with_obstacles: Overlaps,
}

/// Overlaps deeper than a thousandth of the smaller radius; a shape without a radius has that of the agent.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Overlaps {
    /// How many there were, each counted once from first touch to separation.
    pub unique: u64,
    /// How many agents overlapped, summed over ticks.
    pub agent_ticks: u64,
    /// The deepest, units.
    pub max_depth: f64,
}

/// Agents with a goal that got there: whose center was within the goal's radius at the end of a tick.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Goals {
    /// How many did.
    pub reached: usize,
    /// How many have a goal.
    pub of: usize,
    /// Their mean time, seconds.
    pub mean_time: Option<f64>,
    /// The time of the last one, seconds.
    pub last_time: Option<f64>,
}

/// Runs a scenario to its end and measures it. `observe` sees the start and the end of every tick.
///
/// # Errors
///
/// What `observe` returns; the run ends there.
pub fn run<E>(
    scenario: &Scenario,
    ticks: u64,
    threads: Threads,
    mut observe: impl FnMut(&Simulation) -> Result<(), E>,
) -> Result<Summary, E> {
    let mut simulation = Simulation::new(scenario, threads);
    let mut meter = Meter::new(scenario, &simulation);
    observe(&simulation)?;
    while simulation.ticks_done() < ticks {
        simulation.step();
        meter.measure(&simulation);
        observe(&simulation)?;
    }
    Ok(meter.finish(scenario, &simulation))
}

/// Measures a run while it goes on. Everything is in the order of ids at the start.
struct Meter {
    radii: Vec<f32>,
    masses: Vec<f64>,
    goals: Vec<Option<GoalWatch>>,
    space: Space,
    /// The width of a world that wraps.
    period: Option<f32>,
    with_agents: Watch,
    with_obstacles: Watch,
    flock: Option<FlockMeter>,
    bounces: bool,
    last_positions: Vec<Vec2>,
    path_lengths: f64,
    speeds: f64,
    efforts: f64,
}

/// Overlaps of one kind so far.
#[derive(Default)]
struct Watch {
    overlaps: Overlaps,
    /// The pairs that overlapped at the last tick, in order, and those found in this one.
    before: Vec<(usize, usize)>,
    now: Vec<(usize, usize)>,
}

impl Watch {
    /// Notes two that overlap, if they do so deep enough.
    fn note(&mut self, pair: (usize, usize), depth: f32, smaller_radius: f32) {
        if depth > 0.001 * smaller_radius {
            self.now.push(pair);
            self.overlaps.max_depth = self.overlaps.max_depth.max(f64::from(depth));
        }
    }

    /// Counts what was noted in the tick. Agents have the first so many numbers.
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

struct GoalWatch {
    position: Vec2,
    radius: f32,
    reached_at: Option<f64>,
}

impl Meter {
    fn new(scenario: &Scenario, simulation: &Simulation) -> Self {
        let mut agents: Vec<_> = scenario.agents.iter().collect();
        agents.sort_by_key(|agent| agent.id.as_str());
        let bounds = scenario.file.bounds.as_deref();
        let goal = |goal: &Object<file::Goal>| GoalWatch {
            position: vector(goal.position),
            radius: goal.radius.into(),
            reached_at: None,
        };
        Self {
            radii: simulation.bodies().map(|body| body.radius).collect(),
            masses: simulation.bodies().map(|body| f64::from(body.mass)).collect(),
            goals: agents.iter().map(|agent| agent.kind.goal.as_ref().map(goal)).collect(),
            space: simulation.space(),
            period: bounds
                .filter(|bounds| matches!(bounds.edge, Edge::Wrap))
                .map(|bounds| f32::from(bounds.max[0]) - f32::from(bounds.min[0])),
            with_agents: Watch::default(),
            with_obstacles: Watch::default(),
            flock: scenario.file.flock_measures.as_deref().map(|measures| FlockMeter::new(scenario, measures)),
            bounces: bounds.is_some_and(|bounds| matches!(bounds.edge, Edge::Bounce)),
            last_positions: simulation.agents().iter().map(|agent| agent.position).collect(),
            path_lengths: 0.0,
            speeds: 0.0,
            efforts: 0.0,
        }
    }

    fn measure(&mut self, simulation: &Simulation) {
        let tick = simulation.tick();
        for (&index, agent) in simulation.numbers().iter().zip(simulation.agents()) {
            self.speeds += f64::from(agent.velocity.length());
            let step = (agent.velocity.as_dvec2() * tick + agent.knocked.as_dvec2()).length();
            self.path_lengths += if self.bounces {
                // The way beyond the edge is not gone, and a respawn is no way.
                f64::from(agent.position.distance(self.last_positions[index])).min(step)
            } else {
                step
            };
            self.last_positions[index] = agent.position;
            self.efforts += f64::from(agent.force.length()) / self.masses[index] * tick;
            if let Some(goal) = &mut self.goals[index]
                && goal.reached_at.is_none()
                && self.space.displacement(agent.position, goal.position).length() <= goal.radius
            {
                goal.reached_at = Some(simulation.time());
            }
        }
        self.measure_overlaps(simulation);
        if let Some(flock) = &mut self.flock {
            flock.measure(simulation);
        }
    }

    fn measure_overlaps(&mut self, simulation: &Simulation) {
        let (agents, numbers, obstacles) = (simulation.agents(), simulation.numbers(), simulation.obstacles());
        let radii: Vec<f32> = numbers.iter().map(|number| self.radii[*number]).collect();
        let bodies = agents.iter().zip(&radii).map(|(agent, radius)| (agent.position, *radius));
        let rims = obstacles.iter().map(|shape| (shape.center(), shape.extent()));
        for_each_near_pair(bodies.chain(rims), self.period, |a, b| {
            let (Some(agent), Some(radius)) = (agents.get(a), radii.get(a)) else { return };
            if let (Some(other), Some(other_radius)) = (agents.get(b), radii.get(b)) {
                let distance = self.space.displacement(agent.position, other.position).length();
                self.with_agents.note(
                    (numbers[a], numbers[b]),
                    radius + other_radius - distance,
                    radius.min(*other_radius),
                );
            } else {
                let obstacle = b - agents.len();
                let shape = &obstacles[obstacle];
                let to_center = self.space.displacement(agent.position, shape.center());
                if to_center.length() < radius + shape.extent() {
                    let (distance, _) = shape.distance(shape.center() - to_center);
                    let smaller = if shape.radius() > 0.0 { radius.min(shape.radius()) } else { *radius };
                    let pair = (numbers[a], self.radii.len() + obstacle);
                    self.with_obstacles.note(pair, radius - distance, smaller);
                }
            }
        });
        self.with_agents.count(self.radii.len());
        self.with_obstacles.count(self.radii.len());
    }

    fn finish(self, scenario: &Scenario, simulation: &Simulation) -> Summary {
        let times: Vec<f64> = self.goals.iter().flatten().filter_map(|goal| goal.reached_at).collect();
        let agents = self.radii.len();
        let mean = |sum: f64, count: f64| (count > 0.0).then_some(sum / count);
        let agent_ticks = simulation.agent_ticks() as f64;
        Summary {
            name: scenario.name().to_owned(),
            agents,
            ticks: simulation.ticks_done(),
            tick: scenario.tick(),
            collisions: Collisions {
                with_agents: self.with_agents.overlaps,
                with_obstacles: self.with_obstacles.overlaps,
            },
            goals: Goals {
                reached: times.len(),
                of: self.goals.iter().flatten().count(),
                mean_time: mean(times.iter().sum(), times.len() as f64),
                last_time: times.iter().copied().reduce(f64::max),
            },
            respawns: simulation.respawns(),
            events: simulation.events(),
            gates: simulation.gates(),
            flock: self.flock.as_ref().map(FlockMeter::finish),
            path_length: mean(self.path_lengths, agents as f64),
            effort: mean(self.efforts, agents as f64),
            speed: mean(self.speeds, agent_ticks),
            state_hash: format!("{:016x}", simulation.state_hash()),
            ns_per_agent_tick: mean(simulation.time_spent().as_nanos() as f64, agent_ticks),
        }
    }
}

/// Calls `visit` with every pair of discs that may overlap, by sorting them along x (sort and sweep). In a world that wraps
/// along x, `period` is its width, and a pair may be visited twice.
fn for_each_near_pair(
    discs: impl Iterator<Item = (Vec2, f32)>,
    period: Option<f32>,
    mut visit: impl FnMut(usize, usize),
) {
    let mut widest = 0.0_f32;
    let mut spans: Vec<(f32, f32, usize)> = discs
        .enumerate()
        .filter(|(_, (position, _))| position.is_finite())
        .map(|(index, (position, radius))| {
            widest = widest.max(radius);
            (position.x - radius, position.x + radius, index)
        })
        .collect();
    spans.sort_by(|a, b| a.0.total_cmp(&b.0));
    if let Some(period) = period
        && let Some(&(leftmost, ..)) = spans.first()
    {
        // Those at the left edge are also just beyond the right one.
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
    use bevy_steerling::prelude::{SteeringBounds, SteeringId, SteeringRng, SteeringSeed};

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
