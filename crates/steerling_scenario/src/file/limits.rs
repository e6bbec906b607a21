//! The fields of an agent's body limits.

use bevy::math::{Vec2, ops};
use bevy_steerling::prelude::BodyLimits;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::json::number::{Finite, NonNegative};
use crate::json::strict::present;

/// Limits of a body that cannot accelerate in any direction at any time.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Limits {
    /// The largest turn rate, rad/s. Default: no limit.
    #[serde(default, deserialize_with = "present")]
    pub max_turn_rate: Option<NonNegative>,
    /// The radius of the tightest turn, units. Default: no limit.
    #[serde(default, deserialize_with = "present")]
    pub min_turning_radius: Option<NonNegative>,
    /// The largest acceleration, units/s². Default: only max force limits it.
    #[serde(default, deserialize_with = "present")]
    pub max_acceleration: Option<NonNegative>,
    /// The largest deceleration, units/s². Default: only max force limits it.
    #[serde(default, deserialize_with = "present")]
    pub max_braking: Option<NonNegative>,
    /// The largest speed in reverse, units/s. Default: 0, no reverse gear.
    #[serde(default, deserialize_with = "present")]
    pub reverse_speed: Option<NonNegative>,
    /// The heading at the start, rad, counterclockwise from +x. Default: the direction of its velocity, or +x at rest.
    #[serde(default, deserialize_with = "present")]
    pub heading: Option<Finite>,
}

impl Limits {
    /// The plugin's component.
    pub fn component(&self) -> BodyLimits {
        let number = |number: Option<NonNegative>| number.map(f32::from);
        let mut limits = BodyLimits::default().with_reverse_speed(number(self.reverse_speed).unwrap_or_default());
        limits.max_turn_rate = number(self.max_turn_rate);
        limits.min_turning_radius = number(self.min_turning_radius);
        limits.max_acceleration = number(self.max_acceleration);
        limits.max_braking = number(self.max_braking);
        let Some(heading) = self.heading else { return limits };
        let (sin, cos) = ops::sin_cos(heading.into());
        limits.with_heading(Vec2::new(cos, sin))
    }
}
