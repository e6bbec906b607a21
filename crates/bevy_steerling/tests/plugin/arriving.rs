//! Arrive stops at its target.

use super::*;

struct Case {
    rate: f64,
    agent: SteeringAgent,
    start: Vec2,
    velocity: Vec2,
}

/// Runs one agent to the origin and returns how far it went beyond, along its way from the start, and its final state.
fn run_to_rest(case: &Case) -> (f32, Vec2, Vec2) {
    let mut app = app_at(case.rate);
    let transform = Transform::from_translation(case.start.extend(0.0));
    let agent = app.world_mut().spawn((Arrive::new(Vec2::ZERO), case.agent, Velocity(case.velocity), transform)).id();
    let way = -case.start.normalize();
    let mut beyond = 0.0_f32;
    // Twice the time it takes to speed up, cross and stop.
    let deceleration = case.agent.max_force / case.agent.mass;
    let seconds = 2.0 * (case.start.length() / case.agent.max_speed + 4.0 * case.agent.max_speed / deceleration)
        + 20.0 * case.agent.response_time;
    for _ in 0..(f64::from(seconds) * case.rate) as usize + 10 {
        app.update();
        beyond = beyond.max(position(&app, agent).dot(way));
    }
    (beyond, position(&app, agent), velocity(&app, agent))
}

#[test]
fn stops_on_the_target_without_running_past_it() {
    let mut number = numbers(1);
    for rate in [30.0, 60.0, 120.0] {
        for _ in 0..40 {
            let max_speed = 5.0 + 300.0 * number();
            let mass = 0.1 + 5.0 * number();
            let max_force = mass * max_speed * (0.5 + 20.0 * number());
            let speed = max_speed * number();
            let braking_distance = speed * speed * mass / (2.0 * max_force);
            let tick_travel = speed * (1.0 / rate) as f32;
            let distance = braking_distance * (1.0 + number() * number()) + tick_travel + 0.01 * max_speed;
            let direction = Vec2::from_angle(std::f32::consts::TAU * number());
            let approach = Vec2::from_angle(3.0 * (number() - 0.5)).rotate(direction);
            let case = Case {
                rate,
                agent: SteeringAgent { mass, max_speed, max_force, ..default() },
                start: -direction * distance,
                velocity: approach * speed,
            };
            let (beyond, end, velocity) = run_to_rest(&case);
            let allowed = (0.01 * braking_distance).max(tick_travel) + 1e-5 * distance;
            assert!(beyond <= allowed, "{beyond} beyond, {allowed} allowed: {:?} at {rate} Hz", case.agent);
            assert!(end.length() < 1e-4 * distance, "ends at {end}");
            assert!(velocity.length() < 1e-4 * max_speed, "ends with {velocity}");
        }
    }
}

#[test]
fn an_agent_that_answers_late_stops_without_running_past_too() {
    let mut number = numbers(2);
    for _ in 0..40 {
        let max_speed = 5.0 + 300.0 * number();
        let agent = SteeringAgent {
            max_speed,
            max_force: max_speed * (1.0 + 10.0 * number()),
            response_time: 0.02 + 0.4 * number(),
            ..default()
        };
        let start = Vec2::new(max_speed * (0.5 + 3.0 * number()), 0.0);
        let (beyond, end, _) = run_to_rest(&Case { rate: RATE, agent, start, velocity: Vec2::ZERO });
        assert!(beyond <= 0.001 * start.x, "{beyond} beyond of {}: {agent:?}", start.x);
        assert!(end.length() < 0.01 * start.x, "ends at {end}: {agent:?}");
    }
}

#[test]
fn one_too_fast_to_stop_comes_back_and_rests() {
    let agent = SteeringAgent { max_force: 50.0, ..default() };
    let case = Case { rate: RATE, agent, start: Vec2::new(-10.0, 0.0), velocity: Vec2::new(100.0, 0.0) };
    let (beyond, end, velocity) = run_to_rest(&case);
    assert!(beyond > 50.0);
    assert!(end.length() < 1e-3 && velocity.length() < 1e-3, "{end} {velocity}");
}

#[test]
fn at_rest_it_is_exactly_at_rest() {
    let mut app = app();
    let agent = app.world_mut().spawn((Arrive::new(Vec2::new(123.4, -56.7)), Transform::default())).id();
    run(&mut app, 600);
    assert_eq!(velocity(&app, agent), Vec2::ZERO);
    assert_eq!(position(&app, agent), Vec2::new(123.4, -56.7));
}

#[test]
fn near_enough_is_near_enough() {
    for arrive in [Arrive::new(Vec2::ZERO), Arrive::new(Vec2::ZERO).with_slowing_radius(50.0)] {
        let mut app = app();
        let agent = app.world_mut().spawn((arrive.with_arrival_tolerance(5.0), at(4.0, 0.0))).id();
        run(&mut app, 60);
        assert_eq!(position(&app, agent), Vec2::new(4.0, 0.0));
    }
}
