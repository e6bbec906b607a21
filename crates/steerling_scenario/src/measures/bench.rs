//! Benchmarks: the time that the ticks of a scenario take.

use serde::Serialize;

use crate::measures::neighbors::neighbors_per_agent;
use crate::scenario::scene::Scenario;
use crate::simulation::headless::Simulation;
use crate::simulation::threads::Threads;

/// The cost of a scenario.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Benchmark {
    /// The scenario's name.
    pub name: String,
    /// The number of agents.
    pub agents: usize,
    /// The number of ticks of each repeat.
    pub ticks: u64,
    /// The number of timed repeats.
    pub repeats: usize,
    /// The number of threads; `None` if the plugin decides.
    pub threads: Option<usize>,
    /// The number of neighbors within the largest perception radius of an agent in the first tick: the mean over the
    /// agents that perceive neighbors. `None` if there are none.
    pub neighbors_per_agent: Option<f64>,
    /// The same in the last tick.
    pub neighbors_per_agent_at_end: Option<f64>,
    /// The median time of the repeats, nanoseconds per agent and tick.
    pub median_ns_per_agent_tick: Option<f64>,
    /// The shortest time of the repeats, nanoseconds per agent and tick.
    pub min_ns_per_agent_tick: Option<f64>,
}

/// Runs a scenario from its start once to warm up and then `repeats` times, and measures the time of the ticks alone.
/// Calls `observe` after each tick.
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
                // The first run is not timed, so it can count neighbors.
                if repeat == 0 && (tick == 0 || tick + 1 == ticks) {
                    let before = simulation.agents().to_vec();
                    simulation.step();
                    neighbors[usize::from(tick > 0)] = neighbors_per_agent(&simulation, &before);
                } else if repeat == 0 || scenario.removes_agents() {
                    simulation.step();
                } else {
                    // Between the ticks nothing happens that a game would not do either.
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
