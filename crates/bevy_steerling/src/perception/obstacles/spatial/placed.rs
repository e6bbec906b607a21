//! A shape in the world: its distance, and the first contact of a moving body with it.

use core::cmp::Ordering;

use bevy::prelude::*;

use crate::math::Vector;
use crate::math::placement::unit_rotation;
use crate::perception::obstacles::spatial::solid::Solid;

/// A shape in the world. All shapes are convex.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlacedShape {
    pub(super) solid: Solid,
    origin: Vector,
    /// The local axes in the world.
    axes: Mat3,
    pub(in crate::perception::obstacles) center: Vector,
    /// The largest distance of a part of the shape from the center, units.
    pub(in crate::perception::obstacles) extent: f32,
    /// The corners of its bounding box.
    low: Vector,
    high: Vector,
}

/// The maximum number of steps of a cast. Each step that does not reach the shape at least halves the gap or its slope.
const MOST_STEPS: usize = 32;

/// Distances below this share of the coordinates are rounding errors.
const ROUNDING: f32 = 1e-6;

impl PlacedShape {
    pub(super) fn new(solid: Solid, transform: &Transform) -> Self {
        // This is not `rotation * vector`, whose rounding differs between processors.
        let (origin, axes) = (transform.translation, Mat3::from_quat(unit_rotation(transform.rotation)));
        let (middle, half_size) = solid.bounds();
        let (center, extent) = (origin + axes * middle, solid.extent());
        let (low, high) = if extent.is_finite() {
            let half =
                axes.x_axis.abs() * half_size.x + axes.y_axis.abs() * half_size.y + axes.z_axis.abs() * half_size.z;
            // Slightly larger, so that rounding loses nothing.
            let around = half.min(Vector::splat(extent)) + ROUNDING * (extent + center.abs().max_element());
            (center - around, center + around)
        } else {
            (Vector::NEG_INFINITY, Vector::INFINITY)
        };
        Self { solid, origin, axes, center, extent, low, high }
    }

    /// The center of the shape, units. For a half-space, it is the origin of the entity.
    pub fn center(&self) -> Vector {
        self.center
    }

    /// The largest distance of a part of the shape from the center, units; infinite for a half-space.
    pub fn extent(&self) -> f32 {
        self.extent
    }

    /// The radius of a sphere or a capsule, units; zero for other shapes.
    pub fn radius(&self) -> f32 {
        self.solid.radius()
    }

    /// The radius of a ball around the center that is inside the shape, units; negative if there may be none.
    pub(super) fn inner_radius(&self) -> f32 {
        self.solid.inner_radius()
    }

    /// Whether it is unchanged by rotations about its center.
    pub(in crate::perception::obstacles) fn is_round(&self) -> bool {
        self.extent <= self.inner_radius()
    }

    /// The point of the shape that is farthest along a direction, units; `None` for a half-space, which is unbounded.
    pub fn farthest(&self, direction: Vector) -> Option<Vector> {
        let local = self.solid.farthest(self.axes.transpose() * direction)?;
        Some(self.origin + self.axes * local)
    }

    /// Whether its size and position are finite, except for a half-space, which is unbounded.
    pub(in crate::perception::obstacles) fn is_somewhere(&self) -> bool {
        self.center.is_finite() && self.axes.is_finite() && (self.extent.is_finite() || self.is_boundless())
    }

    /// Whether it is unbounded.
    pub(in crate::perception) fn is_boundless(&self) -> bool {
        matches!(self.solid, Solid::HalfSpace { .. })
    }

    /// A value that differs after the shape has moved.
    pub(in crate::perception::obstacles) fn pose(&self) -> impl PartialEq + use<> {
        (self.low, self.high, self.origin, self.axes)
    }

    /// The corners of its bounding box, which is slightly larger than the shape.
    #[inline]
    pub(in crate::perception) fn bounds(&self) -> (Vector, Vector) {
        (self.low, self.high)
    }

    /// Whether it may overlap the box between two corners.
    #[inline]
    pub(in crate::perception::obstacles) fn touches(&self, low: Vector, high: Vector) -> bool {
        self.low.cmple(high).all() && self.high.cmpge(low).all()
    }

