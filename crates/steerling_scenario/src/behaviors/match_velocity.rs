//! Match velocity: move at the velocity of a target.

use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::behaviors::fields::{BehaviorFields, component};
use crate::behaviors::target::Target;
use crate::json::number::Finite;
use crate::json::strict::{OneKey, present};
use crate::mapping::value::fields;

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MatchVelocity {
    /// The target.
    pub target: OneKey<Target>,
    /// Factor on its contribution. Default: 1.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub weight: Option<Finite>,
}

fields!(MatchVelocity => plugin::MatchVelocity { target: plugin::Target; weight }, plugin::MatchVelocity::new);

impl BehaviorFields for MatchVelocity {
    component!(plugin::MatchVelocity);

    fn targets(&self) -> Vec<(&'static str, &Target)> {
        vec![("target", &self.target.0)]
    }
}
