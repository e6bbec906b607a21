//! Hide: keep an obstacle between oneself and a seeker.

use bevy::ecs::world::EntityWorldMut;
use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::behaviors::arrive::SlowingRadius;
use crate::behaviors::fields::{BehaviorFields, set};
use crate::behaviors::prediction::Prediction;
use crate::behaviors::target::{Target, TargetEntities};
use crate::json::number::{Finite, Layers, NonNegative};
use crate::json::strict::{OneKey, present};

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Hide {
    /// The seeker.
    pub from: OneKey<Target>,
    /// How far it stays from the obstacle, units. Default: twice its radius.
    #[serde(default, deserialize_with = "present")]
    pub distance: Option<NonNegative>,
    /// Slows down linearly within this distance, units, or as late as possible: `"auto"`, the default.
    #[serde(default, deserialize_with = "present")]
    pub slowing_radius: Option<SlowingRadius>,
    /// How far ahead it predicts the seeker while it cannot hide. Default: `"intercept"`.
    #[serde(default, deserialize_with = "present")]
    pub prediction: Option<Prediction>,
    /// The behavior ignores seekers farther away than this, units. Default: no limit.
    #[serde(default, deserialize_with = "present")]
    pub panic_distance: Option<NonNegative>,
    /// It hides behind obstacles in any of these layers, one bit each. Default: all.
    #[serde(default, deserialize_with = "present")]
    pub layers: Option<Layers>,
    /// Factor on its contribution. Default: 1.
    #[serde(default, deserialize_with = "present")]
    pub weight: Option<Finite>,
}

impl BehaviorFields for Hide {
    type Components = (plugin::Hide,);

    fn targets(&self) -> Vec<(&'static str, &Target)> {
        vec![("from", &self.from.0)]
    }

    fn insert(&self, agent: &mut EntityWorldMut, targets: &TargetEntities) {
        let mut hide = plugin::Hide::new(targets.find(&self.from.0));
        set(&mut hide.distance, self.distance);
        set(&mut hide.slowing_radius, self.slowing_radius);
        set(&mut hide.prediction, self.prediction);
        set(&mut hide.panic_distance, self.panic_distance);
        set(&mut hide.layers, self.layers);
        set(&mut hide.weight, self.weight);
        agent.insert(hide);
    }
}
