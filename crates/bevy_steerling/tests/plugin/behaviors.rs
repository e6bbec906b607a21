//! What behaviors want, beyond what the reference traces cover.

use bevy_steerling::behaviors::wander::{WanderDrive, WanderState};

use super::*;

/// An agent strong enough to show what it wants.
const STRONG: SteeringAgent =
    SteeringAgent { mass: 2.0, max_speed: 100.0, max_force: 1e9, radius: 8.0, response_time: 0.0 };

#[track_caller]
fn assert_near(got: Vec2, expected: Vec2) {
    assert!(got.distance(expected) <= 1e-5 * expected.length(), "got {got}, expected {expected}");
}

#[test]
fn a_response_time_longer_than_a_tick_softens_the_force() {
    let velocity = Vec2::new(20.0, -10.0);
    for (response_time, divisor) in [(0.0, TICK), (0.5 * TICK, TICK), (0.2, 0.2)] {
        let mut app = app();
        let body = SteeringAgent { response_time, ..STRONG };
        let seeker = (Seek::new(Vec2::new(0.0, 50.0)).with_weight(0.5), body, Velocity(velocity));
        let agent = app.world_mut().spawn(seeker).id();
        run(&mut app, 1);
        assert_near(force(&app, agent), 0.5 * (Vec2::new(0.0, 100.0) - velocity) / divisor);
    }
}

#[test]
fn pursuit_looks_no_farther_ahead_than_it_may() {
    let quarry_velocity = Vec2::new(0.0, 50.0);
    for (pursue, time) in [
        (Pursue::new(Vec2::ZERO), 60.0 / (100.0_f32 * 100.0 - 50.0 * 50.0).sqrt()),
        (Pursue::new(Vec2::ZERO).with_max_prediction(0.25), 0.25),
        (Pursue::new(Vec2::ZERO).with_prediction(Prediction::Proportional), 0.6),
        (Pursue::new(Vec2::ZERO).with_prediction(Prediction::Proportional).with_max_prediction(0.25), 0.25),
        (Pursue::new(Vec2::ZERO).with_prediction(Prediction::Fixed(0.1)).with_max_prediction(0.25), 0.1),
        (Pursue::new(Vec2::ZERO).with_max_prediction(-1.0), 0.0),
    ] {
        let mut app = app();
        let quarry = app.world_mut().spawn((Velocity(quarry_velocity), at(60.0, 0.0))).id();
        let agent = app.world_mut().spawn((Pursue { target: quarry.into(), ..pursue }, STRONG)).id();
        run(&mut app, 1);
        let aim = (Vec2::new(60.0, 0.0) + quarry_velocity * time).normalize();
        assert_near(force(&app, agent), aim * 100.0 / TICK);
    }
}

#[test]
fn evasion_measures_panic_to_where_the_pursuer_is_now() {
    let mut app = app();
    // Far off, but soon to be near.
    let pursuer = app.world_mut().spawn((Velocity(Vec2::new(-100.0, 0.0)), at(100.0, 0.0))).id();
    let calm = app.world_mut().spawn(Evade::new(pursuer).with_panic_distance(99.0)).id();
    let panicking = app.world_mut().spawn(Evade::new(pursuer).with_panic_distance(101.0)).id();
    run(&mut app, 1);
    assert_eq!(force(&app, calm), Vec2::ZERO);
    assert!(force(&app, panicking).x < 0.0);
}

#[test]
fn a_target_s_velocity_is_matched_as_far_as_the_agent_can_go_so_fast() {
    let own = Velocity(Vec2::new(20.0, -10.0));
    for (target, expected) in [
        (Some(Vec2::new(30.0, 40.0)), Vec2::new(30.0, 40.0)),
        (Some(Vec2::new(300.0, 400.0)), Vec2::new(60.0, 80.0)),
        (Some(Vec2::ZERO), Vec2::ZERO),
        // What has no velocity stands still.
        (None, Vec2::ZERO),
    ] {
        let mut app = app();
        let world = app.world_mut();
        let mut leader = world.spawn(at(500.0, 300.0));
        if let Some(velocity) = target {
            leader.insert(Velocity(velocity));
        }
        let leader = leader.id();
        let slow = SteeringAgent { response_time: 0.2, ..STRONG };
        let agent = world.spawn((MatchVelocity::new(leader), STRONG, own)).id();
        let weighted = world.spawn((MatchVelocity::new(leader).with_weight(0.5), slow, own)).id();
        run(&mut app, 1);
        assert_near(force(&app, agent), (expected - own.0) / TICK);
        assert_near(force(&app, weighted), 0.5 * (expected - own.0) / 0.2);
    }
}

