//! Orbit: circle a target at a distance.

use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::behaviors::fields::{BehaviorFields, component};
use crate::behaviors::target::Target;
use crate::json::number::{Finite, NonNegative};
use crate::json::strict::{OneKey, present};
use crate::mapping::value::{fields, is_default};

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Orbit {
    /// The target in the center.
    pub around: OneKey<Target>,
    /// Radius of the circle, units.
    pub radius: NonNegative,
    /// Whether it goes clockwise. Default: no.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("default" = false))]
    pub clockwise: bool,
    /// Factor on its contribution. Default: 1.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub weight: Option<Finite>,
}

fields!(Orbit => plugin::Orbit { around: plugin::Target, radius: f32; clockwise, weight }, plugin::Orbit::new);

impl BehaviorFields for Orbit {
    component!(plugin::Orbit);

    fn targets(&self) -> Vec<(&'static str, &Target)> {
        vec![("around", &self.around.0)]
    }
}
