//! The walls among which flow fields are made.

use bevy::prelude::*;
use bevy_steerling::behavior_prelude::*;
use bevy_steerling::prelude::*;

/// The side of the area, units, with cells of one unit.
const SIDE: f32 = 250.0;

pub type Wall = (Obstacle, Transform);

/// Walls of random lengths and directions around the borders, which make the area as large as it is.
pub fn random_walls(count: usize) -> Vec<Wall> {
    let mut random = SteeringRng::new(SteeringSeed(1), SteeringId::new(0), 1);
    let border =
        Polyline2d::new([Vec2::ZERO, Vec2::new(SIDE, 0.0), Vec2::splat(SIDE), Vec2::new(0.0, SIDE), Vec2::ZERO]);
    let inner = (0..count).map(|_| {
        let place = Vec3::new(random.uniform(), random.uniform(), 0.0) * SIDE;
        let transform = Transform::from_translation(place).with_rotation(Quat::from_rotation_z(random.uniform() * 3.0));
        (Obstacle::new(Rectangle::new(2.0 + 30.0 * random.uniform(), 2.0)), transform)
    });
    [(Obstacle::new(border), Transform::default())].into_iter().chain(inner).collect()
}
