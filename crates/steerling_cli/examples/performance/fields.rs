//! The time that a flow field takes to make.

use std::hint::black_box;
use std::time::Instant;

use bevy::prelude::*;
use bevy_steerling::prelude::*;

#[path = "../../../bevy_steerling/benches/flow_field/walls.rs"]
mod walls;

/// The milliseconds that a field may take.
const GOAL: f64 = 10.0;

/// A sentence with the time for a field without and with walls: the same as in the benchmark `flow_field`.
pub fn cost() -> String {
    let [empty, walls] = [0, 60].map(|count| {
        let obstacles =
            Obstacles::standing_at(walls::random_walls(count), &SteeringBounds::default(), SteeringPlane::XY);
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
