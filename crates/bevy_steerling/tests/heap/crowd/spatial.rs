//! The crowd in three dimensions.

use bevy::prelude::*;
use bevy_steerling::behavior_prelude::*;
use bevy_steerling::prelude::*;

/// The size of the world.
pub const SIZE: Vec3 = Vec3::new(400.0, 400.0, 100.0);

/// The size of the cells of the flow field, of which there are many in three dimensions.
pub const CELL: f32 = 50.0;

/// How many more kinds of components there are.
pub const KINDS: usize = 1;

pub fn point(x: f32, y: f32) -> Vec3 {
    Vec3::new(x, y, 40.0)
}

pub fn in_world(vector: Vec3) -> Vec3 {
    vector
}

pub fn place(number: usize) -> Transform {
    Transform::from_xyz((number * 37 % 400) as f32, (number * 53 % 390) as f32, (number * 29 % 97) as f32)
}

/// A region to stay in.
pub fn room() -> Region {
    Sphere::new(90.0).into()
}

pub fn insert(agent: &mut EntityWorldMut, kind: usize) {
    assert_eq!(kind, 0, "there are no more kinds");
    agent.insert(HardStop::keeping(0.9));
}

pub fn remove(agent: &mut EntityWorldMut, kind: usize) {
    assert_eq!(kind, 0, "there are no more kinds");
    agent.remove::<HardStop>();
}

/// An obstacle that stands, or one that moves.
pub fn spawn_obstacle(world: &mut World, number: usize) -> Entity {
    let place = Transform::from_xyz((number * 91 % 400) as f32, (number * 67 % 400) as f32, (number * 31 % 100) as f32);
    let shape: ObstacleShape = match number % 4 {
        0 => Sphere::new(12.0).into(),
        1 => Cuboid::new(30.0, 9.0, 20.0).into(),
        2 => Cylinder::new(12.0, 60.0).into(),
        _ => rock().into(),
    };
    let mut obstacle = world.spawn((Obstacle::new(shape), place));
    if !number.is_multiple_of(2) {
        obstacle.insert(Velocity(Vec3::new(9.0, 4.0, 2.0)));
    }
    obstacle.id()
}

/// An octahedron.
fn rock() -> ConvexHull {
    ConvexHull::new(Vec3::AXES.into_iter().flat_map(|axis| [axis * 15.0, axis * -10.0])).expect("it is not flat")
}
