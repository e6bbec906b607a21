//! Whole ticks of a headless app, per agent: `cargo bench -p bevy_steerling`.
//!
//! Criterion's throughput in elements per second is agents per second; its inverse is the cost of an agent and tick.

use std::time::Duration;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_steerling::behavior_prelude::*;
use bevy_steerling::prelude::*;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Where an agent was spawned.
#[derive(Component)]
struct Start(Vec3);

/// An app on one thread with agents spread over a square, `spacing` apart on average.
fn app(
    agents: usize,
    spacing: f32,
    mut spawn: impl FnMut(&mut World, (SteeringAgent, Velocity, Transform, Start)) -> Entity,
) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, SteeringPlugin::default()))
        .insert_resource(SteeringThreads::Single)
        .insert_resource(Time::<Fixed>::from_hz(60.0))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.world_mut().resource_mut::<Time<Virtual>>().set_max_delta(Duration::MAX);
    let side = (agents as f32).sqrt() * spacing;
    let mut random = SteeringRng::new(SteeringSeed(1), SteeringId::new(0), 1);
    for _ in 0..agents {
        let place = Vec3::new(random.uniform(), random.uniform(), 0.0) * side;
        let velocity = Vec2::new(random.uniform() - 0.5, random.uniform() - 0.5) * 100.0;
        let body = (SteeringAgent::default(), Velocity(velocity), Transform::from_translation(place), Start(place));
        spawn(app.world_mut(), body);
    }
    app.finish();
    app.update();
    app
}

fn ticks(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("tick");
    group.sample_size(20).measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(500));
    for agents in [100, 10_000, 100_000] {
        group.throughput(Throughput::Elements(agents as u64));
        let mut bench = |name: &str, mut app: App| {
            group.bench_function(format!("{name}/{agents}"), |bencher| bencher.iter(|| app.update()));
            // All agents have moved, unless a filter left the benchmark out.
            if app.world().resource::<Time<Fixed>>().elapsed().is_zero() {
                return;
            }
            let mut agents = app.world_mut().query_filtered::<(&Transform, &Start), With<SteeringAgent>>();
            assert!(agents.iter(app.world()).all(|(transform, start)| transform.translation != start.0));
        };
        let target = Vec2::splat(300.0);
        bench("coast", app(agents, 10.0, |world, body| world.spawn(body).id()));
        bench("seek a point", app(agents, 10.0, |world, body| world.spawn((Seek::new(target), body)).id()));
        let mut cursor = None;
        bench(
            "seek an entity",
            app(agents, 10.0, |world, body| {
                let cursor = *cursor.get_or_insert_with(|| world.spawn(Transform::from_xyz(300.0, 300.0, 0.0)).id());
                world.spawn((Seek::new(cursor), body)).id()
            }),
        );
        bench("wander", app(agents, 10.0, |world, body| world.spawn((Wander::default(), body)).id()));
        // About sixteen neighbors within the radius.
        let separation = Separation::default().with_radius(22.6);
        bench("separation", app(agents, 10.0, |world, body| world.spawn((separation.clone(), body)).id()));
        let flock = Flock::default().with_radius(22.6);
        bench("flock", app(agents, 10.0, |world, body| world.spawn((flock.clone(), body)).id()));
    }
    group.finish();
}

/// Standing obstacles of every shape, spread evenly over a square so that there are always as many in an area.
fn spawn_obstacles(world: &mut World, count: usize, side: f32) {
    let mut random = SteeringRng::new(SteeringSeed(2), SteeringId::new(0), 1);
    let polygon = ConvexPolygon::new([Vec2::new(-25.0, -20.0), Vec2::new(30.0, -15.0), Vec2::new(5.0, 30.0)]);
    let shapes: [ObstacleShape; 6] = [
        Circle::new(25.0).into(),
        Rectangle::new(60.0, 20.0).into(),
        Capsule2d::new(8.0, 40.0).into(),
        Segment2d::new(Vec2::new(-30.0, 0.0), Vec2::new(30.0, 10.0)).into(),
        polygon.expect("it is convex").into(),
        Polyline2d::new([Vec2::new(-30.0, 0.0), Vec2::ZERO, Vec2::new(10.0, 30.0)]).into(),
    ];
    for index in 0..count {
        let place = Vec3::new(random.uniform(), random.uniform(), 0.0) * side;
        let turn = Quat::from_rotation_z(random.uniform() * 6.0);
        let shape = shapes[index % shapes.len()].clone();
        world.spawn((Obstacle::new(shape), Transform::from_translation(place).with_rotation(turn)));
    }
}

/// The cost of avoiding obstacles per agent, for different numbers of obstacles of the same density.
fn obstacles(criterion: &mut Criterion) {
    const AGENTS: usize = 1_000;
    let mut group = criterion.benchmark_group("obstacles");
    group.sample_size(20).measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(500));
    group.throughput(Throughput::Elements(AGENTS as u64));
    for count in [0, 64, 512] {
        // About a fifth of the area.
        let side = (count.max(64) as f32).sqrt() * 100.0;
        for feelers in [false, true] {
            let mut app = app(AGENTS, side / (AGENTS as f32).sqrt(), |world, body| {
                let mut agent = world.spawn((Wander::default(), body));
                if feelers {
                    agent.insert(AvoidWithFeelers::default()).id()
                } else {
                    agent.insert(AvoidObstacles::default()).id()
                }
            });
            app.insert_resource(SteeringBounds::bounce(Vec2::ZERO, Vec2::splat(side)));
            spawn_obstacles(app.world_mut(), count, side);
            let name = if feelers { "AvoidWithFeelers" } else { "AvoidObstacles" };
            group.bench_function(format!("{name}/{count}"), |bencher| bencher.iter(|| app.update()));
        }
    }
    group.finish();
}

/// A crowd before a door of twenty diameters.
fn queue(criterion: &mut Criterion) {
    const AGENTS: usize = 2_000;
    let mut group = criterion.benchmark_group("queue");
    group.sample_size(10).measurement_time(Duration::from_secs(3)).warm_up_time(Duration::from_millis(500));
    group.throughput(Throughput::Elements(AGENTS as u64));
    for classic in [false, true] {
        let mut number = 0;
        let mut app = app(AGENTS, 1.0, |world, _| {
            // In rows, the door in the middle of the right wall.
            let place = Vec3::new(-0.6 * (number / 50) as f32, 0.6 * ((number % 50) as f32 - 24.5), 0.0);
            number += 1;
            let body = SteeringAgent { max_speed: 1.34, max_force: 5.0, radius: 0.2, ..default() };
            let way = (Seek::new(Vec2::new(4.0, 0.0)), AvoidObstacles::default());
            let mut agent = world.spawn((body, way, Transform::from_translation(place)));
            if classic { agent.insert(ClassicQueue::default()).id() } else { agent.insert(Queue::default()).id() }
        });
        for side in [-1.0, 1.0] {
            let wall = Obstacle::new(Rectangle::new(0.2, 30.0));
            app.world_mut().spawn((wall, Transform::from_xyz(1.0, side * 19.0, 0.0)));
        }
        let name = if classic { "ClassicQueue" } else { "Queue" };
        group.bench_function(format!("{name}/{AGENTS}"), |bencher| bencher.iter(|| app.update()));
    }
    group.finish();
}

criterion_group!(benches, ticks, obstacles, queue);
criterion_main!(benches);
