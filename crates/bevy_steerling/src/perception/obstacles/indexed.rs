//! An obstacle in the index.

use core::cmp::Ordering;

use bevy::prelude::Entity;

use crate::agent::GroupMask;
use crate::math::Vector;
use crate::perception::obstacles::shapes::PlacedShape;

/// An obstacle at the start of the tick.
#[derive(Clone, Debug)]
pub struct IndexedObstacle {
    /// Its entity.
    pub entity: Entity,
    /// Its shape in the world.
    pub shape: PlacedShape,
    /// Its height above the plane, units.
    #[cfg(not(dim3))]
    pub height: f32,
    /// Zero: there are no floors.
    #[cfg(dim3)]
    pub(crate) height: f32,
    /// Its velocity, units/s; zero without [`Velocity`](crate::agent::Velocity).
    pub velocity: Vector,
    /// The layers it is in.
    pub layers: GroupMask,
    pub(super) rest: Rest,
}

/// Whether an obstacle moves without a velocity.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Rest {
    #[default]
    Standing,
    /// It was somewhere else in the last tick.
    Moved,
    /// [`Moved`](Self::Moved) in the last tick, and so far not in this one.
    Settling,
}

impl IndexedObstacle {
    /// Whether it stands still.
    pub(crate) fn stands(&self) -> bool {
        self.rest == Rest::Standing && self.velocity == Vector::ZERO
    }

    /// An order that depends only on the obstacles themselves, not on the order of spawning.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        let velocity = |obstacle: &Self| obstacle.velocity.to_array();
        let by_velocity = velocity(self).into_iter().zip(velocity(other)).map(|(a, b)| a.total_cmp(&b));
        let by_velocity = by_velocity.fold(Ordering::Equal, Ordering::then);
        self.shape
            .order(&other.shape)
            .then(by_velocity)
            .then(self.layers.cmp(&other.layers))
            .then(self.height.total_cmp(&other.height))
    }
}
