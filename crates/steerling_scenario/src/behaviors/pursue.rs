//! Pursue: run to where a moving target will be.

use bevy::ecs::world::EntityWorldMut;
use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::behaviors::fields::{BehaviorFields, set};
use crate::behaviors::prediction::Prediction;
use crate::behaviors::target::{Target, TargetEntities};
use crate::json::number::{Finite, NonNegative};
use crate::json::strict::{OneKey, present};

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pursue {
    /// The target.
    pub target: OneKey<Target>,
    /// How far ahead it predicts the target. Default: `"intercept"`.
    #[serde(default, deserialize_with = "present")]
    pub prediction: Option<Prediction>,
    /// The longest prediction time, s. Default: no limit.
    #[serde(default, deserialize_with = "present")]
    pub max_prediction: Option<NonNegative>,
    /// Factor on its contribution. Default: 1.
    #[serde(default, deserialize_with = "present")]
    pub weight: Option<Finite>,
}

impl BehaviorFields for Pursue {
    type Components = (plugin::Pursue,);

    fn targets(&self) -> Vec<(&'static str, &Target)> {
        vec![("target", &self.target.0)]
    }

    fn insert(&self, agent: &mut EntityWorldMut, targets: &TargetEntities) {
        let mut pursue = plugin::Pursue::new(targets.find(&self.target.0));
        set(&mut pursue.prediction, self.prediction);
        set(&mut pursue.max_prediction, self.max_prediction);
        set(&mut pursue.weight, self.weight);
        agent.insert(pursue);
    }
}
