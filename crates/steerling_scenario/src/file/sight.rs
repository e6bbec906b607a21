//! The fields of an agent's sight.

use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::json::number::{Groups, NonNegative};
use crate::json::strict::present;
use crate::mapping::value::fields;

/// How far and in which direction an agent sees its targets.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sight {
    /// How far the agent sees, units. Default: without a limit.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub range: Option<NonNegative>,
    /// The angle of the field of view about the direction in which its front points, rad. Default: 2π.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub field_of_view: Option<NonNegative>,
    /// The layers of the obstacles that it cannot see through, one bit each. Default: 1.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub layers: Option<Groups>,
}

fields!(Sight => plugin::Sight { ; range, field_of_view, layers }, Default::default);
