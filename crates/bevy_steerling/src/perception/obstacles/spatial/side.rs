//! The side of an agent on which an obstacle is.

use bevy::prelude::*;

use crate::math::Vector;

/// The side of an agent on which an obstacle is, relative to the agent's direction of motion.
#[derive(Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub struct ObstacleSide(pub(super) Vector);

impl ObstacleSide {
    /// The direction from the agent's line of motion to the obstacle, a unit vector.
    pub fn direction(&self) -> Vector {
        self.0
    }

    /// The opposite side.
    pub(crate) fn other(self) -> Self {
        Self(-self.0)
    }
}
