//! Vectors of a 3D engine.

use bevy::prelude::*;
use bevy_steerling::prelude::SteeringPlane;

pub(crate) type EngineVector = Vec3;
pub(crate) type AngularVector = Vec3;

pub(crate) fn from_world(point: Vec3) -> Vec3 {
    point
}

pub(crate) fn to_plane(vector: Vec3, plane: SteeringPlane) -> Vec2 {
    plane.to_plane(vector)
}

pub(crate) fn from_plane(vector: Vec2, plane: SteeringPlane) -> Vec3 {
    plane.to_world(vector, 0.0)
}

/// The velocity of the end of an arm that turns, units/s.
pub(crate) fn turned(angular: Vec3, arm: Vec3) -> Vec3 {
    angular.cross(arm)
}
