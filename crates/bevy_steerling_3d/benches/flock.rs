//! A flock in space beside one in the plane, per agent: `cargo bench -p bevy_steerling_3d`.
//!
//! Criterion's throughput in elements per second is agents per second; its inverse is the cost of an agent and tick.

use std::time::Duration;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// The mean number of neighbors.
const NEIGHBORS: f32 = 16.0;

const RADIUS: f32 = 20.0;

/// An app on one thread with agents spread over a square or cube that wraps. `volume` is that of the ball in which one perceives others,
/// and `to` makes a vector of three numbers.
macro_rules! app {
    ($dimension:ident, $agents:expr, $dimensions:expr, $volume:expr, $to:expr) => {{
        use $dimension::agent::SteeringId;
        use $dimension::agent::random::SteeringRng;
        use $dimension::prelude::*;
        let to: fn([f32; 3]) -> _ = $to;
        let side = bevy::math::ops::powf($agents as f32 * $volume / NEIGHBORS, 1.0 / $dimensions);
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, SteeringPlugin::default()))
            .insert_resource(SteeringThreads::Single)
            .insert_resource(Time::<Fixed>::from_hz(60.0))
            .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
            .insert_resource(SteeringBounds::wrap(to([0.0; 3]), to([side; 3])));
        app.world_mut().resource_mut::<Time<Virtual>>().set_max_delta(Duration::MAX);
        let mut random = SteeringRng::new(SteeringSeed(1), SteeringId::new(0), 1);
        let mut three = || [(); 3].map(|()| random.uniform());
        for _ in 0..$agents {
            let place = Vec3::from(three()) * side;
            let place = if $dimensions < 3.0 { place.with_z(0.0) } else { place };
            let velocity = to(three().map(|number| 100.0 * (number - 0.5)));
            let flock = Flock::default().with_radius(RADIUS);
            app.world_mut().spawn((flock, Velocity(velocity), Transform::from_translation(place)));
        }
        app.finish();
        app.update();
        app
    }};
}

fn flocks(criterion: &mut Criterion) {
    use std::f32::consts::PI;

    let mut group = criterion.benchmark_group("flock");
    group.sample_size(10).measurement_time(Duration::from_secs(3)).warm_up_time(Duration::from_millis(500));
    for agents in [10_000, 100_000] {
        group.throughput(Throughput::Elements(agents as u64));
        let disc = PI * RADIUS * RADIUS;
        let mut plane = app!(bevy_steerling, agents, 2.0, disc, |[x, y, _]| Vec2::new(x, y));
        group.bench_function(format!("plane/{agents}"), |bencher| bencher.iter(|| plane.update()));
        let ball = 4.0 / 3.0 * PI * RADIUS * RADIUS * RADIUS;
        let mut space = app!(bevy_steerling_3d, agents, 3.0, ball, Vec3::from_array);
        group.bench_function(format!("space/{agents}"), |bencher| bencher.iter(|| space.update()));
    }
    group.finish();
}

criterion_group!(benches, flocks);
criterion_main!(benches);
