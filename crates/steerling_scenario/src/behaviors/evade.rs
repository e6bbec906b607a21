//! Evade: run away from where a moving target will be.

use bevy::ecs::world::{EntityRef, EntityWorldMut};
use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::behaviors::fields::{BehaviorFields, behavior_radius, set};
use crate::behaviors::prediction::Prediction;
use crate::behaviors::target::{Target, TargetEntities};
use crate::json::number::{Finite, NonNegative};
use crate::json::strict::{OneKey, present};

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Evade {
    /// The target.
    pub target: OneKey<Target>,
    /// How far ahead it predicts the target. Default: `"intercept"`.
    #[serde(default, deserialize_with = "present")]
    pub prediction: Option<Prediction>,
    /// The longest prediction time, s. Default: no limit.
    #[serde(default, deserialize_with = "present")]
    pub max_prediction: Option<NonNegative>,
    /// The behavior ignores targets farther away than this, units. Default: no limit; for a group, the distance that
    /// the agent covers in a second at max speed.
    #[serde(default, deserialize_with = "present")]
    pub panic_distance: Option<NonNegative>,
    /// Factor on its contribution. Default: 1.
    #[serde(default, deserialize_with = "present")]
    pub weight: Option<Finite>,
}

impl BehaviorFields for Evade {
    type Components = (plugin::Evade,);

    fn perception_radius(agent: EntityRef, body: &plugin::SteeringAgent) -> f32 {
        behavior_radius::<plugin::Evade>(agent, body)
    }

    fn targets(&self) -> Vec<(&'static str, &Target)> {
        vec![("target", &self.target.0)]
    }

    fn insert(&self, agent: &mut EntityWorldMut, targets: &TargetEntities) {
        let mut evade = plugin::Evade::new(targets.find(&self.target.0));
        set(&mut evade.prediction, self.prediction);
        set(&mut evade.max_prediction, self.max_prediction);
        set(&mut evade.panic_distance, self.panic_distance);
        set(&mut evade.weight, self.weight);
        agent.insert(evade);
    }
}
