//! Follow wall: go along walls at a distance.

use bevy::ecs::world::EntityWorldMut;
use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::behaviors::fields::{BehaviorFields, set};
use crate::behaviors::target::TargetEntities;
use crate::json::number::{Finite, Layers, NonNegative};
use crate::json::strict::present;

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FollowWall {
    /// The side of the agent on which the walls are.
    pub side: Side,
    /// Distance from the walls, units.
    pub distance: NonNegative,
    /// The distance within which it finds a wall, units. Default: the distance, plus four times the stopping distance and the radius.
    #[serde(default, deserialize_with = "present")]
    pub reach: Option<NonNegative>,
    /// It follows obstacles in any of these layers, one bit each. Default: all.
    #[serde(default, deserialize_with = "present")]
    pub layers: Option<Layers>,
    /// Factor on its contribution. Default: 1.
    #[serde(default, deserialize_with = "present")]
    pub weight: Option<Finite>,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Side {
    Left,
    Right,
}

impl From<Side> for plugin::ObstacleSide {
    fn from(side: Side) -> Self {
        match side {
            Side::Left => Self::Left,
            Side::Right => Self::Right,
        }
    }
}

impl BehaviorFields for FollowWall {
    type Components = (plugin::FollowWall,);

    fn insert(&self, agent: &mut EntityWorldMut, _: &TargetEntities) {
        let mut follow = plugin::FollowWall::new(self.side.into(), self.distance.into());
        set(&mut follow.reach, self.reach);
        set(&mut follow.layers, self.layers);
        set(&mut follow.weight, self.weight);
        agent.insert(follow);
    }
}
