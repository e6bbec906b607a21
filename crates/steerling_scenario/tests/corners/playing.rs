//! Plays the scenes in `tests/data/corners`.

use std::convert::Infallible;
use std::fs;

use bevy::math::Vec2;
use serde_json::Value;
use steerling_scenario::{AgentState, Scenario, Simulation, Summary, Threads, run};

/// The depth up to which bodies only touch, units: two hundredths of a radius of 8.
pub const TOUCHING: f64 = 0.16;

/// The file of a scene.
pub fn file(name: &str) -> Value {
    let path = format!("{}/tests/data/corners/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Plays a scene. `observe` gets the number of ticks so far, first 0, and the agents, in the order of their ids.
#[track_caller]
pub fn play(file: &Value, mut observe: impl FnMut(u64, &[AgentState])) -> Summary {
    let scenario = Scenario::parse("scene", &file.to_string()).unwrap_or_else(|error| panic!("{error}"));
    let mut ticks = 0;
    let watch = |simulation: &Simulation| -> Result<(), Infallible> {
        observe(ticks, simulation.agents());
        ticks += 1;
        Ok(())
    };
    let Ok(summary) = run(&scenario, scenario.ticks(), Threads::Exactly(1), watch);
    summary
}

/// The agents at the end of a scene.
#[track_caller]
pub fn end_of(file: &Value) -> Vec<AgentState> {
    let mut end = Vec::new();
    play(file, |_, agents| end = agents.to_vec());
    end
}

/// The agent with an id.
#[track_caller]
pub fn agent<'a>(agents: &'a [AgentState], id: &str) -> &'a AgentState {
    agents.iter().find(|agent| agent.id == id).unwrap_or_else(|| panic!("no agent {id}"))
}

/// The position of the agent with an id.
#[track_caller]
pub fn place(agents: &[AgentState], id: &str) -> Vec2 {
    agent(agents, id).position
}

/// Checks that nobody overlaps anybody, or an obstacle, by more than [`TOUCHING`].
#[track_caller]
pub fn assert_apart(name: &str, summary: &Summary) {
    let collisions = &summary.collisions;
    let deepest = collisions.with_agents.max_depth.max(collisions.with_obstacles.max_depth);
    assert!(deepest <= TOUCHING, "{name}: {collisions:?}");
}
