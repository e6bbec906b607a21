//! The scenes, and their variants.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use steerling_scenario::{Scenario, Simulation, Threads, schema};

use crate::options::Options;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/scenarios/doorway");
/// The widths of the doors, m.
pub const WIDTHS: [f64; 7] = [0.8, 0.9, 1.0, 1.2, 1.6, 2.0, 2.5];
pub const CROWD: usize = 80;
/// The seeds of the default style, and how many of them the others have.
pub const SEEDS: [u64; 5] = [1, 2, 3, 4, 5];
pub const SEEDS_OF_OTHERS: usize = 3;
/// The style that must meet all goals.
pub const DEFAULT_STYLE: &str = "keep_place";
/// The speed of people in a hurry, m/s.
pub const HURRIED_SPEED: f64 = 3.0;
/// A scale of the world.
pub const LARGE: f64 = 100.0;
/// A scale, a power of two, at which the motion must be bit-identical.
pub const EXACTLY_LARGE: f64 = 128.0;

/// How agents queue.
#[derive(PartialEq)]
pub enum Queue {
    None,
    Default,
    Style(String),
}

impl Queue {
    pub fn seeds(&self) -> &'static [u64] {
        match self {
            Self::Style(style) if style != DEFAULT_STYLE => &SEEDS[..SEEDS_OF_OTHERS],
            Self::None => &SEEDS[..SEEDS_OF_OTHERS],
            _ => &SEEDS,
        }
    }
}

impl Display for Queue {
    fn fmt(&self, formatter: &mut Formatter) -> fmt::Result {
        match self {
            Self::None => formatter.write_str("No queue"),
            Self::Default => formatter.write_str("The default style"),
            Self::Style(style) => write!(formatter, "`{style}`"),
        }
    }
}

pub fn read_room(width: f64) -> Result<Value, Box<dyn Error>> {
    let path = Path::new(FOLDER).join(format!("{width:.1}m.json"));
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(serde_json::from_str(&text)?)
}

/// The names of the styles in scenario files.
pub fn queue_styles() -> Vec<String> {
    let words = &schema()["$defs"]["QueueStyle"]["enum"];
    words.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The room with another seed and another queue.
pub fn variant(room: &Value, queue: &Queue, seed: u64, options: &Options) -> Value {
    let mut room = room.clone();
    room["seed"] = json!(seed);
    let agent = &mut room["crowds"][0]["agent"];
    for (key, value) in &options.agent {
        agent[key] = value.clone();
    }
    if let Some(behaviors) = agent["behaviors"].as_array_mut() {
        behaviors.retain(|behavior| behavior.get("queue").is_none());
        let mut fields = json!({});
        match queue {
            Queue::None => return room,
            Queue::Default => {}
            Queue::Style(style) => fields["style"] = json!(style),
        }
        for (key, value) in &options.set {
            fields[key] = value.clone();
        }
        behaviors.push(json!({"queue": fields}));
    }
    room
}

/// The same scene with solid bodies, or without.
pub fn made_solid(room: &Value, solid: bool) -> Value {
    let mut room = room.clone();
    room["crowds"][0]["agent"]["solid"] = json!(solid);
    room
}

/// The same scene with people in a hurry.
pub fn hurried(room: &Value) -> Value {
    let mut room = room.clone();
    room["crowds"][0]["agent"]["max_speed"] = json!(HURRIED_SPEED);
    room
}

/// The same scene with agents that think in every n-th tick.
pub fn with_rate(room: &Value, rate: u32) -> Value {
    let mut room = room.clone();
    room["crowds"][0]["agent"]["rate"] = json!(rate);
    room
}

/// The same scene with another time gap of the queue, s.
pub fn with_time_gap(room: &Value, time_gap: f64) -> Value {
    let mut room = room.clone();
    let behaviors = room["crowds"][0]["agent"]["behaviors"].as_array_mut();
    for queue in behaviors.into_iter().flatten().filter_map(|behavior| behavior.get_mut("queue")) {
        queue["time_gap"] = json!(time_gap);
    }
    room
}

/// The same scene in a room of this length and width, m, with another number of agents.
pub fn in_room(room: &Value, [length, width]: [f64; 2], count: usize) -> Value {
    const HALF_WALL: f64 = 0.1;
    /// The distance of the crowd from the walls, m.
    const FREE: f64 = 0.3;
    let mut room = room.clone();
    room["obstacles"][0]["rectangle"]["center"][0] = json!(-length - HALF_WALL);
    for (wall, side) in [(1, 1.0), (2, -1.0)] {
        room["obstacles"][wall]["rectangle"] = json!({
            "center": [-length / 2.0, side * (width / 2.0 + HALF_WALL)],
            "half_size": [length / 2.0 + 2.0 * HALF_WALL, HALF_WALL],
        });
    }
    room["crowds"][0]["count"] = json!(count);
    room["crowds"][0]["area"] = json!({"min": [FREE - length, FREE - width / 2.0], "max": [-FREE, width / 2.0 - FREE]});
    room
}

/// The same scene with a target for each agent: as far to the side as the agent starts, times `share`.
pub fn with_own_targets(room: &Value, share: f64) -> Value {
    let mut changed = room.clone();
    let kind = &room["crowds"][0]["agent"];
    let simulation = Simulation::new(&sound(room), Threads::Exactly(1));
    let agents = simulation.agents().iter().map(|start| {
        let mut agent = kind.clone();
        agent["id"] = json!(start.id);
        agent["position"] = json!(start.position.to_array());
        agent["behaviors"][0]["seek"]["target"]["point"][1] = json!(f64::from(start.position.y) * share);
        agent
    });
    changed["agents"] = agents.collect();
    changed["crowds"] = json!([]);
    changed
}

/// The same scene in units of another length.
pub fn scaled(value: &Value, factor: f64) -> Value {
    const NO_LENGTHS: [&str; 11] = [
        "tick",
        "ticks",
        "seed",
        "count",
        "mass",
        "response_time",
        "weight",
        "brake",
        "hard_stop",
        "time_gap",
        "headway",
    ];
    match value {
        Value::Number(number) => number.as_f64().map_or(Value::Null, |number| json!(number * factor)),
        Value::Array(items) => items.iter().map(|item| scaled(item, factor)).collect(),
        Value::Object(fields) => {
            let scaled = |key: &String, value| {
                if NO_LENGTHS.contains(&key.as_str()) { Value::clone(value) } else { scaled(value, factor) }
            };
            Value::Object(fields.iter().map(|(key, value)| (key.clone(), scaled(key, value))).collect())
        }
        _ => value.clone(),
    }
}

pub fn read(room: &Value) -> Result<Scenario, Box<dyn Error>> {
    Ok(Scenario::parse(room["name"].as_str().unwrap_or("doorway"), &room.to_string())?)
}

/// Parses a scenario that is known to be valid.
pub fn sound(room: &Value) -> Scenario {
    read(room).unwrap_or_else(|error| panic!("{error}"))
}
