//! The side of an agent on which an obstacle is.

use bevy::prelude::*;

use crate::math::Vector;

/// A side of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub enum ObstacleSide {
    /// The obstacle is to its right.
    Right,
    /// The obstacle is to its left.
    Left,
}

impl ObstacleSide {
    /// The opposite side.
    pub(crate) fn other(self) -> Self {
        match self {
            Self::Right => Self::Left,
            Self::Left => Self::Right,
        }
    }

    /// The direction along a wall on this side; `away` is the direction away from the wall.
    pub(crate) fn along(self, away: Vector) -> Vector {
        match self {
            Self::Right => -away.perp(),
            Self::Left => away.perp(),
        }
    }
}
