//! The scenes that are measured, in any size.

use std::error::Error;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use steerling_scenario::{AgentState, Scenario, Simulation, Threads};

use crate::limit::{Body, Circles, Flock, Limit, Mixed, Orca, Seek};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/scenarios/bench");
/// The radius in the file; all parts of `flock` have the same.
const FLOCK_RADIUS: &str = "/crowds/0/agent/behaviors/0/flock/separation/radius";
const BEHAVIORS: &str = "/crowds/0/agent/behaviors";
const WANDER: &str = "wander";
/// Workloads that are measured with fewer agents than others: in a heap, each is warned about all others; and a tick of a million with
/// everything on takes ten seconds.
const FEWER: [(&str, usize); 2] = [("events_heap", 1_000), ("everything", 100_000)];
/// The number of agents in the files.
const AGENTS_IN_FILE: f64 = 10_000.0;

/// A scene, the goals for it, and how it grows.
#[derive(Clone, Copy, Debug)]
pub struct Workload {
    pub name: &'static str,
    /// What its agents do.
    pub what: &'static str,
    /// The goals, nanoseconds per agent and tick: for up to 10,000 agents, for up to 100,000, and for more.
    pub costs: [f64; 3],
    /// The goal for the ratio of the cost to the limit.
    pub ratio: Option<f64>,
    /// Whether its area grows with the number of agents. This matters only if they see each other.
    grows: bool,
}

pub const WORKLOADS: [Workload; 13] = [
    Workload { name: "seek", what: "seek a moving point", costs: [9.0, 12.0, 12.0], ratio: Some(4.0), grows: true },
    Workload {
        name: "mixed",
        what: "seek a moving point, wander, and avoid 64 circles on 5 % of the area with the classic three feelers",
        costs: [36.0, 45.0, 45.0],
        ratio: Some(1.6),
        grows: false,
    },
    Workload {
        name: "flock",
        what: "flock with 16 neighbors on average, in a square that wraps",
        costs: [40.0, 45.0, 60.0],
        ratio: Some(1.5),
        grows: true,
    },
    Workload {
        name: "queue",
        what: "queue in the default style at a door 20 diameters wide, and avoid its walls",
        costs: [150.0, 180.0, 180.0],
        ratio: None,
        grows: true,
    },
    Workload {
        name: "crossing",
        what: "go to the places opposite their starts, with `AvoidNeighbors` and 16 others within 10 units on average",
        costs: [600.0, 700.0, 700.0],
        ratio: Some(0.8),
        grows: true,
    },
    Workload {
        name: "follow_path",
        what: "follow a winding path, a loop of 170 points",
        costs: [35.0; 3],
        ratio: None,
        grows: false,
    },
    Workload {
        name: "follow_field",
        what: "follow a field of 184 × 257 cells around three walls",
        costs: [25.0; 3],
        ratio: None,
        grows: false,
    },
    Workload {
        name: "formations",
        what: "keep slots in formations of 20, whose anchors wander and are counted, too",
        costs: [40.0; 3],
        ratio: None,
        grows: false,
    },
    Workload {
        name: "solid",
        what: "go to the places opposite their starts, as in `crossing`, with `Solid` instead of `AvoidNeighbors`",
        costs: [150.0; 3],
        ratio: None,
        grows: true,
    },
    Workload {
        name: "events",
        what: "go to the places opposite their starts and wander, with `SteeringEvents`",
        costs: [60.0; 3],
        ratio: None,
        grows: true,
    },
    Workload {
        name: "events_heap",
        what: "seek one point with `SteeringEvents`, all in a heap",
        costs: [300.0; 3],
        ratio: None,
        grows: true,
    },
    Workload {
        name: "swept",
        what: "as in `mixed`, with `AvoidObstacles` as it is by default",
        costs: [60.0; 3],
        ratio: None,
        grows: false,
    },
    Workload {
        name: "everything",
        what: "ten crowds: most behaviors, obstacles that stand and move, queues, `Solid`, `SteeringEvents`",
        costs: [2_000.0; 3],
        ratio: None,
        grows: true,
    },
];

