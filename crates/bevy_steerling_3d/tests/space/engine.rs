//! Traces, and both crates in one app.

use std::collections::BTreeSet;

use bevy_steerling as flat;

use super::motion::school;
use super::*;

/// A school among obstacles, with constraints. Some or all have a trace.
fn traced(all: bool) -> (App, Vec<Entity>) {
    let mut app = app();
    app.insert_resource(SteeringBounds::wrap(Vec3::splat(-150.0), Vec3::splat(150.0)));
    let mut random = numbers(3);
    for _ in 0..6 {
        let place = Transform::from_translation(vector(&mut random, 300.0));
        app.world_mut().spawn((Obstacle::new(Sphere::new(10.0 + 20.0 * random())), place));
    }
    let agents = school(&mut app, &(0..120).collect::<Vec<_>>());
    for (number, agent) in agents.iter().enumerate() {
        let mut agent = app.world_mut().entity_mut(*agent);
        agent.insert(AvoidNeighbors::default());
        if number % 2 == 0 {
            agent.insert(AvoidObstacles::default());
        }
        if number % 5 == 0 {
            agent.insert(Contain::new(Sphere::new(140.0)));
        }
        if all {
            agent.insert(SteeringTrace::default());
        }
    }
    (app, agents)
}

#[test]
fn the_contributions_of_a_trace_add_up_to_the_force_and_tracing_changes_no_motion() {
    let ((mut watched, agents), (mut others, unwatched)) = (traced(true), traced(false));
    let mut contributors = BTreeSet::new();
    for tick in 0..120 {
        run(&mut watched, 1);
        run(&mut others, 1);
        for (agent, other) in agents.iter().zip(&unwatched) {
            assert_eq!(transform(&watched, *agent), transform(&others, *other), "tick {tick}");
            assert_eq!(velocity(&watched, *agent), velocity(&others, *other), "tick {tick}");
            let agent = watched.world().entity(*agent);
            let trace = agent.get::<SteeringTrace>().expect("it has a trace");
            assert_eq!(trace.force(), agent.get::<SteeringForce>().expect("it is steered").0, "tick {tick}: {trace:?}");
            let contributions = trace.contributions.iter().filter(|contribution| contribution.applied != Vec3::ZERO);
            contributors.extend(contributions.map(|contribution| contribution.behavior.short().to_owned()));
        }
    }
    for name in [
        "Flock",
        "Wander",
        "Pursue",
        "Separation",
        "Alignment",
        "Cohesion",
        "Evade",
        "OffsetPursuit",
        "Arrive",
        "Contain",
        "AvoidObstacles",
        "AvoidNeighbors",
    ] {
        assert!(contributors.contains(name), "{name} contributes nothing: {contributors:?}");
    }
}

#[test]
fn agents_of_both_crates_live_in_one_app_and_may_be_targets_of_each_other() {
    let mut app = App::new();
    app.add_plugins((flat::SteeringPlugin::new(Update), SteeringPlugin::new(Update)))
        .insert_resource(flat::prelude::SteeringPlane::XZ);
    app.finish();
    let mut random = numbers(4);
    let mut spawn = |place: Vec3| app.world_mut().spawn(Transform::from_translation(place)).id();
    let mut place = |height: f32| vector(&mut random, 300.0).with_y(height);
    let (walks_to, flies_to) = (place(0.0), place(90.0));
    let [walker, follower] = [place(0.0), place(0.0)].map(&mut spawn);
    let [bird, hawk] = [place(120.0), place(60.0)].map(&mut spawn);
    // Two of each crate in one place, with nothing to do but to keep away from their own kind.
    let [sitter, hoverer] = [Vec3::new(900.0, 0.0, 0.0); 2].map(&mut spawn);

    let world = app.world_mut();
    world.entity_mut(walker).insert(flat::prelude::Arrive::new(Vec2::new(walks_to.x, -walks_to.z)));
    world.entity_mut(bird).insert(Arrive::new(flies_to));
    world.entity_mut(follower).insert(flat::prelude::Arrive::new(bird));
    world.entity_mut(hawk).insert(Arrive::new(walker));
    world.entity_mut(sitter).insert((flat::prelude::Separation::default(), flat::prelude::Solid::default()));
    world.entity_mut(hoverer).insert((Separation::default(), Solid::default()));
    for _ in 0..1_200 {
        app.world_mut().resource_mut::<Time>().advance_by(Duration::from_secs_f32(TICK));
        app.world_mut().run_schedule(Update);
        for on_the_ground in [walker, follower] {
            assert_eq!(position(&app, on_the_ground).y, 0.0);
        }
    }
    for (agent, end) in [
        (walker, walks_to),
        (bird, flies_to),
        (follower, flies_to.with_y(0.0)),
        (hawk, walks_to),
        (sitter, Vec3::new(900.0, 0.0, 0.0)),
        (hoverer, Vec3::new(900.0, 0.0, 0.0)),
    ] {
        assert!(position(&app, agent).distance(end) < 0.1, "{} instead of {end}", position(&app, agent));
    }
}
