//! Making and updating a flow field of 256 × 256 cells: `cargo bench -p bevy_steerling --bench flow_field`.

mod walls;

use std::hint::black_box;
use std::time::Duration;

use bevy::prelude::*;
use bevy_steerling::prelude::*;
use criterion::{Criterion, criterion_group, criterion_main};
use walls::{Wall, random_walls};

fn flow_fields(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("flow field");
    group.sample_size(20).measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(500));
    for count in [0, 60] {
        let walls = random_walls(count);
        let index = |walls: &[Wall]| {
            Obstacles::standing_at(walls.iter().cloned(), &SteeringBounds::default(), SteeringPlane::XY)
        };
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
