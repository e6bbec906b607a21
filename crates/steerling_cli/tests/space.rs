//! The command on scenes in three dimensions.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;

const ASSETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets");

fn steerling<S: AsRef<std::ffi::OsStr>>(args: &[S]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_steerling")).args(args).output().expect("the command starts")
}

fn school() -> String {
    format!("{ASSETS}/scenarios/space/school_3d.json")
}

#[track_caller]
fn stdout(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// The only line on standard error of a call that is refused.
#[track_caller]
fn refusal(output: &Output) -> String {
    let message = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
    message
}

#[test]
fn a_run_writes_all_outputs() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let outputs = ["trace.csv", "why.csv", "summary.json", "plot.svg"].map(path);
    let [trace, why, summary, plot] = &outputs;
    let (file, seed) = (school(), ["--seed", "9", "--threads", "2"]);
    let args = ["run", &file, "--ticks", "20", "--every", "10"];
    let files = ["--trace", trace, "--why", why, "--summary", summary, "--plot", plot];
    let printed = stdout(&steerling(&[&args[..], &files, &seed].concat()));
    assert!(printed.contains("agents               91") && printed.contains("polarization"), "{printed}");

    let [trace, why, summary, plot] = outputs.map(|file| fs::read_to_string(file).unwrap());
    assert!(trace.starts_with("tick,time,id,x,y,z,vx,vy,vz\r\n"));
    assert_eq!(trace.lines().count(), 1 + 3 * 91);
    assert!(why.contains("raw_x,raw_y,raw_z,weighted_x") && why.contains("20,0.3125,shark,pursue,"));
    assert_eq!(plot.matches("from above").count(), 1);
    let summary: Value = serde_json::from_str(&summary).unwrap();
    assert_eq!((&summary["agents"], &summary["ticks"]), (&json!(91), &json!(20)));
    let hash = summary["state_hash"].as_str().unwrap();
    assert!(printed.contains(hash));
    let other = stdout(&steerling(&["run", &file, "--ticks", "20", "--seed", "8"]));
    assert!(!other.contains(hash), "the seed matters");
}

#[test]
fn a_check_takes_scenes_of_both_dimensions() {
    let [flat, deep] = ["traces/seek.json", "traces_3d/3d-arrive.json"].map(|file| format!("{ASSETS}/{file}"));
    let printed = stdout(&steerling(&["check", &deep, &flat, &deep]));
    let names: Vec<&str> = printed.lines().filter_map(|line| line.split(' ').nth(1)).collect();
    assert_eq!(names, ["3d-arrive", "seek", "3d-arrive"]);
    // `run` takes them, too.
    assert!(stdout(&steerling(&["run", &deep, "--ticks", "3"])).contains("3d-arrive"));
}

#[test]
fn a_check_reports_the_first_difference_with_all_coordinates() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("wrong.json");
    let agent = json!({"id": "a", "position": [0, 0, 1], "velocity": [2, 0, -1]});
    let expected = json!([{"tick": 2, "agents": {"a": {"position": [4, 0, 0], "velocity": [2, 0, -1]}}}]);
    let scenario = json!({"name": "wrong", "dimensions": 3, "tick": 1, "ticks": 2, "agents": [agent]});
    let text = json!({"scenario": scenario, "expected": expected, "position_tolerance": 0.01}).to_string();
    fs::write(&file, text).unwrap();
    let output = steerling(&[Path::new("check"), &file]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "FAIL wrong tick 2 agent a: got position [4, 0, -1] velocity [2, 0, -1], expected position [4, 0, 0] velocity [2, 0, -1]\n"
    );
}

#[test]
fn a_benchmark_counts_neighbors_in_space() {
    let printed = stdout(&steerling(&["bench", &school(), "--ticks", "5", "--repeat", "1", "--json"]));
    let benchmark: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!((&benchmark["agents"], &benchmark["ticks"]), (&json!(91), &json!(5)));
    assert!(benchmark["neighbors_per_agent"].as_f64().unwrap() > 1.0);
}

#[test]
fn what_exists_only_in_two_dimensions_is_refused() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("scene.json");
    for (text, problem) in [
        (
            r#"{"dimensions": 3, "agents": [{"id": "a", "position": [0, 0, 0], "behaviors": [{"queue": {}}]}]}"#,
            "scene.json: agents[0].behaviors[0].queue: only in two dimensions",
        ),
        (r#"{"dimensions": 3, "agents": [{"id": "a", "position": [0, 0]}]}"#, "agents[0].position: invalid length 2"),
        (r#"{"dimensions": 2, "agents": [{"id": "a", "position": [0, 0, 0]}]}"#, "agents[0].position"),
        (r#"{"dimensions": 4}"#, "expected 2 or 3"),
        (r#"{"dimensions": 3, "agents": ["#, "line 1 column"),
        (r#"{"scenario": {"dimensions": 3, "ticks": -1}, "expected": [], "position_tolerance": 1}"#, "scenario.ticks"),
    ] {
        fs::write(&file, text).unwrap();
        for command in ["run", "bench"] {
            let message = refusal(&steerling(&[Path::new(command), &file]));
            assert!(message.contains(problem), "expected `{problem}` in: {message}");
        }
    }
}

#[test]
fn the_schema_takes_files_of_both_dimensions() {
    let schema: Value = serde_json::from_str(&stdout(&steerling(&["schema"]))).unwrap();
    let validator = jsonschema::validator_for(&schema).expect("it is a schema");
    for folder in ["scenarios", "scenarios/space", "traces", "traces_3d"] {
        let files = fs::read_dir(format!("{ASSETS}/{folder}")).unwrap().map(|entry| entry.unwrap().path());
        let files: Vec<_> =
            files.filter(|path| path.extension().is_some_and(|extension| extension == "json")).collect();
        assert!(!files.is_empty());
        for path in files {
            let file: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
            if let Err(error) = validator.validate(file.get("scenario").unwrap_or(&file)) {
                panic!("{}: {}: {error}", path.display(), error.instance_path());
            }
        }
    }
    let agent = |position: Value| json!([{"id": "a", "position": position, "behaviors": [{"seek": {"target": {"point": position}}}]}]);
    let [flat, deep] = [json!([1, 2]), json!([1, 2, 3])].map(agent);
    for (dimensions, agents, good) in [
        (Some(json!(3)), &deep, true),
        (Some(json!(3)), &flat, false),
        (Some(json!(2)), &flat, true),
        (Some(json!(2)), &deep, false),
        (None, &flat, true),
        (None, &deep, false),
        (Some(json!(4)), &flat, false),
        (Some(json!("3")), &deep, false),
    ] {
        let mut file = json!({"agents": agents});
        if let Some(dimensions) = dimensions {
            file["dimensions"] = dimensions;
        }
        assert_eq!(validator.is_valid(&file), good, "{file}");
    }
}
