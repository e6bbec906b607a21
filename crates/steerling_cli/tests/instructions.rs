//! The motion is the same with the instructions that every machine has and with the best of this machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use serde_json::Value;

/// The scenarios in a folder of the repository.
fn scenarios(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/scenarios").join(folder);
    let mut files: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    files
}

/// The hash of the state after some ticks, with instructions as in the environment variable `STEERLING_SIMD`.
fn state_hash(scenario: &Path, ticks: usize, instructions: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let summary = folder.path().join("summary.json");
    let run = Command::new(env!("CARGO_BIN_EXE_steerling"))
        .arg("run")
        .arg(scenario)
        .args(["--ticks", &ticks.to_string(), "--summary"])
        .arg(&summary)
        .env("STEERLING_SIMD", instructions)
        .output()
        .expect("the command starts");
    assert!(run.status.success(), "{}: {}", scenario.display(), String::from_utf8_lossy(&run.stderr));
    let summary: Value = serde_json::from_str(&fs::read_to_string(summary).unwrap()).unwrap();
    summary["state_hash"].as_str().expect("a summary has a hash").to_owned()
}

#[test]
fn the_motion_does_not_depend_on_the_instructions() {
    let runs = [("", 120), ("space", 120), ("bench", 2)];
    let runs: Vec<(PathBuf, usize)> = runs
        .into_iter()
        .flat_map(|(folder, ticks)| scenarios(folder).into_iter().map(move |scenario| (scenario, ticks)))
        .collect();
    assert!(runs.len() >= 40, "{}", runs.len());
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for part in runs.chunks(runs.len().div_ceil(threads)) {
            scope.spawn(move || {
                for (scenario, ticks) in part {
                    let [baseline, best] = ["baseline", ""].map(|name| state_hash(scenario, *ticks, name));
                    assert_eq!(baseline, best, "{}", scenario.display());
                }
            });
        }
    });
}
