//! Face turns agents to their targets, and nothing else.

use std::f32::consts::TAU;

use bevy::math::ops;

use super::*;

/// Where an agent looks.
fn facing(app: &App, agent: Entity) -> Vec2 {
    let transform = app.world().get::<Transform>(agent).expect("it has a place");
    (transform.rotation * Vec3::X).truncate()
}

/// The angle between two unit vectors, radians.
fn angle(one: Vec2, other: Vec2) -> f32 {
    ops::atan2(one.perp_dot(other), one.dot(other)).abs()
}

/// A number between −`most` and `most`.
fn between(number: &mut impl FnMut() -> f32, most: f32) -> f32 {
    most * (2.0 * number() - 1.0)
}

#[test]
fn an_agent_looks_at_its_target_however_it_moves() {
    let mut number = numbers(1);
    let mut app = app();
    app.insert_resource(SteeringBounds::wrap(Vec2::splat(-300.0), Vec2::splat(300.0)));
    let mut pairs = Vec::new();
    for case in 0..200 {
        let mut place = || at(between(&mut number, 299.0), between(&mut number, 299.0));
        let (here, there) = (place(), place());
        let target =
            app.world_mut().spawn((Seek::new(Vec2::new(1e6, 2e6)), Velocity(Vec2::new(40.0, 80.0)), there)).id();
        let target = if case % 2 == 0 { target } else { app.world_mut().spawn(there).id() };
        let agent = app.world_mut().spawn((Wander::default(), Face::new(target), FaceVelocity::default(), here)).id();
        pairs.push((agent, target));
    }
    let space = SteeringBounds::wrap(Vec2::splat(-300.0), Vec2::splat(300.0)).space();
    for _ in 0..200 {
        run(&mut app, 1);
        for (agent, target) in &pairs {
            let way = space.displacement(position(&app, *agent), position(&app, *target));
            // A target that speeds up is up to a tick's change of speed from where it was expected.
            let tolerance = 1e-4 + 300.0 * TICK * TICK / way.length().max(1e-3);
            // Half a world away, either way is the shortest.
            if way.length() > 1.0 && way.abs().max_element() < 298.0 {
                let off = facing(&app, *agent).distance(way.normalize());
                assert!(off < tolerance, "{off} off at {way}");
            }
        }
    }
}

#[test]
fn facing_leaves_the_motion_alone() {
    let ways = [false, true].map(|faces| {
        let mut app = app();
        let agent = app.world_mut().spawn((Wander::default(), SteeringId::new(5))).id();
        if faces {
            app.world_mut().entity_mut(agent).insert(Face::new(Vec2::new(50.0, 60.0)));
        }
        run(&mut app, 300);
        (position(&app, agent), velocity(&app, agent))
    });
    assert_eq!(ways[0], ways[1]);
}

#[test]
fn an_agent_turns_to_its_target_the_short_way_no_faster_than_its_turn_rate() {
    let mut number = numbers(2);
    for _ in 0..100 {
        let (rate, start, direction) = (0.1 + 5.0 * number(), TAU * number(), TAU * number());
        let mut app = app();
        let target = Vec2::from_angle(direction) * 100.0;
        let rotation = Quat::from_rotation_z(start);
        let agent = (Face::new(target).with_turn_rate(rate), Transform::from_rotation(rotation));
        let agent = app.world_mut().spawn(agent).id();
        let mut left = angle(facing(&app, agent), Vec2::from_angle(direction));
        let ticks = (left / (rate * TICK)).ceil() as usize;
        for _ in 0..ticks {
            let before = facing(&app, agent);
            run(&mut app, 1);
            let turned = angle(before, facing(&app, agent));
            assert!(turned <= rate * TICK + 1e-5, "{turned} in a tick");
            left -= turned;
        }
        assert!(left.abs() < 1e-3, "{left} radians left after {ticks} ticks");
        assert!(facing(&app, agent).distance(Vec2::from_angle(direction)) < 1e-5);
    }
}

#[test]
fn without_its_target_an_agent_faces_its_velocity_if_it_can() {
    let mut app = app();
    let target = app.world_mut().spawn(at(0.0, 90.0)).id();
    let mut spawn = |faces_velocity: bool| {
        let mut agent = app.world_mut().spawn((Seek::new(Vec2::new(1e6, 0.0)), Face::new(target)));
        if faces_velocity {
            agent.insert(FaceVelocity::default());
        }
        agent.id()
    };
    let (one, other) = (spawn(true), spawn(false));
    run(&mut app, 10);
    assert!(facing(&app, one).y > 0.9);
    let before = facing(&app, other);
    app.world_mut().despawn(target);
    run(&mut app, 1);
    assert_eq!(facing(&app, one), Vec2::X);
    assert_eq!(facing(&app, other), before);
    // It faces its velocity again without the behavior, too.
    app.world_mut().entity_mut(other).insert(FaceVelocity::default()).remove::<Face>();
    run(&mut app, 1);
    assert_eq!(facing(&app, other), Vec2::X);
}

#[test]
fn a_body_with_limits_looks_along_its_heading() {
    let mut app = app();
    let car = BodyLimits::default().with_min_turning_radius(30.0);
    let agent = (Seek::new(Vec2::new(1e6, 0.0)), car, Face::new(Vec2::new(0.0, 90.0)), FaceVelocity::default());
    let agent = app.world_mut().spawn(agent).id();
    run(&mut app, 60);
    assert_eq!(facing(&app, agent), Vec2::X);
}

#[test]
fn an_agent_exactly_at_its_target_keeps_its_rotation() {
    let mut app = app();
    let start = Transform::from_xyz(30.0, 40.0, 0.0).with_rotation(Quat::from_rotation_z(2.0));
    let there = app.world_mut().spawn((Face::new(Vec2::new(30.0, 40.0)), start)).id();
    let elsewhere = app.world_mut().spawn((Face::new(Vec2::new(30.0, 41.0)), start)).id();
    run(&mut app, 3);
    let rotation = |agent: Entity| app.world().get::<Transform>(agent).expect("it has a place").rotation;
    assert_eq!(rotation(there), start.rotation);
    assert_ne!(rotation(elsewhere), start.rotation);
}
