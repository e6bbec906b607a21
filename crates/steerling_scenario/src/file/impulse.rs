//! The fields of an agent's knockback.

use bevy_steerling::prelude::Knockback;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::json::number::{Length, Point, vector};
use crate::json::strict::present;

/// A velocity that is added to the agent's own and decays.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Impulse {
    /// The velocity at first, units/s.
    pub velocity: Point,
    /// The time in which it decays to 37 %, s. Default: 0.2.
    #[serde(default, deserialize_with = "present")]
    pub time_constant: Option<Length>,
}

impl Impulse {
    /// The plugin's component.
    pub fn component(&self) -> Knockback {
        let knockback = Knockback::new(vector(self.velocity));
        self.time_constant.map_or(knockback, |seconds| knockback.with_time_constant(seconds.into()))
    }
}
