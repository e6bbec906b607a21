//! Converts a case of `SteerBench` to a scenario file.
//!
//! The case is JSON. Its fields follow the suite's XML files:
//!
//! - `name`, and `source`: the XML file that it is from,
//! - `agents`: `pos`, `dir` (the heading), `speed`, `radius` (m) and `goals` with a `target` each. `derived` holds what was
//!   computed from the case: `waypoints_per_goal`, the corners of the shortest path around the obstacles, with the goal as
//!   the last, and `shortest_time_at_desired_speed` (s),
//! - `obstacles`: boxes with a `min` and a `max` corner.

use std::fmt::Write;

use serde::Deserialize;
use serde_json::{Value, json};

type Point = [f64; 2];

/// The length of a tick, s.
const TICK: f64 = 0.05;
/// The body of an agent, in m/s and N/kg.
const MAX_SPEED: f64 = 1.33;
const MAX_FORCE: f64 = 10.0;
/// The radius of agents without one, m.
const RADIUS: f64 = 0.5;
/// Cases with more agents than this run for `CROWD_TIME`, s. Others run for the minimum time, or for a multiple of the time
/// that the longest way takes and some more.
const CROWD: usize = 20;
const CROWD_TIME: f64 = 300.0;
const MIN_TIME: f64 = 60.0;
const TIMES_LONGEST: f64 = 4.0;
const MORE_TIME: f64 = 20.0;

#[derive(Deserialize)]
struct Case {
    name: String,
    source: String,
    agents: Vec<Agent>,
    obstacles: Vec<Bounds>,
}

#[derive(Deserialize)]
struct Agent {
    pos: Point,
    dir: Option<Point>,
    speed: Option<f64>,
    radius: Option<f64>,
    goals: Vec<Goal>,
    derived: Derived,
}

#[derive(Deserialize)]
struct Goal {
    target: Point,
}

#[derive(Deserialize)]
struct Derived {
    shortest_time_at_desired_speed: f64,
    waypoints_per_goal: Vec<Vec<Point>>,
}

#[derive(Deserialize)]
struct Bounds {
    min: Point,
    max: Point,
}

/// The text of the scenario file, with a line per agent and obstacle.
pub fn scene(case: &str) -> serde_json::Result<String> {
    let Case { name, source, agents, obstacles } = serde_json::from_str(case)?;
    let longest = agents.iter().map(|agent| agent.derived.shortest_time_at_desired_speed).fold(0.0, f64::max);
    let time = if agents.len() > CROWD { CROWD_TIME } else { MIN_TIME.max(TIMES_LONGEST * longest + MORE_TIME) };
    let mut text = format!(
        "{{\n  \"name\": {}, \"about\": {},\n  \"tick\": {TICK}, \"ticks\": {}",
        json!(name),
        json!(format!("A case of SteerBench, from {source}.")),
        (time / TICK) as u64
    );
    let obstacles = obstacles.iter().map(Bounds::scene).collect();
    let agents = agents.iter().enumerate().map(|(index, agent)| agent.scene(index)).collect();
    for (key, items) in [("obstacles", obstacles), ("agents", agents)] {
        let items: Vec<Value> = items;
        let lines: Vec<String> = items.iter().map(|item| format!("\n    {item}")).collect();
        _ = write!(text, ",\n  \"{key}\": [{}\n  ]", lines.join(","));
    }
    Ok(text + "\n}\n")
}

impl Agent {
    /// The agent of a scenario file. It follows its way points, if there are any on the way, and is removed at its last goal.
    fn scene(&self, index: usize) -> Value {
        let radius = self.radius.unwrap_or(RADIUS);
        let way: Vec<&Point> = self.derived.waypoints_per_goal.iter().flatten().collect();
        let destination = if let [only] = way[..] {
            json!({"arrive": {"target": {"point": only}}})
        } else {
            let path: Vec<&Point> = [&self.pos].into_iter().chain(way).collect();
            json!({"follow_path": {"path": path}})
        };
        let mut goals: Vec<Value> =
            self.goals.iter().map(|goal| json!({"position": goal.target, "radius": radius})).collect();
        if let Some(last) = goals.last_mut() {
            last["remove"] = json!(true);
        }
        json!({
            "id": format!("{index:03}"),
            "position": self.pos,
            "velocity": self.dir.unwrap_or_default().map(|x| x * self.speed.unwrap_or_default()),
            "max_speed": MAX_SPEED,
            "max_force": MAX_FORCE,
            "radius": radius,
            "goals": goals,
            "behaviors": [destination, {"avoid_obstacles": {}}, {"avoid_neighbors": {}}]
        })
    }
}

impl Bounds {
    fn scene(&self) -> Value {
        let ([left, bottom], [right, top]) = (self.min, self.max);
        let half_size = [right - left, top - bottom].map(|size| size.abs() / 2.0);
        json!({"rectangle": {"center": [(left + right) / 2.0, (bottom + top) / 2.0], "half_size": half_size}})
    }
}
