//! Paths: polylines that agents share.

use alloc::sync::Arc;
use alloc::vec::Vec;

use bevy::prelude::*;

use crate::math::Vector;

/// A polyline that any number of agents share. Clones refer to the same points.
///
/// In a world that wraps, each segment is the shortest displacement between its two points.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// let path = SteeringPath::new([Vec2::ZERO, Vec2::new(30.0, 0.0), Vec2::new(30.0, 40.0)]);
/// assert_eq!(path.length(), 70.0);
/// assert_eq!(path.point_at(50.0), Some(Vec2::new(30.0, 20.0)));
/// ```
#[derive(Clone, Debug, Reflect)]
#[reflect(opaque, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
#[cfg_attr(feature = "serialize", serde(from = "Vec<Vector>", into = "Vec<Vector>"))]
pub struct SteeringPath(Arc<Points>);

#[derive(Debug)]
struct Points {
    points: Vec<Vector>,
    /// Whether the last point repeats the first.
    is_closed: bool,
    /// A hash of the points: equal for paths with the same points.
    fingerprint: u64,
}

impl SteeringPath {
    /// Creates a path through these points. Points that are not finite are skipped.
    pub fn new(points: impl IntoIterator<Item = Vector>) -> Self {
        let points: Vec<Vector> = points.into_iter().filter(|point| point.is_finite()).collect();
        // FNV-1a. Zero stands for no path.
        let bits = points.iter().flat_map(|point| point.to_array().map(f32::to_bits));
        let hash = bits.fold(0xcbf2_9ce4_8422_2325, |hash: u64, bits| {
            (hash ^ u64::from(bits)).wrapping_mul(0x0100_0000_01b3).rotate_left(29)
        });
        let is_closed = points.len() > 1 && points.first() == points.last();
        Self(Arc::new(Points { points, is_closed, fingerprint: hash.max(1) }))
    }

    /// The points.
    pub fn points(&self) -> &[Vector] {
        &self.0.points
    }

    /// The points of a loop, without the last one if it repeats the first.
    pub(crate) fn loop_points(&self) -> &[Vector] {
        let points = self.points();
        &points[..points.len() - usize::from(self.0.is_closed)]
    }

    pub(crate) fn fingerprint(&self) -> u64 {
        self.0.fingerprint
    }

    /// The length of all segments, units.
    pub fn length(&self) -> f32 {
        self.points().windows(2).map(|ends| ends[0].distance(ends[1])).sum()
    }

    /// The point at a distance from the start along the path, units; `None` if the path has no points. Distances are clamped to the ends of
    /// the path.
    pub fn point_at(&self, distance: f32) -> Option<Vector> {
        let mut left = distance.max(0.0);
        for ends in self.points().windows(2) {
            let length = ends[0].distance(ends[1]);
            if left < length {
                return Some(ends[0].lerp(ends[1], left / length));
            }
            left -= length;
        }
        self.points().last().copied()
    }

    /// The distance from the start along the path to the point that is nearest to `place`, units. If several points are equally near, the
    /// first one is used. Zero if the path has no points.
    pub fn distance_to_nearest(&self, place: Vector) -> f32 {
        let (mut nearest, mut along, mut start) = (f32::INFINITY, 0.0, 0.0);
        for ends in self.points().windows(2) {
            let length = ends[0].distance(ends[1]);
            let share = (place - ends[0]).dot(ends[1] - ends[0]) / (length * length).max(f32::MIN_POSITIVE);
            let share = share.clamp(0.0, 1.0);
            let distance = place.distance(ends[0].lerp(ends[1], share));
            if distance < nearest {
                (nearest, along) = (distance, start + share * length);
            }
            start += length;
        }
        along
    }
}

impl Default for SteeringPath {
    /// A path without points.
    fn default() -> Self {
        Self::new([])
    }
}

impl PartialEq for SteeringPath {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.points() == other.points()
    }
}

impl From<Vec<Vector>> for SteeringPath {
    fn from(points: Vec<Vector>) -> Self {
        Self::new(points)
    }
}

impl<const COUNT: usize> From<[Vector; COUNT]> for SteeringPath {
    fn from(points: [Vector; COUNT]) -> Self {
        Self::new(points)
    }
}

impl From<&Self> for SteeringPath {
    fn from(path: &Self) -> Self {
        path.clone()
    }
}

impl From<SteeringPath> for Vec<Vector> {
    fn from(path: SteeringPath) -> Self {
        path.points().to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_without_length_has_one_place() {
        let point = SteeringPath::new([Vector::ONE]);
        assert_eq!((point.length(), point.point_at(5.0)), (0.0, Some(Vector::ONE)));
        assert_eq!(SteeringPath::default().point_at(0.0), None);
        assert_eq!(SteeringPath::default().distance_to_nearest(Vector::ONE), 0.0);
    }

    #[test]
    fn points_that_are_not_finite_are_left_out() {
        let path = SteeringPath::new([Vector::ZERO, Vector::NAN, Vector::splat(f32::INFINITY), Vector::X]);
        assert_eq!(path, SteeringPath::new([Vector::ZERO, Vector::X]));
    }

    #[test]
    fn other_points_give_another_fingerprint() {
        let path = |x| SteeringPath::new([Vector::ZERO, Vector::new(x, 1.0)]).fingerprint();
        assert_eq!(path(1.0), path(1.0));
        assert_ne!(path(1.0), path(1.000_000_1));
        assert_ne!(SteeringPath::new([Vector::ZERO]).fingerprint(), SteeringPath::default().fingerprint());
    }
}
