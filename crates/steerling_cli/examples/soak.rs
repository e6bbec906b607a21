//! A soak test: half an hour of a crowd with everything on. Memory and tick time must stay constant.
//!
//! Prints the table of `docs/robustness.md`, a row for each simulated minute:
//!
//! ```sh
//! cargo run --release -p steerling_cli --example soak
//! ```
//!
//! It fails if memory grows after the first tenth of the run, or if a position, velocity or force is out of its limits.

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
/// The share by which memory may grow.
const GROWTH: f64 = 0.02;

#[derive(Parser)]
struct Args {
    /// Number of simulated minutes to run.
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    minutes: u32,
    /// Number of agents in each of the twenty crowds.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,
}

/// The time between two knockbacks, in ticks.
const KNOCKBACKS: u32 = 3;
/// One in so many agents has a trace.
const TRACES: usize = 50;

/// The behaviors of each crowd, in addition to those that most have.
fn mixes() -> [Value; 20] {
    let cursor = json!({"marker": "cursor"});
    let square = json!([[200, 200], [1800, 300], [1700, 1500], [400, 1600]]);
    [
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
        json!([{"follow_path": {"path": square, "end": "loop", "radius": 60}}, {"avoid_neighbors": {}}]),
        json!([{"follow_field": {"field": "home"}}, {"queue": {}}]),
        json!([{"hide": {"from": {"group": 4}}}, {"face": {"target": {"group": 4}}}, {"wander": {"weight": 0.2}}]),
        json!([{"orbit": {"around": {"group": 8}, "radius": 90}}]),
        json!([{"offset_pursuit": {"leader": {"agent": "2-0"}, "offset": [-40, 30]}}]),
        json!([{"follow_leader": {"leader": {"agent": "4-0"}}}]),
        json!([{"interpose": {"between": [{"agent": "2-0"}, {"agent": "4-0"}]}}, {"hold": {"weight": 0.3}}]),
        json!([{"follow_wall": {"side": "left", "distance": 20}}, {"wander": {"weight": 0.3}}, {"avoid_neighbors": {}}]),
        json!([{"pursue": {"target": {"group": 1}}}, {"avoid_neighbors": {}}]),
        json!([{"avoid_neighbors": {}}]),
    ]
}

/// An obstacle of any shape, which stands, moves or turns.
fn obstacle(number: u32, side: f64) -> Value {
    let [x, y] = [37, 23].map(|factor| f64::from(number * factor % 40) / 40.0 * side);
    let end = [x + 60.0, y + 20.0];
    let mut obstacle = match number % 6 {
        0 => json!({"circle": {"center": [x, y], "radius": 25}}),
        1 => json!({"rectangle": {"center": [x, y], "half_size": [60, 5], "rotation": 0.4}}),
        2 => json!({"capsule": {"start": [x, y], "end": end, "radius": 10}}),
        3 => json!({"segment": {"start": [x, y], "end": end}}),
        4 => json!({"polygon": {"points": [[x, y], end, [x, y + 50.0]]}}),
        _ => json!({"polyline": {"points": [[x, y], end, [x + 60.0, y + 80.0]]}}),
    };
    if number.is_multiple_of(4) {
        obstacle["velocity"] = json!([9, 5]);
    }
    if number.is_multiple_of(5) {
        obstacle["turn_rate"] = json!(0.7);
    }
    obstacle
}

/// The agents of a crowd. Their properties depend on its number.
fn agent(number: usize, behaviors: &[Value]) -> Value {
    let mut agent = json!({
        "behaviors": behaviors, "solid": number.is_multiple_of(3), "groups": 1 << (number % 4), "events": true,
        "mass": 0.5 + 0.1 * number as f64, "radius": 6.0 + 0.2 * number as f64,
    });
    match number % 5 {
        1 => agent["response_time"] = json!(0.2),
        2 => agent["sight"] = json!({"range": 400, "field_of_view": 4}),
        3 => agent["limits"] = json!({"max_turn_rate": 2, "min_turning_radius": 20, "reverse_speed": 30}),
        _ => {}
    }
    match number % 7 {
        1 => agent["arbitration"] = json!({"mode": "prioritized_sum"}),
        3 => agent["arbitration"] = json!({"mode": "priority_groups"}),
        5 => agent["arbitration"] = json!({"mode": "dithering"}),
        _ => {}
    }
    agent
}

/// Twenty crowds, each with its own mix of behaviors, among obstacles.
fn scene(count: u32) -> Value {
    // Bodies cover an eighth of the area.
    let side = (f64::from(count) * 20.0 * 1600.0).sqrt();
    let crowds: Vec<Value> = mixes()
        .into_iter()
        .enumerate()
        .map(|(number, mix)| {
            let detection = if number == 8 { "points" } else { "swept" };
            let mut behaviors = vec![json!({"avoid_obstacles": {"detection": detection}})];
            if number != 6 && number != 7 {
                behaviors.push(json!({"separation": {}}));
            }
            behaviors.extend(mix.as_array().into_iter().flatten().cloned());
            json!({
                "prefix": format!("{number}-"), "count": count, "spacing": 0,
                "area": {"min": [0, 0], "max": [side, side]}, "agent": agent(number, &behaviors),
            })
        })
        .collect();
    let obstacles: Vec<Value> = (0..40).map(|number| obstacle(number, side)).collect();
    json!({
        "name": "soak", "tick": 1.0 / f64::from(RATE), "seed": 1,
        "bounds": {"min": [0, 0], "max": [side, side], "edge": "wrap"},
        "markers": {"cursor": [[0, 0, 0], [60, side, side / 2.0], [300, side / 2.0, side]]},
        "fields": [{"id": "home", "toward": [[side / 2.0, side / 2.0]], "cell": 20, "clearance": 10}],
        "formations": [{"anchor": "2-0", "pattern": "wedge", "members": ["19-"]}],
        "obstacles": obstacles, "crowds": crowds,
    })
}

/// Knocks one agent back every few ticks.
fn knock_back(agents: Query<Entity, With<SteeringAgent>>, mut tick: Local<u32>, mut commands: Commands) {
    *tick += 1;
    if !tick.is_multiple_of(KNOCKBACKS) {
        return;
    }
    let number = (*tick / KNOCKBACKS) as usize * 37 % agents.iter().len().max(1);
    if let Some(agent) = agents.iter().nth(number) {
        commands.entity(agent).insert(Knockback::new(Vec2::new(150.0, -80.0)));
    }
}

/// The memory of this process, MB, where the system reports it.
fn memory() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(kilobytes.trim().strip_suffix(" kB")?.parse::<f64>().ok()? / 1000.0)
}

/// The first agent that is out of its limits.
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
    let scenario = match Scenario::parse("soak", &scene(args.count).to_string()) {
        Ok(scenario) => scenario,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let mut simulation = Simulation::extended(&scenario, Threads::Auto, |app, spawned| {
        app.add_systems(FixedPreUpdate, knock_back);
        for (_, agent) in spawned.agents.iter().step_by(TRACES) {
            app.world_mut().entity_mut(*agent).insert(SteeringTrace::default());
        }
    });
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
