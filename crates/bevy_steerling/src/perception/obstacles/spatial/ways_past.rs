//! The ways past a shape.

use core::f32::consts::{PI, TAU};

use bevy::math::ops;

use crate::math::placement::right_of;
use crate::math::{Vector, normalize};
use crate::perception::obstacles::spatial::placed::PlacedShape;
use crate::perception::obstacles::spatial::side::ObstacleSide;

/// The number of sides that are compared to find the nearest way.
const SIDES: u8 = 16;

/// The number of bisections of the angle when sides are compared.
const COARSE: u8 = 10;

/// The number of bisections of the angle of a way.
const FINE: u8 = 20;

/// A share of a radius within which a cast may hit a ball or miss it.
const MARGIN: f32 = 1e-4;

/// The directions in which a body just passes a shape.
pub(crate) struct WaysPast<'a> {
    shape: &'a PlacedShape,
    from: Vector,
    wanted: Vector,
    body_radius: f32,
}

impl WaysPast<'_> {
    /// The side on which the shape is if the body takes the way nearest to the wanted one, out of [`SIDES`]. A body that heads for the
    /// center of a round shape passes with the shape on its right.
    pub fn nearest_side(&self) -> ObstacleSide {
        let to_center = self.shape.center() - self.from;
        let toward = self.across(to_center).unwrap_or_else(|| right_of(self.wanted));
        let beside = self.wanted.cross(toward);
        let sides = (0..SIDES).map(|side| {
            let (sin, cos) = ops::sin_cos(f32::from(side) * (TAU / f32::from(SIDES)));
            ObstacleSide(toward * cos + beside * sin)
        });
        let (_, nearest) = sides.fold((f32::INFINITY, ObstacleSide(toward)), |nearest, side| {
            let angle = self.angle(side.direction(), COARSE);
            // Of several equally near ones, the first is used.
            if angle < nearest.0 { (angle, side) } else { nearest }
        });
        nearest
    }

    /// A side found for another way, relative to the wanted way: sides turn with the body.
    pub fn turned(&self, side: ObstacleSide) -> ObstacleSide {
        self.across(side.direction()).map_or_else(|| self.nearest_side(), ObstacleSide)
    }

    /// The way with the shape on this side, a unit vector.
    pub fn with_shape_on(&self, side: ObstacleSide) -> Vector {
        let toward = self.turned(side).direction();
        self.way(toward, self.angle(toward, FINE))
    }

    /// The component of a vector perpendicular to the wanted direction, as a unit vector.
    fn across(&self, vector: Vector) -> Option<Vector> {
        let across = vector - self.wanted * vector.dot(self.wanted);
        (across.length_squared() > 1e-8 * vector.length_squared()).then(|| normalize(across))
    }

    /// The wanted direction, turned away from the shape.
    fn way(&self, toward: Vector, angle: f32) -> Vector {
        let (sin, cos) = ops::sin_cos(angle);
        self.wanted * cos - toward * sin
    }

    /// The smallest angle by which the wanted direction must turn to pass the shape. The directions that hit a convex shape form a convex
    /// cone, so they are those of smaller angles.
    fn angle(&self, toward: Vector, bisections: u8) -> f32 {
        let (surely_blocked, surely_free) = self.bracket(toward);
        let (mut blocked, mut free) = (0.0, PI);
        for _ in 0..bisections {
            let middle = 0.5 * (blocked + free);
            let is_blocked =
                || self.shape.cast_distance(self.from, self.way(toward, middle), self.body_radius).is_some();
            let is_blocked = middle < surely_blocked || middle <= surely_free && is_blocked();
            if is_blocked { blocked = middle } else { free = middle }
        }
        free
    }

    /// An angle below which the way is certainly blocked, and one above which it is certainly free. They are the angles for a ball inside
    /// the shape and a ball around it.
    fn bracket(&self, toward: Vector) -> (f32, f32) {
        let to_center = self.shape.center() - self.from;
        let (ahead, aside) = (to_center.dot(self.wanted), to_center.dot(toward));
        let beside = to_center.dot(self.wanted.cross(toward));
        let in_plane = ahead * ahead + aside * aside;
        let rounding = 1e-5 * ops::sqrt(in_plane + beside * beside);
        // Directions that differ from the one to the center of a ball by less than this hit the ball.
        let half_angle = |radius: f32| {
            let square = (radius * radius - beside * beside) / in_plane;
            if radius > 0.0 && square > 0.0 && square < 1.0 { ops::asin(ops::sqrt(square)) } else { f32::NAN }
        };
        let to_center = ops::atan2(aside, ahead);
        let around = half_angle((self.shape.extent() + self.body_radius) * (1.0 + MARGIN) + rounding);
        if to_center.abs() <= around {
            let inside = half_angle((self.shape.inner_radius() + self.body_radius) * (1.0 - MARGIN) - rounding);
            let blocked = if to_center.abs() <= inside { inside - to_center } else { 0.0 };
            (blocked, around - to_center)
        } else {
            (0.0, PI)
        }
    }
}

impl PlacedShape {
    /// The ways past the shape for a body of `body_radius` at `from`, outside the shape, that wants to move along `wanted`.
    pub(crate) fn ways_past(&self, from: Vector, wanted: Vector, body_radius: f32) -> WaysPast<'_> {
        WaysPast { shape: self, from, wanted: normalize(wanted), body_radius }
    }
}
