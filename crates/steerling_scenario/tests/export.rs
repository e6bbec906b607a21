//! A world that is exported and read again is the same.

mod exporting;

use std::iter::repeat_n;

use exporting::{
    check_that_every_field_is_there, check_that_exports_move_alike, check_that_nothing_changes, exported, files, parse,
    simulation,
};
use steerling_scenario as scenario;
use steerling_scenario::export;

const ASSETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets");
const EVERY_FIELD: &str = include_str!("data/every_field.json");

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
        let mut running = simulation(&parse(&file.to_string()));
        for _ in 0..137 {
            running.step();
        }
        let exported = export(running.world());
        let again = simulation(&parse(&exported.text));
        let states = |simulation: &scenario::Simulation| -> Vec<_> {
            let agents = simulation.agents().iter();
            agents.map(|agent| (agent.id.clone(), agent.position.to_array(), agent.velocity.to_array())).collect()
        };
        assert_eq!(states(&running), states(&again), "{name}");
        assert_eq!(running.tick(), again.tick());
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
    let steps = |simulation: &mut scenario::Simulation, count| repeat_n((), count).for_each(|()| simulation.step());
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
