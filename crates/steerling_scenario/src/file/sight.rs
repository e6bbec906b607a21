//! The fields of an agent's sight.

use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::json::number::{Groups, NonNegative};
use crate::json::strict::present;

/// How far and in which direction an agent sees its targets.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sight {
    /// How far the agent sees, units. Default: without a limit.
    #[serde(default, deserialize_with = "present")]
    pub range: Option<NonNegative>,
    /// The angle of the field of view about the direction in which its front points, rad. Default: 2π.
    #[serde(default, deserialize_with = "present")]
    pub field_of_view: Option<NonNegative>,
    /// The layers of the obstacles that it cannot see through, one bit each. Default: 1.
    #[serde(default, deserialize_with = "present")]
    pub layers: Option<Groups>,
}

impl Sight {
    /// The plugin's component.
    pub fn component(&self) -> plugin::Sight {
        let default = plugin::Sight::default();
        plugin::Sight {
            range: self.range.map_or(default.range, f32::from),
            field_of_view: self.field_of_view.map_or(default.field_of_view, f32::from),
            layers: self.layers.map_or(default.layers, plugin::GroupMask::from),
        }
    }
}
