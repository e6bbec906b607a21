//! The surroundings of agents at the end of a tick.

use bevy::ecs::query::QueryData;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use crate::agent::{SteeringAgent, Velocity};
use crate::behaviors::follow_path::{FollowPath, PathProgress};
#[cfg(not(dim3))]
use crate::behaviors::follow_wall::{FollowWall, FollowWallState};
use crate::constraints::settling::Settling;
use crate::math::Placement;
use crate::perception::neighbors::Neighbors;
use crate::perception::obstacles::Obstacles;
use crate::perception::target::Targets;

/// Targets, neighbors and obstacles.
#[derive(SystemParam)]
pub(super) struct Surroundings<'w, 's> {
    pub targets: Targets<'w, 's>,
    /// The neighbors at the start of the tick. `bodies` has the current state.
    pub neighbors: Res<'w, Neighbors>,
    pub obstacles: Res<'w, Obstacles>,
    pub plane: Res<'w, Placement>,
    pub bodies: Query<'w, 's, (Entity, &'static Transform, &'static Velocity, &'static SteeringAgent)>,
}

/// The components of a watched agent.
#[derive(QueryData)]
pub(super) struct WatchedData {
    pub settling: Option<&'static Settling>,
    pub follow: Option<(&'static FollowPath, &'static PathProgress)>,
    #[cfg(not(dim3))]
    pub wall: Option<(&'static FollowWall, &'static FollowWallState)>,
}
