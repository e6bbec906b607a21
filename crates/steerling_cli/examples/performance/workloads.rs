//! The measured scenes, in any size.

use std::error::Error;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use steerling_scenario::{AgentState, Scenario, Simulation, Threads};

use crate::limit::{Body, Circles, Flock, Limit, Mixed, Seek};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/scenarios/bench");
/// The JSON pointer to the radius. The other parts of `flock` have the same radius.
const FLOCK_RADIUS: &str = "/crowds/0/agent/behaviors/0/flock/separation/radius";
/// The number of agents in the files.
const AGENTS_IN_FILE: f64 = 10_000.0;

/// The goals with Rust's default target and with `x86-64-v3`.
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    pub default_target: f64,
    pub v3: f64,
}

impl Goal {
    const fn new(default_target: f64, v3: f64) -> Self {
        Self { default_target, v3 }
    }

    /// The goal for the target of this build.
    pub fn here(self) -> f64 {
        if cfg!(target_feature = "avx2") { self.v3 } else { self.default_target }
    }
}

/// A scene, its goals, and how it scales.
#[derive(Clone, Copy, Debug)]
pub struct Workload {
    pub name: &'static str,
    /// The behaviors of its agents.
    pub what: &'static str,
    /// Nanoseconds per agent and tick.
    pub cost: Goal,
    /// The accepted ratio of its cost to the limit.
    pub ratio: Option<Goal>,
    /// Whether its area grows with the number of agents. It does not have to if they do not perceive each other.
    grows: bool,
}

pub const WORKLOADS: [Workload; 4] = [
    Workload {
        name: "seek",
        what: "seek a point that moves",
        cost: Goal::new(12.0, 8.0),
        ratio: Some(Goal::new(4.0, 8.0)),
        grows: true,
    },
    Workload {
        name: "mixed",
        what: "seek it, wander, and avoid 64 circles on 5 % of the area by the articles' three points",
        cost: Goal::new(60.0, 36.0),
        ratio: Some(Goal::new(1.6, 3.0)),
        grows: false,
    },
    Workload {
        name: "flock",
        what: "flock with 16 neighbors in the mean, in a square that wraps",
        cost: Goal::new(100.0, 57.0),
        ratio: Some(Goal::new(1.5, 1.5)),
        grows: true,
    },
    Workload {
        name: "queue",
        what: "queue in the default style at a door of 20 diameters, and avoid its walls",
        cost: Goal::new(250.0, 200.0),
        ratio: None,
        grows: true,
    },
];

impl Workload {
    /// The scene with this number of agents.
    pub fn scene(&self, agents: usize) -> Result<Scene, Box<dyn Error>> {
        let path = Path::new(FOLDER).join(format!("{}.json", self.name));
        let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut file: Value = serde_json::from_str(&text)?;
        file["crowds"][0]["count"] = json!(agents);
        if self.grows {
            let factor = (agents as f64 / AGENTS_IN_FILE).sqrt();
            scale(&mut file["crowds"][0]["area"], factor);
            for corner in ["min", "max"] {
                if let Some(corner) = file.pointer_mut(&format!("/bounds/{corner}")) {
                    scale(corner, factor);
                }
            }
            for entry in file.pointer_mut("/markers/target").and_then(Value::as_array_mut).into_iter().flatten() {
                entry.as_array_mut().into_iter().flatten().skip(1).for_each(|coordinate| scale(coordinate, factor));
            }
        }
        Ok(Scene { workload: *self, file })
    }

    /// The same scene with all agents within one radius of each other.
    pub fn dense_scene(&self, agents: usize) -> Result<Scene, Box<dyn Error>> {
        let mut scene = self.scene(agents)?;
        let half_side = f64::from(scene.number(FLOCK_RADIUS)) / 8.0_f64.sqrt();
        let middle = f64::from(scene.side()) / 2.0;
        let corner = |sign: f64| json!([middle + sign * half_side, middle + sign * half_side]);
        scene.file["crowds"][0]["area"] = json!({"min": corner(-1.0), "max": corner(1.0)});
        Ok(scene)
    }
}

/// Multiplies all numbers.
fn scale(value: &mut Value, factor: f64) {
    match value {
        Value::Number(number) => *value = json!(number.as_f64().unwrap_or_default() * factor),
        Value::Array(items) => items.iter_mut().for_each(|item| scale(item, factor)),
        Value::Object(fields) => fields.values_mut().for_each(|field| scale(field, factor)),
        _ => {}
    }
}

