//! Any scenario that is accepted stays finite and within its agents' limits, and ends in the same state when it runs again.
#![no_main]

use arbitrary::Unstructured;
use bevy::prelude::*;
use bevy_steerling::prelude::*;
use libfuzzer_sys::{Corpus, fuzz_target};
use steerling_fuzz::any_scenario;
use steerling_scenario::{Scenario, Simulation, Threads};

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let Ok(file) = any_scenario(&mut Unstructured::new(bytes)) else { return Corpus::Reject };
    let text = file.to_string();
    // What it may say is generated; whether it makes sense is for the reader to decide.
    let Ok(scenario) = Scenario::parse("fuzz.json", &text) else { return Corpus::Reject };
    let first = run(&scenario, &text);
    assert_eq!(first, run(&scenario, &text), "another state when run again: {text}");
    Corpus::Keep
});

/// The fingerprint of the state after all ticks.
fn run(scenario: &Scenario, text: &str) -> u64 {
    let mut simulation = Simulation::new(scenario, Threads::Exactly(1));
    for tick in 1..=scenario.ticks() {
        simulation.step();
        let world = simulation.world();
        let agents = world.try_query::<(&SteeringAgent, &Transform, &Velocity, &SteeringForce)>();
        for (body, transform, velocity, force) in agents.iter().flat_map(|agents| agents.iter_manual(world)) {
            let place = transform.translation;
            assert!(place.is_finite() && transform.rotation.is_finite(), "tick {tick}: at {place}: {text}");
            assert!(within(velocity.0, body.max_speed), "tick {tick}: {velocity:?} of {body:?}: {text}");
            assert!(within(force.0, body.max_force), "tick {tick}: {force:?} of {body:?}: {text}");
        }
    }
    simulation.state_hash()
}

/// Whether a vector is finite and no longer than a limit, but for the last digits.
fn within(vector: Vec2, limit: f32) -> bool {
    f64::from(vector.x).hypot(f64::from(vector.y)) <= f64::from(limit) * 1.000_001
}
