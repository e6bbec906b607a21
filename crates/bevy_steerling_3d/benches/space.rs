//! Crowds in space beside crowds in the plane, per agent: `cargo bench -p bevy_steerling_3d`.
//!
//! Criterion's throughput in elements per second is agents per second; its inverse is the cost of an agent and tick.

use std::f32::consts::PI;
use std::time::Duration;

use bevy::math::ops;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// What the agents do.
#[derive(Clone, Copy)]
enum Work {
    /// They flock with 16 neighbors on average.
    Flock,
    /// They seek points of their own among circles or balls on 5 % of the area or volume.
    Obstacles,
}

/// How far agents of a flock perceive, units.
const PERCEPTION: f32 = 20.0;
/// The radius of an obstacle, units.
const OBSTACLE: f32 = 20.0;
/// The obstacles for each agent. Their number does not matter to the agents, but how much room they take.
const OBSTACLES: f32 = 0.01;

impl Work {
    /// The room for each agent, in discs or balls of radius one.
    fn room(self, dimensions: f32) -> f32 {
        let power = |radius: f32| ops::powf(radius, dimensions);
        match self {
            Self::Flock => power(PERCEPTION) / 16.0,
            Self::Obstacles => power(OBSTACLE) * OBSTACLES / 0.05,
        }
    }
}

/// An app on one thread with agents spread over a square or cube that wraps. `unit` is the area or volume of a disc or ball of radius one,
/// `to` makes a vector of three numbers, and `Round` is the shape of obstacles.
macro_rules! app {
    ($dimension:ident, $work:expr, $agents:expr, $dimensions:expr, $unit:expr, $to:expr, $Round:ident) => {{
        use $dimension::agent::SteeringId;
        use $dimension::agent::random::SteeringRng;
        use $dimension::prelude::*;
        let (work, to): (Work, fn([f32; 3]) -> _) = ($work, $to);
        let side = ops::powf($agents as f32 * work.room($dimensions) * $unit, 1.0 / $dimensions);
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, SteeringPlugin::default()))
            .insert_resource(SteeringThreads::Single)
            .insert_resource(Time::<Fixed>::from_hz(60.0))
            .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
            .insert_resource(SteeringBounds::wrap(to([0.0; 3]), to([side; 3])));
        app.world_mut().resource_mut::<Time<Virtual>>().set_max_delta(Duration::MAX);
        let mut random = SteeringRng::new(SteeringSeed(1), SteeringId::new(0), 1);
        let mut three = || [(); 3].map(|()| random.uniform());
        let transform = |place: [f32; 3]| {
            let place = Vec3::from(place) * side;
            Transform::from_translation(if $dimensions < 3.0 { place.with_z(0.0) } else { place })
        };
        if matches!(work, Work::Obstacles) {
            for _ in 0..($agents as f32 * OBSTACLES) as usize {
                app.world_mut().spawn((Obstacle::new($Round::new(OBSTACLE)), transform(three())));
            }
        }
        for _ in 0..$agents {
            let velocity = Velocity(to(three().map(|number| 100.0 * (number - 0.5))));
            let target = Seek::new(to(three().map(|number| number * side)));
            let mut agent = app.world_mut().spawn((velocity, transform(three())));
            match work {
                Work::Flock => agent.insert(Flock::default().with_radius(PERCEPTION)),
                Work::Obstacles => agent.insert((target, AvoidObstacles::default())),
            };
        }
        app.finish();
        app.update();
        app
    }};
}

fn crowds(criterion: &mut Criterion) {
    for (name, work) in [("flock", Work::Flock), ("obstacles", Work::Obstacles)] {
        let mut group = criterion.benchmark_group(name);
        group.sample_size(10).measurement_time(Duration::from_secs(3)).warm_up_time(Duration::from_millis(500));
        for agents in [10_000, 100_000] {
            group.throughput(Throughput::Elements(agents as u64));
            let mut plane = app!(bevy_steerling, work, agents, 2.0, PI, |[x, y, _]| Vec2::new(x, y), Circle);
            group.bench_function(format!("plane/{agents}"), |bencher| bencher.iter(|| plane.update()));
            let ball = 4.0 / 3.0 * PI;
            let mut space = app!(bevy_steerling_3d, work, agents, 3.0, ball, Vec3::from_array, Sphere);
            group.bench_function(format!("space/{agents}"), |bencher| bencher.iter(|| space.update()));
        }
        group.finish();
    }
}

criterion_group!(benches, crowds);
criterion_main!(benches);
