//! Agents keep up with their leaders.

use std::f32::consts::TAU;

use bevy_steerling::agent::Vehicle;
use bevy_steerling::behaviors::leader::LeaderHeading;

use super::*;

/// A leader at the origin, at rest, that goes somewhere and stops there.
fn spawn_leader(app: &mut App, target: Vec2) -> Entity {
    let body = SteeringAgent { max_speed: 60.0, max_force: 100.0, ..default() };
    app.world_mut().spawn((body, Arrive::new(target))).id()
}

/// A leader at the origin that moves straight on at its max speed.
fn spawn_cruising_leader(app: &mut App, velocity: Vec2) -> Entity {
    let body = SteeringAgent { max_speed: velocity.length(), ..default() };
    app.world_mut().spawn((body, Seek::new(velocity * 1e5), Velocity(velocity))).id()
}

fn direction(number: &mut impl FnMut() -> f32) -> Vec2 {
    Vec2::from_angle(TAU * number())
}

#[test]
fn a_follower_stops_in_its_place_beside_a_leader_that_stops() {
    let mut number = numbers(1);
    for _ in 0..quarter_of(100) {
        let mut app = app();
        let way = direction(&mut number);
        let leader = spawn_leader(&mut app, way * (200.0 + 300.0 * number()));
        let offset = direction(&mut number) * 90.0 * number();
        let start = direction(&mut number) * 300.0 * number();
        let start = Transform::from_translation(start.extend(0.0));
        let body = SteeringAgent { max_speed: 120.0, max_force: 300.0 + 500.0 * number(), ..default() };
        let follower = app.world_mut().spawn((OffsetPursuit::new(leader, offset), body, start)).id();
        run(&mut app, 60 * 20);
        let place = position(&app, leader) + way.rotate(offset);
        // The very last heading of a leader that stops is subject to rounding.
        assert!(
            position(&app, follower).distance(place) < 0.01 * (1.0 + offset.length()),
            "{} instead of {place}",
            position(&app, follower)
        );
        assert_eq!(velocity(&app, follower), Vec2::ZERO);
    }
}

#[test]
fn a_leader_that_has_not_moved_yet_faces_along_its_x_axis() {
    let mut app = app();
    let leader = app.world_mut().spawn(at(50.0, 60.0).with_rotation(Quat::from_rotation_z(1.0))).id();
    let follower = app.world_mut().spawn((OffsetPursuit::new(leader, Vec2::new(-30.0, 20.0)), at(0.0, 0.0))).id();
    run(&mut app, 300);
    let place = Vec2::new(50.0, 60.0) + Vec2::from_angle(1.0).rotate(Vec2::new(-30.0, 20.0));
    assert!(position(&app, follower).distance(place) < 1e-3);
}

#[test]
fn the_place_does_not_flip_when_a_leader_moves_backward() {
    let mut app = app();
    let limits = BodyLimits::default().with_min_turning_radius(40.0).with_reverse_speed(90.0);
    let leader = app.world_mut().spawn((Arrive::new(Vec2::new(-100.0, 5.0)), limits)).id();
    let follower = app.world_mut().spawn((OffsetPursuit::new(leader, Vec2::new(-30.0, 40.0)), at(-30.0, 40.0))).id();
    let mut backward = 0;
    for _ in 0..300 {
        run(&mut app, 1);
        let heading = app.world().get::<Vehicle>(leader).and_then(Vehicle::heading).expect("it has one");
        let seen = app.world().get::<LeaderHeading>(follower).and_then(LeaderHeading::heading);
        assert!(seen.is_some_and(|seen| seen.dot(heading) > 0.99), "{seen:?} instead of {heading}");
        backward += usize::from(velocity(&app, leader).dot(heading) < -10.0);
    }
    assert!(backward > 30, "it moves backward for {backward} ticks");
}

#[test]
fn a_follower_of_another_leader_forgets_the_heading_of_the_first() {
    let mut app = app();
    let first = spawn_leader(&mut app, Vec2::new(0.0, 200.0));
    let second = app.world_mut().spawn(at(300.0, 0.0)).id();
    let follower = app.world_mut().spawn((OffsetPursuit::new(first, Vec2::new(-30.0, 0.0)), at(9.0, 0.0))).id();
    run(&mut app, 300);
    app.world_mut().entity_mut(follower).insert(OffsetPursuit::new(second, Vec2::new(-30.0, 0.0)));
    run(&mut app, 900);
    assert!(position(&app, follower).distance(Vec2::new(270.0, 0.0)) < 1e-3);
}

#[test]
fn a_single_follower_is_at_its_distance_behind_a_leader_that_moves() {
    let mut number = numbers(2);
    for _ in 0..quarter_of(100) {
        let mut app = app();
        let way = direction(&mut number);
        let speed = 20.0 + 60.0 * number();
        let leader = spawn_cruising_leader(&mut app, way * speed);
        let start = direction(&mut number) * (30.0 + 200.0 * number());
        let distance = 20.0 + 50.0 * number();
        let mass = 0.2 + 3.0 * number();
        let body = SteeringAgent { max_speed: 1.5 * speed, mass, max_force: mass * 300.0, ..default() };
        let start = Transform::from_translation(start.extend(0.0));
        let follow = FollowLeader::new(leader).with_distance(distance).with_spacing(18.0);
        let follower = app.world_mut().spawn((follow, body, start)).id();
        run(&mut app, 60 * 30);
        let off = (position(&app, follower) - position(&app, leader)).distance(-way * distance);
        assert!(off < 0.01 * distance, "{off} off: {distance} behind at {speed}");
    }
}

