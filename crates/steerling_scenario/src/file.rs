//! The file as it is written: one type for each object in it. Nothing here knows how to steer.

use std::fmt;

use serde::Deserialize;
use serde::de::{self, Deserializer, MapAccess, Visitor};

use crate::json::{Object, OneKey, UniqueMap, present, words};
use crate::number::{Count, Finite, Mass, NonNegative, Point, TickLength};

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScenarioFile {
    #[serde(default, deserialize_with = "present")]
    pub name: Option<String>,
    #[serde(default = "default_tick")]
    pub tick: TickLength,
    #[serde(default = "default_ticks")]
    pub ticks: Count,
    #[serde(default)]
    pub seed: u64,
    #[serde(default, deserialize_with = "present")]
    pub bounds: Option<Object<Bounds>>,
    #[serde(default)]
    pub markers: UniqueMap<Vec<MarkerEntry>>,
    #[serde(default)]
    pub agents: Vec<Object<Agent>>,
}

fn default_tick() -> TickLength {
    TickLength(1.0 / 64.0)
}

fn default_ticks() -> Count {
    Count(600.0)
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Bounds {
    pub min: Point,
    pub max: Point,
    #[serde(default)]
    pub edge: Edge,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Edge {
    #[default]
    None,
    Wrap,
    Bounce,
}

/// Time and place: `[seconds, x, y]`.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct MarkerEntry(pub Finite, pub Finite, pub Finite);

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Agent {
    pub id: String,
    pub position: Point,
    #[serde(default, deserialize_with = "present")]
    pub velocity: Option<Point>,
    #[serde(default, deserialize_with = "present")]
    pub mass: Option<Mass>,
    #[serde(default, deserialize_with = "present")]
    pub max_speed: Option<NonNegative>,
    #[serde(default, deserialize_with = "present")]
    pub max_force: Option<NonNegative>,
    #[serde(default, deserialize_with = "present")]
    pub radius: Option<NonNegative>,
    #[serde(default, deserialize_with = "present")]
    pub response_time: Option<NonNegative>,
    #[serde(default, deserialize_with = "present")]
    pub goal: Option<Object<Goal>>,
    #[serde(default)]
    pub behaviors: Vec<OneKey<Behavior>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Goal {
    pub position: Point,
    pub radius: NonNegative,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Behavior {
    Seek(Object<Seek>),
    Flee(Object<Flee>),
    Arrive(Object<Arrive>),
    Pursue(Object<Pursue>),
    Evade(Object<Evade>),
    Wander(Object<Wander>),
    Separation(Object<Separation>),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Target {
    Point(Point),
    Marker(String),
    Agent(String),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Seek {
    pub target: OneKey<Target>,
    #[serde(default, deserialize_with = "present")]
    pub weight: Option<Finite>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Flee {
    pub target: OneKey<Target>,
    #[serde(default, deserialize_with = "present")]
    pub panic_distance: Option<NonNegative>,
    #[serde(default, deserialize_with = "present")]
    pub weight: Option<Finite>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arrive {
    pub target: OneKey<Target>,
    #[serde(default, deserialize_with = "present")]
    pub slowing_radius: Option<SlowingRadius>,
    #[serde(default, deserialize_with = "present")]
    pub arrival_tolerance: Option<NonNegative>,
    #[serde(default, deserialize_with = "present")]
    pub weight: Option<Finite>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pursue {
    pub target: OneKey<Target>,
    #[serde(default, deserialize_with = "present")]
    pub prediction: Option<Prediction>,
    #[serde(default, deserialize_with = "present")]
    pub max_prediction: Option<NonNegative>,
    #[serde(default, deserialize_with = "present")]
    pub weight: Option<Finite>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Evade {
    pub target: OneKey<Target>,
    #[serde(default, deserialize_with = "present")]
    pub prediction: Option<Prediction>,
    #[serde(default, deserialize_with = "present")]
    pub max_prediction: Option<NonNegative>,
    #[serde(default, deserialize_with = "present")]
    pub panic_distance: Option<NonNegative>,
    #[serde(default, deserialize_with = "present")]
    pub weight: Option<Finite>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wander {
    #[serde(default, deserialize_with = "present")]
    pub distance: Option<NonNegative>,
    #[serde(default, deserialize_with = "present")]
    pub radius: Option<NonNegative>,
    #[serde(default, deserialize_with = "present")]
    pub angle_change: Option<NonNegative>,
    #[serde(default, deserialize_with = "present")]
    pub angle: Option<Finite>,
    #[serde(default, deserialize_with = "present")]
    pub drive: Option<Drive>,
    #[serde(default, deserialize_with = "present")]
    pub weight: Option<Finite>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Separation {
    #[serde(default, deserialize_with = "present")]
    pub radius: Option<NonNegative>,
    #[serde(default, deserialize_with = "present")]
    pub max_separation: Option<NonNegative>,
    #[serde(default, deserialize_with = "present")]
    pub weight: Option<Finite>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Prediction {
    Proportional,
    Intercept,
    Fixed(NonNegative),
}

impl<'de> Deserialize<'de> for Prediction {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct PredictionVisitor;

        impl<'de> Visitor<'de> for PredictionVisitor {
            type Value = Prediction;

            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("\"proportional\", \"intercept\" or {\"fixed\": seconds}")
            }

            fn visit_str<E: de::Error>(self, word: &str) -> Result<Prediction, E> {
                match word {
                    "proportional" => Ok(Prediction::Proportional),
                    "intercept" => Ok(Prediction::Intercept),
                    _ => Err(E::invalid_value(de::Unexpected::Str(word), &self)),
                }
            }

            fn visit_map<A: MapAccess<'de>>(self, access: A) -> Result<Prediction, A::Error> {
                #[derive(Deserialize)]
                #[serde(deny_unknown_fields)]
                struct Fixed {
                    fixed: NonNegative,
                }
                Fixed::deserialize(de::value::MapAccessDeserializer::new(access))
                    .map(|time| Prediction::Fixed(time.fixed))
            }
        }

        deserializer.deserialize_any(PredictionVisitor)
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Drive {
    Seek,
    Displacement,
}

words!(Edge: "none" => Edge::None, "wrap" => Edge::Wrap, "bounce" => Edge::Bounce);
words!(Drive: "seek" => Drive::Seek, "displacement" => Drive::Displacement);

#[derive(Clone, Copy, Debug)]
pub(crate) enum SlowingRadius {
    Auto,
    Linear(NonNegative),
}

impl<'de> Deserialize<'de> for SlowingRadius {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct SlowingRadiusVisitor;

        impl Visitor<'_> for SlowingRadiusVisitor {
            type Value = SlowingRadius;

            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("a number from 0 to 1e9, or \"auto\"")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<SlowingRadius, E> {
                match text {
                    "auto" => Ok(SlowingRadius::Auto),
                    _ => Err(E::invalid_value(de::Unexpected::Str(text), &self)),
                }
            }

            fn visit_f64<E: de::Error>(self, number: f64) -> Result<SlowingRadius, E> {
                NonNegative::deserialize(de::value::F64Deserializer::new(number)).map(SlowingRadius::Linear)
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<SlowingRadius, E> {
                self.visit_f64(number as f64)
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<SlowingRadius, E> {
                self.visit_f64(number as f64)
            }
        }

        deserializer.deserialize_any(SlowingRadiusVisitor)
    }
}

/// A scenario and the motion it must show.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExpectationFile {
    pub scenario: Object<ScenarioFile>,
    pub expected: Vec<Object<ExpectedTick>>,
    pub position_tolerance: NonNegative,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExpectedTick {
    pub tick: Count,
    pub agents: UniqueMap<Object<ExpectedAgent>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExpectedAgent {
    pub position: Point,
    pub velocity: Point,
}
