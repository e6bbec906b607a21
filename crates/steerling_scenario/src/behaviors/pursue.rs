//! Pursue: run to where a moving target will be.

use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::behaviors::fields::{BehaviorFields, component};
use crate::behaviors::prediction::Prediction;
use crate::behaviors::target::Target;
use crate::json::number::{Finite, NonNegative};
use crate::json::strict::{OneKey, present};
use crate::mapping::value::fields;

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pursue {
    /// The target.
    pub target: OneKey<Target>,
    /// How far ahead it predicts the target. Default: `"intercept"`.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub prediction: Option<Prediction>,
    /// The longest prediction time, s. Default: no limit.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub max_prediction: Option<NonNegative>,
    /// Factor on its contribution. Default: 1.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub weight: Option<Finite>,
}

fields!(Pursue => plugin::Pursue { target: plugin::Target; prediction, max_prediction, weight }, plugin::Pursue::new);

impl BehaviorFields for Pursue {
    component!(plugin::Pursue);

    fn targets(&self) -> Vec<(&'static str, &Target)> {
        vec![("target", &self.target.0)]
    }
}
