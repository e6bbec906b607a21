//! The fields of an agent's knockback.

use bevy_steerling::prelude::Knockback;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::json::number::{Length, Point, vector};
use crate::json::strict::present;
use crate::mapping::entities::Entities;
use crate::mapping::place::Place;
use crate::mapping::value::{Field, Value};

/// A velocity that is added to the agent's own and decays.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Impulse {
    /// The velocity at first, units/s.
    pub velocity: Point,
    /// The time in which it decays to 37 %, s. Default: 0.2.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub time_constant: Option<Length>,
}

impl Value<Knockback> for Impulse {
    fn value(&self, entities: &Entities) -> Knockback {
        let mut knockback = Knockback::new(vector(self.velocity));
        self.time_constant.set(&mut knockback.time_constant, entities);
        knockback
    }

    fn of(knockback: &Knockback, place: &Place) -> Option<Self> {
        let default = Knockback::default().time_constant;
        Some(Self {
            velocity: Value::of(&knockback.velocity, &place.field("velocity"))?,
            time_constant: Field::of(&knockback.time_constant, &default, &place.field("time_constant"))?,
        })
    }
}