/// A workload of some size.
pub struct Scene {
    workload: Workload,
    file: Value,
}

impl Scene {
    pub fn scenario(&self) -> Result<Scenario, Box<dyn Error>> {
        Ok(Scenario::parse(self.workload.name, &self.file.to_string())?)
    }

    pub fn name(&self) -> &'static str {
        self.workload.name
    }

    pub fn agents(&self) -> usize {
        self.file["crowds"][0]["count"].as_u64().unwrap_or_default() as usize
    }

    fn number(&self, pointer: &str) -> f32 {
        self.file.pointer(pointer).and_then(Value::as_f64).unwrap_or_else(|| panic!("{pointer} of a scene")) as f32
    }

    fn agent(&self, field: &str) -> f32 {
        self.number(&format!("/crowds/0/agent/{field}"))
    }

    /// The position of the target at the start.
    pub fn target(&self) -> [f32; 2] {
        if self.file.get("markers").is_none() {
            return [0.0; 2];
        }
        ["/markers/target/0/1", "/markers/target/0/2"].map(|pointer| self.number(pointer))
    }

    /// Centers and radii.
    fn circles(&self) -> Vec<[f32; 3]> {
        let count = self.file["obstacles"].as_array().map_or(0, Vec::len);
        (0..count)
            .map(|index| {
                ["center/0", "center/1", "radius"]
                    .map(|field| self.number(&format!("/obstacles/{index}/circle/{field}")))
            })
            .collect()
    }

    /// The side of the area.
    fn side(&self) -> f32 {
        self.number("/crowds/0/area/max/0")
    }

    /// The same work without an ECS, with names.
    pub fn limits(&self, agents: &[AgentState]) -> Vec<(&'static str, Box<dyn Limit>)> {
        let body =
            Body { max_speed: self.agent("max_speed"), max_force: self.agent("max_force"), tick: self.number("/tick") };
        match self.workload.name {
            "seek" => vec![("", Box::new(Seek::new(agents, body)))],
            "mixed" => {
                // The default of the plugin, for a mass of one.
                let stopping_distance = body.max_speed * body.max_speed / (2.0 * body.max_force);
                let look_ahead = 2.0 * (stopping_distance + self.agent("radius"));
                let mixed = |how| Box::new(Mixed::new(agents, body, look_ahead, self.circles(), how));
                vec![("each circle in lanes", mixed(Circles::Each)), ("a raster of circles", mixed(Circles::Raster))]
            }
            "flock" => {
                let weights = ["separation", "alignment", "cohesion"]
                    .map(|part| self.agent(&format!("behaviors/0/flock/{part}/weight")));
                vec![("", Box::new(Flock::new(agents, body, self.number(FLOCK_RADIUS), weights, self.side())))]
            }
            _ => Vec::new(),
        }
    }

    /// Whether the limit computes the same motion as the plugin: after a tick all velocities must be the same apart
    /// from rounding. Wandering agents draw different random numbers in each.
    pub fn check(&self, limit: &mut dyn Limit, scenario: &Scenario) -> Result<(), Box<dyn Error>> {
        if self.workload.name == "mixed" {
            return Ok(());
        }
        let mut simulation = Simulation::new(scenario, Threads::Exactly(1));
        simulation.step();
        limit.tick(self.target());
        let most = 1e-3 * self.agent("max_speed");
        let off = |(agent, [_, _, x, y]): &(&AgentState, [f32; 4])| {
            (agent.velocity.x - x).abs().max((agent.velocity.y - y).abs()) > most
        };
        let differing = simulation.agents().iter().zip(limit.states()).filter(off).count();
        // If the neighbors are nearly balanced, rounding determines the direction.
        if differing > simulation.agents().len() / 1000 {
            return Err(format!("{}: {differing} agents move otherwise than in the limit", self.workload.name).into());
        }
        Ok(())
    }

    /// The parameters for Yuka; `None` if Yuka has no equivalent.
    pub fn for_yuka(&self) -> Option<Value> {
        (self.workload.name != "queue").then(|| {
            json!({
                "side": self.side(),
                "tick": self.number("/tick"),
                "maxSpeed": self.agent("max_speed"),
                "maxForce": self.agent("max_force"),
                "speed": self.number("/crowds/0/speed"),
                "radius": self.file.pointer(FLOCK_RADIUS),
                "circles": if self.workload.name == "mixed" { json!(self.circles()) } else { Value::Null },
            })
        })
    }
}
