//! Hide: keep an obstacle between oneself and a seeker.

use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::behaviors::arrive::SlowingRadius;
use crate::behaviors::fields::{BehaviorFields, component};
use crate::behaviors::prediction::Prediction;
use crate::behaviors::target::Target;
use crate::json::number::{Finite, Layers, NonNegative};
use crate::json::strict::{OneKey, present};
use crate::mapping::value::fields;

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Hide {
    /// The seeker.
    pub from: OneKey<Target>,
    /// How far it stays from the obstacle, units. Default: twice its radius.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub distance: Option<NonNegative>,
    /// Slows down linearly within this distance, units, or as late as possible: `"auto"`, the default.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub slowing_radius: Option<SlowingRadius>,
    /// How far ahead it predicts the seeker while it cannot hide. Default: `"intercept"`.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub prediction: Option<Prediction>,
    /// The behavior ignores seekers farther away than this, units. Default: no limit.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub panic_distance: Option<NonNegative>,
    /// It hides behind obstacles in any of these layers, one bit each. Default: all.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub layers: Option<Layers>,
    /// Factor on its contribution. Default: 1.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub weight: Option<Finite>,
}

fields!(
    Hide => plugin::Hide { from: plugin::Target; distance, slowing_radius, prediction, panic_distance, layers, weight },
    plugin::Hide::new
);

impl BehaviorFields for Hide {
    component!(plugin::Hide);

    fn targets(&self) -> Vec<(&'static str, &Target)> {
        vec![("from", &self.from.0)]
    }
}
