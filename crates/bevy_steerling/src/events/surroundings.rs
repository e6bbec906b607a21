//! The surroundings of agents at the end of a tick.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use crate::agent::{SteeringAgent, Velocity};
use crate::math::Placement;
use crate::perception::neighbors::Neighbors;
#[cfg(not(dim3))]
use crate::perception::obstacles::Obstacles;
use crate::perception::target::Targets;

/// Targets, neighbors and obstacles.
#[derive(SystemParam)]
pub(super) struct Surroundings<'w, 's> {
    pub targets: Targets<'w, 's>,
    /// The state at the start of the tick; `bodies` has the current one.
    pub neighbors: Res<'w, Neighbors>,
    #[cfg(not(dim3))]
    pub obstacles: Res<'w, Obstacles>,
    pub plane: Res<'w, Placement>,
    pub bodies: Query<'w, 's, (&'static Transform, &'static Velocity, &'static SteeringAgent)>,
}
