//! The fields of capsules.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::json::number::{NonNegative, Point};

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Capsule {
    /// The center of one end.
    pub start: Point,
    /// The center of the other end.
    pub end: Point,
    /// Half its thickness, units.
    pub radius: NonNegative,
}
