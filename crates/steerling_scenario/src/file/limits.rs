//! The fields of an agent's body limits.

use bevy::math::{Vec2, ops};
use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::json::number::{Finite, NonNegative};
use crate::json::strict::present;
use crate::mapping::entities::Entities;
use crate::mapping::place::Place;
use crate::mapping::value::{Value, fields};

/// Limits of a body that cannot accelerate in any direction at any time.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Limits {
    /// The largest turn rate, rad/s. Default: no limit.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub max_turn_rate: Option<NonNegative>,
    /// The radius of the tightest turn, units. Default: no limit.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub min_turning_radius: Option<NonNegative>,
    /// The largest acceleration, units/s². Default: only max force limits it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub max_acceleration: Option<NonNegative>,
    /// The largest deceleration, units/s². Default: only max force limits it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub max_braking: Option<NonNegative>,
    /// The largest speed in reverse, units/s. Default: 0, no reverse gear.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub reverse_speed: Option<NonNegative>,
    /// The heading at the start, rad, counterclockwise from +x. Default: the direction of its velocity, or +x at rest.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub heading: Option<Finite>,
}

fields!(
    Limits => plugin::BodyLimits {
        ; max_turn_rate, min_turning_radius, max_acceleration, max_braking, reverse_speed, heading = initial_heading
    },
    Default::default
);

/// A heading, as an angle.
impl Value<Option<Vec2>> for Finite {
    fn value(&self, _: &Entities) -> Option<Vec2> {
        let (sin, cos) = ops::sin_cos((*self).into());
        Some(Vec2::new(cos, sin))
    }

    fn of(heading: &Option<Vec2>, place: &Place) -> Option<Self> {
        let heading = (*heading)?;
        let angle = ops::atan2(heading.y, heading.x);
        // The angle whose sine and cosine are exactly these, if one of those near it is.
        let near = [0, 1, -1, 2, -2, 3, -3].map(|step| f32::from_bits(angle.to_bits().wrapping_add_signed(step)));
        let is_same = |angle: &f32| {
            let (sin, cos) = ops::sin_cos(*angle);
            Vec2::new(cos, sin) == heading
        };
        Value::of(near.iter().copied().find(is_same).as_ref().unwrap_or(&angle), place)
    }
}
