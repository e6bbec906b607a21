//! The fields of arbitration: how the contributions of an agent's behaviors are combined.

use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::behaviors::{Priorities, Probabilities, rules};
use crate::json::number::NonNegative;
use crate::json::strict::{Object, present, words};

/// How the contributions of an agent's behaviors are combined.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arbitration {
    /// The method.
    pub mode: ArbitrationMode,
    /// `"priority_groups"`: the length that the sum of a group must exceed to win, mass · units/s². Default: 0.
    #[serde(default, deserialize_with = "present")]
    pub threshold: Option<NonNegative>,
    /// Priorities by behavior: the highest comes first. Default: see the documentation.
    #[serde(default)]
    pub priorities: Object<Priorities>,
    /// `"dithering"`: the probability of each behavior to be drawn. Default: 0.8.
    #[serde(default)]
    pub probabilities: Object<Probabilities>,
}

words!(ArbitrationMode(plugin::ArbitrationMode):
    "weighted_sum" => plugin::ArbitrationMode::WeightedSum,
    "prioritized_sum" => plugin::ArbitrationMode::PrioritizedSum,
    "priority_groups" => plugin::ArbitrationMode::PriorityGroups { threshold: 0.0 },
    "dithering" => plugin::ArbitrationMode::Dithering);

impl Arbitration {
    /// Checks what the types of the fields cannot express. The error is the path within the fields and what was expected there.
    pub fn check(&self) -> Result<(), String> {
        let has_probabilities = !rules(&Priorities::default(), &self.probabilities).is_empty();
        if has_probabilities && !matches!(self.mode.0, plugin::ArbitrationMode::Dithering) {
            return Err("probabilities: expected none, because the `mode` is not \"dithering\"".to_owned());
        }
        Ok(())
    }

    /// The plugin's component.
    pub fn component(&self) -> plugin::Arbitration {
        let mode = match (self.mode.0, self.threshold) {
            (plugin::ArbitrationMode::PriorityGroups { .. }, Some(threshold)) => {
                plugin::ArbitrationMode::PriorityGroups { threshold: threshold.into() }
            }
            (mode, _) => mode,
        };
        plugin::Arbitration { mode, rules: rules(&self.priorities, &self.probabilities) }
    }
}
