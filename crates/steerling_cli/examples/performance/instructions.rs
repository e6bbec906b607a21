//! Counts the instructions of a tick, which hardly depend on the machine, and compares them with those recorded.
//!
//! Valgrind counts those of whole processes: one that runs some ticks, and one that runs more.

use std::collections::BTreeMap;
use std::env;
use std::error::Error;
use std::fs;
use std::process::Command;

use steerling_scenario::{Simulation, Threads};

use crate::workloads::{WORKLOADS, Workload};

const RECORDED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/performance/instructions.json");
const AGENTS: usize = 1_000;
/// The numbers of ticks of the two processes.
const TICKS: [usize; 2] = [20, 40];
/// The factor by which a tick may take more instructions than recorded.
const MORE: f64 = 1.02;

/// Prints the instructions per agent and tick of each workload beside those recorded. Fails if they are more.
pub fn compare() -> Result<(), Box<dyn Error>> {
    let text = fs::read_to_string(RECORDED).map_err(|error| format!("{RECORDED}: {error}"))?;
    let recorded: BTreeMap<String, f64> =
        serde_json::from_str(&text).map_err(|error| format!("{RECORDED}: {error}"))?;
    println!("| work | instructions per agent and tick | recorded | ratio |");
    println!("|---|---|---|---|");
    let mut more = Vec::new();
    for workload in &WORKLOADS {
        let name = workload.name;
        let now = per_agent(workload)?;
        let before = *recorded.get(name).ok_or_else(|| format!("{RECORDED}: {name} is missing"))?;
        let ratio = now / before;
        println!("| {name} | {now:.0} | {before:.0} | {ratio:.3} |");
        if ratio > MORE {
            more.push(name);
        }
    }
    if more.is_empty() { Ok(()) } else { Err(format!("more instructions than recorded: {}", more.join(", ")).into()) }
}

/// Records the instructions per agent and tick of each workload.
pub fn record() -> Result<(), Box<dyn Error>> {
    let mut recorded = BTreeMap::new();
    for workload in &WORKLOADS {
        recorded.insert(workload.name, per_agent(workload)?.round());
    }
    let text = serde_json::to_string_pretty(&recorded)? + "\n";
    Ok(fs::write(RECORDED, text).map_err(|error| format!("{RECORDED}: {error}"))?)
}

/// Runs so many ticks of a workload, in the process whose instructions are counted.
pub fn run(name: &str, ticks: usize) -> Result<(), Box<dyn Error>> {
    let workload = WORKLOADS.iter().find(|workload| workload.name == name);
    let scenario = workload.ok_or_else(|| format!("{name}: no such workload"))?.scene(AGENTS)?.scenario()?;
    let mut simulation = Simulation::new(&scenario, Threads::Exactly(1));
    (0..ticks).for_each(|_| simulation.step_unseen());
    Ok(())
}

fn per_agent(workload: &Workload) -> Result<f64, Box<dyn Error>> {
    let [few, many] = TICKS.map(|ticks| count(workload.name, ticks));
    let agents = workload.scene(AGENTS)?.agents();
    Ok((many? - few?) / ((TICKS[1] - TICKS[0]) * agents) as f64)
}

/// The instructions of a process that runs so many ticks.
fn count(name: &str, ticks: usize) -> Result<f64, Box<dyn Error>> {
    let valgrind = Command::new("valgrind")
        .args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"])
        .arg(env::current_exe()?)
        .args(["--run", name, "--ticks", &ticks.to_string()])
        // Those that every machine has.
        .env("STEERLING_SIMD", "baseline")
        .output()
        .map_err(|error| format!("valgrind: {error}"))?;
    let report = String::from_utf8_lossy(&valgrind.stderr);
    let count =
        report.lines().find_map(|line| line.split_once("refs:")).map(|(_, count)| count.trim().replace(',', ""));
    let counted = count.filter(|_| valgrind.status.success()).and_then(|count| count.parse().ok());
    counted.ok_or_else(|| format!("valgrind, {name}: {report}").into())
}
