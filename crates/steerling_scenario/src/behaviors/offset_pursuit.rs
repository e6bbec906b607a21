//! Offset pursuit: keep a place beside a leader.

use bevy_steerling::math::Vector;
use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::behaviors::arrive::SlowingRadius;
use crate::behaviors::fields::{BehaviorFields, component};
use crate::behaviors::prediction::Prediction;
use crate::behaviors::target::Target;
use crate::json::number::{Finite, Point};
use crate::json::strict::{OneKey, present};
use crate::mapping::value::fields;

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OffsetPursuit {
    /// The leader.
    pub leader: OneKey<Target>,
    /// The place: how far ahead of the leader and how far to its left, and how far above it in three dimensions, units.
    pub offset: Point,
    /// Slows down linearly within this distance, units, or as late as possible: `"auto"`, the default.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub slowing_radius: Option<SlowingRadius>,
    /// How far ahead it predicts the place. Default: `"proportional"`.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub prediction: Option<Prediction>,
    /// Factor on its contribution. Default: 1.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub weight: Option<Finite>,
}

fields!(
    OffsetPursuit => plugin::OffsetPursuit {
        leader: plugin::Target, offset: Vector; slowing_radius, prediction, weight
    },
    plugin::OffsetPursuit::new
);

impl BehaviorFields for OffsetPursuit {
    component!(plugin::OffsetPursuit);

    fn targets(&self) -> Vec<(&'static str, &Target)> {
        vec![("leader", &self.leader.0)]
    }
}