/// So many followers around a leader.
fn spawn_followers(
    app: &mut App,
    leader: Entity,
    count: usize,
    nearest: f32,
    number: &mut impl FnMut() -> f32,
) -> Vec<Entity> {
    let widest = nearest + 30.0 * (count as f32).sqrt();
    let mut place = || direction(number) * (nearest + (widest - nearest) * number());
    (0..count)
        .map(|_| {
            let place = Transform::from_translation(place().extend(0.0));
            app.world_mut().spawn((FollowLeader::new(leader), place)).id()
        })
        .collect()
}

fn smallest_distance(app: &App, agents: &[Entity]) -> f32 {
    let places: Vec<Vec2> = agents.iter().map(|agent| position(app, *agent)).collect();
    let pairs = places.iter().enumerate().flat_map(|(i, a)| places[..i].iter().map(move |b| a.distance(*b)));
    pairs.fold(f32::INFINITY, f32::min)
}

#[test]
fn hundreds_come_to_rest_behind_a_leader_that_stops_apart_and_without_jitter() {
    let mut number = numbers(3);
    for count in [2, 20, 300] {
        let mut app = app();
        let leader = spawn_leader(&mut app, Vec2::new(400.0, 0.0));
        let followers = spawn_followers(&mut app, leader, count, 30.0, &mut number);
        run(&mut app, 60 * 60);
        let before: Vec<Vec2> = followers.iter().map(|agent| position(&app, *agent)).collect();
        run(&mut app, 60 * 10);
        let moved = followers.iter().zip(before).map(|(agent, before)| position(&app, *agent).distance(before));
        let moved = moved.fold(0.0, f32::max);
        let ahead = followers.iter().map(|agent| position(&app, *agent).x - 400.0).fold(f32::NEG_INFINITY, f32::max);
        let apart = smallest_distance(&app, &followers);
        println!("{count}: {moved} moved, {apart} apart, {ahead} ahead");
        assert!(moved < 0.01, "{count}: one moves on by {moved}");
        // An agent between the leader and others that were there first has less room than three radii.
        assert!(apart > 14.0, "{count}: {apart} apart");
        assert!(ahead < -10.0, "{count}: one is {ahead} ahead");
    }
}

#[test]
fn nobody_is_run_over_by_the_leader_or_stays_ahead_of_it() {
    let mut number = numbers(4);
    for _ in 0..60 {
        let mut app = app();
        let way = direction(&mut number);
        let body = SteeringAgent { max_speed: 60.0, max_force: 100.0, ..default() };
        let leader = app.world_mut().spawn((body, Seek::new(way * 1e6))).id();
        let followers = spawn_followers(&mut app, leader, 12, 60.0, &mut number);
        let mut nearest = f32::INFINITY;
        for _ in 0..60 * 8 {
            run(&mut app, 1);
            let from_leader = followers.iter().map(|agent| position(&app, *agent).distance(position(&app, leader)));
            nearest = nearest.min(from_leader.fold(f32::INFINITY, f32::min));
        }
        assert!(nearest > 16.0, "one comes as near as {nearest}");
        for follower in &followers {
            let ahead = (position(&app, *follower) - position(&app, leader)).dot(way);
            assert!(ahead < 0.0, "one is {ahead} ahead");
        }
    }
}

/// A follower that is ahead of its leader goes to the side on which it already is.
#[test]
fn a_follower_makes_way_to_the_nearer_side() {
    let mut number = numbers(5);
    for _ in 0..quarter_of(80) {
        let mut app = app();
        let way = direction(&mut number);
        let speed = 30.0 + 40.0 * number();
        let leader = spawn_cruising_leader(&mut app, way * speed);
        let aside = (1.0 + 11.0 * number()) * if number() < 0.5 { 1.0 } else { -1.0 };
        let start = way * (60.0 + 100.0 * number()) + way.perp() * aside;
        let follower = app.world_mut().spawn((FollowLeader::new(leader), at(start.x, start.y))).id();
        let mut is_ahead = true;
        for _ in 0..60 * 30 {
            run(&mut app, 1);
            let from_leader = position(&app, follower) - position(&app, leader);
            is_ahead &= from_leader.dot(way) > 0.0;
            // The leader comes within 0.3 s.
            if (0.0..0.3 * speed).contains(&from_leader.dot(way)) {
                let clear = way.perp_dot(from_leader).abs();
                assert!(clear > 15.0, "{aside} beside a leader at {speed}: {clear} beside its way");
            }
            let same_side = way.perp_dot(from_leader) * aside > 0.0;
            assert!(same_side || !is_ahead, "{aside} beside a leader at {speed}: on the other side");
            assert!(from_leader.length() > 16.0, "{aside} beside a leader at {speed}: run over");
        }
        assert!(!is_ahead, "{aside} beside a leader at {speed}: still ahead");
    }
}
