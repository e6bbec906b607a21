//! A shape in its place: how far it is, and when a moving body touches it.

use alloc::vec::Vec;

use bevy::math::ops;

use crate::math::segment::{cast_distance_to_segment, nearest_on_segment};
use crate::math::{self, Vector, normalize};

/// A shape in its place: everything within a radius of the lines between its corners and, if it is closed, between them.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedShape {
    pub(super) corners: Vec<Vector>,
    pub(super) closed: bool,
    pub(super) radius: f32,
    pub(super) center: Vector,
    /// No part of the shape is farther from the center.
    pub(super) extent: f32,
    /// The corners around it.
    pub(super) low: Vector,
    pub(super) high: Vector,
}

impl PlacedShape {
    /// The middle of the shape, units.
    pub fn center(&self) -> Vector {
        self.center
    }

    /// No part of the shape is farther from the center, units.
    pub fn extent(&self) -> f32 {
        self.extent
    }

    /// What lies within this of the lines between its corners belongs to it, units.
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// Its corners, one after another.
    pub fn corners(&self) -> &[Vector] {
        &self.corners
    }

    /// Whether what its corners surround belongs to it.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Whether it may have a part between two corners.
    #[inline]
    pub(super) fn touches(&self, low: Vector, high: Vector) -> bool {
        self.low.cmple(high).all() && self.high.cmpge(low).all()
    }

    /// The lines that bound it, before its radius counts.
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

    /// The distance from `point` to the shape, units, negative inside, and the unit vector along which it grows fastest. The
    /// latter is zero where no direction is better than others, as in the middle of a circle. Infinite for a shape without
    /// corners.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_steerling::prelude::*;
    /// let wall = ObstacleShape::from(Rectangle::new(20.0, 10.0)).placed(&Transform::default());
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
            // Inside a convex polygon all edges have the point on the same side.
            let turn = (end - start).perp_dot(point - start);
            inside &= turn * side >= 0.0;
            side = if turn == 0.0 { side } else { turn };
        }
        // Nothing is inside what has no area.
        inside &= side != 0.0;
        let distance = ops::sqrt(nearest.0);
        let (distance, away) = if inside { (-distance, -nearest.1) } else { (distance, nearest.1) };
        let away = if !is_rounding(nearest.1, point) {
            normalize(away)
        } else if inside {
            // On the rim.
            left_of(nearest_edge) * -side.signum()
        } else {
            Vector::ZERO
        };
        (distance - self.radius, away)
    }

    /// How many walls the shape has: a closed shape is one, of an open one each edge is.
    pub(crate) fn wall_count(&self) -> usize {
        if self.closed { 1 } else { self.edge_count() }
    }

    /// The [`distance`](Self::distance) from `point` to one of its walls. Who is just on a line leaves it to the left; only at
    /// a single point there is no direction.
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

    /// The same as [`cast_distance`](Self::cast_distance) for one of its walls.
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

    /// How far a body of `body_radius` at `from` can move along the unit vector `direction` until it touches the shape;
    /// `None` if it never does. A body that touches it already cannot move toward it.
    pub fn cast_distance(&self, from: Vector, direction: Vector, body_radius: f32) -> Option<f32> {
        let (distance, away) = self.distance(from);
        if distance <= body_radius {
            return (away.dot(direction) < 0.0).then_some(0.0);
        }
        let radius = self.radius + body_radius;
        self.edges()
            .filter_map(|(start, end)| cast_distance_to_segment(from, direction, start, end, radius))
            .min_by(f32::total_cmp)
    }

    /// The unit vectors along which a body of `body_radius` at `from`, outside the shape and on its way along `direction`, just
    /// passes by: with the shape to its right, and with the shape to its left. Of walls that surround the body only the first
    /// in its way counts.
    pub fn tangents(&self, from: Vector, direction: Vector, body_radius: f32) -> [Vector; 2] {
        let radius = self.radius + body_radius;
        let all = tangent_angles(self.corners.iter().copied(), self.center, from, radius);
        let surrounded = !self.closed && all.1[0] - all.1[1] >= core::f32::consts::PI;
        let hit = self.edges().filter(|_| surrounded).filter_map(|(start, end)| {
            cast_distance_to_segment(from, direction, start, end, radius).map(|way| (way, [start, end]))
        });
        let first = hit.min_by(|(a, _), (b, _)| a.total_cmp(b));
        let (middle, angles) = first.map_or(all, |(_, [start, end])| {
            tangent_angles([start, end].into_iter(), 0.5 * (start + end), from, radius)
        });
        angles.map(|angle| math::unit_vector(angle).rotate(middle))
    }
}

/// The direction from `from` to `center`, and the angles from it between which the corners lie, with `radius` to spare: the largest and
/// the smallest.
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

/// The unit vector to the left of a line, zero for a point.
fn left_of((start, end): (Vector, Vector)) -> Vector {
    normalize(end - start).perp()
}

/// Whether a displacement from a line to `point` is no more than the last digits of where that is: its direction means nothing.
fn is_rounding(displacement: Vector, point: Vector) -> bool {
    const DIGITS: f32 = 1e-6;
    let rounding = (DIGITS * point.abs().max_element()).max(1e-15);
    displacement.abs().max_element() <= rounding
}
