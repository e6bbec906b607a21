//! Making and updating a flow field of 256 × 256 cells: `cargo bench -p bevy_steerling --bench flow_field`.

use std::hint::black_box;
use std::time::Duration;

use bevy::prelude::*;
use bevy_steerling::behavior_prelude::*;
use bevy_steerling::prelude::*;
use criterion::{Criterion, criterion_group, criterion_main};

/// The side of the area, units, with cells of one unit.
const SIDE: f32 = 250.0;

type Wall = (Obstacle, Transform);

/// Walls of random lengths and directions around the borders, which make the area as large as it is.
fn walls(count: usize) -> Vec<Wall> {
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

fn flow_fields(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("flow field");
    group.sample_size(20).measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(500));
    for count in [0, 60] {
        let walls = walls(count);
        let index = |walls: &[Wall]| Obstacles::standing_at(walls.iter().cloned(), &SteeringBounds::default());
        let (all, but_one) = (index(&walls), index(&walls[..walls.len() - 1]));
        let make = |obstacles: &Obstacles| FlowField::toward([Vec2::splat(20.0)], obstacles, 1.0, 1.5);
        group.bench_function(format!("new/{count} walls"), |bencher| bencher.iter(|| make(black_box(&all))));
        if count > 0 {
            let mut field = make(&all).expect("the numbers are in range");
            group.bench_function(format!("update/{count} walls"), |bencher| {
                bencher.iter(|| [field.update(&but_one), field.update(&all)]);
            });
        }
    }
    group.finish();
}

criterion_group!(benches, flow_fields);
criterion_main!(benches);
