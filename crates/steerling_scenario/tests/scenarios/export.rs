//! A world that is exported and read again is the same.

use std::iter::repeat_with;

use arbitrary::Unstructured;
use bevy_steerling::behavior_prelude::SteeringRng;
use bevy_steerling::prelude::{SteeringId, SteeringSeed};
use serde_json::Value;
use steerling_scenario::{Scenario, export};

use crate::any::any_scenario;
use crate::exporting::{
    check_that_an_export_starts_there, check_that_every_field_is_there, check_that_exports_move_alike,
    check_that_nothing_changes, exported, parse, simulation, states,
};
use crate::project::files;
use crate::scenario;

const ASSETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets");
const EVERY_FIELD: &str = include_str!("../data/every_field.json");

#[test]
fn every_scenario_of_the_project_moves_as_its_export_does() {
    let mut checked = 0;
    for (name, file) in files(format!("{ASSETS}/scenarios")) {
        check_that_exports_move_alike(&name, file, 300);
        checked += 1;
    }
    assert!(checked > 20, "{checked} files");
}

#[test]
fn figures_and_hard_scenes_move_as_their_exports_do() {
    for folder in ["figures", "hard", "pedestrians", "steerbench"] {
        for (name, file) in files(format!("{ASSETS}/scenarios/{folder}")) {
            check_that_exports_move_alike(&name, file, 40);
        }
    }
}

#[test]
fn every_field_is_exported() {
    check_that_every_field_is_there(EVERY_FIELD, &["name", "about", "dimensions", "ticks", "remove"]);
    check_that_nothing_changes(EVERY_FIELD);
}

#[test]
fn an_export_is_the_same_each_time_and_the_export_of_its_export() {
    for (_, file) in files(format!("{ASSETS}/scenarios")) {
        let first = exported(&parse(&file.to_string()));
        assert_eq!(first, exported(&parse(&file.to_string())));
        assert_eq!(first.text, exported(&parse(&first.text)).text);
    }
}

#[test]
fn an_export_in_the_middle_of_a_run_starts_with_the_same_positions_and_velocities() {
    for (name, file) in files(format!("{ASSETS}/scenarios")) {
        check_that_an_export_starts_there(&name, &file);
    }
}

#[test]
fn markers_and_obstacles_go_on_where_they_are() {
    let text = r#"{
        "tick": 0.5,
        "markers": {"m": [[0, 1, 1], [3, 2, 2], [7, 3, 3]]},
        "obstacles": [
            {"rectangle": {"center": [5, 0], "half_size": [5, 1]}, "turn_rate": 0.1, "pivot": [1, 0], "velocity": [2, 1]},
            {"circle": {"center": [0, 0], "radius": 1}, "velocity": [1, 0]}
        ],
        "agents": [{"id": "a", "position": [0, 90], "behaviors": [{"arrive": {"target": {"marker": "m"}}}, {"avoid_obstacles": {}}]}]
    }"#;
    let mut running = simulation(&parse(text));
    let steps = |simulation: &mut scenario::Simulation, count| (0..count).for_each(|_| simulation.step());
    steps(&mut running, 10);
    let exported = export(running.world());
    assert!(exported.text.contains(r#""markers": {"m": [[0, 2, 2], [2, 3, 3]]}"#), "{}", exported.text);
    let mut again = simulation(&parse(&exported.text));
    steps(&mut running, 30);
    steps(&mut again, 30);
    let difference = running.agents()[0].position.distance(again.agents()[0].position);
    // What the obstacles' places are rounded to.
    assert!(difference < 1e-2, "{difference}\n{}", exported.text);
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

#[test]
fn any_scenario_is_read_again_as_it_was() {
    let (mut checked, mut behaviors) = (0, 0);
    for seed in 0..250 {
        let mut random = SteeringRng::new(SteeringSeed(seed), SteeringId::new(0), 0);
        let bytes: Vec<u8> = repeat_with(|| (256.0 * random.uniform()) as u8).take(12_000).collect();
        let Ok(mut file) = any_scenario(&mut Unstructured::new(&bytes)) else { continue };
        // Each reading would compute millions of nodes.
        if let Some(fields) = file.as_object_mut() {
            fields.remove("fields");
        }
        let Some(original) = accepted(file.clone()) else { continue };
        let exported = exported(&original);
        let again = parse(&exported.text);
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
