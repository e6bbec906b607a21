//! The crowd in a plane.

use bevy::prelude::*;
use bevy_steerling::prelude::*;

/// The size of the world.
pub const SIZE: Vec2 = Vec2::splat(400.0);

/// The size of the cells of the flow field.
pub const CELL: f32 = 8.0;

/// How many kinds of behavior there are only in the plane.
pub const KINDS: usize = 5;

pub fn point(x: f32, y: f32) -> Vec2 {
    Vec2::new(x, y)
}

/// A vector of the plane in the world.
pub fn in_world(vector: Vec2) -> Vec3 {
    vector.extend(0.0)
}

pub fn place(number: usize) -> Transform {
    Transform::from_xyz((number * 37 % 400) as f32, (number * 53 % 390) as f32, 0.0)
}

/// A region to stay in.
pub fn room() -> Region {
    Circle::new(90.0).into()
}

pub fn insert(agent: &mut EntityWorldMut, kind: usize) {
    match kind {
        0 => agent.insert(Queue::default()),
        1 => agent.insert(ClassicQueue::new(ClassicQueueStyle::BrakeAndSeparate)),
        2 => agent.insert(ClassicQueue::new(ClassicQueueStyle::HardStop)),
        3 => agent.insert(BodyLimits::default().with_min_turning_radius(15.0).with_reverse_speed(40.0)),
        4 => agent.insert(FollowWall::new(ObstacleSide::Left, 15.0)),
        _ => unreachable!("there are no more kinds"),
    };
}

pub fn remove(agent: &mut EntityWorldMut, kind: usize) {
    match kind {
        0 => agent.remove::<Queue>(),
        1 | 2 => agent.remove::<ClassicQueue>(),
        3 => agent.remove::<BodyLimits>(),
        4 => agent.remove::<FollowWall>(),
        _ => unreachable!("there are no more kinds"),
    };
}

/// A wall that stands, or one that moves.
pub fn spawn_obstacle(world: &mut World, number: usize) -> Entity {
    let place = Transform::from_xyz((number * 91 % 400) as f32, (number * 67 % 400) as f32, 0.0);
    if number.is_multiple_of(2) {
        world.spawn((Obstacle::new(Circle::new(12.0)), place)).id()
    } else {
        world.spawn((Obstacle::new(Rectangle::new(30.0, 9.0)), place, Velocity(Vec2::new(9.0, 4.0)))).id()
    }
}
