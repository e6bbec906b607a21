//! How long the ticks of a scenario take.

use serde::Serialize;

use crate::scenario::Scenario;
use crate::simulation::{Simulation, Threads};

/// What a scenario costs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Benchmark {
    /// The scenario's name.
    pub name: String,
    /// How many agents there are.
    pub agents: usize,
    /// How many ticks each repeat ran.
    pub ticks: u64,
    /// How many repeats were timed.
    pub repeats: usize,
    /// On how many threads; `None` where the plugin decides.
    pub threads: Option<usize>,
    /// How many others the farthest-looking behavior of an agent had in sight in the first tick: the mean over the agents that
    /// look around. `None` when nobody does.
    pub neighbors_per_agent: Option<f64>,
    /// The same in the last tick.
    pub neighbors_per_agent_at_end: Option<f64>,
    /// Median over repeats of the time taken by the ticks alone, nanoseconds per agent and tick.
    pub median_ns_per_agent_tick: Option<f64>,
    /// The shortest time of any repeat, nanoseconds per agent and tick.
    pub min_ns_per_agent_tick: Option<f64>,
}

/// Runs a scenario once to warm up and then `repeats` times, each time from its start, and times the ticks alone.
/// `observe` is called after each tick.
pub fn bench(
    scenario: &Scenario,
    ticks: u64,
    repeats: usize,
    threads: Threads,
    mut observe: impl FnMut(&Simulation),
) -> Benchmark {
    let mut neighbors = [None; 2];
    let mut times: Vec<f64> = (0..=repeats)
        .map(|repeat| {
            let mut simulation = Simulation::new(scenario, threads);
            while simulation.ticks_done() < ticks {
                let tick = simulation.ticks_done();
                // The first run, which is not timed, is there to look at.
                if repeat == 0 && (tick == 0 || tick + 1 == ticks) {
                    let before = simulation.agents().to_vec();
                    simulation.step();
                    neighbors[usize::from(tick > 0)] = simulation.neighbors_per_agent(&before);
                } else if repeat == 0 || scenario.has_gates() {
                    simulation.step();
                } else {
                    // Nothing between the ticks that a game would not do either.
                    simulation.step_unseen();
                }
                observe(&simulation);
            }
            simulation.time_spent().as_nanos() as f64 / simulation.agent_ticks() as f64
        })
        .skip(1)
        .filter(|time| time.is_finite())
        .collect();
    times.sort_by(f64::total_cmp);
    let median = match times.len() {
        0 => None,
        odd if odd % 2 == 1 => Some(times[odd / 2]),
        even => Some((times[even / 2 - 1] + times[even / 2]) / 2.0),
    };
    let [start, end] = neighbors;
    Benchmark {
        name: scenario.name().to_owned(),
        agents: scenario.agent_count(),
        ticks,
        repeats,
        threads: match threads {
            Threads::Auto => None,
            Threads::Exactly(threads) => Some(threads),
        },
        neighbors_per_agent: start,
        neighbors_per_agent_at_end: if ticks > 1 { end } else { start },
        median_ns_per_agent_tick: median,
        min_ns_per_agent_tick: times.first().copied(),
    }
}
