//! Cases in a plane.

use bevy::prelude::*;
use bevy_steerling::behaviors::wander::WanderState;
use bevy_steerling::math::Vector;
use bevy_steerling::prelude::*;

pub const DIMENSIONS: usize = 2;

pub fn at(position: Vector) -> Transform {
    Transform::from_translation(position.extend(0.0))
}

pub fn position_of(transform: &Transform) -> Vector {
    transform.translation.truncate()
}

/// The direction in which an agent looks.
pub fn heading_of(transform: &Transform) -> Vector {
    (transform.rotation * Vec3::X).truncate()
}

pub fn looking_along(heading: Vector) -> Quat {
    Quat::from_rotation_z(heading.to_angle())
}

/// The direction at an angle, radians counterclockwise.
pub fn direction_at(angle: f32) -> Vector {
    Vector::from_angle(angle)
}

pub fn angle_of(direction: Vector) -> f32 {
    direction.to_angle()
}

/// A place in the frame of a leader, on its plane.
pub fn beside(ahead: f32, left: f32, above: f32) -> Vector {
    assert_eq!(above, 0.0, "nothing is above the plane");
    Vector::new(ahead, left)
}

pub fn round(radius: f32) -> ObstacleShape {
    Circle::new(radius).into()
}

/// A box of this size with a side along `axis`, as seen from above.
pub fn upright_box([x, _, z]: [f32; 3], axis: Vector) -> (ObstacleShape, Quat) {
    (Rectangle::new(x, z).into(), looking_along(axis))
}

/// A rectangle along the axes of the plane.
pub fn block(size: Vector) -> Rectangle {
    Rectangle::from_size(size)
}

/// A thin wall from point to point.
pub fn walls(points: &[Vector]) -> Vec<(ObstacleShape, Transform)> {
    vec![(Polyline2d::new(points.iter().copied()).into(), Transform::default())]
}

pub fn starting_at(wander: Wander, direction: Vector) -> Wander {
    wander.with_initial_angle(direction.to_angle())
}

pub fn point_of(state: &WanderState) -> Option<Vector> {
    state.angle().map(Vector::from_angle)
}

/// How far the point of a wanderer turns in a tick at most, as a share of its change of angle.
pub const FARTHEST_TURN: f32 = 0.5;
