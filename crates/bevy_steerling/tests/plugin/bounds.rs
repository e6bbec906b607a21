//! The world's edges.

use std::f32::consts::{PI, TAU};

use bevy_steerling::agent::Vehicle;

use super::*;

const MIN: Vec2 = Vec2::new(0.0, 0.0);
const MAX: Vec2 = Vec2::new(200.0, 100.0);

fn coasting(app: &mut App, start: Vec2, velocity: Vec2) -> Entity {
    app.world_mut()
        .spawn((SteeringAgent::default(), Velocity(velocity), Transform::from_translation(start.extend(0.0))))
        .id()
}

#[test]
fn without_bounds_agents_leave() {
    let mut app = app();
    let agent = coasting(&mut app, Vec2::new(199.0, 50.0), Vec2::new(60.0, 0.0));
    run(&mut app, 60);
    assert!((position(&app, agent).x - 259.0).abs() < 1e-3);
}

#[test]
fn wrapping_leads_out_on_one_side_and_in_on_the_other() {
    let mut app = app();
    app.insert_resource(SteeringBounds::wrap(MIN, MAX));
    let agent = coasting(&mut app, Vec2::new(199.0, 1.0), Vec2::new(60.0, -60.0));
    run(&mut app, 3);
    assert!(position(&app, agent).distance(Vec2::new(2.0, 98.0)) < 1e-3);
    assert_eq!(velocity(&app, agent), Vec2::new(60.0, -60.0));
}

#[test]
fn a_pursuer_takes_the_short_way_across_the_seam() {
    let mut app = app();
    app.insert_resource(SteeringBounds::wrap(MIN, MAX));
    let prey = coasting(&mut app, Vec2::new(5.0, 95.0), Vec2::ZERO);
    let hunter = app.world_mut().spawn((Pursue::new(prey), at(195.0, 5.0))).id();
    run(&mut app, 1);
    let velocity = velocity(&app, hunter);
    assert!(velocity.x > 0.0 && velocity.y < 0.0, "{velocity}");
}

#[test]
fn neighbors_push_each_other_across_the_seam() {
    let mut app = app();
    app.insert_resource(SteeringBounds::wrap(MIN, MAX));
    let separation = Separation::default().with_radius(20.0);
    let left = app.world_mut().spawn((separation.clone(), at(2.0, 50.0))).id();
    let right = app.world_mut().spawn((separation, at(198.0, 50.0))).id();
    run(&mut app, 1);
    assert!(velocity(&app, left).x > 0.0 && velocity(&app, right).x < 0.0);
}

#[test]
fn bouncing_turns_round_only_what_led_out() {
    let mut app = app();
    app.insert_resource(SteeringBounds::bounce(MIN, MAX));
    let agent = coasting(&mut app, Vec2::new(199.5, 50.0), Vec2::new(60.0, 30.0));
    run(&mut app, 1);
    assert_eq!(position(&app, agent), Vec2::new(200.0, 50.5));
    assert_eq!(velocity(&app, agent), Vec2::new(-60.0, 30.0));
}

#[test]
fn one_that_starts_outside_is_brought_in_and_stays() {
    let mut app = app();
    app.insert_resource(SteeringBounds::bounce(MIN, MAX));
    // Already on its way in: it must not be turned round and lost.
    let agent = coasting(&mut app, Vec2::new(-500.0, 50.0), Vec2::new(60.0, 0.0));
    run(&mut app, 60);
    let position = position(&app, agent);
    assert!(position.cmpge(MIN).all() && position.cmple(MAX).all(), "{position}");
    assert_eq!(velocity(&app, agent), Vec2::new(60.0, 0.0));
}

/// Limits of a body at random, and the behavior of its agent.
fn any_body(app: &mut App, number: &mut impl FnMut() -> f32, kind: u64) -> (Entity, BodyLimits, f32) {
    let mut limits = BodyLimits::default();
    if !kind.is_multiple_of(2) {
        limits.min_turning_radius = Some(10.0 + 80.0 * number());
    }
    if kind.is_multiple_of(2) || kind % 4 == 3 {
        limits.max_turn_rate = Some(0.5 + 2.0 * number());
        limits.max_braking = Some(10.0 + 190.0 * number());
    }
    limits.reverse_speed = if kind % 8 > 3 { 40.0 } else { 0.0 };
    let speed = 20.0 + 80.0 * number();
    let start = Velocity(Vec2::from_angle(TAU * number()) * speed);
    let body = app.world_mut().spawn((SteeringAgent::default(), limits.clone(), start)).id();
    match kind % 3 {
        0 => {}
        1 => _ = app.world_mut().entity_mut(body).insert(Wander::default()),
        _ => {
            let target = Vec2::new(number() - 0.5, number() - 0.5) * 300.0;
            app.world_mut().entity_mut(body).insert(Seek::new(target));
        }
    }
    (body, limits, speed)
}

