//! The summary of a run.

use bevy_steerling::math::Vector;
use bevy_steerling::math::space::Edge;
use serde::Serialize;

use crate::dimension::precise;
use crate::measures::flock::meter::{FlockMeter, FlockSummary};
use crate::measures::overlaps::{Collisions, OverlapMeter};
use crate::scenario::scene::Scenario;
use crate::simulation::events::EventCounts;
use crate::simulation::gate_summary::GateSummary;
use crate::simulation::goals::Goals;
use crate::simulation::headless::Simulation;
use crate::simulation::threads::Threads;

/// The measures of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The scenario's name.
    pub name: String,
    /// The number of agents.
    pub agents: usize,
    /// The number of ticks.
    pub ticks: u64,
    /// The length of a tick, seconds.
    pub tick: f64,
    /// Overlaps of agents.
    pub collisions: Collisions,
    /// Agents that reached their goals.
    pub goals: Goals,
    /// The number of respawns.
    pub respawns: u64,
    /// Events of the agents whose events are counted.
    pub events: EventCounts,
    /// Crossings of the gates, in the order of the file.
    pub gates: Vec<GateSummary>,
    /// Measures of the flock, if the scenario asks for them.
    #[serde(flatten)]
    pub flock: Option<FlockSummary>,
    /// The mean distance traveled by an agent, units. Jumps at the world's edges do not count. `None` without agents.
    pub path_length: Option<f64>,
    /// The mean steering effort of an agent, `Σ|F|/m · tick`, units/s.
    pub effort: Option<f64>,
    /// The mean speed over all ticks and the agents present in them, units/s.
    pub speed: Option<f64>,
    /// [`Simulation::state_hash`] at the end, 16 hexadecimal digits.
    pub state_hash: String,
    /// The time of the ticks alone, nanoseconds per agent and tick.
    pub ns_per_agent_tick: Option<f64>,
}

/// Runs a scenario for a number of ticks and measures it. Calls `observe` at the start and after each tick.
///
/// # Errors
///
/// The error that `observe` returns, which ends the run.
pub fn run<E>(
    scenario: &Scenario,
    ticks: u64,
    threads: Threads,
    observe: impl FnMut(&Simulation) -> Result<(), E>,
) -> Result<Summary, E> {
    measure(scenario, Simulation::new(scenario, threads), ticks, observe)
}

/// [`run`] for a simulation of the scenario before its first tick.
///
/// # Errors
///
/// The error that `observe` returns, which ends the run.
pub fn measure<E>(
    scenario: &Scenario,
    mut simulation: Simulation,
    ticks: u64,
    mut observe: impl FnMut(&Simulation) -> Result<(), E>,
) -> Result<Summary, E> {
    let mut meter = Meter::new(scenario, &simulation);
    observe(&simulation)?;
    while simulation.ticks_done() < ticks {
        simulation.step();
        meter.measure(&simulation);
        observe(&simulation)?;
    }
    Ok(meter.finish(scenario, &simulation))
}

/// Measures a run in progress. All lists are indexed by the numbers of agents.
struct Meter {
    masses: Vec<f64>,
    overlaps: OverlapMeter,
    flock: Option<FlockMeter>,
    bounces: bool,
    last_positions: Vec<Vector>,
    path_lengths: f64,
    speeds: f64,
    efforts: f64,
}

impl Meter {
    fn new(scenario: &Scenario, simulation: &Simulation) -> Self {
        Self {
            masses: simulation.bodies().map(|body| f64::from(body.mass)).collect(),
            overlaps: OverlapMeter::new(simulation),
            flock: scenario.file.flock_measures.as_deref().map(|measures| FlockMeter::new(scenario, measures)),
            bounces: scenario.file.steering_bounds().edge == Edge::Bounce,
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
            let step = (precise(agent.velocity) * tick + precise(agent.knocked)).length();
            self.path_lengths += if self.bounces {
                // The path beyond an edge does not count, nor does a respawn.
                f64::from(agent.position.distance(self.last_positions[index])).min(step)
            } else {
                step
            };
            self.last_positions[index] = agent.position;
            self.efforts += f64::from(agent.force.length()) / self.masses[index] * tick;
        }
        self.overlaps.measure(simulation);
        if let Some(flock) = &mut self.flock {
            flock.measure(simulation);
        }
    }

    fn finish(self, scenario: &Scenario, simulation: &Simulation) -> Summary {
        let agents = self.masses.len();
        let mean = |sum: f64, count: f64| (count > 0.0).then_some(sum / count);
        let agent_ticks = simulation.agent_ticks() as f64;
        Summary {
            name: scenario.name().to_owned(),
            agents,
            ticks: simulation.ticks_done(),
            tick: scenario.tick(),
            collisions: self.overlaps.finish(),
            goals: simulation.goals(),
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
