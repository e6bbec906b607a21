//! Interpose: get between two targets.

use bevy::ecs::world::EntityWorldMut;
use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};

use crate::behaviors::arrive::SlowingRadius;
use crate::behaviors::fields::{BehaviorFields, set};
use crate::behaviors::prediction::Prediction;
use crate::behaviors::target::{Target, TargetEntities};
use crate::json::list::read_list;
use crate::json::number::Finite;
use crate::json::strict::{OneKey, present};

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Interpose {
    /// The two targets.
    #[serde(deserialize_with = "two_targets")]
    pub between: [OneKey<Target>; 2],
    /// Slows down linearly within this distance, units, or as late as possible: `"auto"`, the default.
    #[serde(default, deserialize_with = "present")]
    pub slowing_radius: Option<SlowingRadius>,
    /// How far ahead it predicts the middle. Default: `"proportional"`.
    #[serde(default, deserialize_with = "present")]
    pub prediction: Option<Prediction>,
    /// Factor on its contribution. Default: 1.
    #[serde(default, deserialize_with = "present")]
    pub weight: Option<Finite>,
}

impl BehaviorFields for Interpose {
    type Components = (plugin::Interpose,);

    fn targets(&self) -> Vec<(&'static str, &Target)> {
        vec![("between[0]", &self.between[0].0), ("between[1]", &self.between[1].0)]
    }

    fn insert(&self, agent: &mut EntityWorldMut, targets: &TargetEntities) {
        let [one, other] = self.between.each_ref().map(|target| targets.find(&target.0));
        let mut interpose = plugin::Interpose::new(one, other);
        set(&mut interpose.slowing_radius, self.slowing_radius);
        set(&mut interpose.prediction, self.prediction);
        set(&mut interpose.weight, self.weight);
        agent.insert(interpose);
    }
}

fn two_targets<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[OneKey<Target>; 2], D::Error> {
    read_list(deserializer, ["target", "target"])
}
