//! Checks that memory and tick time stay constant: half an hour of a crowd with all features.
//!
//! Prints the table of `docs/robustness.md`, one row for each simulated minute:
//!
//! ```sh
//! cargo run --release -p steerling_cli --example soak
//! ```
//!
//! It fails if memory grows after the first tenth of the run, or if a position, velocity or force is out of range.

use std::fs;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy_steerling::prelude::*;
use clap::Parser;
use serde_json::{Value, json};
use steerling_scenario::{Scenario, Simulation, Threads};

/// Ticks per second.
const RATE: u32 = 30;
/// The accepted growth of memory, as a share.
const GROWTH: f64 = 0.02;

#[derive(Parser)]
struct Args {
    /// Number of simulated minutes
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    minutes: u32,
    /// Number of agents, in tens
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    tens: u32,
}

/// Ten mixes of behaviors, each for a tenth of the agents, among static and moving obstacles.
fn scene(tens: u32) -> Value {
    let cursor = json!({"marker": "cursor"});
    let mixes = [
        json!([{"seek": {"target": cursor}}, {"queue": {}}]),
        json!([{"arrive": {"target": {"group": 2}}}, {"queue": {"style": "brake_and_separate"}}]),
        json!([{"flee": {"target": cursor, "panic_distance": 300}}, {"wander": {}}, {"alignment": {}}]),
        json!([{"pursue": {"target": {"group": 4}}}, {"avoid_neighbors": {}}]),
        json!([{"evade": {"target": {"group": 2}}}, {"wander": {"drive": "displacement"}}]),
        json!([{"match_velocity": {"target": {"group": 4}}}, {"cohesion": {}}, {"wander": {}}]),
        json!([{"flock": {}}, {"wander": {}}]),
        json!([{"flock": {"cohesion": {"field_of_view": 4}}}, {"avoid_neighbors": {}}, {"wander": {}}]),
        json!([{"contain": {"region": {"circle": {"center": [900, 900], "radius": 600}}}}, {"wander": {}}]),
        json!([{"seek": {"target": {"point": [99, 99]}, "weight": 0.5}}, {"queue": {"style": "hard_stop"}}, {"wander": {}}]),
    ];
    // Bodies cover an eighth of the area.
    let side = (f64::from(tens) * 10.0 * 1600.0).sqrt();
    let crowds: Vec<Value> = mixes
        .into_iter()
        .enumerate()
        .map(|(number, mix)| {
            let mut behaviors = vec![json!({"avoid_obstacles": {}})];
            if number != 6 && number != 7 {
                behaviors.push(json!({"separation": {}}));
            }
            behaviors.extend(mix.as_array().into_iter().flatten().cloned());
            let agent = json!({"behaviors": behaviors, "solid": number % 3 == 0, "groups": 1 << (number % 4)});
            json!({
                "prefix": format!("{number}-"), "count": tens, "spacing": 0,
                "area": {"min": [0, 0], "max": [side, side]}, "agent": agent,
            })
        })
        .collect();
    let obstacles: Vec<Value> = (0..40)
        .map(|number| {
            let place = [f64::from(number * 37 % 40) / 40.0 * side, f64::from(number * 23 % 40) / 40.0 * side];
            let velocity = if number % 4 == 0 { [9, 5] } else { [0, 0] };
            json!({"circle": {"center": place, "radius": 25}, "velocity": velocity})
        })
        .collect();
    json!({
        "name": "soak", "tick": 1.0 / f64::from(RATE), "seed": 1,
        "bounds": {"min": [0, 0], "max": [side, side], "edge": "wrap"},
        "markers": {"cursor": [[0, 0, 0], [60, side, side / 2.0], [300, side / 2.0, side]]},
        "obstacles": obstacles, "crowds": crowds,
    })
}

/// The memory of the process, MB, if the system reports it.
fn memory() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(kilobytes.trim().strip_suffix(" kB")?.parse::<f64>().ok()? / 1000.0)
}

/// The first agent whose state is out of range.
fn broken(world: &World) -> Option<String> {
    let mut agents = world.try_query::<(&SteeringAgent, &Transform, &Velocity, &SteeringForce)>()?;
    let mut agents = agents.iter(world);
    let within = |vector: Vec2, limit: f32| vector.length() <= limit * 1.000_01;
    let broken = agents.find(|(body, transform, velocity, force)| {
        let finite = transform.translation.is_finite() && transform.rotation.is_finite();
        !(finite && within(velocity.0, body.max_speed) && within(force.0, body.max_force))
    });
    broken.map(|broken| format!("{broken:?}"))
}

fn main() -> ExitCode {
    let args = Args::parse();
    let scenario = match Scenario::parse("soak", &scene(args.tens).to_string()) {
        Ok(scenario) => scenario,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let mut simulation = Simulation::new(&scenario, Threads::Auto);
    println!("| minute | mean tick (ms) | slowest tick (ms) | memory (MB) |\n|---|---|---|---|");
    let mut used = Vec::new();
    for minute in 1..=args.minutes {
        let (start, mut slowest) = (simulation.time_spent(), Duration::ZERO);
        for _ in 0..60 * RATE {
            let before = Instant::now();
            simulation.step();
            slowest = slowest.max(before.elapsed());
        }
        let mean = (simulation.time_spent() - start).as_secs_f64() * 1e3 / f64::from(60 * RATE);
        let memory = memory();
        let told = memory.map_or("–".to_owned(), |memory| format!("{memory:.1}"));
        println!("| {minute} | {mean:.2} | {:.1} | {told} |", slowest.as_secs_f64() * 1e3);
        used.extend(memory);
        if let Some(broken) = broken(simulation.world()) {
            eprintln!("minute {minute}: {broken}");
            return ExitCode::FAILURE;
        }
    }
    println!("\n{} agents; state hash {:016x}.", simulation.agents().len(), simulation.state_hash());
    let settled = &used[used.len() / 10..];
    if let [first, .., last] = settled
        && last > &(first * (1.0 + GROWTH))
    {
        eprintln!("memory grew from {first:.1} to {last:.1} MB");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
