//! The reference traces in three dimensions (see `assets/traces_3d/README.md`).

use std::fs;

use steerling_scenario_3d::{Expectation, Threads};

/// The text of each trace.
fn traces() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/traces_3d");
    let paths = fs::read_dir(folder).expect("the traces are in assets/traces_3d").map(|entry| entry.unwrap().path());
    let files = paths.filter(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.map(|path| (path.display().to_string(), fs::read_to_string(&path).unwrap())).collect()
}

#[test]
fn every_reference_trace_is_reproduced() {
    let traces = traces();
    assert_eq!(traces.len(), 14);
    for (file, text) in traces {
        let expectation = Expectation::parse(&file, &text).unwrap_or_else(|error| panic!("{error}"));
        if let Some(mismatch) = expectation.check(Threads::Exactly(1)).mismatch {
            panic!("{file}: {mismatch}");
        }
    }
}

/// The test above can fail: an error in the last coordinate is noticed, and reported with all coordinates.
#[test]
fn a_motion_that_is_off_along_z_is_noticed() {
    let text = r#"{
        "scenario": {"dimensions": 3, "tick": 1, "ticks": 3, "agents": [{"id": "a", "position": [0, 0, 1], "velocity": [2, 0, -1]}]},
        "expected": [{"tick": 3, "agents": {"a": {"position": [6, 0, -1.75], "velocity": [2, 0, -1]}}}],
        "position_tolerance": 0.01
    }"#;
    let outcome = Expectation::parse("wrong.json", text).unwrap().check(Threads::Exactly(1));
    assert!((outcome.max_error - 0.25).abs() < 1e-6, "{}", outcome.max_error);
    assert_eq!(
        outcome.mismatch.unwrap().to_string(),
        "tick 3 agent a: got position [6, 0, -2] velocity [2, 0, -1], expected position [6, 0, -1.75] velocity [2, 0, -1]"
    );
    let right = Expectation::parse("right.json", &text.replace("-1.75", "-2")).unwrap();
    assert_eq!(right.check(Threads::Exactly(1)).mismatch, None);
}
