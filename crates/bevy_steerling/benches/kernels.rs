//! The functions behind the behaviors, without an app: `cargo bench -p bevy_steerling --bench kernels`.

use std::hint::black_box;
use std::time::Duration;

use bevy::prelude::*;
use bevy_steerling::behavior_prelude::*;
use bevy_steerling::behaviors::{flock, seek, wander};
use bevy_steerling::engine::approach;
use bevy_steerling::math::{normalize, truncate};
use bevy_steerling::prelude::*;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const COUNT: usize = 1_024;

/// Vectors of all directions and lengths up to a hundred.
fn vectors() -> Vec<Vec2> {
    let mut random = SteeringRng::new(SteeringSeed(1), SteeringId::new(0), 1);
    (0..COUNT).map(|_| Vec2::new(random.uniform() - 0.5, random.uniform() - 0.5) * 140.0).collect()
}

fn kernels(criterion: &mut Criterion) {
    let vectors = vectors();
    let mut group = criterion.benchmark_group("kernel");
    group.sample_size(20).measurement_time(Duration::from_secs(1)).warm_up_time(Duration::from_millis(200));
    group.throughput(Throughput::Elements(COUNT as u64));
    let mut bench = |name: &str, kernel: &dyn Fn(Vec2) -> Vec2| {
        group.bench_function(name, |bencher| {
            bencher.iter(|| vectors.iter().map(|vector| kernel(black_box(*vector))).sum::<Vec2>());
        });
    };
    bench("normalize", &normalize);
    bench("truncate", &|vector| truncate(vector, 50.0));
    bench("seek", &|vector| seek::desired_velocity(vector, 100.0));
    bench("arrive", &|vector| approach::linear_velocity(vector, 100.0, 60.0));
    bench("wander", &|vector| wander::displacement(vector, 50.0, 25.0, vector.x));
    bench("flock", &|vector| flock::force(vector, vector.yx(), -vector, [12.0, 8.0, 12.0]));

    let circle = ObstacleShape::from(Circle::new(30.0)).placed(&Transform::default(), SteeringPlane::XY);
    let polygon = ConvexPolygon::new([Vec2::new(-25.0, -20.0), Vec2::new(30.0, -15.0), Vec2::new(5.0, 30.0)]);
    let polygon = ObstacleShape::from(polygon.expect("it is convex")).placed(&Transform::default(), SteeringPlane::XY);
    for (name, shape) in [("circle", circle), ("polygon", polygon)] {
        bench(&format!("distance to a {name}"), &|vector| shape.distance(vector).1);
        bench(&format!("way to a {name}"), &|vector| {
            Vec2::splat(shape.cast_distance(vector, normalize(-vector.yx()), 8.0).unwrap_or_default())
        });
    }
    group.finish();
}

criterion_group!(benches, kernels);
criterion_main!(benches);
