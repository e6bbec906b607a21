//! An obstacle in the index.

use core::cmp::Ordering;

use bevy::prelude::Entity;

use crate::agent::GroupMask;
use crate::math::Vector;
use crate::perception::obstacles::placed::PlacedShape;

/// An obstacle at the start of the tick.
#[derive(Clone, Debug)]
pub struct IndexedObstacle {
    /// Its entity.
    pub entity: Entity,
    /// Its shape in the world.
    pub shape: PlacedShape,
    /// Its velocity, units/s; zero without [`Velocity`](crate::agent::Velocity).
    pub velocity: Vector,
    /// The layers it is in.
    pub layers: GroupMask,
    /// Whether it was somewhere else at the start of the previous tick.
    pub(super) moved: bool,
}

impl IndexedObstacle {
    /// Whether it stands still.
    pub(super) fn stands(&self) -> bool {
        !self.moved && self.velocity == Vector::ZERO
    }

    /// An order that depends only on the obstacles themselves, not on the order of spawning.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        let velocity = |obstacle: &Self| obstacle.velocity.to_array();
        let by_velocity = velocity(self).into_iter().zip(velocity(other)).map(|(a, b)| a.total_cmp(&b));
        let by_velocity = by_velocity.fold(Ordering::Equal, Ordering::then);
        self.shape.order(&other.shape).then(by_velocity).then(self.layers.cmp(&other.layers))
    }
}
