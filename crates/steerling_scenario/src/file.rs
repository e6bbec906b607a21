//! The file as it is written: one type for each object in it. Nothing here knows how to steer.

mod obstacles;

use std::borrow::Cow;
use std::fmt;

use bevy::math::Vec2;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::{self, Deserializer, MapAccess, Visitor};

use crate::json::{Object, OneKey, UniqueMap, present, words};
use crate::number::{Count, CrowdSize, Finite, Fraction, Mass, NonNegative, Point, Seed, TickLength};

pub(crate) use obstacles::{AvoidObstacles, AvoidSteer, Detection, Obstacle, Shape};

/// A scene for `bevy_steerling`. Lengths are in any unit, as long as it is the same everywhere; times are in seconds.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Scenario")]
pub(crate) struct ScenarioFile {
    /// What the scene is called. Default: the file's name.
    #[serde(default, deserialize_with = "present")]
    pub name: Option<String>,
    /// The length of a tick, s. Default: 1/64.
    #[serde(default = "default_tick")]
    pub tick: TickLength,
    /// How many ticks to run. Default: 600.
    #[serde(default = "default_ticks")]
    pub ticks: Count,
    /// The seed of everything random. Default: 0.
    #[serde(default)]
    pub seed: Seed,
    /// The world's edges. Default: none.
    #[serde(default, deserialize_with = "present")]
    pub bounds: Option<Object<Bounds>>,
    /// Named points that jump: lists of `[time, x, y]`, by time; each holds until the next, the first also before its time.
    #[serde(default)]
    pub markers: UniqueMap<Vec<MarkerEntry>>,
    /// What stands in the way.
    #[serde(default)]
    pub obstacles: Vec<Object<Obstacle>>,
    /// The agents, in any order.
    #[serde(default)]
    pub agents: Vec<Object<Agent>>,
    /// Many agents of one kind, at random places.
    #[serde(default)]
    pub crowds: Vec<Object<Crowd>>,
    /// Where agents are put back to a start.
    #[serde(default)]
    pub respawns: Vec<Object<Respawn>>,
}

fn default_tick() -> TickLength {
    TickLength(1.0 / 64.0)
}

fn default_ticks() -> Count {
    Count(600.0)
}

/// A world with edges.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Bounds {
    /// The corner with the smaller coordinates.
    pub min: Point,
    /// The corner with the larger coordinates.
    pub max: Point,
    /// What happens there: `wrap` makes the world a torus. Default: `none`.
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
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(crate) struct MarkerEntry(pub Finite, pub Finite, pub Finite);

/// A rectangle along the axes, its rim included.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Area {
    /// The corner with the smaller coordinates.
    pub min: Point,
    /// The corner with the larger coordinates.
    pub max: Point,
}

