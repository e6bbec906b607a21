//! The obstacles that an agent considers.

use crate::agent::{Agent, GroupMask};
use crate::math::space::Space;

/// Which obstacles an agent considers, and how it measures distances to them.
#[derive(Clone, Copy)]
pub(crate) struct ObstacleView {
    /// How distances are measured.
    pub space: Space,
    /// The height of the agent above the plane, units. It considers only the obstacles on its floor.
    pub height: f32,
    /// The layers of the obstacles that it considers.
    pub layers: GroupMask,
}

impl ObstacleView {
    /// The view of the obstacles in these layers.
    #[inline(always)]
    pub fn of(agent: &Agent, layers: GroupMask) -> Self {
        Self { space: agent.space, height: agent.height, layers }
    }
}
