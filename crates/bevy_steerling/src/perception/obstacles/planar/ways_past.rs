//! The two ways past a shape.

use crate::math::{Vector, normalize};
use crate::perception::obstacles::planar::placed::PlacedShape;
use crate::perception::obstacles::planar::side::ObstacleSide;

/// The directions in which a body just passes a shape.
pub(crate) struct WaysPast {
    wanted: Vector,
    past_right: Vector,
    past_left: Vector,
}

impl WaysPast {
    /// The side on which the shape is if the body takes the way nearest to the wanted one. A body that heads for the center passes with the
    /// shape on its right.
    pub fn nearest_side(&self) -> ObstacleSide {
        let is_right = self.past_right.dot(self.wanted) >= self.past_left.dot(self.wanted);
        if is_right { ObstacleSide::Right } else { ObstacleSide::Left }
    }

    /// A side relative to the wanted way: sides turn with the body.
    pub fn turned(&self, side: ObstacleSide) -> ObstacleSide {
        side
    }

    /// The way with the shape on this side, a unit vector.
    pub fn with_shape_on(&self, side: ObstacleSide) -> Vector {
        match side {
            ObstacleSide::Right => self.past_right,
            ObstacleSide::Left => self.past_left,
        }
    }
}

impl PlacedShape {
    /// The ways past the shape for a body of `body_radius` at `from`, outside the shape, that wants to move along `wanted`.
    pub(crate) fn ways_past(&self, from: Vector, wanted: Vector, body_radius: f32) -> WaysPast {
        let [past_right, past_left] = self.tangents(from, normalize(wanted), body_radius);
        WaysPast { wanted, past_right, past_left }
    }
}
