//! How positions are read from and written to `Transform`s in three dimensions.

use bevy::prelude::*;

use crate::math::vector::Vector;

/// The upper side of the world, as in Bevy.
pub(crate) const UP: Vector = Vec3::Y;

/// Vectors whose angle has a smaller sine count as parallel.
const PARALLEL: f32 = 1e-4;

/// The whole space of the world: what [`SteeringPlane`](https://docs.rs/bevy_steerling/latest/bevy_steerling/prelude/struct.SteeringPlane.html)
/// is in two dimensions.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct WholeSpace;

impl WholeSpace {
    /// Agents move in it as usual.
    pub const USUAL: Self = Self;

    #[inline(always)]
    pub fn point(&self, point: Vec3) -> Vector {
        point
    }

    #[inline(always)]
    pub fn position(&self, transform: &Transform) -> Vector {
        transform.translation
    }

    /// Moves `transform` to `position`.
    #[inline(always)]
    pub fn set_position(&self, transform: &mut Transform, position: Vector) {
        transform.translation = position;
    }

    /// The direction in which the front of an agent points: Bevy's `forward`.
    pub fn heading(&self, transform: &Transform) -> Vector {
        transform.rotation * Vec3::NEG_Z
    }

    /// The rotation of an agent that looks along `heading`, a unit vector, with its upper side as near to `up` as possible. If `heading`
    /// points along `up`, the upper side stays near to where it is `now`.
    pub fn rotation_to(&self, heading: Vector, up: Vector, now: Quat) -> Quat {
        let right = [up, now * Vec3::Y, now * Vec3::Z].into_iter().find_map(|up| {
            let right = heading.cross(up);
            (right.length_squared() > PARALLEL * PARALLEL * up.length_squared()).then(|| right.normalize())
        });
        let right = right.unwrap_or_else(|| heading.any_orthonormal_vector());
        Quat::from_mat3(&Mat3::from_cols(right, right.cross(heading), -heading)).normalize()
    }

    /// A place beside something that looks along `heading`, a unit vector: how far ahead, to the left and above, units.
    pub fn beside(&self, heading: Vector, offset: Vector) -> Vector {
        self.rotation_to(heading, UP, Quat::IDENTITY) * Vec3::new(-offset.y, offset.z, -offset.x)
    }

    /// The isometry that takes vectors to the world.
    #[cfg(feature = "debug")]
    pub fn isometry(&self, _: f32) -> Isometry3d {
        Isometry3d::IDENTITY
    }

    /// There are no floors: agents perceive each other at any height.
    #[inline(always)]
    pub fn has_floors(&self) -> bool {
        false
    }

    #[inline(always)]
    pub fn floor_height(&self) -> f32 {
        f32::INFINITY
    }

    #[inline(always)]
    pub fn on_one_floor(&self, _: f32, _: f32) -> bool {
        true
    }

    #[inline(always)]
    pub fn height(&self, _: Vec3) -> f32 {
        0.0
    }
}
