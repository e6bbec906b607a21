//! The behaviors of scenario files. Each has a file with its fields and the plugin's components made from them, and an
//! entry in the list at the end of this file.

use bevy::ecs::world::EntityRef;
use bevy_steerling::engine::arbitration::BehaviorRule;
use bevy_steerling::prelude::{BehaviorName, SteeringAgent};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::json::number::{Fraction, Priority};
use crate::json::strict::{Object, OneKey, present};
use crate::mapping::place::Place;
use crate::mapping::value::Value;

pub(crate) mod alignment;
pub(crate) mod around;
pub(crate) mod arrive;
pub(crate) mod avoid_neighbors;
pub(crate) mod avoid_obstacles;
pub(crate) mod cohesion;
pub(crate) mod contain;
pub(crate) mod evade;
pub(crate) mod face;
pub(crate) mod fields;
pub(crate) mod flee;
pub(crate) mod flock;
pub(crate) mod follow_field;
pub(crate) mod follow_leader;
pub(crate) mod follow_path;
#[cfg(not(dim3))]
pub(crate) mod follow_wall;
pub(crate) mod hide;
pub(crate) mod hold;
pub(crate) mod interpose;
pub(crate) mod match_velocity;
pub(crate) mod offset_pursuit;
pub(crate) mod orbit;
pub(crate) mod prediction;
pub(crate) mod pursue;
#[cfg(not(dim3))]
pub(crate) mod queue;
pub(crate) mod seek;
pub(crate) mod separation;
pub(crate) mod target;
pub(crate) mod wander;

use fields::{BehaviorFields, ComponentSet};

/// Stands in for the modules of behaviors that exist only in two dimensions: their keys are refused in three.
#[cfg(dim3)]
macro_rules! only_in_plane {
    ($($key:ident::$Fields:ident,)+) => {
        $(
            mod $key {
                pub(crate) use crate::json::planar::OnlyInPlane as $Fields;
            }
        )+
    };
}

// A behavior that leaves this list gets its module above in both dimensions.
#[cfg(dim3)]
only_in_plane! {
    follow_wall::FollowWall,
    queue::Queue,
}

/// Defines everything that depends on the list of behaviors. An entry is the JSON key, which is also the module, and
/// the type of the fields. `arbitrated` behaviors may have a priority and a probability, with an attribute only where it applies.
macro_rules! behaviors {
    ($($(#[$doc:meta])* $key:ident::$Fields:ident $(: $arbitrated:ident $(#[$where:meta])?)?,)+) => {
        /// The JSON keys of all behaviors, in the order of the schema. In three dimensions, some of them are refused.
        pub const BEHAVIOR_KEYS: &[&str] = &[$(stringify!($key)),+];

        /// A behavior, by its key.
        #[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
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
        pub(crate) fn key_of(component: &BehaviorName) -> Option<&'static str> {
            $(
                if <$key::$Fields as BehaviorFields>::Components::names().contains(component) {
                    return Some(stringify!($key));
                }
            )+
            None
        }

        /// The largest perception radius among the behaviors of an agent that count neighbors, units. Zero without any.
        pub(crate) fn perception_radius(agent: EntityRef, body: &SteeringAgent) -> f32 {
            [$(<$key::$Fields as BehaviorFields>::perception_radius(agent, body)),+].into_iter().fold(0.0, f32::max)
        }

        /// Returns the behaviors of an agent in the order of the list, and notes what a file cannot express.
        pub(crate) fn behaviors_of(agent: EntityRef, place: &Place) -> Vec<OneKey<Behavior>> {
            let mut behaviors = Vec::new();
            $(
                let here = place.field(stringify!($key));
                let fields = <$key::$Fields as BehaviorFields>::read(agent, &here);
                let fields = fields.and_then(|fields| checked(fields, &here));
                behaviors.extend(fields.map(|fields| OneKey(Behavior::$Fields(Object(fields)))));
            )+
            behaviors
        }

        arbitration_rules! { $($([$arbitrated] $(#[$where])? $key::$Fields)?)+ }
    };
}

/// Defines the arbitration rules by behavior.
macro_rules! arbitration_rules {
    ($([arbitrated] $(#[$where:meta])? $key:ident::$Fields:ident)+) => {
        /// Priorities of behaviors.
        #[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct Priorities {
            $(
                $(#[$where])?
                #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
                $key: Option<Priority>,
            )+
        }

        /// Probabilities of behaviors.
        #[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct Probabilities {
            $(
                $(#[$where])?
                #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
                $key: Option<Fraction>,
            )+
        }

        /// The rules for the behaviors that have a priority or a probability.
        pub(crate) fn rules(priorities: &Priorities, probabilities: &Probabilities) -> Vec<BehaviorRule> {
            let mut rules = Vec::new();
            $(
                $(#[$where])?
                {
                    let priority = priorities.$key.map(i32::from);
                    let probability = probabilities.$key.map(f32::from);
                    if priority.is_some() || probability.is_some() {
                        let names = <$key::$Fields as BehaviorFields>::Components::names();
                        rules.extend(names.into_iter().map(|behavior| BehaviorRule { behavior, priority, probability }));
                    }
                }
            )+
            rules
        }

        /// Returns the priorities and probabilities in these rules, and notes what a file cannot express.
        pub(crate) fn from_rules(rules: &[BehaviorRule], place: &Place) -> (Priorities, Probabilities) {
            let (mut priorities, mut probabilities) = (Priorities::default(), Probabilities::default());
            $(
                $(#[$where])?
                {
                    let names = <$key::$Fields as BehaviorFields>::Components::names();
                    if let Some(rule) = rules.iter().find(|rule| names.contains(&rule.behavior)) {
                        let here = place.field(stringify!($key));
                        priorities.$key = rule.priority.map(|priority| Priority::nearest(priority.into(), &here));
                        probabilities.$key = rule.probability.and_then(|probability| Value::of(&probability, &here));
                    }
                }
            )+
            (priorities, probabilities)
        }
    };
}

/// Returns the fields of a behavior. If a reader would refuse them, notes it and returns `None`.
fn checked<F: BehaviorFields>(fields: F, place: &Place) -> Option<F> {
    fields.check().map_err(|problem| place.note(&problem)).ok().map(|()| fields)
}

behaviors! {
    /// Runs to a target at full speed, and past it.
    seek::Seek: arbitrated,
    /// Runs away from a target at full speed.
    flee::Flee: arbitrated,
    /// Goes to a target and stops there.
    arrive::Arrive: arbitrated,
    /// Stays at a place, and goes back to it.
    hold::Hold: arbitrated,
    /// Runs to where a moving target will be.
    pursue::Pursue: arbitrated,
    /// Runs away from where a moving target will be.
    evade::Evade: arbitrated,
    /// Moves at the velocity of a target.
    match_velocity::MatchVelocity: arbitrated,
    /// Gets between two targets.
    interpose::Interpose: arbitrated,
    /// Follows a path.
    follow_path::FollowPath: arbitrated,
    /// Keeps a place beside a leader.
    offset_pursuit::OffsetPursuit: arbitrated,
    /// Keeps an obstacle between itself and a target.
    hide::Hide: arbitrated,
    /// Circles a target at a distance.
    orbit::Orbit: arbitrated,
    /// Follows a leader together with others, out of its way.
    follow_leader::FollowLeader: arbitrated,
    /// Looks at a target, without a force.
    face::Face,
    /// Goes along the shortest way around obstacles to the nearest goal of a flow field.
    follow_field::FollowField: arbitrated,
    /// Goes along walls at a distance.
    follow_wall::FollowWall: arbitrated #[cfg(not(dim3))],
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
