//! Follow wall: go along walls at a distance.

use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::behaviors::fields::{BehaviorFields, component};
use crate::json::number::{Finite, Layers, NonNegative};
use crate::json::strict::present;
use crate::mapping::entities::Entities;
use crate::mapping::place::Place;
use crate::mapping::value::{Value, fields};

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FollowWall {
    /// The side of the agent on which the walls are.
    pub side: Side,
    /// Distance from the walls, units.
    pub distance: NonNegative,
    /// The distance within which it finds a wall, units. Default: the distance, plus four times the stopping distance and the radius.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub reach: Option<NonNegative>,
    /// It follows obstacles in any of these layers, one bit each. Default: all.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub layers: Option<Layers>,
    /// Factor on its contribution. Default: 1.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub weight: Option<Finite>,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Side {
    Left,
    Right,
}

impl Value<plugin::ObstacleSide> for Side {
    fn value(&self, _: &Entities) -> plugin::ObstacleSide {
        match self {
            Self::Left => plugin::ObstacleSide::Left,
            Self::Right => plugin::ObstacleSide::Right,
        }
    }

    fn of(side: &plugin::ObstacleSide, _: &Place) -> Option<Self> {
        Some(match side {
            plugin::ObstacleSide::Left => Self::Left,
            plugin::ObstacleSide::Right => Self::Right,
        })
    }
}

fields!(
    FollowWall => plugin::FollowWall { side: plugin::ObstacleSide, distance: f32; reach, layers, weight },
    plugin::FollowWall::new
);

impl BehaviorFields for FollowWall {
    component!(plugin::FollowWall);
}
