//! The file as it is written: one type for each object in it. Nothing here knows how to steer.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{self, Deserializer, MapAccess, Visitor};

use crate::number::{Count, Finite, NonNegative, Point, Positive, TickLength};

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScenarioFile {
    pub name: Option<String>,
    #[serde(default = "default_tick")]
    pub tick: TickLength,
    #[serde(default = "default_ticks")]
    pub ticks: Count,
    #[serde(default)]
    pub seed: u64,
    pub bounds: Option<Bounds>,
    #[serde(default)]
    pub markers: UniqueMap<Vec<MarkerEntry>>,
    #[serde(default)]
    pub agents: Vec<Agent>,
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

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
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
    pub velocity: Option<Point>,
    pub mass: Option<Positive>,
    pub max_speed: Option<NonNegative>,
    pub max_force: Option<NonNegative>,
    pub radius: Option<NonNegative>,
    pub response_time: Option<NonNegative>,
    pub goal: Option<Goal>,
    #[serde(default)]
    pub behaviors: Vec<Behavior>,
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
    Seek(Seek),
    Flee(Flee),
    Arrive(Arrive),
    Pursue(Pursue),
    Evade(Evade),
    Wander(Wander),
    Separation(Separation),
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
    pub target: Target,
    pub weight: Option<Finite>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Flee {
    pub target: Target,
    pub panic_distance: Option<NonNegative>,
    pub weight: Option<Finite>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arrive {
    pub target: Target,
    pub slowing_radius: Option<SlowingRadius>,
    pub arrival_tolerance: Option<NonNegative>,
    pub weight: Option<Finite>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pursue {
    pub target: Target,
    pub prediction: Option<Prediction>,
    pub max_prediction: Option<NonNegative>,
    pub weight: Option<Finite>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Evade {
    pub target: Target,
    pub prediction: Option<Prediction>,
    pub max_prediction: Option<NonNegative>,
    pub panic_distance: Option<NonNegative>,
    pub weight: Option<Finite>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wander {
    pub distance: Option<NonNegative>,
    pub radius: Option<NonNegative>,
    pub angle_change: Option<NonNegative>,
    pub angle: Option<Finite>,
    pub drive: Option<Drive>,
    pub weight: Option<Finite>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Separation {
    pub radius: Option<NonNegative>,
    pub max_separation: Option<NonNegative>,
    pub weight: Option<Finite>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Prediction {
    Proportional,
    Intercept,
    Fixed(NonNegative),
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Drive {
    Seek,
    Displacement,
}

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

/// A map that refuses a name that occurs twice, where serde's own keeps the last one.
#[derive(Clone, Debug)]
pub(crate) struct UniqueMap<T>(pub BTreeMap<String, T>);

impl<T> Default for UniqueMap<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for UniqueMap<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct UniqueMapVisitor<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for UniqueMapVisitor<T> {
            type Value = UniqueMap<T>;

            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("an object, each name in it once")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
                let mut map = BTreeMap::new();
                while let Some(name) = access.next_key::<String>()? {
                    if map.contains_key(&name) {
                        return Err(de::Error::custom(format_args!("duplicate name `{name}`")));
                    }
                    let value = access.next_value()?;
                    map.insert(name, value);
                }
                Ok(UniqueMap(map))
            }
        }

        deserializer.deserialize_map(UniqueMapVisitor(PhantomData))
    }
}

/// A scenario and the motion it must show.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExpectationFile {
    pub scenario: ScenarioFile,
    pub expected: Vec<ExpectedTick>,
    pub position_tolerance: NonNegative,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExpectedTick {
    pub tick: Count,
    pub agents: UniqueMap<ExpectedAgent>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExpectedAgent {
    pub position: Point,
    pub velocity: Point,
}
