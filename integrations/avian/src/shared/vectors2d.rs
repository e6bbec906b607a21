//! Vectors of a 2D engine. Its plane is that of x and y.

use bevy::prelude::*;
use bevy_steerling::prelude::SteeringPlane;

pub(crate) type EngineVector = Vec2;
pub(crate) type AngularVector = f32;

pub(crate) fn from_world(point: Vec3) -> Vec2 {
    point.truncate()
}

pub(crate) fn to_plane(vector: Vec2, _: SteeringPlane) -> Vec2 {
    vector
}

pub(crate) fn from_plane(vector: Vec2, _: SteeringPlane) -> Vec2 {
    vector
}

/// The velocity of the end of an arm that turns, units/s.
pub(crate) fn turned(angular: f32, arm: Vec2) -> Vec2 {
    angular * arm.perp()
}
