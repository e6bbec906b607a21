//! The file as it is written: one type for each object in it. Nothing here knows how to steer.

mod arbitration;
mod behaviors;
mod body;
mod obstacles;

use bevy::math::Vec2;
use bevy_steerling::math::space::SteeringBounds;
use bevy_steerling::prelude::SteeringGroups;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::json::{Object, OneKey, UniqueMap, present, words};
use crate::number::{Count, CrowdSize, Finite, Groups, Length, Mass, NonNegative, Point, Seed, TickLength};

pub(crate) use arbitration::Arbitration;
pub(crate) use behaviors::{Behavior, Drive, FlockPart, Prediction, QueueStyle, Separation, SlowingRadius, Target};
pub(crate) use body::{Knockback, Limits};
pub(crate) use obstacles::{AvoidSteer, Circle, Detection, Obstacle, Polygon, Rectangle, Region, Shape};

/// A scene for `bevy_steerling`. Lengths are in any unit, as long as it is the same everywhere; times are in seconds.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Scenario")]
pub(crate) struct ScenarioFile {
    /// What the scene is called. Default: the file's name.
    #[serde(default, deserialize_with = "present")]
    pub name: Option<String>,
    /// What one sees, in a sentence. Default: nothing.
    #[serde(default, deserialize_with = "present")]
    pub about: Option<String>,
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
    /// Where it is measured who gets through.
    #[serde(default)]
    pub gates: Vec<Object<Gate>>,
    /// How and when it is measured how much of a flock the agents are. Default: it is not.
    #[serde(default, deserialize_with = "present")]
    pub flock_measures: Option<Object<FlockMeasures>>,
}

impl ScenarioFile {
    /// The bounds as the plugin has them.
    pub fn steering_bounds(&self) -> SteeringBounds {
        self.bounds.as_ref().map_or_else(SteeringBounds::default, |bounds| SteeringBounds {
            min: vector(bounds.min),
            max: vector(bounds.max),
            edge: match bounds.edge {
                Edge::None => bevy_steerling::math::space::Edge::None,
                Edge::Wrap => bevy_steerling::math::space::Edge::Wrap,
                Edge::Bounce => bevy_steerling::math::space::Edge::Bounce,
            },
        })
    }
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

words!(Edge: "none" => Edge::None, "wrap" => Edge::Wrap, "bounce" => Edge::Bounce);

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
    /// The groups that it belongs to, a bit for each. Default: 1.
    #[serde(default, deserialize_with = "present")]
    groups: Option<Groups>,
    /// Whether its body is solid: it cannot enter others that are, nor obstacles. Default: no.
    #[serde(default)]
    solid: bool,
    /// How fast its body turns, speeds up and brakes. Default: as its force makes it.
    #[serde(default, deserialize_with = "present")]
    limits: Option<Object<Limits>>,
    /// What knocks it back at the start. Default: nothing.
    #[serde(default, deserialize_with = "present")]
    impulse: Option<Object<Knockback>>,
    /// Whether it is counted what happens to it: arrivals, catches and so on. It steers nothing. Default: no.
    #[serde(default)]
    events: bool,
    /// Where it is meant to get to. Only measured; it steers nothing.
    #[serde(default, deserialize_with = "present")]
    goal: Option<Object<Goal>>,
    /// How the contributions of its behaviors combine. Default: they are added up.
    #[serde(default, deserialize_with = "present")]
    arbitration: Option<Object<Arbitration>>,
    /// What it does: each behavior at most once, in any order.
    #[serde(default)]
    behaviors: Vec<OneKey<Behavior>>,
}

impl Kind {
    /// The velocity that its agents start with, units/s.
    pub fn start_velocity(&self) -> Vec2 {
        self.velocity.map_or(Vec2::ZERO, vector)
    }

    /// The groups that its agents belong to.
    pub fn groups(&self) -> u32 {
        self.groups.map_or(SteeringGroups::default().0, u32::from)
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

/// A line that agents are meant to cross. It steers nothing: who crosses it is counted, and may be removed.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Gate {
    /// Its name, of its own.
    pub id: String,
    /// One end.
    pub start: Point,
    /// The other end.
    pub end: Point,
    /// Whether agents that cross it are removed at the end of that tick. Default: no.
    #[serde(default)]
    pub remove: bool,
}

/// Which agents are measured as a flock, and how. It steers nothing.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FlockMeasures {
    /// Agents whose centers are at most this far apart are linked, units.
    pub link_radius: Length,
    /// From when on, s. Default: from the end of the first tick on.
    #[serde(default, deserialize_with = "present")]
    pub from: Option<NonNegative>,
    /// Until when, s. Default: to the end.
    #[serde(default, deserialize_with = "present")]
    pub to: Option<NonNegative>,
    /// Only agents in one of these groups, a bit for each. Default: all.
    #[serde(default, deserialize_with = "present")]
    pub groups: Option<Groups>,
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
