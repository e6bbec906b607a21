//! The convex hull of points.

use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

use bevy::prelude::*;
#[cfg(feature = "std")]
use quickhull::ConvexTriangleMesh;

use crate::math::Vector;
use crate::math::segment::nearest_on_segment;

/// The convex hull of points: the smallest convex shape that contains them, for example a rock. Computed by `quickhull`.
///
/// Computing the distance to it takes time proportional to the number of its triangles.
#[derive(Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub struct ConvexHull {
    triangles: Vec<Triangle>,
    low: Vector,
    high: Vector,
}

impl Clone for ConvexHull {
    fn clone(&self) -> Self {
        Self { triangles: self.triangles.clone(), ..*self }
    }

    /// Reuses the allocation of its own triangles.
    fn clone_from(&mut self, source: &Self) {
        let Self { triangles, low, high } = source;
        self.triangles.clone_from(triangles);
        (self.low, self.high) = (*low, *high);
    }
}

/// A hull that is thinner than this share of its extent is flat.
#[cfg(feature = "std")]
const FLAT: f32 = 1e-5;

/// A triangle of the surface.
#[derive(Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
struct Triangle {
    corners: [Vector; 3],
    /// The unit vector that points out of the hull.
    outward: Vector,
}

/// The error if the points of a [`ConvexHull`] are not finite, or lie in one plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConvexHullError;

impl fmt::Display for ConvexHullError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("expected finite points that do not lie in one plane")
    }
}

impl Error for ConvexHullError {}

impl ConvexHull {
    /// Computes the convex hull of points. Requires the feature `std`.
    ///
    /// # Errors
    ///
    /// Returns an error if a point is not finite, or if the points lie in one plane. Points beyond 1e9 units may also cause an error.
    #[cfg(feature = "std")]
    pub fn new(points: impl IntoIterator<Item = Vec3>) -> Result<Self, ConvexHullError> {
        let points: Vec<Vec3A> = points.into_iter().map(Vec3A::from).collect();
        if !points.iter().all(|point| point.is_finite()) {
            return Err(ConvexHullError);
        }
        let mesh = ConvexTriangleMesh::try_from_points(&points, None).map_err(|_| ConvexHullError)?;
        let corner = |index: u32| Vec3::from(mesh.vertices()[index as usize]);
        let triangles: Vec<Triangle> =
            mesh.indices().iter().filter_map(|face| Triangle::new(face.map(corner))).collect();
        let corners = triangles.iter().flat_map(|triangle| triangle.corners);
        let (low, high) = corners
            .fold((Vector::INFINITY, Vector::NEG_INFINITY), |(low, high), corner| (low.min(corner), high.max(corner)));
        let mut hull = Self { triangles, low, high };
        hull.drop_slivers();
        if hull.is_flat() { Err(ConvexHullError) } else { Ok(hull) }
    }

    /// The triangles of its surface, counterclockwise as seen from outside, for example to build a mesh.
    pub fn triangles(&self) -> impl Iterator<Item = [Vec3; 3]> {
        self.triangles.iter().map(|triangle| triangle.corners)
    }

    /// The distances of all corners from the plane of a triangle, units: the lowest and the highest.
    #[cfg(feature = "std")]
    fn heights(&self, triangle: &Triangle) -> (f32, f32) {
        let corners = self.triangles.iter().flat_map(|triangle| triangle.corners);
        let heights = corners.map(|corner| triangle.height(corner));
        heights.fold((0.0, 0.0), |(low, high), height| (height.min(low), height.max(high)))
    }

    /// Drops triangles that are so narrow that rounding turns their planes into the hull. Their neighbors cover them.
    #[cfg(feature = "std")]
    fn drop_slivers(&mut self) {
        let rounding = FLAT * self.extent();
        let is_kept = |triangle: &&Triangle| self.heights(triangle).1 <= rounding;
        self.triangles = self.triangles.iter().filter(is_kept).copied().collect();
    }

