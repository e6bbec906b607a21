//! Interpose: get between two targets.

use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use crate::behaviors::arrive::SlowingRadius;
use crate::behaviors::fields::{BehaviorFields, component};
use crate::behaviors::prediction::Prediction;
use crate::behaviors::target::Target;
use crate::json::list::read_list;
use crate::json::number::Finite;
use crate::json::strict::{OneKey, present};
use crate::mapping::entities::Entities;
use crate::mapping::place::Place;
use crate::mapping::value::{Value, fields};

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Interpose {
    /// The two targets.
    #[serde(deserialize_with = "two_targets")]
    pub between: [OneKey<Target>; 2],
    /// Slows down linearly within this distance, units, or as late as possible: `"auto"`, the default.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub slowing_radius: Option<SlowingRadius>,
    /// How far ahead it predicts the middle. Default: `"proportional"`.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub prediction: Option<Prediction>,
    /// Factor on its contribution. Default: 1.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub weight: Option<Finite>,
}

fields!(
    Interpose => plugin::Interpose { between: [plugin::Target; 2]; slowing_radius, prediction, weight },
    |[one, other]: [plugin::Target; 2]| plugin::Interpose::new(one, other)
);

impl BehaviorFields for Interpose {
    component!(plugin::Interpose);

    fn targets(&self) -> Vec<(&'static str, &Target)> {
        vec![("between[0]", &self.between[0].0), ("between[1]", &self.between[1].0)]
    }
}

impl Value<[plugin::Target; 2]> for [OneKey<Target>; 2] {
    fn value(&self, entities: &Entities) -> [plugin::Target; 2] {
        self.each_ref().map(|target| target.value(entities))
    }

    fn of([one, other]: &[plugin::Target; 2], place: &Place) -> Option<Self> {
        Some([Value::of(one, place)?, Value::of(other, place)?])
    }
}

fn two_targets<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[OneKey<Target>; 2], D::Error> {
    read_list(deserializer, ["target", "target"])
}
