//! The reference traces: exact motions of the classic equations (see `assets/traces/README.md`).

use std::path::PathBuf;

use steerling_scenario::{Expectation, Threads};

fn traces() -> Vec<PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/traces");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the traces are in assets/traces")
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    files.sort();
    files
}

#[test]
fn every_reference_trace_is_reproduced() {
    let files = traces();
    assert_eq!(files.len(), 50);
    let mismatches: Vec<String> = files
        .iter()
        .filter_map(|file| {
            let expectation = Expectation::read(file).unwrap_or_else(|error| panic!("{error}"));
            let outcome = expectation.check(Threads::Auto);
            outcome.mismatch.map(|mismatch| format!("{}: {mismatch}", file.display()))
        })
        .collect();
    assert!(mismatches.is_empty(), "{}", mismatches.join("\n"));
}

/// The test above can fail: it detects an error of a hundredth of a unit at one tick.
#[test]
fn a_motion_that_is_off_by_a_little_is_noticed() {
    let text = std::fs::read_to_string(&traces()[0]).unwrap();
    let position = "\"position\": [0.8, 0.6]";
    assert!(text.contains(position));
    let wrong = Expectation::parse("wrong", &text.replacen(position, "\"position\": [0.8, 0.615]", 1)).unwrap();
    let outcome = wrong.check(Threads::Auto);
    assert_eq!(outcome.mismatch.map(|mismatch| mismatch.tick), Some(1));
    assert!((outcome.max_error - 0.015).abs() < 1e-5);
}
