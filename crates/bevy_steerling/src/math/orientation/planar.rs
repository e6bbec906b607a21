//! Orientations in the plane.

use bevy::prelude::*;

use crate::math::lanes::{Lanes, VectorOf};
use crate::math::vector::{Vector, normalize, turn_between, unit_vector};

/// An orientation: the axes ahead and to the left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Orientation {
    /// A unit vector.
    heading: Vector,
}

impl Orientation {
    /// The orientation of something that faces along a unit vector.
    pub fn along(heading: Vector) -> Self {
        Self { heading }
    }

    /// The direction ahead.
    pub fn heading(&self) -> Vector {
        self.heading
    }

    /// The orientation without accumulated rounding errors.
    pub fn normalized(self) -> Self {
        Self { heading: normalize(self.heading) }
    }

    /// The orientation in the opposite direction.
    pub fn reversed(self) -> Self {
        Self { heading: -self.heading }
    }

    /// Turns toward a heading, a unit vector. `step` maps the remaining angle to the angle to turn, radians. Also returns the angle of the
    /// turn.
    pub fn turned_toward(self, heading: Vector, step: impl Fn(f32) -> f32) -> (Self, f32) {
        let turn = step(turn_between(self.heading, heading));
        let turned = if turn == 0.0 { self.heading } else { self.heading.rotate(unit_vector(turn)) };
        (Self { heading: turned }, turn)
    }

    /// The components of a displacement ahead and to the left.
    pub fn to_local(self, displacement: Vector) -> Vector {
        Vector::new(self.heading.x, -self.heading.y).rotate(displacement)
    }
}

/// An [`Orientation`] for one agent or one for each of eight.
#[derive(Clone, Copy)]
pub(crate) struct OrientationOf<L> {
    heading: VectorOf<L>,
}

impl<L: Lanes> OrientationOf<L> {
    /// The orientations of lanes 0, 1, ….
    #[inline(always)]
    pub fn gather(simd: L::Simd, orientation: impl Fn(usize) -> Orientation) -> Self {
        Self { heading: VectorOf::gather(simd, |lane| orientation(lane).heading) }
    }

    /// The displacement with these components ahead and to the left.
    #[inline(always)]
    pub fn to_world(self, offset: VectorOf<L>) -> VectorOf<L> {
        self.heading.rotate(offset)
    }
}
