//! The fields that alignment and cohesion share.

use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::json::number::{Count, Finite, Groups, NonNegative};
use crate::json::strict::present;
use crate::mapping::value::fields;

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Around {
    /// Distance within which others count, units. Default: a multiple of its own radius.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub radius: Option<NonNegative>,
    /// Angle within which others count, rad, centered on the direction of motion. Default: all around.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub field_of_view: Option<NonNegative>,
    /// Only others in any of these groups count, one bit each. Default: all.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub groups: Option<Groups>,
    /// Only this many others count, the nearest ones. Default: 64.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub max_neighbors: Option<Count>,
    /// Factor on its contribution. Default: 1.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub weight: Option<Finite>,
}

fields!(Around => plugin::Alignment { ; radius, field_of_view, groups, max_neighbors, weight }, Default::default);
fields!(Around => plugin::Cohesion { ; radius, field_of_view, groups, max_neighbors, weight }, Default::default);