    /// Whether all points lie in one plane, up to rounding.
    #[cfg(feature = "std")]
    fn is_flat(&self) -> bool {
        let thickness = FLAT * self.extent();
        self.triangles.iter().all(|triangle| -self.heights(triangle).0 <= thickness)
    }

    /// The outward normals of its triangles, and the distances of their planes from the origin along these.
    pub(crate) fn planes(&self) -> impl Iterator<Item = (Vector, f32)> {
        self.triangles.iter().map(|triangle| (triangle.outward, triangle.outward.dot(triangle.corners[0])))
    }

    /// The corners of its triangles.
    pub(super) fn corners(&self) -> impl Iterator<Item = Vector> {
        self.triangles.iter().flat_map(|triangle| triangle.corners)
    }

    /// A point inside it.
    pub(crate) fn inner_point(&self) -> Vector {
        let corners = self.triangles.iter().flat_map(|triangle| triangle.corners);
        corners.sum::<Vector>() / (3 * self.triangles.len()).max(1) as f32
    }

    /// The middle of its bounding box, and half the size of the box.
    pub(super) fn bounds(&self) -> (Vector, Vector) {
        (0.5 * (self.low + self.high), 0.5 * (self.high - self.low))
    }

    /// The largest distance of a part from the middle of its bounding box, units.
    pub(crate) fn extent(&self) -> f32 {
        let (middle, _) = self.bounds();
        let corners = self.triangles.iter().flat_map(|triangle| triangle.corners);
        corners.map(|corner| corner.distance(middle)).fold(0.0, f32::max)
    }

    /// The point that is farthest along a direction.
    pub(super) fn farthest(&self, direction: Vector) -> Option<Vector> {
        let corners = self.triangles.iter().flat_map(|triangle| triangle.corners);
        corners.max_by(|a, b| a.dot(direction).total_cmp(&b.dot(direction)))
    }

    /// The signed distance from `point`, units, and its gradient, a unit vector.
    pub(super) fn distance(&self, point: Vector) -> (f32, Vector) {
        let heights = self.triangles.iter().map(|triangle| (triangle.height(point), triangle));
        let Some((highest, triangle)) = heights.clone().max_by(|a, b| a.0.total_cmp(&b.0)) else {
            // A deserialized hull may be empty.
            return (f32::INFINITY, Vector::ZERO);
        };
        if highest <= 0.0 {
            return (highest, triangle.outward);
        }
        let facing = heights.filter(|(height, _)| *height > 0.0).map(|(_, triangle)| point - triangle.nearest(point));
        let nearest = facing.min_by(|a, b| a.length_squared().total_cmp(&b.length_squared())).unwrap_or_default();
        let distance = nearest.length();
        // On the surface, the direction is lost in rounding errors.
        let is_rounding = distance <= 1e-5 * point.abs().max_element();
        (distance, if is_rounding { triangle.outward } else { nearest / distance })
    }
}

impl Triangle {
    /// `None` for a triangle without area.
    #[cfg(feature = "std")]
    fn new(corners: [Vector; 3]) -> Option<Self> {
        let [a, b, c] = corners;
        (b - a).cross(c - a).try_normalize().map(|outward| Self { corners, outward })
    }

    /// The distance from its plane, units, negative inside the hull.
    fn height(&self, point: Vector) -> f32 {
        self.outward.dot(point - self.corners[0])
    }

    /// The point of the triangle that is nearest to a point outside the hull.
    fn nearest(&self, point: Vector) -> Vector {
        let [a, b, c] = self.corners;
        let edges = [(a, b), (b, c), (c, a)];
        let is_above = edges.iter().all(|(start, end)| self.outward.cross(end - start).dot(point - start) >= 0.0);
        if is_above {
            return point - self.outward * self.height(point);
        }
        let on_edges = edges.map(|(start, end)| nearest_on_segment(point, start, end));
        let nearer = |one: Vector, other: Vector| {
            if other.distance_squared(point) < one.distance_squared(point) { other } else { one }
        };
        nearer(nearer(on_edges[0], on_edges[1]), on_edges[2])
    }
}
