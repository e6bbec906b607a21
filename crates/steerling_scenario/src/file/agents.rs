//! The fields of agents and crowds.

use bevy_steerling::math::Vector;
use bevy_steerling::prelude::GroupMask;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::behaviors::Behavior;
use crate::file::arbitration::Arbitration;
use crate::file::areas::Area;
use crate::file::impulse::Impulse;
use crate::file::planar::Limits;
use crate::file::sight::Sight;
use crate::json::number::{CrowdSize, Groups, Mass, NonNegative, Point, Rate, vector};
use crate::json::strict::{Object, OneKey, present};

/// Defines `Agent`, which has an id and a position, and `Kind`, the fields that the agents of a crowd share.
macro_rules! agent_and_kind {
    ($($(#[$attribute:meta])* $field:ident: $type:ty,)+) => {
        /// An agent.
        #[derive(Clone, Debug, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct Agent {
            /// Its unique id.
            pub id: String,
            /// Its position at the start, units.
            pub position: Point,
            $($(#[$attribute])* pub $field: $type,)+
        }

        /// The fields that the agents of a crowd share.
        #[derive(Clone, Debug, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct Kind {
            $($(#[$attribute])* pub $field: $type,)+
        }

        impl Agent {
            /// The agent's id, position and all other fields.
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
    /// The limit of its steering force, mass · units/s². Default: 300.
    #[serde(default, deserialize_with = "present")]
    max_force: Option<NonNegative>,
    /// The radius of its body, units. Default: 8.
    #[serde(default, deserialize_with = "present")]
    radius: Option<NonNegative>,
    /// The time in which it adopts a desired velocity, s, at least one tick. Default: one tick.
    #[serde(default, deserialize_with = "present")]
    response_time: Option<NonNegative>,
    /// The groups that it belongs to, one bit each. Default: 1.
    #[serde(default, deserialize_with = "present")]
    groups: Option<Groups>,
    /// Whether its body is solid: it cannot enter other solid bodies or obstacles. Default: no.
    #[serde(default)]
    solid: bool,
    /// Limits on how its body turns, accelerates and brakes. Default: only max force limits it.
    #[serde(default, deserialize_with = "present")]
    limits: Option<Object<Limits>>,
    /// A knockback at the start. Default: none.
    #[serde(default, deserialize_with = "present")]
    impulse: Option<Object<Impulse>>,
    /// Its sight. Default: it knows where its targets are without seeing them.
    #[serde(default, deserialize_with = "present")]
    sight: Option<Object<Sight>>,
    /// Whether its events (arrivals, catches and so on) are counted. It does not affect steering. Default: no.
    #[serde(default)]
    events: bool,
    /// The goal that it should reach. It is measured and does not affect steering. Short for `goals` with one goal.
    #[serde(default, deserialize_with = "present")]
    goal: Option<Object<Goal>>,
    /// The goals that it should reach, one after the other.
    #[serde(default, deserialize_with = "present")]
    goals: Option<Vec<Object<Goal>>>,
    /// How the contributions of its behaviors are combined. Default: they are summed.
    #[serde(default, deserialize_with = "present")]
    arbitration: Option<Object<Arbitration>>,
    /// It thinks in every n-th tick. Default: 1.
    #[serde(default, deserialize_with = "present")]
    rate: Option<Rate>,
    /// Its behaviors, each at most once, in any order.
    #[serde(default)]
    behaviors: Vec<OneKey<Behavior>>,
}

impl Kind {
    /// The velocity of its agents at the start, units/s.
    pub fn start_velocity(&self) -> Vector {
        self.velocity.map_or(Vector::ZERO, vector)
    }

    /// The goals that its agents should reach, in this order.
    pub fn goals_in_order(&self) -> &[Object<Goal>] {
        self.goals.as_deref().unwrap_or(self.goal.as_slice())
    }

    /// The groups that its agents belong to.
    pub fn groups(&self) -> GroupMask {
        self.groups.map_or(GroupMask::DEFAULT, GroupMask::from)
    }
}

/// A disc that an agent should reach.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Goal {
    /// Its center.
    pub position: Point,
    /// Its radius, units.
    pub radius: NonNegative,
    /// Whether an agent that reaches it is removed at the end of that tick. Only the last goal may. Default: no.
    #[serde(default)]
    pub remove: bool,
}

/// Agents of one kind at random places, which depend on the seed.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Crowd {
    /// Their ids are this prefix and a number, counting from 0.
    pub prefix: String,
    /// The number of agents.
    pub count: CrowdSize,
    /// The area that they start in.
    pub area: Object<Area>,
    /// The smallest distance between any two of them at the start, units. Default: 0.
    #[serde(default, deserialize_with = "present")]
    pub spacing: Option<NonNegative>,
    /// The speed at the start, in a random direction that depends on the seed, units/s. Default: the velocity in
    /// `agent`.
    #[serde(default, deserialize_with = "present")]
    pub speed: Option<NonNegative>,
    /// Their other fields: an agent without `id` and `position`.
    pub agent: Object<Kind>,
}
