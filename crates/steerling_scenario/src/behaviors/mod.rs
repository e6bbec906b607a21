//! The behaviors of scenario files. Each has a file with its fields and the plugin's components made from them, and an
//! entry in the list at the end of this file.

use bevy::ecs::world::EntityRef;
use bevy_steerling::prelude::{Arbitration, SteeringAgent};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::json::number::{Fraction, Priority};
use crate::json::strict::{Object, present};

pub(crate) mod alignment;
pub(crate) mod around;
pub(crate) mod arrive;
pub(crate) mod avoid_neighbors;
pub(crate) mod avoid_obstacles;
pub(crate) mod cohesion;
pub(crate) mod contain;
pub(crate) mod evade;
pub(crate) mod fields;
pub(crate) mod flee;
pub(crate) mod flock;
pub(crate) mod match_velocity;
pub(crate) mod prediction;
pub(crate) mod pursue;
pub(crate) mod queue;
pub(crate) mod seek;
pub(crate) mod separation;
pub(crate) mod target;
pub(crate) mod wander;

use fields::{BehaviorFields, ComponentSet};

/// Defines everything that depends on the list of behaviors. An entry is the JSON key, which is also the module, and
/// the type of the fields. `arbitrated` behaviors may have a priority and a probability.
macro_rules! behaviors {
    ($($(#[$doc:meta])* $key:ident::$Fields:ident $(: $arbitrated:ident)?,)+) => {
        /// The JSON keys of all behaviors, in the order of the schema.
        pub const BEHAVIOR_KEYS: &[&str] = &[$(stringify!($key)),+];

        /// A behavior, by its key.
        #[derive(Clone, Debug, Deserialize, JsonSchema)]
        #[serde(rename_all = "snake_case")]
        pub(crate) enum Behavior {
            $($(#[$doc])* $Fields(Object<$key::$Fields>),)+
        }

        impl Behavior {
            pub fn key(&self) -> &'static str {
                match self {
                    $(Self::$Fields(_) => stringify!($key),)+
                }
            }

            pub fn fields(&self) -> &dyn BehaviorFields {
                match self {
                    $(Self::$Fields(fields) => &fields.0,)+
                }
            }
        }

        /// The JSON key of the behavior that this component belongs to.
        pub(crate) fn key_of(component: &str) -> Option<&'static str> {
            let keys = [$(
                (stringify!($key), <$key::$Fields as BehaviorFields>::Components::contains as fn(&str) -> bool),
            )+];
            keys.into_iter().find(|(_, contains)| contains(component)).map(|(key, _)| key)
        }

        /// The largest perception radius among the behaviors of an agent that count neighbors, units. Zero without any.
        pub(crate) fn perception_radius(agent: EntityRef, body: &SteeringAgent) -> f32 {
            let mut largest = 0.0_f32;
            $(
                if <$key::$Fields>::counts_neighbors() {
                    largest = largest.max(<$key::$Fields as BehaviorFields>::Components::perception_radius(agent, body));
                }
            )+
            largest
        }

        arbitration_rules! { $($([$arbitrated] $key::$Fields)?)+ }
    };
}

/// Defines the arbitration rules by behavior.
macro_rules! arbitration_rules {
    ($([arbitrated] $key:ident::$Fields:ident)+) => {
        /// Priorities of behaviors.
        #[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct Priorities {
            $(#[serde(default, deserialize_with = "present")] $key: Option<Priority>,)+
        }

        /// Probabilities of behaviors.
        #[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct Probabilities {
            $(#[serde(default, deserialize_with = "present")] $key: Option<Fraction>,)+
        }

        /// Adds rules for the behaviors that have a priority or a probability.
        pub(crate) fn with_rules(
            mut arbitration: Arbitration,
            priorities: &Priorities,
            probabilities: &Probabilities,
        ) -> Arbitration {
            $(
                if let Some(priority) = priorities.$key {
                    arbitration =
                        <$key::$Fields as BehaviorFields>::Components::with_priority(arbitration, priority.into());
                }
                if let Some(probability) = probabilities.$key {
                    arbitration =
                        <$key::$Fields as BehaviorFields>::Components::with_probability(arbitration, probability.into());
                }
            )+
            arbitration
        }
    };
}

behaviors! {
    /// Runs to a target at full speed, and past it.
    seek::Seek: arbitrated,
    /// Runs away from a target at full speed.
    flee::Flee: arbitrated,
    /// Goes to a target and stops there.
    arrive::Arrive: arbitrated,
    /// Runs to where a moving target will be.
    pursue::Pursue: arbitrated,
    /// Runs away from where a moving target will be.
    evade::Evade: arbitrated,
    /// Moves at the velocity of a target.
    match_velocity::MatchVelocity: arbitrated,
    /// Roams at random.
    wander::Wander: arbitrated,
    /// Keeps away from others.
    separation::Separation: arbitrated,
    /// Moves at the velocity of others.
    alignment::Alignment: arbitrated,
    /// Stays close to others.
    cohesion::Cohesion: arbitrated,
    /// Separation, alignment and cohesion in one.
    flock::Flock: arbitrated,
    /// Stays inside a region.
    contain::Contain,
    /// Steers around obstacles.
    avoid_obstacles::AvoidObstacles: arbitrated,
    /// Passes others without touching them.
    avoid_neighbors::AvoidNeighbors,
    /// Brakes behind others instead of pushing past them.
    queue::Queue,
}
