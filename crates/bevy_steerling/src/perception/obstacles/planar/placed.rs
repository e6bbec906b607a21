//! A shape in the world: its distance, and the first contact of a moving body with it.

use alloc::vec::Vec;
use core::cmp::Ordering;

use bevy::math::ops;

use crate::math::segment::{cast_distance_to_segment, nearest_on_segment};
use crate::math::{self, Vector, normalize};

/// A shape in the world. It consists of all points within a radius of the lines between its corners and, if it is closed, of the points
/// that the lines enclose.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlacedShape {
    pub(in crate::perception::obstacles) corners: Vec<Vector>,
    pub(super) closed: bool,
    pub(super) radius: f32,
    pub(in crate::perception::obstacles) center: Vector,
    /// The largest distance of a part of the shape from the center, units.
    pub(in crate::perception::obstacles) extent: f32,
    /// The corners of its bounding box.
    pub(super) low: Vector,
    pub(super) high: Vector,
}

impl PlacedShape {
    /// The center of the shape, units.
    pub fn center(&self) -> Vector {
        self.center
    }

    /// The largest distance of a part of the shape from the center, units.
    pub fn extent(&self) -> f32 {
        self.extent
    }

    /// Points within this distance of the lines between its corners belong to the shape, units.
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// Its corners in order.
    pub fn corners(&self) -> &[Vector] {
        &self.corners
    }

    /// Whether the points that the lines between its corners enclose belong to the shape.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Whether its size and position are finite.
    pub(in crate::perception::obstacles) fn is_somewhere(&self) -> bool {
        self.center.is_finite() && self.extent.is_finite()
    }

    /// Whether it is unbounded, which no planar shape is.
    pub(in crate::perception) fn is_boundless(&self) -> bool {
        false
    }

    /// Whether it is unchanged by rotations about its center.
    pub(in crate::perception::obstacles) fn is_round(&self) -> bool {
        self.corners.len() == 1
    }

    /// A value that differs after the shape has moved.
    pub(in crate::perception::obstacles) fn pose(&self) -> impl PartialEq + use<> {
        self.bounds()
    }

    /// The corners of its bounding box, which is slightly larger than the shape.
    #[inline]
    pub(in crate::perception) fn bounds(&self) -> (Vector, Vector) {
        (self.low, self.high)
    }

    /// The corners of the bounding box of one of its walls.
    pub(in crate::perception) fn wall_bounds(&self, wall: usize) -> (Vector, Vector) {
        if self.closed {
            return self.bounds();
        }
        let (start, end) = self.edge(wall);
        (start.min(end) - self.radius, start.max(end) + self.radius)
    }

