//! Agents that are knocked back.

use bevy::ecs::change_detection::DetectChanges;

use super::*;

const KNOCK: Vec2 = Vec2::new(300.0, -400.0);

#[test]
fn the_way_is_the_same_at_every_tick_rate() {
    for rate in [10.0, 30.0, 60.0, 240.0] {
        let mut app = app_at(rate);
        let agent = app.world_mut().spawn(Knockback::new(KNOCK).with_time_constant(0.25)).id();
        run(&mut app, (4.0 * rate) as usize);
        let way = position(&app, agent);
        assert!(way.distance(KNOCK * 0.25) < 1e-2, "{way} at {rate}");
        assert_eq!(velocity(&app, agent), Vec2::ZERO);
    }
}

#[test]
fn comes_to_rest_and_then_triggers_no_change_detection() {
    let mut app = app();
    let agent = app.world_mut().spawn(Knockback::new(KNOCK)).id();
    run(&mut app, 200);
    assert_eq!(app.world().get::<Knockback>(agent).unwrap().velocity, Vec2::ZERO);
    let before = position(&app, agent);
    let since = app.world_mut().change_tick();
    run(&mut app, 10);
    let now = app.world_mut().change_tick();
    let impulse = app.world().entity(agent).get_ref::<Knockback>().unwrap().last_changed();
    let transform = app.world().entity(agent).get_ref::<Transform>().unwrap().last_changed();
    assert!(!impulse.is_newer_than(since, now) && !transform.is_newer_than(since, now));
    assert_eq!(position(&app, agent), before);
}

#[test]
fn velocity_stays_within_max_speed_and_the_agent_comes_back() {
    let mut app = app();
    let agent = app.world_mut().spawn((Arrive::new(Vec2::ZERO), Knockback::new(KNOCK))).id();
    let mut farthest = 0.0_f32;
    for _ in 0..400 {
        app.update();
        assert!(velocity(&app, agent).length() <= 100.001);
        farthest = farthest.max(position(&app, agent).length());
    }
    assert!(farthest > 50.0, "only {farthest} away");
    assert!(position(&app, agent).length() < 1e-2 && velocity(&app, agent).length() < 1e-2);
}

#[test]
fn two_knocks_add_up() {
    let mut app = app();
    let agent = app.world_mut().spawn(Knockback::new(KNOCK)).id();
    app.world_mut().get_mut::<Knockback>(agent).unwrap().add(KNOCK);
    run(&mut app, 200);
    assert!(position(&app, agent).distance(KNOCK * 0.4) < 1e-2);
}

#[test]
fn a_body_with_limits_slides_without_turning() {
    let mut app = app();
    let car = BodyLimits::default().with_min_turning_radius(40.0);
    let agent =
        app.world_mut().spawn((Seek::new(Vec2::new(1e4, 0.0)), car, Knockback::new(Vec2::new(0.0, 500.0)))).id();
    run(&mut app, 10);
    assert!(position(&app, agent).y > 40.0);
    assert!(velocity(&app, agent).y.abs() < 5.0, "{}", velocity(&app, agent));
}

#[test]
fn no_solid_body_is_knocked_through_a_wall() {
    for speed in [50.0, 500.0, 5e3, 5e5] {
        let mut app = app();
        let wall = Segment2d::new(Vec2::new(60.0, -500.0), Vec2::new(60.0, 500.0));
        app.world_mut().spawn((Obstacle::new(wall), Transform::default()));
        let impulse = Knockback::new(Vec2::new(speed, 10.0)).with_time_constant(1.0);
        let agent = app.world_mut().spawn((Solid::default(), impulse)).id();
        for _ in 0..300 {
            app.update();
            let place = position(&app, agent);
            assert!(place.x < 52.01, "at {place} with {speed}");
        }
        let place = position(&app, agent);
        assert!(place.x > 49.0 && place.y > 5.0, "it slid along the wall to {place} with {speed}");
    }
}

#[test]
fn edges_that_bounce_turn_it_round() {
    let mut app = app();
    app.insert_resource(SteeringBounds::bounce(Vec2::splat(-30.0), Vec2::splat(30.0)));
    let agent = app.world_mut().spawn(Knockback::new(Vec2::new(400.0, 0.0)).with_time_constant(1.0)).id();
    run(&mut app, 8);
    assert!(app.world().get::<Knockback>(agent).unwrap().velocity.x < -300.0);
    assert!(position(&app, agent).x < 30.0 && velocity(&app, agent) == Vec2::ZERO);
}

#[test]
fn what_something_else_moves_is_not_moved() {
    let mut app = app();
    let agent = app.world_mut().spawn((ExternalMovement, Knockback::new(KNOCK))).id();
    run(&mut app, 10);
    assert_eq!(position(&app, agent), Vec2::ZERO);
    assert_eq!(app.world().get::<Knockback>(agent).unwrap().velocity, KNOCK);
}

#[test]
fn a_knock_that_a_wall_has_stopped_does_not_go_on_when_the_wall_is_gone() {
    for despawns_before in [false, true] {
        let mut app = app();
        let wall = Segment2d::new(Vec2::new(60.0, -500.0), Vec2::new(60.0, 500.0));
        let wall = app.world_mut().spawn((Obstacle::new(wall), Transform::default())).id();
        let knockback = Knockback::new(Vec2::new(400.0, 60.0)).with_time_constant(1.0);
        let agent = app.world_mut().spawn((Solid::default(), knockback)).id();
        run(&mut app, if despawns_before { 5 } else { 30 });
        let place = position(&app, agent);
        assert!(if despawns_before { place.x < 40.0 } else { place.x > 51.0 }, "{place}");
        app.world_mut().despawn(wall);
        run(&mut app, 120);
        let way = position(&app, agent) - place;
        if despawns_before {
            assert!(way.x > 200.0, "it is stopped at {}", place + way);
        } else {
            assert!(way.x.abs() < 0.01, "it goes on by {way}");
        }
        assert!(way.y > 20.0, "it does not slide on: {way}");
    }
}

#[test]
fn a_knock_too_weak_to_move_an_agent_far_out_triggers_no_change_detection() {
    let mut app = app();
    // This far out, two neighboring numbers are farther apart than the knock moves the agent in a tick.
    let start = at(1e6, 0.0);
    let agent = app.world_mut().spawn((Knockback::new(Vec2::X).with_time_constant(1.0), start)).id();
    run(&mut app, 2);
    let since = app.world_mut().change_tick();
    run(&mut app, 5);
    let now = app.world_mut().change_tick();
    let transform = app.world().entity(agent).get_ref::<Transform>().unwrap().last_changed();
    assert!(!transform.is_newer_than(since, now));
    assert_eq!(position(&app, agent), start.translation.truncate());
}
