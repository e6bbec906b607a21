//! The time that a flow field takes to make.

use std::hint::black_box;
use std::time::Instant;

use bevy::prelude::*;
use bevy_steerling::behavior_prelude::*;
use bevy_steerling::prelude::*;

/// The side of the area, units, with cells of one unit and a margin of 3 around it.
const SIDE: f32 = 250.0;

/// The milliseconds that a field may take.
const GOAL: f64 = 10.0;

/// A sentence with the time for a field without and with walls: the same as in the benchmark `flow_field`.
pub fn cost() -> String {
    let [empty, walls] = [0, 60].map(|count| {
        let obstacles = Obstacles::standing_at(walls(count), &SteeringBounds::default());
        let times = (0..15).map(|_| {
            let started = Instant::now();
            let _ = black_box(FlowField::toward([Vec2::splat(20.0)], black_box(&obstacles), 1.0, 1.5));
            started.elapsed().as_secs_f64() * 1e3
        });
        times.fold(f64::INFINITY, f64::min)
    });
    let verdict = if empty.max(walls) <= GOAL { '✓' } else { '✗' };
    format!(
        "A flow field of 257 × 257 cells takes {empty:.1} ms in an empty square and {walls:.1} ms among 60 walls, on one thread. The goal \
         is {GOAL} ms {verdict}."
    )
}

/// Walls of random lengths and directions around the borders.
fn walls(count: usize) -> Vec<(Obstacle, Transform)> {
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
