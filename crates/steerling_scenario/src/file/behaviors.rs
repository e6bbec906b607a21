//! Behaviors and their fields.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::{self, Deserializer, MapAccess, Visitor};

use super::obstacles::{AvoidObstacles, Contain};
use crate::json::{Object, OneKey, present, words};
use crate::number::{Count, Finite, Fraction, Groups, NonNegative, Point};

/// A behavior by its name.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Behavior {
    /// Runs to a target at full speed, and past it.
    Seek(Object<Seek>),
    /// Runs away from a target at full speed.
    Flee(Object<Flee>),
    /// Goes to a target and stops there.
    Arrive(Object<Arrive>),
    /// Runs to where a moving target will be.
    Pursue(Object<Pursue>),
    /// Runs away from where a moving target will be.
    Evade(Object<Evade>),
    /// Moves as a target does.
    MatchVelocity(Object<MatchVelocity>),
    /// Roams about.
    Wander(Object<Wander>),
    /// Keeps away from others.
    Separation(Object<Separation>),
    /// Moves as others do.
    Alignment(Object<Around>),
    /// Stays with others.
    Cohesion(Object<Around>),
    /// Separation, alignment and cohesion in one.
    Flock(Object<Flock>),
    /// Stays inside a region.
    Contain(Object<Contain>),
    /// Goes round obstacles.
    AvoidObstacles(Object<AvoidObstacles>),
    /// Goes past others without touching them.
    AvoidNeighbors(Object<AvoidNeighbors>),
    /// Brakes behind others instead of pushing in.
    Queue(Object<Queue>),
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Target {
    /// This place.
    Point(Point),
    /// The marker of this name.
    Marker(String),
    /// The agent with this id, another one.
    Agent(String),
    /// Other agents that belong to one of these groups, a bit for each: the nearest, and where it is fled from all of them.
    Group(Groups),
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Seek {
    /// What it is about.
    pub target: OneKey<Target>,
    /// Factor on what it contributes. Default: 1.
    #[serde(default, deserialize_with = "present")]
    pub weight: Option<Finite>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Flee {
    /// What it is about.
    pub target: OneKey<Target>,
    /// Farther away than this, the target does not matter, units. Default: it always does; of a group, members within the way of a
    /// second at max speed.
    #[serde(default, deserialize_with = "present")]
    pub panic_distance: Option<NonNegative>,
    /// Factor on what it contributes. Default: 1.
    #[serde(default, deserialize_with = "present")]
    pub weight: Option<Finite>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arrive {
    /// What it is about.
    pub target: OneKey<Target>,
    /// Slows down linearly within this distance, units, or as late as possible: `"auto"`, the default.
    #[serde(default, deserialize_with = "present")]
    pub slowing_radius: Option<SlowingRadius>,
    /// Near enough, units. Default: 0.
    #[serde(default, deserialize_with = "present")]
    pub arrival_tolerance: Option<NonNegative>,
    /// Factor on what it contributes. Default: 1.
    #[serde(default, deserialize_with = "present")]
    pub weight: Option<Finite>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pursue {
    /// What it is about.
    pub target: OneKey<Target>,
    /// How far ahead to look. Default: `"intercept"`.
    #[serde(default, deserialize_with = "present")]
    pub prediction: Option<Prediction>,
    /// Look no farther ahead than this, s. Default: no limit.
    #[serde(default, deserialize_with = "present")]
    pub max_prediction: Option<NonNegative>,
    /// Factor on what it contributes. Default: 1.
    #[serde(default, deserialize_with = "present")]
    pub weight: Option<Finite>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Evade {
    /// What it is about.
    pub target: OneKey<Target>,
    /// How far ahead to look. Default: `"intercept"`.
    #[serde(default, deserialize_with = "present")]
    pub prediction: Option<Prediction>,
    /// Look no farther ahead than this, s. Default: no limit.
    #[serde(default, deserialize_with = "present")]
    pub max_prediction: Option<NonNegative>,
    /// Farther away than this, the target does not matter, units. Default: it always does; of a group, members within the way of a
    /// second at max speed.
    #[serde(default, deserialize_with = "present")]
    pub panic_distance: Option<NonNegative>,
    /// Factor on what it contributes. Default: 1.
    #[serde(default, deserialize_with = "present")]
    pub weight: Option<Finite>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MatchVelocity {
    /// What it is about.
    pub target: OneKey<Target>,
    /// Factor on what it contributes. Default: 1.
    #[serde(default, deserialize_with = "present")]
    pub weight: Option<Finite>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wander {
    /// Distance of the wander circle's center, units. Default: half a second of max speed.
    #[serde(default, deserialize_with = "present")]
    pub distance: Option<NonNegative>,
    /// Radius of the wander circle, units. Default: a quarter of a second of max speed.
    #[serde(default, deserialize_with = "present")]
    pub radius: Option<NonNegative>,
    /// How far the point strays along the circle, rad/√s. Default: 4.
    #[serde(default, deserialize_with = "present")]
    pub angle_change: Option<NonNegative>,
    /// Where on the circle it starts, rad. Default: at random.
    #[serde(default, deserialize_with = "present")]
    pub angle: Option<Finite>,
    /// How the point becomes a force. Default: `"seek"`.
    #[serde(default, deserialize_with = "present")]
    pub drive: Option<Drive>,
    /// Factor on what it contributes. Default: 1.
    #[serde(default, deserialize_with = "present")]
    pub weight: Option<Finite>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Separation {
    /// Who is nearer than this is kept away from, units. Default: a multiple of the own radius.
    #[serde(default, deserialize_with = "present")]
    pub radius: Option<NonNegative>,
    /// Length of the force. Default: max force.
    #[serde(default, deserialize_with = "present")]
    pub max_separation: Option<NonNegative>,
    /// Who is within this angle counts, radians: half of it to each side of the way the agent moves. Default: all round.
    #[serde(default, deserialize_with = "present")]
    pub field_of_view: Option<NonNegative>,
    /// Who is in any of these groups counts, a bit for each. Default: all.
    #[serde(default, deserialize_with = "present")]
    pub groups: Option<Groups>,
    /// So many count at most, the nearest. Default: 64.
    #[serde(default, deserialize_with = "present")]
    pub max_neighbors: Option<Count>,
    /// Factor on what it contributes. Default: 1.
    #[serde(default, deserialize_with = "present")]
    pub weight: Option<Finite>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Around {
    /// Who is nearer than this counts, units. Default: a multiple of the own radius.
    #[serde(default, deserialize_with = "present")]
    pub radius: Option<NonNegative>,
    /// Who is within this angle counts, radians: half of it to each side of the way the agent moves. Default: all round.
    #[serde(default, deserialize_with = "present")]
    pub field_of_view: Option<NonNegative>,
    /// Who is in any of these groups counts, a bit for each. Default: all.
    #[serde(default, deserialize_with = "present")]
    pub groups: Option<Groups>,
    /// So many count at most, the nearest. Default: 64.
    #[serde(default, deserialize_with = "present")]
    pub max_neighbors: Option<Count>,
    /// Factor on what it contributes. Default: 1.
    #[serde(default, deserialize_with = "present")]
    pub weight: Option<Finite>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Flock {
    /// Away from those near.
    #[serde(default)]
    pub separation: Object<FlockPart>,
    /// The way the others move.
    #[serde(default)]
    pub alignment: Object<FlockPart>,
    /// To the middle of the others.
    #[serde(default)]
    pub cohesion: Object<FlockPart>,
    /// Who is in any of these groups counts, a bit for each. Default: all.
    #[serde(default, deserialize_with = "present")]
    pub groups: Option<Groups>,
    /// So many count at most, the nearest. Default: 64.
    #[serde(default, deserialize_with = "present")]
    pub max_neighbors: Option<Count>,
    /// Factor on what it contributes. Default: 1.
    #[serde(default, deserialize_with = "present")]
    pub weight: Option<Finite>,
}

/// A part of `flock`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FlockPart {
    /// Who is nearer than this counts, units. Default: a multiple of the own radius.
    #[serde(default, deserialize_with = "present")]
    pub radius: Option<NonNegative>,
    /// Who is within this angle counts, radians: half of it to each side of the way the agent moves. Default: all round.
    #[serde(default, deserialize_with = "present")]
    pub field_of_view: Option<NonNegative>,
    /// How strong it is, mass · units/s². Default: a share of max force.
    #[serde(default, deserialize_with = "present")]
    pub weight: Option<Finite>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Queue {
    /// What it does about others. Default: `"keep_place"`.
    #[serde(default, deserialize_with = "present")]
    pub style: Option<QueueStyle>,
    /// How long it takes, at the present speed, to where the way of someone before it begins, s. Default: 0.25.
    #[serde(default, deserialize_with = "present")]
    pub time_gap: Option<NonNegative>,
    /// How far ahead the place is that should be free, units. Default: a multiple of the own radius.
    #[serde(default, deserialize_with = "present")]
    pub look_ahead: Option<NonNegative>,
    /// Who is nearer to that place than this is in the way, who is nearer to the agent crowds it, units. Default: a
    /// multiple of the own radius.
    #[serde(default, deserialize_with = "present")]
    pub radius: Option<NonNegative>,
    /// The share of the other behaviors' force that braking takes back. Default: 0.8.
    #[serde(default, deserialize_with = "present")]
    pub brake: Option<NonNegative>,
    /// The share of its velocity that a hard stop leaves it with each tick. Default: 0.3.
    #[serde(default, deserialize_with = "present")]
    pub hard_stop: Option<Fraction>,
    /// How it keeps apart while it brakes in style `"brake_and_separate"`. Default: as `separation` does.
    #[serde(default, deserialize_with = "present")]
    pub separation: Option<Object<Separation>>,
    /// Factor on what it contributes. Default: 1.
    #[serde(default, deserialize_with = "present")]
    pub weight: Option<Finite>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AvoidNeighbors {
    /// How far ahead in time others matter, s. Default: twice the time in which it can stop, and the time in which it goes eight of
    /// its radii.
    #[serde(default, deserialize_with = "present")]
    pub look_ahead: Option<NonNegative>,
    /// Factor on what it contributes. Default: 1.
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

impl JsonSchema for Prediction {
    fn schema_name() -> Cow<'static, str> {
        "Prediction".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({"oneOf": [
            {"enum": ["proportional", "intercept"]},
            {
                "type": "object",
                "properties": {"fixed": generator.subschema_for::<NonNegative>()},
                "required": ["fixed"],
                "additionalProperties": false,
            },
        ]})
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Drive {
    Seek,
    Displacement,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum QueueStyle {
    KeepPlace,
    HardStop,
    Brake,
    BrakeAndHardStop,
    BrakeAndSeparate,
}

words!(Drive: "seek" => Drive::Seek, "displacement" => Drive::Displacement);
words!(QueueStyle: "keep_place" => QueueStyle::KeepPlace, "hard_stop" => QueueStyle::HardStop,
    "brake" => QueueStyle::Brake, "brake_and_hard_stop" => QueueStyle::BrakeAndHardStop,
    "brake_and_separate" => QueueStyle::BrakeAndSeparate);

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

impl JsonSchema for SlowingRadius {
    fn schema_name() -> Cow<'static, str> {
        "SlowingRadius".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({"oneOf": [{"const": "auto"}, generator.subschema_for::<NonNegative>()]})
    }
}