    /// An order that depends only on the shapes themselves. Unbounded shapes come last.
    pub(in crate::perception) fn order(&self, other: &Self) -> Ordering {
        fn numbers(shape: &PlacedShape) -> impl Iterator<Item = f32> + '_ {
            let (_, half_size) = shape.solid.bounds();
            let sizes = shape.center.to_array().into_iter().chain([shape.extent]).chain(half_size.to_array());
            sizes.chain(shape.axes.to_cols_array()).chain(shape.solid.numbers())
        }
        let by_number = numbers(self).zip(numbers(other)).map(|(a, b)| a.total_cmp(&b));
        let by_count = || numbers(self).count().cmp(&numbers(other).count());
        let by_end = self.is_boundless().cmp(&other.is_boundless());
        by_number.fold(by_end, Ordering::then).then_with(by_count)
    }

    /// The distance from `point` to the shape, units, and the unit vector along which it increases fastest. The distance is negative inside
    /// the shape. The vector is zero if there is no such direction, as at the center of a sphere.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_steerling_3d::prelude::*;
    /// let wall = ObstacleShape::from(Cuboid::new(20.0, 10.0, 4.0)).placed(&Transform::default());
    /// assert_eq!(wall.distance(Vec3::new(0.0, 8.0, 1.0)), (3.0, Vec3::Y));
    /// assert_eq!(wall.distance(Vec3::new(0.0, 4.0, 0.0)), (-1.0, Vec3::Y));
    /// ```
    pub fn distance(&self, point: Vector) -> (f32, Vector) {
        let (distance, away) = self.solid.distance(self.axes.transpose() * (point - self.origin));
        (distance, self.axes * away)
    }

    /// The distance that a body of `body_radius` at `from` can move along the unit vector `direction` until it touches the shape; `None` if
    /// it never does. If the body already touches the shape and moves toward it, the distance is zero.
    ///
    /// The distance to a convex shape is a convex function of the distance moved, so Newton's method never oversteps the first contact.
    pub fn cast_distance(&self, from: Vector, direction: Vector, body_radius: f32) -> Option<f32> {
        if self.is_missed(from, direction, body_radius) {
            return None;
        }
        let to_local = self.axes.transpose();
        let (from, direction) = (to_local * (from - self.origin), to_local * direction);
        let (distance, mut away) = self.solid.distance(from);
        let mut gap = distance - body_radius;
        if gap <= 0.0 {
            return (away.dot(direction) < 0.0).then_some(0.0);
        }
        let mut way = 0.0;
        for _ in 0..MOST_STEPS {
            let approach = -away.dot(direction);
            way += gap / approach;
            if approach <= 0.0 || !way.is_finite() {
                return None;
            }
            let place = from + direction * way;
            let (distance, next_away) = self.solid.distance(place);
            (gap, away) = (distance - body_radius, next_away);
            if gap <= ROUNDING * (place.abs().max_element() + body_radius) {
                return Some(way);
            }
        }
        None
    }

    /// Whether a body that moves along a unit vector certainly misses the sphere around the shape.
    #[inline]
    fn is_missed(&self, from: Vector, direction: Vector, body_radius: f32) -> bool {
        let to_center = self.center - from;
        let radius = self.certain_distance(to_center, body_radius);
        let beside = to_center.cross(direction).length_squared();
        let is_behind = to_center.dot(direction) < 0.0 && to_center.length_squared() > radius * radius;
        is_behind || beside > radius * radius
    }

    /// The edges of its bounding box, which is aligned with the axes of the shape. A half-space has none.
    pub(crate) fn box_edges(&self) -> impl Iterator<Item = (Vector, Vector)> {
        let (middle, half_size) = self.solid.bounds();
        let corner = move |signs: Vector| self.origin + self.axes * (middle + half_size * signs);
        let starts = (0..8_u8).map(|bits| {
            let sign = |bit: u8| if bits & (1 << bit) == 0 { -1.0 } else { 1.0 };
            Vector::new(sign(0), sign(1), sign(2))
        });
        let edges = starts.flat_map(|start| {
            let along = Vector::AXES.into_iter().filter(move |axis| start.dot(*axis) < 0.0);
            along.map(move |axis| (start, start + 2.0 * axis))
        });
        edges.filter(|_| !self.is_boundless()).map(move |(start, end)| (corner(start), corner(end)))
    }

    /// The number of walls: always one.
    pub(crate) fn wall_count(&self) -> usize {
        1
    }

    /// The corners of the bounding box of its wall.
    pub(in crate::perception) fn wall_bounds(&self, _: usize) -> (Vector, Vector) {
        self.bounds()
    }

    /// Its center.
    pub(crate) fn middle_of_wall(&self, _: usize) -> Vector {
        self.center
    }

    /// The [`distance`](Self::distance).
    pub(crate) fn distance_to_wall(&self, _: usize, point: Vector) -> (f32, Vector) {
        self.distance(point)
    }

    /// [`cast_distance`](Self::cast_distance).
    pub(crate) fn cast_distance_to_wall(
        &self,
        _: usize,
        from: Vector,
        direction: Vector,
        body_radius: f32,
    ) -> Option<f32> {
        self.cast_distance(from, direction, body_radius)
    }
}
