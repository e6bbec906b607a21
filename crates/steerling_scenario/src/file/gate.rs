//! The fields of gates.

use bevy_steerling::math::Vector;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::json::number::{Point, vector};
use crate::mapping::value::is_default;

/// A line on which crossings are counted. It does not affect steering, but it can remove agents.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Gate {
    /// Its unique id.
    pub id: String,
    /// One end.
    pub start: Point,
    /// The other end.
    pub end: Point,
    /// Whether agents that cross it are removed at the end of that tick. Default: no.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("default" = false))]
    pub remove: bool,
}

impl Gate {
    /// The two ends in the plugin's precision.
    pub fn ends(&self) -> [Vector; 2] {
        [self.start, self.end].map(vector)
    }
}
