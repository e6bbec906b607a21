//! Orientations in space.

use bevy::prelude::*;

use crate::math::lanes::{Lanes, VectorOf};
use crate::math::placement::{UP, WholeSpace, angle_between, rotated_toward};
use crate::math::vector::Vector;

/// An orientation: the axes ahead, to the left and above.
#[derive(Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Orientation {
    /// The rotation of a `Transform` with this orientation.
    rotation: Quat,
}

impl Orientation {
    /// The upright orientation of something that faces along a unit vector.
    pub fn along(heading: Vector) -> Self {
        Self { rotation: WholeSpace.rotation_to(heading, UP, Quat::IDENTITY) }
    }

    /// The direction ahead.
    pub fn heading(&self) -> Vector {
        OrientationOf::<f32>::gather((), |_| *self).to_world(Vector::X.into()).into()
    }

    /// The orientation without accumulated rounding errors, which it does not have.
    pub fn normalized(self) -> Self {
        self
    }

    /// The orientation in the opposite direction, with the same upper side.
    pub fn reversed(self) -> Self {
        let [x, y, z, w] = self.rotation.to_array();
        Self { rotation: Quat::from_xyzw(-z, w, x, -y) }
    }

    /// Turns toward a heading, a unit vector, and toward the upright position, but less so if the heading is steep. `step` maps the
    /// remaining angle to the angle to turn, radians. Also returns the angle of the turn.
    pub fn turned_toward(self, heading: Vector, step: impl Fn(f32) -> f32) -> (Self, f32) {
        let goal = WholeSpace.rotation_to(heading, self.upper_side(heading), self.rotation);
        let turn = step(angle_between(self.rotation, goal));
        (Self { rotation: rotated_toward(self.rotation, goal, turn) }, turn)
    }

    /// The direction that the upper side approaches in a turn toward a heading. If the heading is level, it is upward. If the heading is
    /// steep, it is where the shortest turn takes the upper side.
    fn upper_side(&self, heading: Vector) -> Vector {
        let axes = OrientationOf::<f32>::gather((), |_| *self);
        let [ahead, above] = [Vector::X, Vector::Z].map(|axis| Vector::from(axes.to_world(axis.into())));
        let both = ahead + heading;
        let turned = above - both * (heading.dot(above) / (1.0 + ahead.dot(heading)).max(f32::EPSILON));
        let steep = heading.dot(UP) * heading.dot(UP);
        UP * (1.0 - steep) + turned * steep
    }

    /// The components of a displacement ahead, to the left and up.
    pub fn to_local(self, displacement: Vector) -> Vector {
        let [x, y, z, w] = self.rotation.to_array();
        let back = OrientationOf::<f32> { axis: Vector::new(-x, -y, -z).into(), w };
        let local = Vector::from(back.rotate(displacement.into()));
        Vector::new(-local.z, -local.x, local.y)
    }
}

/// An [`Orientation`] for one agent or one for each of eight.
#[derive(Clone, Copy)]
pub(crate) struct OrientationOf<L> {
    /// The components x, y and z of the quaternion.
    axis: VectorOf<L>,
    w: L,
}

impl<L: Lanes> OrientationOf<L> {
    /// The orientations of lanes 0, 1, ….
    #[inline(always)]
    pub fn gather(simd: L::Simd, orientation: impl Fn(usize) -> Orientation) -> Self {
        let rotation = |lane| orientation(lane).rotation;
        Self { axis: VectorOf::gather(simd, |lane| rotation(lane).xyz()), w: L::gather(simd, |lane| rotation(lane).w) }
    }

    /// The displacement with these components ahead, to the left and up.
    #[inline(always)]
    pub fn to_world(self, offset: VectorOf<L>) -> VectorOf<L> {
        self.rotate(VectorOf { x: -offset.y, y: offset.z, z: -offset.x })
    }

    #[inline(always)]
    fn rotate(self, vector: VectorOf<L>) -> VectorOf<L> {
        let twice = self.axis.cross(vector) * self.w.splat(2.0);
        vector + twice * self.w + self.axis.cross(twice)
    }
}
