//! Face: look at a target.

use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::behaviors::fields::{BehaviorFields, component};
use crate::behaviors::target::Target;
use crate::json::number::NonNegative;
use crate::json::strict::{OneKey, present};
use crate::mapping::value::fields;

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Face {
    /// The target.
    pub target: OneKey<Target>,
    /// The highest turn rate, rad/s. Default: no limit.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub turn_rate: Option<NonNegative>,
}

fields!(Face => plugin::Face { target: plugin::Target; turn_rate }, plugin::Face::new);

impl BehaviorFields for Face {
    component!(plugin::Face);

    fn targets(&self) -> Vec<(&'static str, &Target)> {
        vec![("target", &self.target.0)]
    }
}
