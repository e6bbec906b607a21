//! Seek: run to a target at full speed.

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
pub(crate) struct Seek {
    /// The target.
    pub target: OneKey<Target>,
    /// Factor on its contribution. Default: 1.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub weight: Option<Finite>,
}

fields!(Seek => plugin::Seek { target: plugin::Target; weight }, plugin::Seek::new);

impl BehaviorFields for Seek {
    component!(plugin::Seek);

    fn targets(&self) -> Vec<(&'static str, &Target)> {
        vec![("target", &self.target.0)]
    }
}