#[test]
fn a_formation_keeps_together_and_stops_with_its_leader() {
    let mut app = app();
    let leader = app.world_mut().spawn((Arrive::new(Vec2::new(300.0, 100.0)), at(0.0, 0.0))).id();
    let places = [Vec2::new(-30.0, 20.0), Vec2::new(-30.0, -20.0)];
    let wing = places.map(|place| {
        let wingman = (MatchVelocity::new(leader), SteeringAgent { max_force: 600.0, ..default() });
        app.world_mut().spawn((wingman, at(place.x, place.y))).id()
    });
    run(&mut app, 600);
    for (wingman, place) in wing.into_iter().zip(places) {
        assert!(velocity(&app, wingman).length() < 1e-3);
        // They follow a tick later, faster than it speeds up.
        let off = position(&app, wingman) - position(&app, leader) - place;
        assert!(off.length() < 5.0, "{off}");
    }
    app.world_mut().despawn(leader);
    app.world_mut().get_mut::<Velocity>(wing[0]).unwrap().0 = Vec2::X;
    run(&mut app, 1);
    assert_eq!(velocity(&app, wing[0]), Vec2::X);
}

/// The angles at which agents wander after some seconds, each from 0.
fn wander_angles(rate: f64, seconds: f64, seed: u64, agents: usize) -> Vec<f32> {
    let mut app = app_at(rate);
    app.insert_resource(SteeringSeed(seed));
    let wander = Wander::default().with_initial_angle(0.0).with_angle_change(2.0);
    let agents: Vec<Entity> = (0..agents).map(|_| app.world_mut().spawn(wander.clone()).id()).collect();
    run(&mut app, (rate * seconds).round() as usize);
    agents.iter().map(|&agent| app.world().get::<WanderState>(agent).unwrap().angle().unwrap()).collect()
}

#[test]
fn wandering_strays_as_far_at_every_rate() {
    for rate in [30.0, 60.0, 120.0] {
        let angles = wander_angles(rate, 1.0, 0, 1000);
        let mean = angles.iter().sum::<f32>() / 1000.0;
        let variance = angles.iter().map(|angle| angle * angle).sum::<f32>() / 1000.0;
        // U − ½ has the variance 1/12: after one second 2²/12. Of 1,000 samples the variance is known to 4.5 %.
        assert!((variance / (4.0 / 12.0) - 1.0).abs() < 0.14, "variance {variance} at {rate} Hz");
        assert!(mean.abs() < 0.055, "mean {mean} at {rate} Hz");
    }
}

#[test]
fn each_agent_wanders_on_its_own_and_the_seed_decides_how() {
    let angles = wander_angles(60.0, 0.5, 1, 50);
    assert_eq!(angles, wander_angles(60.0, 0.5, 1, 50));
    assert_eq!(angles[..20], wander_angles(60.0, 0.5, 1, 20), "whoever else there is");
    let mut distinct = angles.clone();
    distinct.sort_by(f32::total_cmp);
    distinct.dedup();
    assert_eq!(distinct.len(), 50);
    let other_seed = wander_angles(60.0, 0.5, 2, 50);
    assert!(angles.iter().all(|angle| !other_seed.contains(angle)));
}

#[test]
fn wanderers_start_in_all_directions() {
    let mut app = app();
    let agents: Vec<Entity> = (0..200).map(|_| app.world_mut().spawn(Wander::default()).id()).collect();
    run(&mut app, 30);
    let mean: Vec2 = agents.iter().map(|&agent| velocity(&app, agent).normalize()).sum::<Vec2>() / 200.0;
    assert!(mean.length() < 0.2, "{mean}");
}

#[test]
fn a_displacement_is_a_force_whatever_the_response_time() {
    for response_time in [0.0, 1.0] {
        let mut app = app();
        let body = SteeringAgent { response_time, ..STRONG };
        let wander =
            Wander::default().with_drive(WanderDrive::Displacement).with_circle(10.0, 5.0).with_initial_angle(0.0);
        let agent = app.world_mut().spawn((wander, body, Velocity(Vec2::new(0.0, 3.0)))).id();
        run(&mut app, 1);
        assert_near(force(&app, agent), Vec2::new(5.0, 10.0) / (TICK * TICK));
    }
}

#[test]
fn the_angle_of_a_wanderer_stays_within_a_turn() {
    let mut app = app();
    let agents: Vec<Entity> =
        (0..20).map(|_| app.world_mut().spawn(Wander::default().with_angle_change(60.0)).id()).collect();
    let mut turns = 0;
    for _ in 0..300 {
        run(&mut app, 1);
        for agent in &agents {
            let state: &WanderState = app.world().get(*agent).expect("it wanders");
            let angle = state.angle().expect("it has begun");
            assert!(angle.abs() < 3.2, "{angle}");
            turns += usize::from(angle.abs() > 3.0);
        }
    }
    assert!(turns > 50, "{turns} angles near half a turn");
}
