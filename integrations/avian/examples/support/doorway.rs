//! A crowd leaves a room through a door, with the bodies of an engine and without: the scenes and the measures of `docs/doorway.md`.

use std::convert::Infallible;
use std::error::Error;
use std::io::{IsTerminal, stderr};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::{fs, thread};

use bevy::prelude::*;
use serde_json::{Value, json};
use steerling_scenario::{Scenario, Simulation, SpawnedScenario, Summary, Threads, measure};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/scenarios/doorway");
const DOORS: [f64; 3] = [0.8, 1.2, 2.0];
const SEEDS: [u64; 3] = [1, 2, 3];
const CROWD: usize = 80;

/// Adds an engine to an app, and bodies to the agents and obstacles of a scenario.
pub type AddEngine = fn(&mut App, &SpawnedScenario);

/// The kind of body that agents have.
#[derive(Clone, Copy, PartialEq)]
enum Bodies {
    None,
    Solid,
    Engine,
}

/// One run of a scene.
struct Run {
    scenario: Scenario,
    bodies: Bodies,
}

/// Prints a table for each style of queuing.
pub fn print_tables(engine: &str, add_engine: AddEngine) -> Result<(), Box<dyn Error>> {
    for style in ["keep_place", "none"] {
        let mut runs = Vec::new();
        for door in DOORS {
            for bodies in [Bodies::None, Bodies::Solid, Bodies::Engine] {
                for seed in SEEDS {
                    runs.push(Run { scenario: scene(door, style, bodies, seed)?, bodies });
                }
            }
        }
        let summaries = in_parallel(style, &runs, |run| summary(run, add_engine));
        println!(
            "{}\n",
            if style == "none" { "Without a queue:".to_owned() } else { format!("With `Queue`, style `{style}`:") }
        );
        println!(
            "| b (m) | bodies | through | overlap of agents (mm) | … with walls (mm) | longest gap (s) | J (1/s) | order τ | mean speed (m/s) |"
        );
        println!("|---|---|---|---|---|---|---|---|---|");
        for (run, (door, summaries)) in runs.chunks(SEEDS.len()).zip(doors(&summaries)) {
            println!("{}", row(door, run[0].bodies, engine, summaries));
        }
        println!();
    }
    Ok(())
}

/// The summaries of all seeds, with the width of their door.
fn doors(summaries: &[Summary]) -> impl Iterator<Item = (f64, &[Summary])> {
    DOORS.iter().flat_map(|door| [*door; 3]).zip(summaries.chunks(SEEDS.len()))
}

fn row(door: f64, bodies: Bodies, engine: &str, runs: &[Summary]) -> String {
    let most = |measure: fn(&Summary) -> f64| runs.iter().map(measure).fold(0.0, f64::max);
    let mean = |measure: fn(&Summary) -> f64| runs.iter().map(measure).sum::<f64>() / runs.len() as f64;
    let through: usize = runs.iter().map(|run| run.gates[0].crossings).sum();
    let order = runs.iter().map(|run| run.gates[0].order_tau.unwrap_or(-1.0)).fold(1.0, f64::min);
    format!(
        "| {door:.1} | {} | {through} of {} | {:.1} | {:.1} | {:.1} | {:.2} | {order:.2} | {:.2} |",
        match bodies {
            Bodies::None => "none",
            Bodies::Solid => "`Solid`",
            Bodies::Engine => engine,
        },
        CROWD * SEEDS.len(),
        1000.0 * most(|run| run.collisions.with_agents.max_depth),
        1000.0 * most(|run| run.collisions.with_obstacles.max_depth),
        most(|run| run.gates[0].longest_gap.unwrap_or_default()),
        mean(|run| run.gates[0].flow.unwrap_or(0.0)),
        mean(|run| run.speed.unwrap_or(0.0)),
    )
}

fn scene(door: f64, style: &str, bodies: Bodies, seed: u64) -> Result<Scenario, Box<dyn Error>> {
    let path = Path::new(FOLDER).join(format!("{door:.1}m.json"));
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut room: Value = serde_json::from_str(&text)?;
    room["seed"] = json!(seed);
    let agent = &mut room["crowds"][0]["agent"];
    agent["solid"] = json!(bodies == Bodies::Solid);
    if style == "none"
        && let Some(behaviors) = agent["behaviors"].as_array_mut()
    {
        behaviors.retain(|behavior| behavior.get("queue").is_none());
    }
    Ok(Scenario::parse(&path.to_string_lossy(), &room.to_string())?)
}

fn summary(run: &Run, add_engine: AddEngine) -> Summary {
    let simulation = match run.bodies {
        Bodies::Engine => Simulation::extended(&run.scenario, Threads::Exactly(1), add_engine),
        _ => Simulation::new(&run.scenario, Threads::Exactly(1)),
    };
    let Ok(summary) = measure::<Infallible>(&run.scenario, simulation, run.scenario.ticks(), |_| Ok(()));
    summary
}

/// Does the work on all cores, and prints its progress to standard error.
fn in_parallel(what: &str, runs: &[Run], work: impl Fn(&Run) -> Summary + Sync) -> Vec<Summary> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let index = next.fetch_add(1, Ordering::Relaxed)
                    && let Some(run) = runs.get(index)
                {
                    let summary = work(run);
                    let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                    done.push((index, summary));
                    if stderr().is_terminal() {
                        eprint!("\r{what}: {} of {} runs ", done.len(), runs.len());
                    }
                }
            });
        }
    });
    if stderr().is_terminal() {
        eprintln!();
    }
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, summary)| summary).collect()
}
