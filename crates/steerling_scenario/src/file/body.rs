//! What an agent's body can do, and what knocks it.

use bevy::math::{Vec2, ops};
use bevy_steerling::engine::body::BodyLimits;
use schemars::JsonSchema;
use serde::Deserialize;

use super::vector;
use crate::json::present;
use crate::number::{Finite, Length, NonNegative, Point};

/// Limits of a body that cannot go any way at any moment.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Limits {
    /// How fast it turns at most, rad/s. Default: no limit.
    #[serde(default, deserialize_with = "present")]
    pub max_turn_rate: Option<NonNegative>,
    /// The radius of the narrowest circle that it can go on, units. Default: none.
    #[serde(default, deserialize_with = "present")]
    pub min_turning_radius: Option<NonNegative>,
    /// How much faster it can get, units/s². Default: as much as max force allows.
    #[serde(default, deserialize_with = "present")]
    pub max_acceleration: Option<NonNegative>,
    /// How much slower it can get, units/s². Default: as much as max force allows.
    #[serde(default, deserialize_with = "present")]
    pub max_braking: Option<NonNegative>,
    /// How fast it goes backward at most, units/s. Default: 0, no reverse gear.
    #[serde(default, deserialize_with = "present")]
    pub reverse_speed: Option<NonNegative>,
    /// Where it points at the start, rad, counterclockwise from +x. Default: along its velocity, or at rest along +x.
    #[serde(default, deserialize_with = "present")]
    pub heading: Option<Finite>,
}

impl Limits {
    /// As the plugin has them.
    pub fn body_limits(&self) -> BodyLimits {
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

/// A velocity that an agent did not choose, and that fades.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Knockback {
    /// How fast it moves the agent at first, units/s.
    pub velocity: Point,
    /// How long it takes to fade to 37 %, s. Default: 0.2.
    #[serde(default, deserialize_with = "present")]
    pub time_constant: Option<Length>,
}

impl Knockback {
    /// As the plugin has it.
    pub fn impulse(&self) -> bevy_steerling::motion::knockback::Knockback {
        let impulse = bevy_steerling::motion::knockback::Knockback::new(vector(self.velocity));
        self.time_constant.map_or(impulse, |seconds| impulse.with_time_constant(seconds.into()))
    }
}
