//! The fields of arbitration: how the contributions of an agent's behaviors are combined.

use bevy_steerling::engine::arbitration::BehaviorRule;
use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::behaviors::{Priorities, Probabilities, from_rules, rules};
use crate::json::number::NonNegative;
use crate::json::strict::{Object, present, words};
use crate::mapping::entities::Entities;
use crate::mapping::place::Place;
use crate::mapping::value::{Field, Value, is_default};

/// How the contributions of an agent's behaviors are combined.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arbitration {
    /// The method.
    pub mode: ArbitrationMode,
    /// `"priority_groups"`: the length that the sum of a group must exceed to win, mass · units/s². Default: 0.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub threshold: Option<NonNegative>,
    /// Priorities by behavior: the highest comes first. Default: see the documentation.
    #[serde(default, skip_serializing_if = "is_default")]
    pub priorities: Object<Priorities>,
    /// `"dithering"`: the probability of each behavior to be drawn. Default: 0.8.
    #[serde(default, skip_serializing_if = "is_default")]
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
}

impl Value<plugin::Arbitration> for Arbitration {
    fn value(&self, _: &Entities) -> plugin::Arbitration {
        let mode = match (self.mode.0, self.threshold) {
            (plugin::ArbitrationMode::PriorityGroups { .. }, Some(threshold)) => {
                plugin::ArbitrationMode::PriorityGroups { threshold: threshold.into() }
            }
            (mode, _) => mode,
        };
        plugin::Arbitration { mode, rules: rules(&self.priorities, &self.probabilities) }
    }

    fn of(plugin::Arbitration { mode, rules }: &plugin::Arbitration, place: &Place) -> Option<Self> {
        let (mode, threshold) = match mode {
            plugin::ArbitrationMode::PriorityGroups { threshold } => {
                let none = plugin::ArbitrationMode::PriorityGroups { threshold: 0.0 };
                (none, Field::of(threshold, &0.0, &place.field("threshold"))?)
            }
            mode => (*mode, None),
        };
        let (priorities, probabilities) = from_rules(rules, place);
        // Other modes ignore them, and a reader refuses them.
        let probabilities =
            if mode == plugin::ArbitrationMode::Dithering { probabilities } else { Probabilities::default() };
        let arbitration = Self {
            mode: ArbitrationMode(mode),
            threshold,
            priorities: Object(priorities),
            probabilities: Object(probabilities),
        };
        let said = arbitration.value(&Entities::default()).rules;
        for rule in rules {
            let names_it = |other: &&BehaviorRule| other.behavior == rule.behavior;
            if said.iter().find(names_it).is_none_or(|other| other.priority != rule.priority) {
                place.note(&format!("a rule for `{}`", rule.behavior));
            }
        }
        Some(arbitration)
    }
}