    /// An order that depends only on the shapes themselves.
    pub(in crate::perception) fn order(&self, other: &Self) -> Ordering {
        fn numbers(shape: &PlacedShape) -> impl Iterator<Item = f32> + '_ {
            let corners = shape.corners.iter().flat_map(|corner| corner.to_array());
            let rest = [shape.radius, f32::from(u8::from(shape.closed))];
            [shape.center.x, shape.center.y, shape.extent].into_iter().chain(corners).chain(rest)
        }
        let by_number = numbers(self).zip(numbers(other)).map(|(a, b)| a.total_cmp(&b));
        by_number.fold(Ordering::Equal, Ordering::then)
    }

    /// Whether it may overlap the box between two corners.
    #[inline]
    pub(in crate::perception::obstacles) fn touches(&self, low: Vector, high: Vector) -> bool {
        self.low.cmple(high).all() && self.high.cmpge(low).all()
    }

    /// The lines between its corners.
    fn edges(&self) -> impl Iterator<Item = (Vector, Vector)> {
        (0..self.edge_count()).map(|index| self.edge(index))
    }

    fn edge_count(&self) -> usize {
        match self.corners.len() {
            0 | 1 => self.corners.len(),
            2 => 1,
            corners => corners - usize::from(!self.closed),
        }
    }

    fn edge(&self, index: usize) -> (Vector, Vector) {
        (self.corners[index], self.corners[(index + 1) % self.corners.len()])
    }

    /// The distance from `point` to the shape, units, and the unit vector along which it increases fastest. The distance is negative inside
    /// the shape, and infinite for a shape without corners. The vector is zero if there is no such direction, as at the center of a circle.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_steerling::prelude::*;
    /// let wall = ObstacleShape::from(Rectangle::new(20.0, 10.0)).placed(&Transform::default(), SteeringPlane::XY);
    /// assert_eq!(wall.distance(Vec2::new(0.0, 8.0)), (3.0, Vec2::Y));
    /// assert_eq!(wall.distance(Vec2::new(0.0, 4.0)), (-1.0, Vec2::Y));
    /// ```
    pub fn distance(&self, point: Vector) -> (f32, Vector) {
        let mut nearest = (f32::INFINITY, Vector::ZERO);
        let mut nearest_edge = (Vector::ZERO, Vector::ZERO);
        let mut side = 0.0_f32;
        let mut inside = self.closed && self.corners.len() > 2;
        for (start, end) in self.edges() {
            let from_edge = point - nearest_on_segment(point, start, end);
            if from_edge.length_squared() < nearest.0 {
                nearest = (from_edge.length_squared(), from_edge);
                nearest_edge = (start, end);
            }
            // A point inside a convex polygon is on the same side of all edges.
            let turn = (end - start).perp_dot(point - start);
            inside &= turn * side >= 0.0;
            side = if turn == 0.0 { side } else { turn };
        }
        // A polygon without area has no inside.
        inside &= side != 0.0;
        let distance = ops::sqrt(nearest.0);
        let (distance, away) = if inside { (-distance, -nearest.1) } else { (distance, nearest.1) };
        let away = if !is_rounding(nearest.1, point) {
            normalize(away)
        } else if inside {
            // On the edge.
            left_of(nearest_edge) * -side.signum()
        } else {
            Vector::ZERO
        };
        (distance - self.radius, away)
    }

    /// The number of walls. A closed shape is a single wall; each edge of an open shape is one.
    pub(crate) fn wall_count(&self) -> usize {
        if self.closed { 1 } else { self.edge_count() }
    }

    /// A point of the shape in the middle of one of its walls.
    pub(crate) fn middle_of_wall(&self, wall: usize) -> Vector {
        if self.closed {
            return self.corners.iter().sum::<Vector>() / self.corners.len() as f32;
        }
        let (start, end) = self.edge(wall);
        0.5 * (start + end)
    }

    /// The [`distance`](Self::distance) from `point` to one of its walls. For a point on a line, the vector points to the left of the line.
    /// The vector is zero only for a wall that is a single point.
    pub(crate) fn distance_to_wall(&self, wall: usize, point: Vector) -> (f32, Vector) {
        if self.closed {
            let (distance, away) = self.distance(point);
            let flat = away == Vector::ZERO;
            return (distance, if flat { self.edges().next().map_or(away, left_of) } else { away });
        }
        let (start, end) = self.edge(wall);
        let from_edge = point - nearest_on_segment(point, start, end);
        let away = if is_rounding(from_edge, point) { left_of((start, end)) } else { normalize(from_edge) };
        (from_edge.length() - self.radius, away)
    }

    /// [`cast_distance`](Self::cast_distance) for one of its walls.
    pub(crate) fn cast_distance_to_wall(
        &self,
        wall: usize,
        from: Vector,
        direction: Vector,
        body_radius: f32,
    ) -> Option<f32> {
        if self.closed {
            return self.cast_distance(from, direction, body_radius);
        }
        let (distance, away) = self.distance_to_wall(wall, from);
        let (start, end) = self.edge(wall);
        if distance <= body_radius {
            (away.dot(direction) < 0.0).then_some(0.0)
        } else {
            cast_distance_to_segment(from, direction, start, end, self.radius + body_radius)
        }
    }

    /// The distance that a body of `body_radius` at `from` can move along the unit vector `direction` until it touches the shape; `None` if
    /// it never does. If the body already touches the shape and moves toward it, the distance is zero.
    pub fn cast_distance(&self, from: Vector, direction: Vector, body_radius: f32) -> Option<f32> {
        if self.is_missed(from, direction, body_radius) {
            return None;
        }
        if !self.closed {
            // A body that leaves one wall may reach another.
            return self.first_wall(from, direction, body_radius).map(|(distance, _)| distance);
        }
        let (distance, away) = self.distance(from);
        if distance <= body_radius {
            return (away.dot(direction) < 0.0).then_some(0.0);
        }
        self.edges()
            .filter_map(|(start, end)| cast_distance_to_segment(from, direction, start, end, self.radius + body_radius))
            .min_by(f32::total_cmp)
    }

    /// The first wall that a body touches on its way along the unit vector `direction`, and the distance to the contact.
    fn first_wall(&self, from: Vector, direction: Vector, body_radius: f32) -> Option<(f32, usize)> {
        let cast = |wall| Some((self.cast_distance_to_wall(wall, from, direction, body_radius)?, wall));
        (0..self.wall_count()).filter_map(cast).min_by(|(a, _), (b, _)| a.total_cmp(b))
    }

    /// Whether a body that moves along a unit vector certainly misses the circle around the shape.
    #[inline]
    fn is_missed(&self, from: Vector, direction: Vector, body_radius: f32) -> bool {
        let to_center = self.center - from;
        let radius = self.certain_distance(to_center, body_radius);
        let is_behind = to_center.dot(direction) < 0.0 && to_center.length_squared() > radius * radius;
        is_behind || direction.perp_dot(to_center).abs() > radius
    }

    /// The unit vectors along which a body of `body_radius` at `from`, outside the shape, just passes the shape: first with the shape on
    /// its right, then with the shape on its left. If the walls of the shape surround the body, or it touches one of them, only the first one
    /// along `direction` counts.
    pub fn tangents(&self, from: Vector, direction: Vector, body_radius: f32) -> [Vector; 2] {
        let radius = self.radius + body_radius;
        let all = tangent_angles(self.corners.iter().copied(), self.center, from, radius);
        let surrounded = !self.closed && all.1[0] - all.1[1] >= core::f32::consts::PI;
        let first = if surrounded { self.first_wall(from, direction, body_radius) } else { None };
        let (middle, angles) = first.map_or(all, |(_, wall)| {
            let (start, end) = self.edge(wall);
            tangent_angles([start, end].into_iter(), 0.5 * (start + end), from, radius)
        });
        angles.map(|angle| math::unit_vector(angle).rotate(middle))
    }
}

/// The direction from `from` to `center`, and the largest and the smallest angle from it to a circle of this radius around a corner.
fn tangent_angles(
    corners: impl Iterator<Item = Vector>,
    center: Vector,
    from: Vector,
    radius: f32,
) -> (Vector, [f32; 2]) {
    let middle = normalize(center - from);
    let widest = corners.fold([0.0_f32; 2], |widest, corner| {
        let to_corner = corner - from;
        let angle = ops::atan2(middle.perp_dot(to_corner), middle.dot(to_corner));
        let margin = ops::asin((radius / to_corner.length()).min(1.0));
        [widest[0].max(angle + margin), widest[1].min(angle - margin)]
    });
    (middle, widest)
}

/// The unit vector to the left of a line; zero for a point.
fn left_of((start, end): (Vector, Vector)) -> Vector {
    normalize(end - start).perp()
}

/// Whether a displacement from a line to `point` is within the rounding error of the coordinates, so that its direction is meaningless.
fn is_rounding(displacement: Vector, point: Vector) -> bool {
    const DIGITS: f32 = 1e-6;
    let rounding = (DIGITS * point.abs().max_element()).max(1e-15);
    displacement.abs().max_element() <= rounding
}
