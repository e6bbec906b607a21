//! Orientations in space.

use bevy::prelude::*;

use crate::math::lanes::{Lanes, VectorOf};
use crate::math::placement::{UP, WholeSpace, angle_between, rotated_toward};
use crate::math::vector::Vector;

/// An orientation: the axes ahead, to the left and above.
#[derive(Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
pub(crate) struct Orientation {
    /// The rotation of a `Transform` with this orientation.
    rotation: Quat,
}

impl Orientation {
    /// The orientation of something upright that looks along a unit vector.
    pub fn along(heading: Vector) -> Self {
        Self { rotation: WholeSpace.rotation_to(heading, UP, Quat::IDENTITY) }
    }

    /// The direction ahead.
    pub fn heading(&self) -> Vector {
        OrientationOf::<f32>::gather((), |_| *self).to_world(Vector::X.into()).into()
    }

    /// The orientation without the rounding errors of many turns: it has none.
    pub fn normalized(self) -> Self {
        self
    }

    /// The orientation after turning about, with the same upper side.
    pub fn reversed(self) -> Self {
        let [x, y, z, w] = self.rotation.to_array();
        Self { rotation: Quat::from_xyzw(-z, w, x, -y) }
    }

    /// Turns toward a heading, a unit vector, and upright: the less, the steeper the heading is. `step` says how far for the angle that is
    /// left, radians. Returns the angle of the turn, too.
    pub fn turned_toward(self, heading: Vector, step: impl Fn(f32) -> f32) -> (Self, f32) {
        let goal = WholeSpace.rotation_to(heading, self.upper_side(heading), self.rotation);
        let turn = step(angle_between(self.rotation, goal));
        (Self { rotation: rotated_toward(self.rotation, goal, turn) }, turn)
    }

    /// Where the upper side tends to be after a turn toward a heading: upward if that is level, and if it is steep, where the shortest turn
    /// takes it.
    fn upper_side(&self, heading: Vector) -> Vector {
        let axes = OrientationOf::<f32>::gather((), |_| *self);
        let [ahead, above] = [Vector::X, Vector::Z].map(|axis| Vector::from(axes.to_world(axis.into())));
        let both = ahead + heading;
        let turned = above - both * (heading.dot(above) / (1.0 + ahead.dot(heading)).max(f32::EPSILON));
        let steep = heading.dot(UP) * heading.dot(UP);
        UP * (1.0 - steep) + turned * steep
    }

    /// How far a displacement leads ahead, to the left and up.
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
    /// The numbers x, y and z of the quaternion.
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

    /// The displacement that leads so far ahead, to the left and up.
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
