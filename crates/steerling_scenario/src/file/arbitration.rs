//! How the contributions of an agent's behaviors combine, as it is written.

use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::json::{Object, present, words};
use crate::number::{Fraction, NonNegative, Priority};

/// How the contributions of an agent's behaviors combine.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arbitration {
    /// What is done with them.
    pub mode: ArbitrationMode,
    /// `"priority_groups"`: what the sum of a group must be longer than to win, mass · units/s². Default: 0.
    #[serde(default, deserialize_with = "present")]
    pub threshold: Option<NonNegative>,
    /// Priorities by behavior: the highest comes first. Default: see the documentation.
    #[serde(default)]
    pub priorities: Object<Priorities>,
    /// `"dithering"`: how probable behaviors are to be drawn. Default: 0.8.
    #[serde(default)]
    pub probabilities: Object<Probabilities>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum ArbitrationMode {
    WeightedSum,
    PrioritizedSum,
    PriorityGroups,
    Dithering,
}

words!(ArbitrationMode: "weighted_sum" => ArbitrationMode::WeightedSum,
    "prioritized_sum" => ArbitrationMode::PrioritizedSum, "priority_groups" => ArbitrationMode::PriorityGroups,
    "dithering" => ArbitrationMode::Dithering);

/// Defines what is given by behavior, for all that have a priority.
macro_rules! by_behavior {
    ($($field:ident: $behavior:ident,)+) => {
        /// Priorities of behaviors.
        #[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct Priorities {
            $(#[serde(default, deserialize_with = "present")] $field: Option<Priority>,)+
        }

        /// Probabilities of behaviors.
        #[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct Probabilities {
            $(#[serde(default, deserialize_with = "present")] $field: Option<Fraction>,)+
        }

        impl Arbitration {
            /// As the plugin has it.
            pub fn component(&self) -> plugin::Arbitration {
                let mut arbitration = plugin::Arbitration::new(match self.mode {
                    ArbitrationMode::WeightedSum => plugin::ArbitrationMode::WeightedSum,
                    ArbitrationMode::PrioritizedSum => plugin::ArbitrationMode::PrioritizedSum,
                    ArbitrationMode::PriorityGroups => plugin::ArbitrationMode::PriorityGroups {
                        threshold: self.threshold.map_or(0.0, f32::from),
                    },
                    ArbitrationMode::Dithering => plugin::ArbitrationMode::Dithering,
                });
                $(
                    if let Some(priority) = self.priorities.$field {
                        arbitration = arbitration.with_priority::<plugin::$behavior>(priority.into());
                    }
                    if let Some(probability) = self.probabilities.$field {
                        arbitration = arbitration.with_probability::<plugin::$behavior>(probability.into());
                    }
                )+
                arbitration
            }
        }
    };
}

by_behavior! {
    seek: Seek,
    flee: Flee,
    arrive: Arrive,
    pursue: Pursue,
    evade: Evade,
    match_velocity: MatchVelocity,
    wander: Wander,
    separation: Separation,
    alignment: Alignment,
    cohesion: Cohesion,
    flock: Flock,
    avoid_obstacles: AvoidObstacles,
}