#[test]
fn a_body_with_limits_turns_back_from_an_edge_within_its_limits() {
    for seed in 0..u64::from(quarter_of(96)) {
        let (mut app, mut number) = (app(), numbers(seed));
        app.insert_resource(SteeringBounds::bounce(Vec2::splat(-200.0), Vec2::splat(200.0)));
        let (body, limits, speed) = any_body(&mut app, &mut number, seed);
        let heading = |app: &App| app.world().get::<Vehicle>(body).and_then(Vehicle::heading).expect("it has moved");
        run(&mut app, 1);
        let (mut before, mut ticks_at_edge, mut visits, mut fastest) = (heading(&app), 0.0, 0, 0.0_f32);
        let mut moved = velocity(&app, body);
        let SteeringAgent { max_force: strength, .. } = SteeringAgent::default();
        // The time of half a turn.
        let radius = limits.min_turning_radius.unwrap_or(0.0);
        let half_turn = PI * (radius / speed).max(1.0 / limits.max_turn_rate.unwrap_or(f32::INFINITY));
        for tick in 0..60 * 40 {
            run(&mut app, 1);
            let (now, place) = (heading(&app), position(&app, body));
            let of = format!("seed {seed}, tick {tick}: {limits:?} at {place}");
            let turn_rate = before.angle_to(now).abs() / TICK;
            assert!(turn_rate < 1.001 * limits.max_turn_rate.unwrap_or(f32::INFINITY) + 1e-3, "{turn_rate}, {of}");
            let circle = velocity(&app, body).length() / turn_rate.max(1e-3);
            assert!(circle > 0.99 * radius || turn_rate < 1e-2, "a circle of {circle}, {of}");
            assert!(place.abs().max_element() <= 200.0, "{of}");
            let moves = velocity(&app, body);
            let braking = (moved.length() - moves.length()) / TICK;
            let most = limits.max_braking.unwrap_or(f32::INFINITY).min(strength);
            assert!(moved.dot(moves) < 0.0 || braking < 1.001 * most + 1e-3 * speed, "brakes with {braking}, {of}");
            moved = moves;
            let is_at_edge = place.abs().max_element() > 199.0;
            visits += u32::from(is_at_edge && ticks_at_edge == 0.0);
            ticks_at_edge = if is_at_edge { ticks_at_edge + 1.0 } else { 0.0 };
            assert!(ticks_at_edge * TICK < 2.0 + 2.0 * half_turn, "stays at the edge, {of}");
            before = now;
            fastest = if tick > 60 * 15 { fastest.max(velocity(&app, body).length()) } else { 0.0 };
        }
        // Without behaviors it gets its speed back.
        assert!(
            seed % 3 != 0 || visits > 0 && (0.99 * speed..1.01 * speed).contains(&fastest),
            "{fastest}, seed {seed}"
        );
    }
}

#[test]
fn a_coasting_body_that_turns_slowly_gets_its_speed_and_direction_back() {
    for (case, rate) in [0.3, 0.6, 1.2, 2.5].into_iter().enumerate() {
        let mut app = app();
        app.insert_resource(SteeringBounds::bounce(Vec2::splat(-2000.0), Vec2::splat(2000.0)));
        let limits =
            BodyLimits::default().with_min_turning_radius(20.0).with_max_turn_rate(rate).with_max_braking(75.0);
        let start = Vec2::new(10.0, 95.0);
        let body = (SteeringAgent::default(), limits, Velocity(start), at(0.0, 1900.0));
        let body = app.world_mut().spawn(body).id();
        run(&mut app, 60 * 20);
        let off = velocity(&app, body).distance(start * Vec2::new(1.0, -1.0));
        assert!(off < 0.02 * start.length(), "{case}: {} instead of {start}, reflected", velocity(&app, body));
    }
}

#[test]
fn a_body_with_limits_gets_away_from_an_edge_that_it_hardly_touches() {
    let mut app = app();
    app.insert_resource(SteeringBounds::bounce(Vec2::splat(-200.0), Vec2::splat(200.0)));
    // They do not mind each other.
    let mut bodies = Vec::new();
    for outward in [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y] {
        for (sixteenths, speed) in (0..16_u16).flat_map(|sixteenths| [0.0, 0.05, 2.0].map(|speed| (sixteenths, speed)))
        {
            let heading = Vec2::from_angle(TAU * f32::from(sixteenths) / 16.0);
            let limits = BodyLimits::default().with_min_turning_radius(25.0).with_heading(heading);
            let start = outward * 199.99;
            let pushed = Knockback::new(outward * 5.0).with_time_constant(0.1);
            let body = (Seek::new(Vec2::ZERO), limits, Velocity(heading * speed), at(start.x, start.y), pushed);
            bodies.push((app.world_mut().spawn(body).id(), f32::INFINITY, (outward, heading, speed)));
        }
    }
    for _ in 0..60 * 12 {
        run(&mut app, 1);
        for (body, nearest, _) in &mut bodies {
            *nearest = nearest.min(position(&app, *body).length());
        }
    }
    for (_, nearest, case) in bodies {
        assert!(nearest < 20.0, "{case:?}: {nearest} from its target");
    }
}

#[test]
fn a_body_with_limits_forgets_an_edge_that_it_was_taken_away_from() {
    let mut app = app();
    app.insert_resource(SteeringBounds::bounce(Vec2::splat(-1000.0), Vec2::splat(1000.0)));
    let limits = BodyLimits::default().with_min_turning_radius(40.0);
    let body = (Seek::new(Vec2::new(2000.0, 0.0)), limits, Velocity(Vec2::new(100.0, 0.0)), at(990.0, 0.0));
    let body = app.world_mut().spawn(body).id();
    run(&mut app, 10);
    *app.world_mut().get_mut::<Transform>(body).expect("it is there") = at(0.0, 0.0);
    *app.world_mut().get_mut::<Velocity>(body).expect("it is there") = Velocity(Vec2::ZERO);
    run(&mut app, 60 * 5);
    assert!(position(&app, body).x > 100.0, "{}", position(&app, body));
}
