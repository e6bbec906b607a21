//! The fields of a file that wraps a scenario together with its expected motion.

use serde::Deserialize;

use crate::file::scenario::ScenarioFile;
use crate::json::number::{Count, NonNegative, Point};
use crate::json::strict::{Object, UniqueMap};

/// A scenario with its expected motion.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExpectationFile {
    pub scenario: Object<ScenarioFile>,
    pub expected: Vec<Object<ExpectedTick>>,
    pub position_tolerance: NonNegative,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExpectedTick {
    pub tick: Count,
    pub agents: UniqueMap<Object<ExpectedAgent>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExpectedAgent {
    pub position: Point,
    pub velocity: Point,
}