/// Defines `Agent`, with a name and a place of its own, and `Kind`, what agents of a crowd share.
macro_rules! agent_and_kind {
    ($($(#[$attribute:meta])* $field:ident: $type:ty,)+) => {
        /// An agent.
        #[derive(Clone, Debug, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct Agent {
            /// Its name, of its own.
            pub id: String,
            /// Where it starts, units.
            pub position: Point,
            $($(#[$attribute])* pub $field: $type,)+
        }

        /// What the agents of a crowd have in common.
        #[derive(Clone, Debug, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct Kind {
            $($(#[$attribute])* pub $field: $type,)+
        }

        impl Agent {
            /// The agent's name, place, and everything else about it.
            pub fn into_parts(self) -> (String, Point, Kind) {
                (self.id, self.position, Kind { $($field: self.$field,)+ })
            }
        }
    };
}

agent_and_kind! {
    /// Its velocity at the start, units/s. Default: at rest.
    #[serde(default, deserialize_with = "present")]
    velocity: Option<Point>,
    /// Its mass. Default: 1.
    #[serde(default, deserialize_with = "present")]
    mass: Option<Mass>,
    /// Its speed limit, units/s. Default: 100.
    #[serde(default, deserialize_with = "present")]
    max_speed: Option<NonNegative>,
    /// The limit of its force, mass · units/s². Default: 300.
    #[serde(default, deserialize_with = "present")]
    max_force: Option<NonNegative>,
    /// The radius of its body, units. Default: 8.
    #[serde(default, deserialize_with = "present")]
    radius: Option<NonNegative>,
    /// How fast it answers a wish, s, at least one tick. Default: one tick.
    #[serde(default, deserialize_with = "present")]
    response_time: Option<NonNegative>,
    /// Where it is meant to get to. Only measured; it steers nothing.
    #[serde(default, deserialize_with = "present")]
    goal: Option<Object<Goal>>,
    /// What it does: each behavior at most once, in any order.
    #[serde(default)]
    behaviors: Vec<OneKey<Behavior>>,
}

impl Kind {
    /// The velocity that its agents start with, units/s.
    pub fn start_velocity(&self) -> Vec2 {
        self.velocity.map_or(Vec2::ZERO, vector)
    }
}

/// A point as the plugin has it.
pub(crate) fn vector(point: Point) -> Vec2 {
    Vec2::from(point.map(f32::from))
}

/// A disc that an agent is meant to get to.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Goal {
    /// Its center.
    pub position: Point,
    /// Its radius, units.
    pub radius: NonNegative,
}

/// Agents of one kind at seeded random places.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Crowd {
    /// Their ids are this and a number, from 0 on.
    pub prefix: String,
    /// How many there are.
    pub count: CrowdSize,
    /// Where they start.
    pub area: Object<Area>,
    /// No two of them start nearer to each other than this, units. Default: 0.
    #[serde(default, deserialize_with = "present")]
    pub spacing: Option<NonNegative>,
    /// Each starts at this speed in a seeded random direction, units/s. Default: as `agent` says.
    #[serde(default, deserialize_with = "present")]
    pub speed: Option<NonNegative>,
    /// What they are like: an agent without `id` and `position`.
    pub agent: Object<Kind>,
}

/// Puts agents that enter one area at a seeded random place in another. They keep their velocity.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Respawn {
    /// Agents that come in here
    pub inside: Object<Area>,
    /// are put here.
    pub to: Object<Area>,
}

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
    /// Roams about.
    Wander(Object<Wander>),
    /// Keeps away from others.
    Separation(Object<Separation>),
    /// Goes round obstacles.
    AvoidObstacles(Object<AvoidObstacles>),
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
    /// Farther away than this, the target does not matter, units. Default: it always does.
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
    /// Farther away than this, the target does not matter, units. Default: it always does.
    #[serde(default, deserialize_with = "present")]
    pub panic_distance: Option<NonNegative>,
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
    /// Factor on what it contributes. Default: 1.
    #[serde(default, deserialize_with = "present")]
    pub weight: Option<Finite>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Queue {
    /// How far ahead the place is that should be free, units. Default: a multiple of the own radius.
    #[serde(default, deserialize_with = "present")]
    pub look_ahead: Option<NonNegative>,
    /// Who is nearer to that place than this is in the way, who is nearer to the agent crowds it, units. Default: a
    /// multiple of the own radius.
    #[serde(default, deserialize_with = "present")]
    pub radius: Option<NonNegative>,
    /// What it does about them. Default: `"brake"`.
    #[serde(default, deserialize_with = "present")]
    pub style: Option<QueueStyle>,
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
    HardStop,
    Brake,
    BrakeAndHardStop,
    BrakeAndSeparate,
}

words!(Edge: "none" => Edge::None, "wrap" => Edge::Wrap, "bounce" => Edge::Bounce);
words!(Drive: "seek" => Drive::Seek, "displacement" => Drive::Displacement);
words!(QueueStyle: "hard_stop" => QueueStyle::HardStop, "brake" => QueueStyle::Brake,
    "brake_and_hard_stop" => QueueStyle::BrakeAndHardStop, "brake_and_separate" => QueueStyle::BrakeAndSeparate);

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
