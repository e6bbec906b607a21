//! Bad values anywhere in a file: the message gives the place, and what was expected in the terms of the file.

use serde_json::{Value, json};
use steerling_scenario::{Expectation, Scenario, dimensions};

use crate::full::full;

/// The reason why a text is refused.
#[track_caller]
fn problem(text: &str) -> String {
    let message = match Scenario::parse("scene.json", text) {
        Ok(_) => panic!("accepted: {text}"),
        Err(error) => error.to_string(),
    };
    assert_eq!(message.lines().count(), 1, "{message}");
    message.strip_prefix("scene.json: ").unwrap_or_else(|| panic!("{message}")).to_owned()
}

/// A place in a file, as a JSON pointer and as messages write it.
#[derive(Clone, Default)]
struct Place {
    pointer: String,
    path: String,
}

impl Place {
    fn field(&self, name: &str) -> Self {
        let dot = if self.path.is_empty() { "" } else { "." };
        Self { pointer: format!("{}/{name}", self.pointer), path: format!("{}{dot}{name}", self.path) }
    }

    fn item(&self, index: usize) -> Self {
        Self { pointer: format!("{}/{index}", self.pointer), path: format!("{}[{index}]", self.path) }
    }
}

/// Every place in a file, with its value.
fn places(value: &Value, here: &Place, all: &mut Vec<(Place, Value)>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, value)| places(value, &here.field(name), all)),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| places(item, &here.item(index), all));
        }
        _ => {}
    }
    all.push((here.clone(), value.clone()));
}

fn all_places(file: &Value) -> Vec<(Place, Value)> {
    let mut all = Vec::new();
    places(file, &Place::default(), &mut all);
    all
}

/// The file with another value at this place.
fn with(file: &Value, place: &Place, value: Value) -> String {
    let mut file = file.clone();
    *file.pointer_mut(&place.pointer).unwrap() = value;
    file.to_string()
}

/// The lists of numbers in a file: places, vectors, sizes and entries of markers.
fn lists(file: &Value) -> Vec<(Place, Vec<Value>)> {
    let lists = all_places(file).into_iter().filter_map(|(place, value)| {
        let items = value.as_array()?;
        (!items.is_empty() && items.iter().all(Value::is_number)).then(|| (place, items.clone()))
    });
    lists.collect()
}

/// The full file, wrapped together with states that its agents should have.
fn wrapped() -> Value {
    let expected = json!([{"tick": 1, "agents": {"a": {"position": [1, 2], "velocity": [3, 4]}}}]);
    json!({"scenario": full(), "expected": expected, "position_tolerance": 1})
}

#[test]
fn lists_of_the_wrong_length_or_of_no_list_at_all() {
    let file = wrapped();
    assert!(Expectation::parse("scene.json", &file.to_string()).is_ok());
    let lists = lists(&file);
    for name in [
        "position",
        "velocity",
        "path",
        "min",
        "max",
        "center",
        "half_size",
        "start",
        "end",
        "points",
        "pivot",
        "offset",
        "point",
        "mirrored",
        "toward",
        "pattern",
        "place",
        "m",
    ] {
        let is_named = |place: &Place| place.path.split(['.', '[']).any(|segment| segment == name);
        assert!(lists.iter().any(|(place, _)| is_named(place)), "{name}");
    }
    for (place, items) in lists {
        let names = if place.path.contains("markers") { "[time, x, y]" } else { "[x, y]" };
        let expected = |found: &str| format!("{}: invalid {found}, expected {names}", place.path);
        for length in (0..items.len() + 4).filter(|length| *length != items.len()) {
            let items = items.iter().cycle().take(length).cloned().collect();
            let hint = if length == place_length(names) + 1 {
                " (a scene in three dimensions needs `\"dimensions\": 3`)"
            } else {
                ""
            };
            let start = format!("{}{hint} at line 1 column ", expected(&format!("length {length}")));
            let message = problem(&with(&file, &place, Value::Array(items)));
            assert!(message.starts_with(&start), "expected `{start}` in: {message}");
        }
        for (wrong, found) in [
            (json!(null), "type: null"),
            (json!(7), "type: integer `7`"),
            (json!(true), "type: boolean `true`"),
            (json!("x, y"), "type: string \"x, y\""),
            (json!({"x": 1, "y": 2}), "type: map"),
        ] {
            let message = problem(&with(&file, &place, wrong));
            assert!(message.starts_with(&expected(found)), "expected `{}` in: {message}", expected(found));
        }
        for index in 0..items.len() {
            for wrong in [json!(null), json!("1"), json!([1]), json!({}), json!(-2e9)] {
                let place = place.item(index);
                let message = problem(&with(&file, &place, wrong));
                assert!(message.starts_with(&format!("{}: invalid ", place.path)), "{message}");
                assert!(message.contains("expected a number"), "{message}");
            }
        }
    }
}

/// The number of names in a list of them.
fn place_length(names: &str) -> usize {
    names.split(", ").count()
}

