//! The fields of agents and crowds.

use bevy_steerling::math::Vector;
use bevy_steerling::prelude as plugin;
use bevy_steerling::prelude::GroupMask;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::behaviors::Behavior;
use crate::file::arbitration::Arbitration;
use crate::file::areas::Area;
use crate::file::impulse::Impulse;
use crate::file::planar::Limits;
use crate::file::sight::Sight;
use crate::json::number::{CrowdSize, Groups, Mass, NonNegative, Point, Rate, vector};
use crate::json::strict::{Object, OneKey, present};
use crate::mapping::value::{fields, is_default};

/// Defines `Agent`, which has an id and a position, and `Kind`, the fields that the agents of a crowd share.
macro_rules! agent_and_kind {
    ($($(#[$attribute:meta])* $field:ident: $type:ty,)+) => {
        /// An agent.
        #[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct Agent {
            /// Its unique id.
            pub id: String,
            /// Its position at the start, units.
            pub position: Point,
            $($(#[$attribute])* pub $field: $type,)+
        }

        /// The fields that the agents of a crowd share.
        #[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct Kind {
            $($(#[$attribute])* pub $field: $type,)+
        }

        impl Agent {
            /// An agent with this id, position and all other fields.
            pub fn from_parts(id: String, position: Point, kind: Kind) -> Self {
                Self { id, position, $($field: kind.$field,)+ }
            }

            /// The agent's id, position and all other fields.
            pub fn into_parts(self) -> (String, Point, Kind) {
                (self.id, self.position, Kind { $($field: self.$field,)+ })
            }
        }
    };
}

agent_and_kind! {
    /// Its velocity at the start, units/s. Default: at rest.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    velocity: Option<Point>,
    /// Its mass. Default: 1.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    mass: Option<Mass>,
    /// Its speed limit, units/s. Default: 100.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    max_speed: Option<NonNegative>,
    /// The limit of its steering force, mass · units/s². Default: 300.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    max_force: Option<NonNegative>,
    /// The radius of its body, units. Default: 8.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    radius: Option<NonNegative>,
    /// The time in which it adopts a desired velocity, s, at least one tick. Default: one tick.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    response_time: Option<NonNegative>,
    /// The groups that it belongs to, one bit each. Default: 1.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    groups: Option<Groups>,
    /// Whether its body is solid: it cannot enter other solid bodies or obstacles. Default: no.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("default" = false))]
    solid: bool,
    /// Limits on how its body turns, accelerates and brakes. Default: only max force limits it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    limits: Option<Object<Limits>>,
    /// A knockback at the start. Default: none.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    impulse: Option<Object<Impulse>>,
    /// Its sight. Default: it knows where its targets are without seeing them.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    sight: Option<Object<Sight>>,
    /// Whether its events (arrivals, catches and so on) are counted. It does not affect steering. Default: no.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("default" = false))]
    events: bool,
    /// The goal that it should reach. It is measured and does not affect steering. Short for `goals` with one goal.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    goal: Option<Object<Goal>>,
    /// The goals that it should reach, one after the other.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    goals: Option<Vec<Object<Goal>>>,
    /// How the contributions of its behaviors are combined. Default: they are summed.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    arbitration: Option<Object<Arbitration>>,
    /// It thinks in every n-th tick. Default: 1.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    rate: Option<Rate>,
    /// Its behaviors, each at most once, in any order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    behaviors: Vec<OneKey<Behavior>>,
}

fields!(
    Kind => plugin::SteeringAgent { ; mass, max_speed, max_force, radius, response_time },
    Default::default,
    ..Self::default()
);

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
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Goal {
    /// Its center.
    pub position: Point,
    /// Its radius, units.
    pub radius: NonNegative,
    /// Whether an agent that reaches it is removed at the end of that tick. Only the last goal may. Default: no.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("default" = false))]
    pub remove: bool,
}

/// Agents of one kind at random places, which depend on the seed.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Crowd {
    /// Their ids are this prefix and a number, counting from 0.
    pub prefix: String,
    /// The number of agents.
    pub count: CrowdSize,
    /// The area that they start in.
    pub area: Object<Area>,
    /// The smallest distance between any two of them at the start, units. Default: 0.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub spacing: Option<NonNegative>,
    /// The speed at the start, in a random direction that depends on the seed, units/s. Default: the velocity in
    /// `agent`.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub speed: Option<NonNegative>,
    /// Their other fields: an agent without `id` and `position`.
    pub agent: Object<Kind>,
}
