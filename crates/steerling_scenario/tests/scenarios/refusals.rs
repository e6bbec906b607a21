//! Invalid files are rejected with the name of the file, the place and what was expected there.

use steerling_scenario::{Expectation, Scenario};

/// Parses a scenario with these top-level fields and returns the error message.
#[track_caller]
fn refusal(fields: &str) -> String {
    match Scenario::parse("scene.json", &format!("{{{fields}}}")) {
        Ok(_) => panic!("accepted: {fields}"),
        Err(error) => error.to_string(),
    }
}

/// Parses a scenario with these fields in its only agent.
#[track_caller]
fn agent_refusal(fields: &str) -> String {
    refusal(&format!(r#""agents": [{{"id": "a", "position": [0, 0], {fields}}}]"#))
}

#[track_caller]
fn assert_says(message: &str, parts: &[&str]) {
    assert!(message.starts_with("scene.json: "), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
    for part in parts {
        assert!(message.contains(part), "expected `{part}` in: {message}");
    }
}

#[test]
fn unknown_and_repeated_fields() {
    assert_says(&refusal(r#""tikcs": 3"#), &["tikcs", "unknown field", "`ticks`", "line 1 column"]);
    assert_says(&refusal(r#""ticks": 3, "ticks": 4"#), &["duplicate field `ticks`"]);
    assert_says(&agent_refusal(r#""colour": "red""#), &["agents[0]", "unknown field `colour`", "`behaviors`"]);
    assert_says(
        &agent_refusal(r#""behaviors": [{"seek": {"target": {"point": [0, 0]}, "speed": 3}}]"#),
        &["agents[0].behaviors[0].seek", "unknown field `speed`"],
    );
    assert_says(&refusal(r#""markers": {"m": [[0, 1, 2]], "m": [[0, 1, 2]]}"#), &["markers", "duplicate name `m`"]);
}

#[test]
fn other_numbers_of_dimensions() {
    assert!(Scenario::parse("scene.json", r#"{"dimensions": 2}"#).is_ok());
    let expected = "dimensions: expected 2 here, but the scene has 3 dimensions";
    assert_says(&refusal(r#""dimensions": 3"#), &[expected]);
    assert_says(&refusal(r#""agents": [{"id": "a", "position": [1, 2, 3]}], "dimensions": 3"#), &[expected]);
    let wrapped = r#"{"scenario": {"dimensions": 3}, "expected": [], "position_tolerance": 1}"#;
    let message = Expectation::parse("scene.json", wrapped).unwrap_err().to_string();
    assert_says(&message, &["scenario.dimensions: expected 2 here"]);
    for wrong in ["1", "4", "2.5", "-3", r#""2""#, "null", "[2]"] {
        assert_says(&refusal(&format!(r#""dimensions": {wrong}"#)), &["dimensions: ", "expected 2 or 3"]);
    }
    assert_says(&agent_refusal(r#""velocity": [1, 2, 3]"#), &["agents[0].velocity", "expected [x, y] ("]);
    assert_says(&refusal(r#""markers": {"m": [[0, 1, 2, 3]]}"#), &["markers.m[0]", "expected [time, x, y] ("]);
}

/// Found by `fuzz/run`.
#[test]
fn a_name_with_a_line_break_does_not_break_the_message() {
    assert_says(&refusal(r#""age\nts": []"#), &[r"unknown field `age\nts`"]);
    assert_says(&agent_refusal(r#""\u001b[2J": 1"#), &[r"\u{1b}[2J"]);
    let message = Scenario::parse("two\nlines.json", "{").unwrap_err().to_string();
    assert_eq!(message.lines().count(), 1, "{message}");
}

#[test]
fn unknown_behaviors_and_words() {
    assert_says(
        &agent_refusal(r#""behaviors": [{"teleport": {}}]"#),
        &["agents[0].behaviors[0]", "unknown variant `teleport`", "`seek`"],
    );
    assert_says(
        &agent_refusal(r#""behaviors": [{"wander": {"drive": "fast"}}]"#),
        &["agents[0].behaviors[0].wander.drive", "fast", "\"displacement\""],
    );
    assert_says(
        &agent_refusal(r#""behaviors": [{"queue": {"style": "push"}}]"#),
        &["agents[0].behaviors[0].queue.style", "push", "\"brake_and_hard_stop\""],
    );
    assert_says(
        &agent_refusal(r#""behaviors": [{"pursue": {"target": {"point": [0, 0]}, "prediction": "psychic"}}]"#),
        &["prediction", "psychic", "\"intercept\""],
    );
    assert_says(
        &agent_refusal(r#""behaviors": [{"arrive": {"target": {"point": [0, 0]}, "slowing_radius": "big"}}]"#),
        &["slowing_radius", "\"big\"", "\"auto\""],
    );
    assert_says(
        &refusal(r#""bounds": {"min": [0, 0], "max": [1, 1], "edge": "sticky"}"#),
        &["bounds.edge", "sticky", "\"bounce\""],
    );
}

#[test]
fn arbitrations_that_make_no_sense() {
    let arbitration_refusal = |fields: &str| agent_refusal(&format!(r#""arbitration": {fields}"#));
    assert_says(&arbitration_refusal("{}"), &["agents[0].arbitration", "missing field `mode`"]);
    assert_says(&arbitration_refusal("\"dithering\""), &["agents[0].arbitration", "expected an object"]);
    assert_says(
        &arbitration_refusal(r#"{"mode": "vote"}"#),
        &["agents[0].arbitration.mode", "vote", "\"weighted_sum\"", "\"prioritized_sum\"", "\"priority_groups\""],
    );
    assert_says(
        &arbitration_refusal(r#"{"mode": "priority_groups", "threshold": -1}"#),
        &["agents[0].arbitration.threshold", "expected a number from 0 to 1e9"],
    );
    // Behaviors that act on the sum of the others have no priority.
    assert_says(
        &arbitration_refusal(r#"{"mode": "prioritized_sum", "priorities": {"queue": 1}}"#),
        &["agents[0].arbitration.priorities", "unknown field `queue`", "`seek`", "`avoid_obstacles`"],
    );
    assert_says(
        &arbitration_refusal(r#"{"mode": "prioritized_sum", "priorities": {"seek": 0.5}}"#),
        &["agents[0].arbitration.priorities.seek", "expected a whole number from -1e9 to 1e9"],
    );
    assert_says(
        &arbitration_refusal(r#"{"mode": "dithering", "probabilities": {"seek": 1.5}}"#),
        &["agents[0].arbitration.probabilities.seek", "expected a number from 0 to 1"],
    );
    for mode in ["weighted_sum", "prioritized_sum", "priority_groups"] {
        assert_says(
            &arbitration_refusal(&format!(r#"{{"mode": "{mode}", "probabilities": {{"seek": 0.5}}}}"#)),
            &["agents[0].arbitration.probabilities: expected none, because the `mode` is not \"dithering\""],
        );
    }
    assert_says(
        &arbitration_refusal(r#"{"mode": "dithering", "mode": "dithering"}"#),
        &["agents[0].arbitration", "duplicate field `mode`"],
    );
}

#[test]
fn fields_without_effect() {
    for (field, value) in
        [("look_ahead", "3"), ("radius", "3"), ("brake", "0.5"), ("hard_stop", "0.5"), ("separation", "{}")]
    {
        for style in ["", r#", "style": "keep_place""#] {
            assert_says(
                &agent_refusal(&format!(r#""behaviors": [{{"queue": {{"{field}": {value}{style}}}}}]"#)),
                &[&format!("behaviors[0].queue.{field}: expected none, because the `style` is \"keep_place\"")],
            );
        }
    }
    for fields in [r#""steer": "lateral""#, r#""detection": "swept", "steer": "radial""#] {
        let behavior = format!(r#""behaviors": [{{"wander": {{}}}}, {{"avoid_obstacles": {{{fields}}}}}]"#);
        let expected = "behaviors[1].avoid_obstacles.steer: expected none, because the `detection` is not \"points\"";
        assert_says(&agent_refusal(&behavior), &[&format!("agents[0].{expected}")]);
        assert_says(&crowd_refusal(r#""prefix": "w""#, &behavior), &[&format!("crowds[0].agent.{expected}")]);
    }
}

#[test]
fn wrong_types() {
    assert_says(&refusal(r#""ticks": "many""#), &["ticks", "string \"many\"", "expected a whole number"]);
    assert_says(&agent_refusal(r#""events": "all""#), &["agents[0].events", "string \"all\"", "expected a boolean"]);
    assert_says(&refusal(r#""ticks": 1.5"#), &["ticks", "1.5", "expected a whole number"]);
    for seed in ["-1", "0.5", "18446744073709551616"] {
        assert_says(&refusal(&format!(r#""seed": {seed}"#)), &["seed", "from 0 to 18446744073709551615"]);
    }
    assert_says(&refusal(r#""agents": {}"#), &["agents", "expected a sequence"]);
    assert_says(&agent_refusal(r#""velocity": [1, 2, 3]"#), &["agents[0].velocity", "expected [x, y] ("]);
    assert_says(&agent_refusal(r#""velocity": [1]"#), &["agents[0].velocity", "expected [x, y] at"]);
    assert_says(
        &agent_refusal(r#""behaviors": [{"seek": {}}]"#),
        &["agents[0].behaviors[0].seek", "missing field `target`"],
    );
    assert_says(&agent_refusal(r#""behaviors": [{"wander": {}, "seek": {}}]"#), &["agents[0].behaviors[0]"]);
    assert_says(&refusal(r#""agents": [{"id": "a"}]"#), &["agents[0]", "missing field `position`"]);
}

/// The readers that serde derives would also accept other JSON notations for structs and enums.
#[test]
fn nothing_else_stands_for_an_object_a_word_or_nothing() {
    for field in ["name", "bounds"] {
        assert_says(&refusal(&format!(r#""{field}": null"#)), &[field, "null"]);
    }
    for field in ["velocity", "mass", "max_speed", "goal", "goals", "behaviors"] {
        assert_says(&agent_refusal(&format!(r#""{field}": null"#)), &[&format!("agents[0].{field}"), "null"]);
    }
    assert_says(&agent_refusal(r#""behaviors": [{"wander": {"weight": null}}]"#), &["wander.weight", "null"]);
    assert_says(&agent_refusal(r#""behaviors": [{"wander": []}]"#), &["wander", "expected an object"]);
    assert_says(&agent_refusal(r#""behaviors": ["wander"]"#), &["expected an object with exactly one key"]);
    assert_says(&agent_refusal(r#""goal": [[0, 0], 1]"#), &["agents[0].goal", "expected an object"]);
    assert_says(&refusal(r#""agents": [["a", [0, 0]]]"#), &["agents[0]", "expected an object"]);
    assert_says(&refusal(r#""bounds": {"min": [0, 0], "max": [1, 1], "edge": {"wrap": null}}"#), &["bounds.edge"]);
    assert_says(&agent_refusal(r#""behaviors": [{"wander": {"drive": {"seek": null}}}]"#), &["wander.drive"]);
    assert_says(
        &agent_refusal(
            r#""behaviors": [{"pursue": {"target": {"point": [0, 0]}, "prediction": {"intercept": null}}}]"#,
        ),
        &["pursue.prediction", "unknown field `intercept`"],
    );
    assert_says(
        &agent_refusal(r#""behaviors": [{"seek": {"target": {"point": [0, 0], "marker": "m"}}}]"#),
        &["seek.target", "second key `marker`", "exactly one key"],
    );
    assert_says(&agent_refusal(r#""behaviors": [{}]"#), &["agents[0].behaviors[0]"]);
}

#[test]
fn edges_that_coincide_for_the_plugin() {
    let message = refusal(r#""bounds": {"min": [999999980, 0], "max": [1000000000, 1]}"#);
    assert_says(&message, &["bounds.max", "larger"]);
}

/// The message is about the actual fault of a wrapped scenario.
#[test]
fn faults_in_wrapped_files() {
    for (text, part) in [
        (r#"{"scenario": {"ticks": 1}, "expected": [], "position_tolerance": 1,}"#, "trailing comma"),
        (r#"{"scenario": {"ticks": 1}, "scenario": {}}"#, "duplicate field `scenario`"),
        (r#"{"scenario": {"ticks": 1}, "expected": []"#, "EOF"),
        (r#"{"expected": [], "scenario": {"tikcs": 1}, "position_tolerance": 1}"#, "unknown field `tikcs`"),
        (r#"{"scenario": {}, "expected": []}"#, "missing field `position_tolerance`"),
    ] {
        assert_says(&Scenario::parse("scene.json", text).unwrap_err().to_string(), &[part]);
    }
}

#[test]
fn numbers_out_of_range() {
    assert_says(&refusal(r#""tick": 0"#), &["tick", "expected a time from 1e-9"]);
    assert_says(&refusal(r#""tick": -0.1"#), &["tick"]);
    assert_says(&refusal(r#""tick": 1e400"#), &["out of range"]);
    assert_says(&refusal(r#""ticks": -1"#), &["ticks"]);
    for fields in [r#""mass": 0"#, r#""mass": -1"#, r#""mass": 1e10"#, r#""mass": 1e-60"#] {
        assert_says(&agent_refusal(fields), &["agents[0].mass", "expected a mass above 0"]);
    }
    for field in ["max_speed", "max_force", "radius", "response_time"] {
        let message = agent_refusal(&format!(r#""{field}": -1"#));
        assert_says(&message, &[&format!("agents[0].{field}"), "expected a number from 0 to 1e9"]);
    }
    assert_says(&agent_refusal(r#""velocity": [0, 2e9]"#), &["agents[0].velocity[1]", "between -1e9 and 1e9"]);
    assert_says(&agent_refusal(r#""velocity": [0, NaN]"#), &["line 1 column"]);
    assert_says(
        &agent_refusal(r#""behaviors": [{"arrive": {"target": {"point": [0, 0]}, "slowing_radius": -5}}]"#),
        &["slowing_radius", "-5", "expected a number from 0 to 1e9"],
    );
    for hard_stop in ["-0.1", "1.1"] {
        let message = agent_refusal(&format!(r#""behaviors": [{{"queue": {{"hard_stop": {hard_stop}}}}}]"#));
        assert_says(&message, &["queue.hard_stop", hard_stop, "expected a number from 0 to 1"]);
    }
    assert_says(
        &agent_refusal(r#""behaviors": [{"queue": {"brake": -0.8}}]"#),
        &["queue.brake", "-0.8", "expected a number from 0 to 1e9"],
    );
    assert_says(
        &agent_refusal(r#""behaviors": [{"queue": {"separation": {"distance": 3}}}]"#),
        &["queue.separation", "unknown field `distance`"],
    );
    assert_says(&refusal(r#""bounds": {"min": [0, 5], "max": [1, 5]}"#), &["bounds.max", "larger"]);
}

#[test]
fn limits_and_impulses_out_of_range() {
    for field in ["max_turn_rate", "min_turning_radius", "max_acceleration", "max_braking", "reverse_speed"] {
        let message = agent_refusal(&format!(r#""limits": {{"{field}": -1}}"#));
        assert_says(&message, &[&format!("agents[0].limits.{field}"), "expected a number from 0 to 1e9"]);
    }
    assert_says(&agent_refusal(r#""limits": {"turn_rate": 1}"#), &["agents[0].limits", "unknown field `turn_rate`"]);
    assert_says(&agent_refusal(r#""limits": {"heading": 2e9}"#), &["agents[0].limits.heading", "between -1e9 and 1e9"]);
    assert_says(&agent_refusal(r#""limits": null"#), &["agents[0].limits"]);
    assert_says(&agent_refusal(r#""impulse": {}"#), &["agents[0].impulse", "missing field `velocity`"]);
    assert_says(
        &agent_refusal(r#""impulse": {"velocity": [1, 0], "time_constant": 0}"#),
        &["agents[0].impulse.time_constant", "above 0"],
    );
}

#[test]
fn groups_and_flock_measures_out_of_range() {
    for groups in ["0", "-1", "1.5", "4294967296"] {
        let message = agent_refusal(&format!(r#""groups": {groups}"#));
        assert_says(&message, &["agents[0].groups", "expected a whole number from 1 to 4294967295"]);
    }
    let target = |target: &str| agent_refusal(&format!(r#""behaviors": [{{"pursue": {{"target": {target}}}}}]"#));
    assert_says(&target(r#"{"group": 0}"#), &["behaviors[0].pursue.target", "from 1 to 4294967295"]);
    assert_says(&target(r#"{"group": 1, "agent": "a"}"#), &["behaviors[0].pursue.target", "second key `agent`"]);
    assert_says(&target(r#"{"mirrored": [1]}"#), &["behaviors[0].pursue.target"]);
    assert_says(&target(r#"{"mirrored": [1, 2e9]}"#), &["behaviors[0].pursue.target", "between -1e9 and 1e9"]);
    assert_says(&target(r#"{"mirrored": "m"}"#), &["behaviors[0].pursue.target"]);
    let measures = |fields: &str| refusal(&format!(r#""tick": 0.5, "ticks": 10, "flock_measures": {{{fields}}}"#));
    assert_says(&measures(r#""from": 1"#), &["flock_measures", "missing field `link_radius`"]);
    assert_says(&measures(r#""link_radius": 0"#), &["flock_measures.link_radius", "a length above 0"]);
    assert_says(&measures(r#""link_radius": 9, "groups": 0"#), &["flock_measures.groups", "from 1 to"]);
    assert_says(&measures(r#""link_radius": 9, "from": 5.5"#), &["flock_measures.from", "within the run of 5 s"]);
    assert_says(&measures(r#""link_radius": 9, "from": 3, "to": 2"#), &["flock_measures.to", "not before `from`"]);
}

#[test]
fn names_that_do_not_fit() {
    assert_says(
        &refusal(r#""agents": [{"id": "a", "position": [0, 0]}, {"id": "a", "position": [1, 0]}]"#),
        &["agents[1].id", "agents[0]", "`a`"],
    );
    assert_says(
        &agent_refusal(r#""behaviors": [{"seek": {"target": {"agent": "b"}}}]"#),
        &["agents[0].behaviors[0].seek.target.agent", "`b`"],
    );
    assert_says(
        &agent_refusal(r#""behaviors": [{"flee": {"target": {"agent": "a"}}}]"#),
        &["agents[0].behaviors[0].flee.target.agent", "itself"],
    );
    assert_says(
        &agent_refusal(r#""behaviors": [{"seek": {"target": {"marker": "m"}}}]"#),
        &["agents[0].behaviors[0].seek.target.marker", "`m`"],
    );
    assert_says(
        &agent_refusal(r#""behaviors": [{"wander": {}}, {"wander": {}}]"#),
        &["agents[0].behaviors[1].wander", "at most once"],
    );
    assert_says(&refusal(r#""markers": {"m": []}"#), &["markers.m", "at least one"]);
    assert_says(&refusal(r#""markers": {"m": [[1, 0, 0], [0.5, 0, 0]]}"#), &["markers.m[1][0]", "before"]);
}

#[test]
fn text_that_is_not_a_scenario() {
    for text in ["", "[]", "{", "{} {}", "null", "\u{feff}", "{'ticks': 3}", "42"] {
        let error = Scenario::parse("scene.json", text).expect_err(text).to_string();
        assert_says(&error, &["line 1 column"]);
    }
    let deep = format!("{{\"agents\": {}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(Scenario::parse("scene.json", &deep).is_err());
}

#[test]
fn files_that_cannot_be_read() {
    let error = Scenario::read("no/such/file.json").expect_err("it does not exist").to_string();
    assert!(error.starts_with("no/such/file.json: cannot be read: "), "{error}");
}

const MOTION: &str = r#"{
    "scenario": {"ticks": 5, "agents": [{"id": "a", "position": [0, 0]}]},
    "expected": [{"tick": TICK, "agents": {"ID": {"position": [0, 0], "velocity": [0, 0]}}}],
    "position_tolerance": 0.1
}"#;

#[test]
fn expectations_that_do_not_fit_their_scenario() {
    let parse = |tick: &str, id: &str| {
        Expectation::parse("scene.json", &MOTION.replace("TICK", tick).replace("ID", id)).map_err(|e| e.to_string())
    };
    assert!(parse("5", "a").is_ok());
    assert_says(&parse("0", "a").unwrap_err(), &["expected[0].tick", "from 1 to the scenario's 5"]);
    assert_says(&parse("6", "a").unwrap_err(), &["expected[0].tick", "from 1 to the scenario's 5"]);
    assert_says(&parse("5", "b").unwrap_err(), &["expected[0].agents", "`b`"]);
    // Paths in a wrapped scenario start at the root of the file.
    let wrapped = MOTION
        .replace("TICK", "5")
        .replace("ID", "a")
        .replace("\"agents\": [{", "\"markers\": {\"m\": []}, \"agents\": [{");
    assert_says(&Scenario::parse("scene.json", &wrapped).unwrap_err().to_string(), &["scenario.markers.m"]);
}

/// Parses a scenario with a crowd of 10 in an area of 100 by 100, with more fields.
#[track_caller]
fn crowd_refusal(fields: &str, agent: &str) -> String {
    refusal(&format!(
        r#""agents": [{{"id": "c3", "position": [0, 0]}}],
           "crowds": [{{"count": 10, "area": {{"min": [0, 0], "max": [100, 100]}}, "agent": {{{agent}}}, {fields}}}]"#
    ))
}

#[test]
fn crowds_that_make_no_sense() {
    let w = r#""prefix": "w""#;
    assert_says(&crowd_refusal(r#""spacing": 1"#, ""), &["crowds[0]", "missing field `prefix`"]);
    assert_says(&crowd_refusal(r#""prefix": "c""#, ""), &["crowds[0].prefix", "agents[0]", "`c3`"]);
    assert_says(
        &crowd_refusal(&format!(r#"{w}, "spacing": 60"#), ""),
        &["crowds[0]", "room for 10 agents 60 apart", "1000 tries"],
    );
    assert_says(&crowd_refusal(&format!(r#"{w}, "spacing": -1"#), ""), &["crowds[0].spacing", "from 0 to 1e9"]);
    assert_says(&crowd_refusal(w, r#""id": "a""#), &["crowds[0].agent", "unknown field `id`"]);
    assert_says(
        &crowd_refusal(&format!(r#"{w}, "speed": 3"#), r#""velocity": [1, 2]"#),
        &["crowds[0].agent.velocity", "`speed`"],
    );
    assert_says(
        &crowd_refusal(w, r#""behaviors": [{"seek": {"target": {"agent": "w4"}}}]"#),
        &["crowds[0].agent.behaviors[0].seek.target.agent", "itself"],
    );
    assert_says(
        &crowd_refusal(w, r#""behaviors": [{"seek": {"target": {"agent": "w10"}}}]"#),
        &["crowds[0].agent.behaviors[0].seek.target.agent", "`w10`"],
    );
    assert_says(
        &crowd_refusal(w, r#""behaviors": [{"seek": {"target": {"marker": "m"}}}]"#),
        &["crowds[0].agent.behaviors[0].seek.target.marker", "`m`"],
    );
    let empty = r#""prefix": "w", "count": 1, "agent": {}"#;
    assert_says(
        &refusal(&format!(r#""crowds": [{{{empty}, "area": {{"min": [0, 5], "max": [9, 4]}}}}]"#)),
        &["crowds[0].area.max", "at least"],
    );
    assert_says(
        &refusal(r#""crowds": [{"prefix": "w", "count": 2e7, "area": {"min": [0, 0], "max": [9, 9]}, "agent": {}}]"#),
        &["crowds[0].count", "from 0 to 1e7"],
    );
}

#[test]
fn areas_of_respawns_that_make_no_sense() {
    let area = r#"{"min": [0, 0], "max": [1, 1]}"#;
    let flipped = r#"{"min": [0, 0], "max": [-1, 1]}"#;
    assert_says(
        &refusal(&format!(r#""respawns": [{{"inside": {flipped}, "to": {area}}}]"#)),
        &["respawns[0].inside.max", "at least"],
    );
    assert_says(
        &refusal(&format!(r#""respawns": [{{"inside": {area}, "to": {flipped}}}]"#)),
        &["respawns[0].to.max", "at least"],
    );
    assert_says(&refusal(&format!(r#""respawns": [{{"inside": {area}}}]"#)), &["respawns[0]", "missing field `to`"]);
}

#[test]
fn gates_that_make_no_sense() {
    let gates =
        |second: &str| refusal(&format!(r#""gates": [{{"id": "g", "start": [0, 0], "end": [1, 0]}}, {{{second}}}]"#));
    let line = r#""start": [0, 0], "end": [0, 1]"#;
    assert_says(&gates(line), &["gates[1]", "missing field `id`"]);
    assert_says(&gates(r#""id": "h", "end": [0, 1]"#), &["gates[1]", "missing field `start`"]);
    assert_says(&gates(r#""id": "h", "start": [0, 1]"#), &["gates[1]", "missing field `end`"]);
    assert_says(&gates(&format!(r#""id": "g", {line}"#)), &["gates[1].id", "expected a unique id", "gates[0]", "`g`"]);
    // The second pair differs by less than the plugin's precision.
    for (start, end) in [("[3, 4]", "[3, 4.0]"), ("[1000, 2]", "[1000.00001, 2]")] {
        let message = gates(&format!(r#""id": "h", "start": {start}, "end": {end}"#));
        assert_says(&message, &["gates[1].end", "expected a point other than `start`"]);
    }
    assert_says(
        &gates(&format!(r#""id": "h", {line}, "width": 3"#)),
        &["gates[1]", "unknown field `width`", "`remove`"],
    );
    assert_says(&gates(&format!(r#""id": "h", {line}, "remove": "yes""#)), &["gates[1].remove", "expected a boolean"]);
    assert_says(&gates(&format!(r#""id": "h", {line}, "remove": null"#)), &["gates[1].remove", "null"]);
    assert_says(&refusal(r#""gates": [[[0, 0], [1, 1]]]"#), &["gates[0]", "expected an object"]);
}

/// Parses a scenario whose second obstacle is this one.
#[track_caller]
fn obstacle_refusal(obstacle: &str) -> String {
    refusal(&format!(r#""obstacles": [{{"circle": {{"center": [0, 0], "radius": 1}}}}, {obstacle}]"#))
}

#[test]
fn obstacles_without_a_shape_or_with_two() {
    assert_says(
        &refusal(r#""obstacles": [{"circle": {"center": [0, 0], "radius": 1}, "pivot": [1, 1]}]"#),
        &["obstacles[0]", "expected a `turn_rate` beside the `pivot`"],
    );
    let one_shape = ["obstacles[1]", "exactly one shape of", "`circle`", "`polyline`"];
    assert_says(&obstacle_refusal("{}"), &one_shape);
    assert_says(&obstacle_refusal(r#"{"velocity": [1, 2]}"#), &one_shape);
    let circle = r#""circle": {"center": [0, 0], "radius": 1}"#;
    assert_says(
        &obstacle_refusal(&format!(r#"{{{circle}, "segment": {{"start": [0, 0], "end": [1, 0]}}}}"#)),
        &one_shape,
    );
    assert_says(&obstacle_refusal(&format!("{{{circle}, {circle}}}")), &["obstacles[1]", "duplicate field `circle`"]);
    assert_says(&obstacle_refusal(r#"{"square": {}}"#), &["obstacles[1]", "unknown field `square`", "`rectangle`"]);
    assert_says(&obstacle_refusal(r#"[[0, 0]]"#), &["obstacles[1]", "expected an object"]);
}

#[test]
fn obstacles_with_fields_that_make_no_sense() {
    assert_says(
        &obstacle_refusal(r#"{"circle": {"center": [0, 0], "radius": -1}}"#),
        &["obstacles[1].circle.radius", "expected a number from 0 to 1e9"],
    );
    assert_says(
        &obstacle_refusal(r#"{"rectangle": {"center": [0, 0], "half_size": [3, -1]}}"#),
        &["obstacles[1].rectangle.half_size[1]", "expected a number from 0 to 1e9"],
    );
    assert_says(
        &obstacle_refusal(r#"{"segment": {"start": [0, 0]}}"#),
        &["obstacles[1].segment", "missing field `end`"],
    );
    assert_says(
        &obstacle_refusal(r#"{"capsule": {"start": [0, 0], "end": [9, 0]}}"#),
        &["obstacles[1].capsule", "missing field `radius`"],
    );
    let circle = r#""circle": {"center": [0, 0], "radius": 1}"#;
    for layers in ["0", "-1", "1.5", "4294967296"] {
        assert_says(
            &obstacle_refusal(&format!(r#"{{{circle}, "layers": {layers}}}"#)),
            &["obstacles[1].layers", "expected a whole number from 1 to 4294967295"],
        );
    }
    assert_says(&obstacle_refusal(&format!(r#"{{{circle}, "velocity": 3}}"#)), &["obstacles[1].velocity"]);
    assert_says(
        &agent_refusal(r#""behaviors": [{"avoid_obstacles": {"layers": 0}}]"#),
        &["agents[0].behaviors[0].avoid_obstacles.layers", "from 1 to 4294967295"],
    );
    assert_says(
        &agent_refusal(r#""behaviors": [{"avoid_obstacles": {"detection": "sonar"}}]"#),
        &["avoid_obstacles.detection", "\"swept\", \"points\""],
    );
    assert_says(
        &agent_refusal(r#""behaviors": [{"avoid_neighbors": {"look_ahead": -1}}]"#),
        &["agents[0].behaviors[0].avoid_neighbors.look_ahead", "expected a number from 0 to 1e9"],
    );
    assert_says(
        &agent_refusal(r#""behaviors": [{"avoid_neighbors": {"radius": 1}}]"#),
        &["avoid_neighbors", "unknown field `radius`"],
    );
}

#[test]
fn lines_and_polygons_of_too_few_points() {
    assert_says(
        &obstacle_refusal(r#"{"polyline": {"points": [[0, 0]]}}"#),
        &["obstacles[1].polyline.points", "at least 2 points"],
    );
    for points in ["[]", "[[0, 0], [9, 0]]"] {
        assert_says(
            &obstacle_refusal(&format!(r#"{{"polygon": {{"points": {points}}}}}"#)),
            &["obstacles[1].polygon.points", "at least 3 points"],
        );
    }
}

#[test]
fn polygons_that_are_not_convex() {
    let polygon = |points: &str| obstacle_refusal(&format!(r#"{{"polygon": {{"points": {points}}}}}"#));
    let arrow = "[[0, 0], [10, 5], [0, 10], [3, 5]]";
    assert_says(&polygon(arrow), &["obstacles[1].polygon.points[3]", "expected the next corner of a convex polygon"]);
    // It turns in the same direction at every corner, by two full turns in total.
    let star = "[[0, 10], [6, -8], [-10, 3], [10, 3], [-6, -8]]";
    assert_says(&polygon(star), &["obstacles[1].polygon.points: ", "more than once"]);
    let bow_tie = "[[0, 0], [10, 10], [10, 0], [0, 10]]";
    assert_says(&polygon(bow_tie), &["obstacles[1].polygon.points[", "next corner"]);
    for without_area in ["[[0, 0], [10, 0], [20, 0]]", "[[0, 0], [10, 5], [0, 0.0]]", "[[0, 0], [10, 3], [4, 1.2]]"] {
        assert_says(&polygon(without_area), &["obstacles[1].polygon.points["]);
    }
    assert_says(
        &polygon("[[0, 0], [10, 0], [10, 0], [5, 9]]"),
        &["obstacles[1].polygon.points[2]", "a point other than the one before it"],
    );
}

#[test]
fn polygons_may_go_either_way_round_and_have_points_on_their_sides() {
    for points in [
        "[[0, 0], [10, 0], [10, 10], [0, 10]]",
        "[[0, 10], [10, 10], [10, 0], [0, 0]]",
        "[[0, 0], [3, 0.3], [7, 0.7], [10, 1], [5, 9]]",
        "[[5, 0.5], [10, 1], [5, 9], [0, 0]]",
    ] {
        let text = format!(r#"{{"obstacles": [{{"polygon": {{"points": {points}}}}}]}}"#);
        assert!(Scenario::parse("scene.json", &text).is_ok(), "{points}");
    }
}

#[test]
fn regions_that_agents_cannot_stay_in() {
    let region = |region: &str| {
        agent_refusal(&format!(r#""behaviors": [{{"wander": {{}}}}, {{"contain": {{"region": {region}}}}}]"#))
    };
    assert_says(
        &agent_refusal(r#""behaviors": [{"contain": {}}]"#),
        &["agents[0].behaviors[0].contain", "missing field `region`"],
    );
    assert_says(
        &region(r#"{"segment": {"start": [0, 0], "end": [1, 0]}}"#),
        &["agents[0].behaviors[1].contain.region", "unknown variant `segment`", "`circle`", "`rectangle`", "`polygon`"],
    );
    assert_says(
        &region(r#"{"circle": {"center": [0, 0], "radius": -1}}"#),
        &["contain.region.circle.radius", "expected a number from 0 to 1e9"],
    );
    assert_says(
        &region(r#"{"circle": {"center": [0, 0], "radius": 1}, "polygon": {"points": []}}"#),
        &["contain.region", "second key `polygon`", "exactly one key"],
    );
    assert_says(
        &region(r#"{"polygon": {"points": [[0, 0], [10, 5], [0, 10], [3, 5]]}}"#),
        &["agents[0].behaviors[1].contain.region.polygon.points[3]", "expected the next corner of a convex polygon"],
    );
    assert_says(
        &crowd_refusal(
            r#""prefix": "w""#,
            r#""behaviors": [{"contain": {"region": {"polygon": {"points": [[0, 0], [9, 0]]}}}}]"#,
        ),
        &["crowds[0].agent.behaviors[0].contain.region.polygon.points", "at least 3 points"],
    );
}

#[test]
fn flow_fields() {
    let field = |fields: &str| refusal(&format!(r#""fields": [{{{fields}}}]"#));
    let sized =
        |cell: &str| field(&format!(r#""id": "f", "toward": [[0, 0], [9000, 9000]], "cell": {cell}, "clearance": 3"#));
    assert_says(&sized("0"), &["fields[0].cell", "0"]);
    assert_says(&sized("-1"), &["fields[0].cell"]);
    assert_says(&sized("1"), &["fields[0].cell: expected larger cells"]);
    assert_says(&sized("2e-9"), &["fields[0].cell: expected larger cells"]);
    assert_says(
        &field(r#""id": "f", "toward": [], "cell": 2, "clearance": 3"#),
        &["fields[0].toward", "at least one goal"],
    );
    assert_says(&field(r#""id": "f", "toward": [[0, 0]], "cell": 2, "clearance": -3"#), &["fields[0].clearance"]);
    let twice = r#"{"id": "f", "toward": [[0, 0]], "cell": 2, "clearance": 3}"#;
    assert_says(
        &refusal(&format!(r#""fields": [{twice}, {twice}]"#)),
        &["fields[1].id", "fields[0] is also called `f`"],
    );
    assert_says(
        &agent_refusal(r#""behaviors": [{"follow_field": {"field": "g"}}]"#),
        &["agents[0].behaviors[0].follow_field.field", "none is called `g`"],
    );
}

#[test]
fn formations() {
    let agents = r#""agents": [{"id": "a", "position": [0, 0]}, {"id": "b", "position": [9, 0]}, {"id": "d", "position": [9, 9]}]"#;
    let crowds = r#""crowds": [{"prefix": "c", "count": 3, "area": {"min": [0, 0], "max": [9, 9]}, "agent": {}}]"#;
    let formations = |formations: &str| refusal(&format!(r#"{agents}, {crowds}, "formations": [{formations}]"#));
    let formation = |anchor: &str, pattern: &str, members: &str| {
        formations(&format!(r#"{{"anchor": "{anchor}", "pattern": {pattern}, "spacing": 20, "members": {members}}}"#))
    };
    assert_says(
        &formation("x", r#""line""#, r#"["b"]"#),
        &["formations[0].anchor", "id of an agent", "none is called `x`"],
    );
    // A crowd has many agents.
    assert_says(&formation("c", r#""line""#, r#"["b"]"#), &["formations[0].anchor", "none is called `c`"]);
    assert_says(&formation("a", r#""line""#, r#"["b", "e"]"#), &["formations[0].members[1]", "none is called `e`"]);
    assert_says(&formation("a", r#""line""#, "[]"), &["formations[0].members", "at least one"]);
    assert_says(&formation("a", r#""line""#, r#"["b", "a"]"#), &["formations[0].members[1]", "the anchor `a` itself"]);
    assert_says(&formation("c1", r#""line""#, r#"["c"]"#), &["formations[0].members[0]", "the anchor `c1` itself"]);
    assert_says(
        &formation("a", r#""line""#, r#"["b", "b"]"#),
        &["formations[0].members[1]", "`b` is in formations[0].members[0], too"],
    );
    assert_says(
        &formation("a", r#""line""#, r#"["c", "c2"]"#),
        &["formations[0].members[1]", "`c2` is in formations[0].members[0], too"],
    );
    assert_says(&formation("a", r#""blob""#, r#"["b"]"#), &["formations[0].pattern", "blob", "\"wedge\""]);
    assert_says(&formation("a", "[]", r#"["b"]"#), &["formations[0].pattern", "at least one place"]);
    assert_says(&formation("a", "[[1, 2, 3]]", r#"["b"]"#), &["formations[0].pattern"]);
    assert_says(&formation("a", "[[1, 2e9]]", r#"["b"]"#), &["formations[0].pattern"]);
    assert_says(&formation("a", "3", r#"["b"]"#), &["formations[0].pattern", "\"line\""]);
    let fields = |fields: &str| formations(&format!(r#"{{"anchor": "a", "pattern": "box", {fields}}}"#));
    assert_says(&fields(r#""spacing": -1, "members": ["b"]"#), &["formations[0].spacing", "from 0 to 1e9"]);
    assert_says(&fields(r#""spacing": null, "members": ["b"]"#), &["formations[0].spacing"]);
    assert_says(&fields(r#""spacing": 20"#), &["formations[0]", "missing field `members`"]);
    assert_says(&fields(r#""members": ["b"], "gap": 2"#), &["formations[0]", "unknown field `gap`"]);
    assert_says(&fields(r#""members": ["b"], "succession": "vote""#), &["formations[0].succession", "\"dissolve\""]);
    let of =
        |anchor: &str, members: &str| format!(r#"{{"anchor": "{anchor}", "pattern": "box", "members": {members}}}"#);
    let two = |one: &str, other: &str| formations(&format!("{one}, {other}"));
    assert_says(
        &two(&of("a", r#"["b"]"#), &of("a", r#"["d"]"#)),
        &["formations[1].anchor", "`a` is that of formations[0], too"],
    );
    assert_says(
        &two(&of("a", r#"["b"]"#), &of("d", r#"["b"]"#)),
        &["formations[1].members[0]", "`b` is in formations[0].members[0], too"],
    );
    assert_says(&two(&of("a", r#"["b"]"#), &of("b", r#"["a"]"#)), &["members[0]", "does not follow itself"]);
}
