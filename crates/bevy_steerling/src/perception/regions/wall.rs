//! The walls of regions.

use bevy::prelude::*;

use crate::math::Vector;
#[cfg(dim3)]
use crate::math::half_space::HalfSpace;

/// A straight wall.
#[derive(Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Wall {
    /// The unit vector that points out of the region.
    pub outward: Vector,
    /// The distance from the origin to the wall along `outward`, units.
    pub distance: f32,
}

impl Wall {
    pub fn gap(&self, point: Vector) -> f32 {
        self.distance - self.outward.dot(point)
    }

    /// The point on this wall that is nearest to `point`, with this wall and the `others` moved inward by `margin`.
    #[cfg(not(dim3))]
    fn nearest(&self, point: Vector, margin: f32, others: &[Self]) -> Option<Vector> {
        let foot = point + self.outward * (self.gap(point) - margin);
        let along = self.outward.perp();
        let (mut low, mut high) = (f32::NEG_INFINITY, f32::INFINITY);
        for other in others {
            let (room, slope) = (other.gap(foot) - margin, other.outward.dot(along));
            if slope.abs() > PARALLEL {
                let end = room / slope;
                (low, high) = if slope > 0.0 { (low, high.min(end)) } else { (low.max(end), high) };
            } else if other.outward.dot(self.outward) < 0.0 && room < 0.0 {
                // The opposite wall is nearer than that.
                return None;
            }
        }
        (low <= high).then(|| foot + along * 0.0_f32.max(low).min(high))
    }
}

/// The nearest point to `point` between walls that are moved inward by `margin`, if `point` is too near to some of them; `None` if there is
/// none.
#[cfg(not(dim3))]
pub(super) fn nearest_on_walls(walls: &[Wall], point: Vector, margin: f32) -> Option<Vector> {
    // The nearest point is on one of the walls that are too near.
    walls
        .iter()
        .filter(|wall| wall.gap(point) < margin)
        .filter_map(|wall| wall.nearest(point, margin, walls))
        .min_by(|a, b| a.distance_squared(point).total_cmp(&b.distance_squared(point)))
}

/// The nearest point to `point` between walls that are moved inward by `margin`; `None` if there is none.
#[cfg(dim3)]
pub(super) fn nearest_on_walls(walls: &[Wall], point: Vector, margin: f32) -> Option<Vector> {
    let walls = walls.iter().filter(|wall| wall.distance.is_finite());
    let half_spaces = walls.clone().map(|wall| HalfSpace { normal: -wall.outward, least: margin - wall.distance });
    let farthest = walls.map(|wall| wall.distance.abs()).fold(point.length(), f32::max);
    HalfSpace::nearest_in_all(half_spaces, point, 4.0 * farthest)
}

/// Walls with a smaller sine of the angle between them count as parallel.
#[cfg(not(dim3))]
const PARALLEL: f32 = 1e-6;