impl Workload {
    /// The numbers of agents that it is measured with: those asked for, or fewer.
    pub fn sizes(&self, agents: &[usize]) -> Vec<usize> {
        let most = FEWER.into_iter().find(|(name, _)| *name == self.name).map_or(usize::MAX, |(_, most)| most);
        let mut sizes: Vec<_> = agents.iter().map(|agents| most.min(*agents)).collect();
        sizes.dedup();
        sizes
    }

    /// The goal for a crowd of this size, nanoseconds per agent and tick.
    pub fn goal(&self, agents: usize) -> f64 {
        let [small, large, huge] = self.costs;
        match agents {
            ..=10_000 => small,
            10_001..=100_000 => large,
            100_001.. => huge,
        }
    }

    /// The scene with this number of agents.
    pub fn scene(&self, agents: usize) -> Result<Scene, Box<dyn Error>> {
        let path = Path::new(FOLDER).join(format!("{}.json", self.name));
        let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut file: Value = serde_json::from_str(&text)?;
        if file.get("formations").is_some() {
            repeat_formations(&mut file, agents);
        } else {
            let share = agents / list(&mut file, "crowds").count();
            list(&mut file, "crowds").for_each(|crowd| crowd["count"] = json!(share));
        }
        if self.grows {
            let factor = (agents as f64 / AGENTS_IN_FILE).sqrt();
            list(&mut file, "crowds").for_each(|crowd| scale(&mut crowd["area"], factor));
            let circles = list(&mut file, "obstacles").filter_map(|obstacle| obstacle.pointer_mut("/circle/center"));
            circles.for_each(|center| scale(center, factor));
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

/// The entries of a list in a file.
fn list<'a>(file: &'a mut Value, key: &str) -> impl Iterator<Item = &'a mut Value> {
    file.get_mut(key).and_then(Value::as_array_mut).into_iter().flatten()
}

/// Repeats the formations of a file, row above row, until there are about so many agents.
fn repeat_formations(file: &mut Value, agents: usize) {
    const ROW: f64 = 300.0;
    let [anchors, crowds, formations] =
        ["agents", "crowds", "formations"].map(|key| file[key].as_array().cloned().unwrap_or_default());
    let size = 1 + crowds[0]["count"].as_u64().unwrap_or_default() as usize;
    for key in ["agents", "crowds", "formations"] {
        file[key] = json!([]);
    }
    for number in 0..(agents / size).max(1) {
        let (kind, up) = (number % formations.len(), ROW * (number / formations.len()) as f64);
        let raised = |place: &Value| json!([place[0], place[1].as_f64().unwrap_or_default() + up]);
        let (mut anchor, mut crowd, mut formation) =
            (anchors[kind].clone(), crowds[kind].clone(), formations[kind].clone());
        anchor["id"] = json!(format!("anchor {number}"));
        anchor["position"] = raised(&anchor["position"]);
        crowd["prefix"] = json!(format!("agent {number} "));
        crowd["area"] = json!({"min": raised(&crowd["area"]["min"]), "max": raised(&crowd["area"]["max"])});
        formation["anchor"] = anchor["id"].clone();
        formation["members"] = json!([crowd["prefix"]]);
        for (key, entry) in [("agents", anchor), ("crowds", crowd), ("formations", formation)] {
            file[key].as_array_mut().into_iter().for_each(|list| list.push(entry.clone()));
        }
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
        let list = |key: &str| self.file[key].as_array().into_iter().flatten();
        let crowds = list("crowds").filter_map(|crowd| crowd["count"].as_u64()).sum::<u64>();
        list("agents").count() + crowds as usize
    }

    fn number(&self, pointer: &str) -> f32 {
        self.file.pointer(pointer).and_then(Value::as_f64).unwrap_or_else(|| panic!("{pointer} of a scene")) as f32
    }

    fn agent(&self, field: &str) -> f32 {
        self.number(&format!("/crowds/0/agent/{field}"))
    }

    /// The initial position of the target.
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

    /// The same work without an ECS, each with a name.
    pub fn limits(&self, agents: &[AgentState]) -> Vec<(&'static str, Box<dyn Limit>)> {
        if !["seek", "mixed", "flock", "crossing"].contains(&self.workload.name) {
            return Vec::new();
        }
        let body =
            Body { max_speed: self.agent("max_speed"), max_force: self.agent("max_force"), tick: self.number("/tick") };
        match self.workload.name {
            "seek" => vec![("", Box::new(Seek::new(agents, body)))],
            "mixed" => {
                // The default of the plugin, for a mass of one.
                let stopping_distance = body.max_speed * body.max_speed / (2.0 * body.max_force);
                let look_ahead = 2.0 * (stopping_distance + self.agent("radius"));
                let wanders = self.behaviors().any(|behavior| behavior.get(WANDER).is_some());
                let mixed = |how| Box::new(Mixed::new(agents, body, look_ahead, self.circles(), how, wanders));
                vec![("a raster of circles", mixed(Circles::Raster)), ("each circle in lanes", mixed(Circles::Each))]
            }
            "flock" => {
                let weights = ["separation", "alignment", "cohesion"]
                    .map(|part| self.agent(&format!("behaviors/0/flock/{part}/weight")));
                vec![("", Box::new(Flock::new(agents, body, self.number(FLOCK_RADIUS), weights, self.side())))]
            }
            "crossing" => {
                let radius = self.agent("radius");
                // The default of the plugin, for a mass of one.
                let time_horizon = 2.0 * body.max_speed / body.max_force + 8.0 * radius / body.max_speed;
                vec![("`dodgy_2d`", Box::new(Orca::new(agents, body, radius, time_horizon, 10.0)))]
            }
            _ => Vec::new(),
        }
    }

    /// Checks that the limits move agents as the plugin does: after a tick, all velocities must be equal up to rounding. Agents that
    /// wander do not wander in the check, because they draw different random numbers. ORCA is not checked, because it avoids others in
    /// another way.
    pub fn check(&self) -> Result<(), Box<dyn Error>> {
        if self.workload.name == "crossing" {
            return Ok(());
        }
        let scene = self.without_wander();
        let mut simulation = Simulation::new(&scene.scenario()?, Threads::Exactly(1));
        let limits = scene.limits(simulation.agents());
        simulation.step();
        let most = 1e-3 * self.agent("max_speed");
        for (name, mut limit) in limits {
            limit.tick(self.target());
            let off = |(agent, [_, _, x, y]): &(&AgentState, [f32; 4])| {
                (agent.velocity.x - x).abs().max((agent.velocity.y - y).abs()) > most
            };
            let differing = simulation.agents().iter().zip(limit.states()).filter(off).count();
            // If neighbors are almost balanced, rounding decides the direction.
            if differing > simulation.agents().len() / 1000 {
                let work = self.workload.name;
                return Err(format!("{work}: {differing} agents do not move as in the limit {name}").into());
            }
        }
        Ok(())
    }

    /// The behaviors of the agents in the first crowd.
    fn behaviors(&self) -> impl Iterator<Item = &Value> {
        self.file.pointer(BEHAVIORS).and_then(Value::as_array).into_iter().flatten()
    }

    fn without_wander(&self) -> Self {
        let mut file = self.file.clone();
        if let Some(behaviors) = file.pointer_mut(BEHAVIORS).and_then(Value::as_array_mut) {
            behaviors.retain(|behavior| behavior.get(WANDER).is_none());
        }
        Self { workload: self.workload, file }
    }

    /// The parameters for Yuka; `None` if Yuka has no such behavior.
    pub fn for_yuka(&self) -> Option<Value> {
        ["seek", "mixed", "flock", "follow_path"].contains(&self.workload.name).then(|| {
            json!({
                "side": self.side(),
                "tick": self.number("/tick"),
                "maxSpeed": self.agent("max_speed"),
                "maxForce": self.agent("max_force"),
                "speed": self.number("/crowds/0/speed"),
                "radius": self.file.pointer(FLOCK_RADIUS),
                "path": self.file.pointer("/crowds/0/agent/behaviors/0/follow_path/path"),
                "circles": if self.workload.name == "mixed" { json!(self.circles()) } else { Value::Null },
            })
        })
    }
}
