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
}

impl IndexedObstacle {
    /// An order that depends only on the obstacles themselves, not on the order of spawning.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        fn numbers(obstacle: &IndexedObstacle) -> impl Iterator<Item = f32> + '_ {
            let IndexedObstacle { shape, velocity, .. } = obstacle;
            let corners = shape.corners.iter().flat_map(|corner| corner.to_array());
            let rest = [shape.radius, f32::from(u8::from(shape.closed)), velocity.x, velocity.y];
            [shape.center.x, shape.center.y, shape.extent].into_iter().chain(corners).chain(rest)
        }
        let by_number = numbers(self).zip(numbers(other)).map(|(a, b)| a.total_cmp(&b));
        by_number.fold(Ordering::Equal, Ordering::then).then(self.layers.cmp(&other.layers))
    }
}
