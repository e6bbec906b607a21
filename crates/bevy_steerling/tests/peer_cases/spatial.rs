//! Cases in three dimensions.

use bevy::prelude::*;
use bevy_steerling::behaviors::wander::WanderState;
use bevy_steerling::math::Vector;
use bevy_steerling::prelude::*;

pub const DIMENSIONS: usize = 3;

pub fn at(position: Vector) -> Transform {
    Transform::from_translation(position)
}

pub fn position_of(transform: &Transform) -> Vector {
    transform.translation
}

/// The direction in which an agent looks.
pub fn heading_of(transform: &Transform) -> Vector {
    *transform.forward()
}

pub fn looking_along(heading: Vector) -> Quat {
    Transform::default().looking_to(heading, Vec3::Y).rotation
}

/// The direction at an angle on the ground, radians counterclockwise as seen from above.
pub fn direction_at(angle: f32) -> Vector {
    let Vec2 { x, y } = Vec2::from_angle(angle);
    Vector::new(x, 0.0, -y)
}

/// The angle from the x axis, radians: an agent turns to either side to look straight back.
pub fn angle_of(direction: Vector) -> f32 {
    Vec2::new(direction.x, Vec2::new(direction.y, direction.z).length()).to_angle()
}

/// A place in the frame of a leader.
pub fn beside(ahead: f32, left: f32, above: f32) -> Vector {
    Vector::new(ahead, left, above)
}

pub fn round(radius: f32) -> ObstacleShape {
    Sphere::new(radius).into()
}

/// A box of this size with a side along the x axis.
pub fn upright_box(size: [f32; 3], _: Vector) -> (ObstacleShape, Quat) {
    (Cuboid::from_size(size.into()).into(), Quat::IDENTITY)
}

/// How deep a thing is that a case describes in two dimensions.
const DEPTH: f32 = 1e4;

/// A box along the axes.
pub fn block(size: Vector) -> Cuboid {
    Cuboid::from_size(if size.z == 0.0 { size.with_z(DEPTH) } else { size })
}

/// Thin walls from point to point.
pub fn walls(points: &[Vector]) -> Vec<(ObstacleShape, Transform)> {
    let wall = |ends: &[Vector]| {
        let (start, end) = (ends[0], ends[1]);
        let rotation = Quat::from_rotation_z((end - start).truncate().to_angle());
        let shape = Cuboid::new(start.distance(end), 0.0, DEPTH);
        (shape.into(), at(start.midpoint(end)).with_rotation(rotation))
    };
    points.windows(2).map(wall).collect()
}

pub fn starting_at(wander: Wander, direction: Vector) -> Wander {
    wander.with_initial_direction(direction)
}

pub fn point_of(state: &WanderState) -> Option<Vector> {
    state.direction()
}

/// How far the point of a wanderer turns in a tick at most, as a share of its change of angle: half the diagonal of a cube.
pub const FARTHEST_TURN: f32 = 0.866_025_4;
