//! Invalid files in three dimensions are refused, with the place and the reason.

use serde_json::{Value, json};
use steerling_scenario_3d::{BEHAVIOR_KEYS, Expectation, Scenario};

/// The reason why a scene with these top-level fields is refused.
#[track_caller]
fn refusal(fields: &str) -> String {
    match Scenario::parse("scene.json", &format!(r#"{{"dimensions": 3, {fields}}}"#)) {
        Ok(_) => panic!("accepted: {fields}"),
        Err(error) => {
            assert_eq!(error.to_string().lines().count(), 1, "{error}");
            error.to_string()
        }
    }
}

/// The reason why a scene whose only agent has these fields is refused.
#[track_caller]
fn agent_refusal(fields: &str) -> String {
    refusal(&format!(r#""agents": [{{"id": "a", "position": [0, 0, 0], {fields}}}]"#))
}

#[track_caller]
fn assert_says(message: &str, start: &str) {
    assert!(message.starts_with(&format!("scene.json: {start}")), "expected `{start}` in: {message}");
}

#[test]
fn behaviors_that_exist_only_in_two_dimensions() {
    let planar = ["follow_wall", "queue"];
    for key in planar {
        assert!(BEHAVIOR_KEYS.contains(&key), "{key}");
        let message = agent_refusal(&format!(
            r#""behaviors": [{{"seek": {{"target": {{"point": [0, 0, 1]}}}}}}, {{"{key}": {{}}}}]"#
        ));
        assert_says(&message, &format!("agents[0].behaviors[1].{key}: only in two dimensions"));
    }
    // All others are read: what is wrong with them is only that they lack a field, if anything.
    for key in BEHAVIOR_KEYS.iter().filter(|key| !planar.contains(key)) {
        let file = json!({"dimensions": 3, "agents": [{"id": "a", "position": [0, 0, 0], "behaviors": [{*key: {}}]}]});
        if let Err(error) = Scenario::parse("scene.json", &file.to_string()) {
            assert!(error.to_string().contains("missing field"), "{error}");
        }
    }
}

#[test]
fn fields_that_exist_only_in_two_dimensions() {
    let gates = r#""gates": [{"id": "g", "start": [0, 0], "end": [1, 0]}]"#;
    assert_says(&refusal(gates), "gates[0]: only in two dimensions");
    for (fields, place) in [
        (r#""limits": {"max_turn_rate": 1}"#, "limits"),
        (r#""behaviors": [{"wander": {"angle": 1}}]"#, "behaviors[0].wander.angle"),
        (
            r#""behaviors": [{"avoid_obstacles": {"leave_dead_ends": true}}]"#,
            "behaviors[0].avoid_obstacles.leave_dead_ends",
        ),
    ] {
        assert_says(&agent_refusal(fields), &format!("agents[0].{place}: only in two dimensions"));
    }
    let rule = agent_refusal(r#""arbitration": {"mode": "weighted_sum", "priorities": {"follow_wall": 1}}"#);
    assert_says(
        &rule,
        "agents[0].arbitration.priorities.follow_wall: unknown field `follow_wall`, expected one of `seek`",
    );
}

#[test]
fn flow_fields() {
    let field = |fields: &str| refusal(&format!(r#""fields": [{{"id": "f", {fields}}}]"#));
    assert_says(&field(r#""toward": [[0, 0]], "cell": 1, "clearance": 0"#), "fields[0].toward[0]: invalid length 2");
    assert_says(&field(r#""toward": [], "cell": 1, "clearance": 0"#), "fields[0].toward: expected at least one goal");
    let sized =
        |cell: &str| field(&format!(r#""toward": [[0, 0, 0], [900, 900, 900]], "cell": {cell}, "clearance": 3"#));
    assert_says(&sized("0"), "fields[0].cell: ");
    assert_says(&sized("1"), "fields[0].cell: expected larger cells");
    let twice = r#"{"id": "f", "toward": [[0, 0, 0]], "cell": 2, "clearance": 3}"#;
    assert_says(&refusal(&format!(r#""fields": [{twice}, {twice}]"#)), "fields[1].id: expected a unique id");
    assert_says(
        &agent_refusal(r#""behaviors": [{"follow_field": {"field": "g"}}]"#),
        "agents[0].behaviors[0].follow_field.field: expected the id of a field, but none is called `g`",
    );
}

#[test]
fn shapes_that_cannot_be() {
    let flat = "[[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]";
    let hull = format!(r#"{{"convex_hull": {{"points": {flat}}}}}"#);
    for (obstacle, problem) in [
        (hull.as_str(), "obstacles[0].convex_hull.points: expected finite points that do not lie in one plane"),
        (
            r#"{"half_space": {"normal": [0, 0, 0]}}"#,
            "obstacles[0].half_space.normal: expected a vector other than zero",
        ),
        (r#"{"circle": {"center": [0, 0], "radius": 3}}"#, "obstacles[0].circle: unknown field `circle`"),
        (r#"{"sphere": {"center": [0, 0], "radius": 3}}"#, "obstacles[0].sphere.center: invalid length 2"),
        (r#"{"sphere": {"center": [0, 0, 0], "radius": -3}}"#, "obstacles[0].sphere.radius: invalid value"),
    ] {
        assert_says(&refusal(&format!(r#""obstacles": [{obstacle}]"#)), problem);
    }
    let contain = format!(r#""behaviors": [{{"contain": {{"region": {hull}}}}}]"#);
    assert_says(&agent_refusal(&contain), "agents[0].behaviors[0].contain.region.convex_hull.points: expected finite");
}

#[test]
fn formations() {
    let refused = |pattern: &str| {
        let agents = r#""agents": [{"id": "a", "position": [0, 0, 0]}, {"id": "b", "position": [9, 0, 0]}]"#;
        let formation = format!(r#"{{"anchor": "a", "pattern": {pattern}, "members": ["b"]}}"#);
        refusal(&format!(r#"{agents}, "formations": [{formation}]"#))
    };
    assert_says(&refused("[[1, 2]]"), "formations[0].pattern[0]: invalid length 2");
    assert!(refused(r#""blob""#).contains(r#""sphere""#));
}

#[test]
fn what_exists_in_no_dimension_is_unknown() {
    assert_says(
        &agent_refusal(r#""behaviors": [{"teleport": {}}]"#),
        "agents[0].behaviors[0].teleport: unknown variant `teleport`",
    );
    assert_says(&agent_refusal(r#""colour": "red""#), "agents[0].colour: unknown field `colour`");
    assert_says(&refusal(r#""tikcs": 3"#), "tikcs: unknown field `tikcs`");
}

#[test]
fn places_with_two_coordinates() {
    let goal = json!({"position": [0, 0, 0], "radius": 1});
    let area = json!({"min": [0, 0, 0], "max": [9, 9, 9]});
    let file = json!({
        "dimensions": 3,
        "bounds": {"min": [0, 0, 0], "max": [9, 9, 9]},
        "markers": {"m": [[0, 1, 2, 3]]},
        "agents": [{
            "id": "a", "position": [0, 0, 0], "velocity": [1, 2, 3], "impulse": {"velocity": [1, 2, 3]}, "goals": [goal],
            "behaviors": [
                {"seek": {"target": {"point": [1, 2, 3]}}},
                {"offset_pursuit": {"leader": {"marker": "m"}, "offset": [1, 2, 3]}}
            ]
        }],
        "crowds": [{"prefix": "c", "count": 1, "area": area, "agent": {}}],
        "respawns": [{"inside": {"min": [1, 1, 1], "max": [2, 2, 2]}, "to": area}]
    });
    assert!(Scenario::parse("scene.json", &file.to_string()).is_ok());
    let mut shortened = 0;
    for pointer in places(&file, String::new()) {
        for change in [|place: &mut Vec<Value>| drop(place.pop()), |place: &mut Vec<Value>| place.push(json!(4))] {
            let mut file = file.clone();
            let place = file.pointer_mut(&pointer).and_then(Value::as_array_mut).unwrap();
            change(place);
            let expected = if pointer.contains("markers") { "[time, x, y, z]" } else { "[x, y, z]" };
            let expected = format!(": invalid length {}, expected {expected} at line 1 column ", place.len());
            let message = Scenario::parse("scene.json", &file.to_string()).unwrap_err().to_string();
            assert!(message.contains(&expected), "{pointer}: {message}");
            shortened += 1;
        }
    }
    assert_eq!(shortened, 2 * 15);
    assert_says(
        &refusal(r#""agents": [{"id": "a", "position": [1, 2]}]"#),
        "agents[0].position: invalid length 2, expected [x, y, z]",
    );
}

/// The places and vectors in a file, as JSON pointers.
fn places(value: &Value, here: String) -> Vec<String> {
    match value {
        Value::Object(fields) => {
            fields.iter().flat_map(|(key, value)| places(value, format!("{here}/{key}"))).collect()
        }
        Value::Array(items) if items.iter().all(Value::is_number) => vec![here],
        Value::Array(items) => {
            items.iter().enumerate().flat_map(|(index, item)| places(item, format!("{here}/{index}"))).collect()
        }
        _ => Vec::new(),
    }
}

#[test]
fn other_numbers_of_dimensions() {
    let problem = |text: &str| Scenario::parse("scene.json", text).unwrap_err().to_string();
    assert_says(&problem(r#"{"dimensions": 2}"#), "dimensions: expected 3 here, but the scene has 2 dimensions");
    assert_says(&problem(r#"{"ticks": 5}"#), "dimensions: expected 3 here, but the scene has 2 dimensions");
    for wrong in ["1", "4", "2.5", "-3"] {
        let message = problem(&format!(r#"{{"dimensions": {wrong}}}"#));
        assert_says(&message, "dimensions: ");
        assert!(message.contains("expected 2 or 3"), "{message}");
    }
    for wrong in [r#""3""#, "null", "[3]", "true"] {
        let message = problem(&format!(r#"{{"dimensions": {wrong}}}"#));
        assert!(message.contains("expected 2 or 3"), "{message}");
    }
    assert!(problem(r#"{"dimensions": 3, "dimensions": 3}"#).contains("duplicate field `dimensions`"));
    assert!(Scenario::parse("scene.json", r#"{"dimensions": 3.0}"#).is_ok());
    // The reader says what is wrong with a text that breaks off.
    assert!(problem(r#"{"ticks": 5,"#).contains("line 1 column"));
    assert_says(&problem(r#"{"ticks": "5",, "dimensions": 2}"#), "key must be a string at line 1 column 15");
    assert!(Scenario::parse("scene.json", "\u{feff}{\"dimensions\": 3}").is_ok());
}

#[test]
fn the_dimensions_of_a_wrapped_scene() {
    let wrapped = |scenario: &str| {
        let text = format!(r#"{{"scenario": {scenario}, "expected": [], "position_tolerance": 1}}"#);
        Expectation::parse("scene.json", &text).map_err(|error| error.to_string())
    };
    assert!(wrapped(r#"{"dimensions": 3}"#).is_ok());
    let expected = "scenario.dimensions: expected 3 here, but the scene has 2 dimensions";
    assert_says(&wrapped("{}").unwrap_err(), expected);
    assert_says(&wrapped(r#"{"dimensions": 2}"#).unwrap_err(), expected);
}

#[test]
fn corners_in_the_wrong_order_along_z() {
    let bounds = r#""bounds": {"min": [0, 0, 5], "max": [1, 1, 5], "edge": "wrap"}"#;
    assert_says(&refusal(bounds), "bounds.max: expected all coordinates to be larger than those of `min`");
    let crowd = r#""crowds": [{"prefix": "c", "count": 1, "area": {"min": [0, 0, 5], "max": [1, 1, 4]}, "agent": {}}]"#;
    assert_says(&refusal(crowd), "crowds[0].area.max: expected all coordinates to be at least those of `min`");
    assert_says(&refusal(r#""markers": {"m": []}"#), "markers.m: expected at least one [time, x, y, z]");
}
