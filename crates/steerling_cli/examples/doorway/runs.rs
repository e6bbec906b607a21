//! Runs scenes.

use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use serde_json::Value;
use steerling_scenario::{AgentState, Simulation, Summary, Threads, run};

use crate::scenes::sound;

pub fn measure(room: &Value) -> Summary {
    let scenario = sound(room);
    let Ok(summary) = run::<Infallible>(&scenario, scenario.ticks(), Threads::Exactly(1), |_| Ok(()));
    summary
}

/// Whether all agents of two scenes have the same positions and velocities in every tick, up to a factor.
pub fn moves_the_same(room: &Value, larger: &Value, factor: f32) -> bool {
    let scenario = sound(room);
    let mut one = Simulation::new(&scenario, Threads::Exactly(1));
    let mut other = Simulation::new(&sound(larger), Threads::Exactly(1));
    let same = |one: &Simulation, other: &Simulation| {
        let bits = |agent: &AgentState, factor: f32| {
            [agent.position, agent.velocity].map(|vector| (vector * factor).to_array().map(f32::to_bits))
        };
        let one = one.agents().iter().map(|agent| (&agent.id, bits(agent, factor)));
        one.eq(other.agents().iter().map(|agent| (&agent.id, bits(agent, 1.0))))
    };
    while same(&one, &other) && one.ticks_done() < scenario.ticks() {
        one.step();
        other.step();
    }
    same(&one, &other)
}

/// Does the work on all cores, and prints its progress to standard error.
pub fn in_parallel<R: Send>(what: &str, rooms: &[Value], work: impl Fn(&Value) -> R + Sync) -> Vec<R> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(room) = rooms.get(index) else { break };
                    let result = work(room);
                    let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                    done.push((index, result));
                    eprint!("\r{what}: {} of {} runs ", done.len(), rooms.len());
                }
            });
        }
    });
    eprintln!();
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

/// The crossings per second of a run. With too few crossings it is 0.
pub fn flow(run: &Summary) -> f64 {
    run.gates[0].flow.unwrap_or(0.0)
}

/// The mean flow, 1/s.
pub fn mean_flow(runs: &[Summary]) -> f64 {
    mean(runs.iter().map(flow))
}

pub fn mean(numbers: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = numbers.len() as f64;
    numbers.sum::<f64>() / count
}
