//! Any scenario that the schema allows is exported as a file that is read as the same scenario.

#[path = "../../../fuzz/src/lib.rs"]
mod any;

use any::any_scenario;
use arbitrary::Unstructured;
use serde_json::Value;
use steerling_scenario::{Exported, Scenario, Simulation, Threads, export};

/// Bytes that look random (`SplitMix64`).
fn bytes(seed: u64) -> Vec<u8> {
    let mix = |number: u64| {
        let z = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z ^ (z >> 27)
    };
    (0..1500).flat_map(|index| mix(seed * 1_000_003 + index).to_le_bytes()).collect()
}

/// The file without what the reader refuses: the innermost element of a list at the place that the error names, again and again.
fn accepted(mut file: Value) -> Option<Scenario> {
    loop {
        let error = match Scenario::parse("any", &file.to_string()) {
            Ok(scenario) => return Some(scenario),
            Err(error) => error.to_string(),
        };
        let path = error.strip_prefix("any: ")?.split(": ").next()?;
        if let Some((list, index)) = path.rsplit_once(']')?.0.rsplit_once('[') {
            let pointer = format!("/{}", list.replace("].", "/").replace(['.', '['], "/"));
            file.pointer_mut(&pointer)?.as_array_mut()?.remove(index.parse().ok()?);
        }
    }
}

fn simulation(scenario: &Scenario) -> Simulation {
    Simulation::new(scenario, Threads::Exactly(1))
}

fn exported(scenario: &Scenario) -> Exported {
    export(simulation(scenario).world())
}

/// Positions and velocities, bit by bit.
fn states(simulation: &Simulation) -> Vec<(&str, [[u32; 2]; 2])> {
    let bits = |vector: bevy::math::Vec2| vector.to_array().map(f32::to_bits);
    simulation.agents().iter().map(|agent| (agent.id.as_str(), [bits(agent.position), bits(agent.velocity)])).collect()
}

#[test]
fn any_scenario_is_read_again_as_it_was() {
    let (mut checked, mut behaviors) = (0, 0);
    for seed in 0..250 {
        let Ok(mut file) = any_scenario(&mut Unstructured::new(&bytes(seed))) else { continue };
        // Each reading would compute millions of nodes.
        if let Some(fields) = file.as_object_mut() {
            fields.remove("fields");
        }
        let Some(original) = accepted(file.clone()) else { continue };
        let exported = exported(&original);
        let again = Scenario::parse("exported.json", &exported.text).unwrap_or_else(|error| panic!("{error}\n{file}"));
        assert_eq!(states(&simulation(&original)), states(&simulation(&again)), "{file}\n{}", exported.text);
        let second = self::exported(&again);
        // The corners of such a region are computed from its walls, which is not always exact.
        if !exported.text.contains(r#""region": {"polygon""#) {
            assert_eq!(exported.text, second.text, "{file}");
        }
        // A mirrored target may be farther away than the numbers of a file allow.
        let mut others = exported.left_out.iter().filter(|left_out| !left_out.what.contains("is not within 1e9"));
        assert_eq!(others.next(), None, "{file}");
        checked += 1;
        let text: Value = serde_json::from_str(&exported.text).expect("it is JSON");
        behaviors +=
            text["agents"].as_array().into_iter().flatten().filter(|agent| agent["behaviors"].is_array()).count();
    }
    assert!(checked > 100 && behaviors > 50, "{checked} scenarios, {behaviors} agents with behaviors");
}
