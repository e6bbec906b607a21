//! The fields of capsules.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::json::number::{NonNegative, Point};

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Capsule {
    /// The center of one end.
    pub start: Point,
    /// The center of the other end.
    pub end: Point,
    /// Half its thickness, units.
    pub radius: NonNegative,
}
