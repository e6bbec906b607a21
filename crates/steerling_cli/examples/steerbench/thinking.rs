//! The cases with agents that think less often.

use std::error::Error;
use std::fs;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread;

use serde_json::{Value, json};
use steerling_scenario::{Scenario, Summary};

use crate::measure;
use crate::report::{collisions, deepest, has_all, is_solved};

/// Ticks per second.
const TICKS: f64 = 60.0;
/// The numbers of ticks from one thought of an agent to the next.
const RATES: [u32; 4] = [1, 2, 4, 8];

/// Prints how many cases are solved at each rate.
pub fn print(files: &[PathBuf]) -> Result<(), Box<dyn Error>> {
    let scenes: Vec<Vec<Scenario>> = RATES
        .iter()
        .map(|rate| files.iter().map(|file| scene(file, *rate)).collect())
        .collect::<Result<_, Box<dyn Error>>>()?;
    let runs: Vec<Vec<Summary>> = thread::scope(|scope| {
        let running: Vec<_> =
            scenes.iter().map(|scenes| scope.spawn(|| scenes.iter().map(measure).collect())).collect();
        running.into_iter().map(|rate| rate.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
    });
    println!(
        "
## Thinking less often

The same cases at {TICKS} ticks per second, with agents that think in every n-th tick (`rate`). The mean time is over the cases in which
all agents reach their goals at every rate.

| n | cases solved, of {} | at their goals | collisions | deepest overlap (mm) | mean time (s) |
|---|---|---|---|---|---|",
        files.len()
    );
    let always = |case: &usize| runs.iter().all(|runs| has_all(&runs[*case]));
    let compared: Vec<usize> = (0..files.len()).filter(always).collect();
    for (rate, runs) in RATES.iter().zip(&runs) {
        let times = compared.iter().filter_map(|case| runs[*case].goals.mean_time);
        println!(
            "| {rate} | {} | {} of {} | {} | {:.1} | {:.2} |",
            runs.iter().filter(|run| is_solved(run)).count(),
            runs.iter().map(|run| run.goals.reached).sum::<usize>(),
            runs.iter().map(|run| run.goals.of).sum::<usize>(),
            runs.iter().map(collisions).sum::<u64>(),
            1000.0 * runs.iter().map(deepest).fold(0.0, f64::max),
            times.sum::<f64>() / compared.len() as f64,
        );
    }
    Ok(())
}

/// A case in which agents think in every n-th tick.
fn scene(file: &Path, rate: u32) -> Result<Scenario, Box<dyn Error>> {
    let mut scene: Value = serde_json::from_str(&fs::read_to_string(file)?)?;
    let time = scene["tick"].as_f64().unwrap_or_default() * scene["ticks"].as_f64().unwrap_or_default();
    scene["tick"] = json!(1.0 / TICKS);
    scene["ticks"] = json!((time * TICKS).ceil());
    for agent in scene["agents"].as_array_mut().into_iter().flatten() {
        agent["rate"] = json!(rate);
    }
    Ok(Scenario::parse(&file.display().to_string(), &scene.to_string())?)
}