#[test]
fn other_than_two_targets_to_be_between() {
    let file = full();
    let places = all_places(&file);
    let (place, targets) = places.iter().find(|(place, _)| place.path.ends_with(".between")).unwrap();
    let target = &targets[0];
    for wrong in [json!([]), json!([target]), json!([target, target, target]), json!(null), json!({"0": target})] {
        let start = format!("{}: invalid ", place.path);
        let message = problem(&with(&file, place, wrong));
        assert!(message.starts_with(&start), "{message}");
        assert!(message.contains(", expected [target, target] at line 1 column "), "{message}");
    }
}

/// Whatever stands where something else is expected.
#[test]
fn messages_speak_of_files_and_not_of_the_reader() {
    let file = wrapped();
    let mut checked = 0;
    for (place, old) in all_places(&file) {
        for wrong in [json!(null), json!(true), json!(-2e9), json!("?"), json!([]), json!([[]]), json!({}), json!([0])]
        {
            if wrong == old {
                continue;
            }
            let text = with(&file, &place, wrong);
            let Err(error) = Expectation::parse("scene.json", &text) else { continue };
            let message = error.to_string();
            for internal in ["tuple", "struct", "enum", "newtype", "array of length", "trailing", "MarkerEntry", "?:"] {
                assert!(!message.contains(internal), "{message}");
            }
            assert!(message.starts_with("scene.json: "), "{message}");
            checked += 1;
        }
    }
    assert!(checked > 1000, "{checked}");
}

#[test]
fn objects_without_their_key() {
    let file = full();
    let objects = all_places(&file).into_iter().filter(|(place, value)| {
        let last = place.path.rsplit('.').next().unwrap_or_default();
        let is_target =
            ["target", "leader", "from", "around", "region"].contains(&last) || last.starts_with("between[");
        (is_target || last.starts_with("behaviors[")) && value.is_object()
    });
    let mut checked = 0;
    for (place, _) in objects {
        let keys = match &place.path {
            path if path.ends_with("region") => "`circle`, `rectangle`, `polygon` at",
            path if path.ends_with(']') && !path.contains("between") => "`seek`, `flee`, ",
            _ => "`point`, `mirrored`, `marker`, `agent`, `group` at",
        };
        let message = problem(&with(&file, &place, json!({})));
        let expected = format!("{}: no key, expected an object with exactly one of {keys}", place.path);
        assert!(message.starts_with(&expected), "expected `{expected}` in: {message}");
        checked += 1;
    }
    assert!(checked > 30, "{checked}");
}

/// Whatever the number of dimensions: it may be in the part that cannot be read.
#[test]
fn a_text_that_is_not_json_is_refused_for_that() {
    let agents = r#""agents": [{"id": "a", "position": [0, 0, 0]}]"#;
    let comma = agents.len() + 3;
    assert_eq!(
        problem(&format!(r#"{{{agents},, "dimensions": 3}}"#)),
        format!("key must be a string at line 1 column {comma}")
    );
    let message = problem(&format!(r#"{{{agents} "dimensions": 3}}"#));
    assert!(message.starts_with("expected `,` or `}` at line 1 column "), "{message}");
    let message = problem(r#"{"dimensions": 3, "agents": [{"id": "a", "position": [0, 0, 0}]}"#);
    assert!(message.starts_with("agents[0].position: expected `,` or `]` at line 1 column "), "{message}");
}

/// A small generator of random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

#[test]
fn slips_of_the_pen_are_reported_where_they_are() {
    let space = r#"{"bounds":{"min":[0,0,0],"max":[9,9,9]},"markers":{"m":[[0,1,2,3]]},"ticks":5,"agents":[
        {"id":"a","position":[0,0,0],"behaviors":[{"seek":{"target":{"point":[1,2,3]}}}]}],"dimensions":3}"#;
    let wrapped = format!(r#"{{"scenario":{space},"expected":[],"position_tolerance":1}}"#);
    let mut random = Random(7);
    let mut checked = 0;
    for text in [full().to_string(), space.to_owned(), wrapped] {
        for _ in 0..500 {
            let mut broken = text.clone();
            let place = random.below(text.len());
            match random.below(3) {
                0 => broken.truncate(place),
                1 => drop(broken.remove(place)),
                _ => broken.insert(place, [',', ':', '"', '}', ']', '{', '[', '\''][random.below(8)]),
            }
            let Err(error) = serde_json::from_str::<Value>(&broken) else { continue };
            // Behind the file, only the end is wrong.
            if error.to_string().starts_with("trailing characters") {
                continue;
            }
            let message = problem(&broken);
            assert!(message.ends_with(&error.to_string()), "expected `{error}` in: {message}\n{broken}");
            checked += 1;
        }
    }
    assert!(checked > 500, "{checked}");
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_text() {
    let marked = |text: &str| format!("\u{feff}{text}");
    let text = full().to_string();
    assert!(Scenario::parse("scene.json", &marked(&text)).is_ok());
    assert!(Expectation::parse("scene.json", &marked(&wrapped().to_string())).is_ok());
    assert_eq!(dimensions(&marked(r#"{"dimensions": 3}"#)), 3);
    for bad in ["", "{", "[]", r#"{"tikcs": 3}"#, r#"{"ticks": -3}"#] {
        assert_eq!(problem(&marked(bad)), problem(bad), "{bad}");
    }
    assert_eq!(problem("\u{feff}\u{feff}{}"), "expected value at line 1 column 1");
}
