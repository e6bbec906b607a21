//! How positions are read from and written to `Transform`s in three dimensions.

use bevy::prelude::*;

use crate::math::vector::Vector;

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
