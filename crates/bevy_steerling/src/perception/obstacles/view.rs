//! Which obstacles an agent minds.

use crate::agent::{Agent, GroupMask};
use crate::math::space::Space;

/// How an agent looks at obstacles.
#[derive(Clone, Copy)]
pub(crate) struct ObstacleView {
    /// How distances are measured.
    pub space: Space,
    /// The height of the agent above the plane, units: it minds the obstacles on its floor.
    pub height: f32,
    /// The layers of the obstacles that it minds.
    pub layers: GroupMask,
}

impl ObstacleView {
    /// The view of the obstacles in these layers.
    #[inline(always)]
    pub fn of(agent: &Agent, layers: GroupMask) -> Self {
        Self { space: agent.space, height: agent.height, layers }
    }
}
