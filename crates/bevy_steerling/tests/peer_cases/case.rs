//! A case as it is in the file, and how it is laid into the plane or the space that agents live in.

use bevy::math::DVec3;
use bevy_steerling::math::Vector;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::dimension::DIMENSIONS;

/// One case: what goes in and what must come out.
#[derive(Clone, Deserialize)]
pub struct Case {
    pub id: String,
    pub behavior: String,
    pub name: String,
    pub input: Map<String, Value>,
    pub expect: Expect,
}

/// What must come out.
#[derive(Clone, Deserialize)]
pub struct Expect {
    /// What is compared: a force (`vec`), its length, a velocity, a rule (`property`), …
    pub kind: String,
    #[serde(default)]
    pub value: Value,
    #[serde(default)]
    tol: f64,
    /// For a `property`.
    pub rule: Option<String>,
    /// What is compared in a `nearest` place or a `state`.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

impl Expect {
    /// How far off a number may be: as far as the case says.
    pub fn tolerance(&self) -> f64 {
        self.tol
    }
}

/// Inputs that are places; the others are displacements, velocities, forces or headings.
const PLACES: [&str; 11] =
    ["a_pos", "b_pos", "leader_pos", "neighbours", "path", "points", "pos", "query", "target", "target_pos", "threat"];
const DIRECTIONS: [&str; 14] = [
    "a_vel",
    "acceleration",
    "b_vel",
    "force",
    "forces",
    "forward",
    "heading",
    "leader_heading",
    "leader_vel",
    "target_heading",
    "target_vel",
    "v",
    "vel",
    "threat_vel",
];

/// Where agents live in the space of a case: a plane through its agent, or all of it.
#[derive(Clone, Copy, Debug)]
struct Frame {
    axes: [DVec3; DIMENSIONS],
}

impl Frame {
    /// Cases are taken as they are.
    #[cfg(dim3)]
    fn of(_: &Case) -> Option<Self> {
        Some(Self { axes: DVec3::AXES })
    }

    /// The plane that all vectors of `case` lie in, taken from its agent, by the method of Gram and Schmidt;
    /// `None` when they fit into no plane.
    #[cfg(not(dim3))]
    fn of(case: &Case) -> Option<Self> {
        let mut vectors = Vec::new();
        case.input.iter().for_each(|(key, value)| collect(key, value, &mut vectors));
        match case.expect.kind.as_str() {
            "vec" | "velocity" => collect("vel", &case.expect.value, &mut vectors),
            "position" | "aim_point" => collect("pos", &case.expect.value, &mut vectors),
            _ => {}
        }

        let mut axes = Vec::new();
        let mut span = |direction: DVec3| {
            let rest = axes.iter().fold(direction, |rest, axis: &DVec3| rest - *axis * rest.dot(*axis));
            if rest.length() > 1e-9 * direction.length() {
                axes.push(rest.normalize());
            }
            axes.len()
        };
        if vectors.iter().all(|(_, value)| value.as_array().is_some_and(|numbers| numbers.len() == 2)) {
            span(DVec3::X);
            span(DVec3::Y);
        } else if case.input.contains_key("facing_deg") {
            // Angles count from here.
            span(DVec3::X);
        }
        let agent = ["pos", "query"].iter().find_map(|key| to_vector(case.input.get(*key)?)).unwrap_or_default();
        for (key, vector) in vectors.iter().filter_map(|(key, value)| Some((key, to_vector(value)?))) {
            span(if PLACES.contains(key) { vector - agent } else { vector });
        }
        // What is left free is chosen so that the plane is, or stands on, the ground of those who count in three dimensions.
        for axis in [DVec3::X, DVec3::Z, DVec3::Y] {
            if span(DVec3::ZERO) < 2 {
                span(axis);
            }
        }
        axes.try_into().ok().map(|axes| Self { axes })
    }

    fn flatten(&self, vector: DVec3) -> Vector {
        Vector::from_array(self.axes.map(|axis| axis.dot(vector) as f32))
    }

    fn lift(&self, vector: Vector) -> DVec3 {
        self.axes.iter().zip(vector.to_array()).map(|(axis, part)| *axis * f64::from(part)).sum()
    }
}

/// All vectors in an input, each with its name.
#[cfg(not(dim3))]
fn collect<'a>(key: &'a str, value: &'a Value, vectors: &mut Vec<(&'a str, &'a Value)>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(key, value)| collect(key, value, vectors)),
        Value::Array(_) if is_vector(key) && to_vector(value).is_some() => vectors.push((key, value)),
        Value::Array(items) => items.iter().for_each(|item| collect(key, item, vectors)),
        _ => {}
    }
}

fn is_vector(key: &str) -> bool {
    PLACES.contains(&key) || DIRECTIONS.contains(&key)
}

fn to_vector(value: &Value) -> Option<DVec3> {
    let numbers: Option<Vec<f64>> = value.as_array()?.iter().map(Value::as_f64).collect();
    match numbers?[..] {
        [x, y] => Some(DVec3::new(x, y, 0.0)),
        [x, y, z] => Some(DVec3::new(x, y, z)),
        _ => None,
    }
}

/// What a behavior's code reads of a case. All of it has to be read.
pub struct Input<'a> {
    pub case: &'a Case,
    frame: Frame,
    unread: Map<String, Value>,
}

impl<'a> Input<'a> {
    /// `None` when the case fits into no plane.
    pub fn of(case: &'a Case) -> Option<Self> {
        Some(Self { case, frame: Frame::of(case)?, unread: case.input.clone() })
    }

    pub fn take(&mut self, key: &str) -> Option<Value> {
        self.unread.remove(key)
    }

    pub fn number(&mut self, key: &str) -> Option<f32> {
        self.take(key).map(|value| to_number(&value))
    }

    /// A place or a direction.
    pub fn vector(&mut self, key: &str) -> Option<Vector> {
        assert!(is_vector(key), "`{key}` is not known as a vector");
        self.take(key).map(|value| self.flatten(&value))
    }

    /// A list; empty when it is left out.
    pub fn list(&mut self, key: &str) -> Vec<Value> {
        match self.take(key) {
            Some(Value::Array(items)) => items,
            None => Vec::new(),
            other => panic!("{}: `{key}` is not a list: {other:?}", self.case.id),
        }
    }

    /// For what makes no difference; say why.
    pub fn ignore(&mut self, key: &str) {
        self.take(key);
    }

    /// The names of what has not been read.
    pub fn unread(&self) -> Vec<&str> {
        self.unread.keys().map(String::as_str).collect()
    }

    pub fn flatten(&self, value: &Value) -> Vector {
        let vector = to_vector(value).unwrap_or_else(|| panic!("{}: not a vector: {value}", self.case.id));
        self.frame.flatten(vector)
    }

    /// A direction in the space of the case.
    pub fn lift(&self, vector: Vector) -> DVec3 {
        self.frame.lift(vector)
    }

    /// The vector that must come out.
    pub fn expected(&self) -> Vector {
        self.flatten(&self.case.expect.value)
    }

    /// The direction to the place that the agent must aim at.
    pub fn expected_way(&self) -> Vector {
        (self.expected() - self.flatten(&self.case.input["pos"])).normalize()
    }
}

pub fn to_number(value: &Value) -> f32 {
    value.as_f64().unwrap_or_else(|| panic!("not a number: {value}")) as f32
}
