//! Whole ticks of a headless app, per agent: `cargo bench -p bevy_steerling`.
//!
//! Criterion's throughput in elements per second is agents per second; its inverse is the cost of an agent and tick.

use std::time::Duration;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
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
            // What was timed (a filter may leave it out) did happen: nobody is where they started.
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
    }
    group.finish();
}

criterion_group!(benches, ticks);
criterion_main!(benches);
