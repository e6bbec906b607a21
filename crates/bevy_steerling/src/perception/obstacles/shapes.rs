//! The shapes of the dimension, and what does not depend on it.

use crate::math::Vector;

#[cfg(not(dim3))]
pub use crate::perception::obstacles::planar::{ObstacleShape, ObstacleSide, PlacedShape};
#[cfg(dim3)]
pub use crate::perception::obstacles::spatial::{
    ConvexHull, ConvexHullError, ObstacleShape, ObstacleSide, PlacedShape,
};

impl PlacedShape {
    /// The distance from the center beyond which everything is farther than `distance` from the shape, despite rounding errors.
    #[inline]
    pub(super) fn certain_distance(&self, to_center: Vector, distance: f32) -> f32 {
        1.0001 * (self.extent + distance) + 1e-5 * to_center.abs().max_element()
    }

    /// Whether a point is certainly farther than `distance` from the shape.
    #[inline]
    pub(crate) fn is_beyond(&self, point: Vector, distance: f32) -> bool {
        let to_center = self.center - point;
        let certain = self.certain_distance(to_center, distance);
        to_center.length_squared() > certain * certain
    }
}
