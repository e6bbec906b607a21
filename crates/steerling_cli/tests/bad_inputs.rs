//! Inputs that are known to have broken other libraries, as far as scenario files can express them (the whole list is
//! in `bevy_steerling/tests/data/bad_inputs.json`). They either run, or are rejected before anything is written, with
//! one line on what is wrong and where.

use std::fs;
use std::process::{Command, Output};

/// Runs a scenario with these fields and writes all outputs into a folder. Returns the output of the process and the
/// names of the files.
fn run(fields: &str) -> (Output, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("scene.json"), format!("{{{fields}}}")).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_steerling"))
        .arg("run")
        .arg(path("scene.json"))
        .arg("--trace")
        .arg(path("trace.csv"))
        .arg("--summary")
        .arg(path("summary.json"))
        .arg("--plot")
        .arg(path("plot.svg"))
        .output()
        .expect("the command starts");
    if output.status.success() {
        let trace = fs::read_to_string(path("trace.csv")).unwrap();
        for number in trace.lines().skip(1).flat_map(|row| row.split(',').skip(3)) {
            assert!(number.parse::<f64>().is_ok_and(f64::is_finite), "{fields}: {number}");
        }
    }
    let mut files: Vec<String> =
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    files.sort();
    (output, files)
}

#[track_caller]
fn assert_refused(fields: &str, says: &str) {
    let (output, files) = run(fields);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{fields}: {message}");
    assert!(message.contains("scene.json") && message.contains(says), "{fields}: {message}");
    assert_eq!(message.lines().count(), 1, "{message}");
    assert_eq!(files, ["scene.json"], "{fields}");
}

#[track_caller]
fn assert_runs(fields: &str) {
    let (output, files) = run(fields);
    assert_eq!(output.status.code(), Some(0), "{fields}: {}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(files.len(), 4, "{fields}");
}

/// A scenario whose only agent has these fields.
fn agent(fields: &str) -> String {
    format!(r#""ticks": 20, "agents": [{{"id": "a", {fields}}}]"#)
}

#[test]
fn nobody_is_its_own_target_and_a_target_has_to_be_there() {
    let seeking = |target: &str| {
        agent(&format!(r#""position": [5, 5], "behaviors": [{{"seek": {{"target": {{"agent": "{target}"}}}}}}]"#))
    };
    assert_refused(&seeking("a"), "agents[0].behaviors[0].seek.target.agent");
    assert_refused(&seeking("nobody"), "`nobody`");
    assert_refused(&agent(r#""position": [5, 5], "behaviors": [{"flee": {"target": {"marker": "m"}}}]"#), "`m`");
    assert_refused(r#""markers": {"m": []}"#, "markers");
    assert_runs(&agent(r#""position": [5, 5], "behaviors": [{"seek": {"target": {"point": [5, 5]}}}]"#));
    assert_runs(&agent(r#""position": [5, 5], "behaviors": [{"pursue": {"target": {"group": 8}}}]"#));
}

#[test]
fn numbers_that_are_none() {
    for number in ["NaN", "Infinity", "-Infinity", "1e400", "-1e400", "null", "1e10"] {
        assert_refused(&agent(&format!(r#""position": [0, {number}]"#)), "line 1 column");
        assert_refused(&agent(&format!(r#""position": [0, 0], "velocity": [{number}, 0]"#)), "line 1 column");
        assert_refused(&agent(&format!(r#""position": [0, 0], "max_speed": {number}"#)), "line 1 column");
        let behavior = format!(r#"{{"seek": {{"target": {{"point": [{number}, 0]}}}}}}"#);
        assert_refused(&agent(&format!(r#""position": [0, 0], "behaviors": [{behavior}]"#)), "line 1 column");
        let behavior = format!(r#"{{"wander": {{"weight": {number}}}}}"#);
        assert_refused(&agent(&format!(r#""position": [0, 0], "behaviors": [{behavior}]"#)), "line 1 column");
    }
}

#[test]
fn ticks_without_length_and_backwards() {
    for tick in ["0", "-0.1", "-1e-9", "1e-12", "NaN"] {
        assert_refused(&format!(r#""tick": {tick}, "ticks": 3"#), if tick == "NaN" { "line 1" } else { "tick" });
    }
    for tick in ["1", "10"] {
        assert_runs(&format!(r#""tick": {tick}, {}"#, agent(r#""position": [0, 0], "behaviors": [{"wander": {}}]"#)));
    }
}

#[test]
fn bodies_that_cannot_be() {
    for field in ["max_speed", "max_force", "radius", "mass"] {
        assert_refused(&agent(&format!(r#""position": [0, 0], "{field}": -1"#)), &format!("agents[0].{field}"));
    }
    assert_refused(&agent(r#""position": [0, 0], "mass": 0"#), "agents[0].mass");
    // Agents that cannot move, and an agent without a size.
    for field in ["max_speed", "max_force", "radius"] {
        assert_runs(&agent(&format!(r#""position": [0, 0], "{field}": 0, "behaviors": [{{"wander": {{}}}}]"#)));
    }
}

#[test]
fn crowds_that_have_no_room_and_crowds_on_one_point() {
    let crowd = |corner: &str| {
        format!(
            r#""ticks": 20, "crowds": [{{"prefix": "c", "count": 50, "spacing": 10,
                "area": {{"min": [0, 0], "max": {corner}}}, "agent": {{}}}}]"#
        )
    };
    assert_refused(&crowd("[20, 20]"), "crowds[0]");
    let solid =
        r#""solid": true, "behaviors": [{"separation": {}}, {"flock": {}}, {"avoid_neighbors": {}}, {"queue": {}}]"#;
    let agents: Vec<String> = (0..50).map(|k| format!(r#"{{"id": "a{k}", "position": [3, 4], {solid}}}"#)).collect();
    assert_runs(&format!(r#""ticks": 20, "agents": [{}]"#, agents.join(",")));
}

#[test]
fn obstacles_around_an_agent_and_gaps_too_narrow_for_it() {
    let walls = r#""obstacles": [
        {"circle": {"center": [0, 0], "radius": 30}}, {"segment": {"start": [40, 6], "end": [90, 6]}},
        {"segment": {"start": [40, -6], "end": [90, -5.999]}}, {"segment": {"start": [50, 50], "end": [50, 50]}}]"#;
    let aim = r#""solid": true, "behaviors": [{"avoid_obstacles": {}}, {"seek": {"target": {"point": [99, 0]}}}]"#;
    for place in ["[0, 0]", "[50, 0]", "[50, 50]"] {
        assert_runs(&format!(r#"{walls}, {}"#, agent(&format!(r#""position": {place}, {aim}"#))));
    }
}

#[test]
fn places_far_away() {
    for far in ["1e6", "1e7", "-1e9"] {
        let behaviors = r#"[{"arrive": {"target": {"point": [0, 0]}}}, {"separation": {}}]"#;
        assert_runs(&agent(&format!(r#""position": [{far}, {far}], "behaviors": {behaviors}"#)));
    }
}
