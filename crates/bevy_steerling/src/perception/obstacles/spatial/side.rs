//! The side of an agent on which an obstacle is.

use bevy::prelude::*;

use crate::math::Vector;

/// The side of an agent on which an obstacle is, as seen along its way.
#[derive(Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
pub struct ObstacleSide(pub(super) Vector);

impl ObstacleSide {
    /// The direction from the agent's way to the obstacle, a unit vector.
    pub fn direction(&self) -> Vector {
        self.0
    }

    /// The opposite side.
    pub(crate) fn other(self) -> Self {
        Self(-self.0)
    }
}
