//! Arrive stops at its target.

use std::f32::consts::{PI, TAU};

use bevy::math::ops;
use proptest::prelude::*;

use super::*;

/// An agent on its way to the origin.
#[derive(Clone, Debug)]
struct Case {
    rate: f64,
    agent: SteeringAgent,
    start: Vec2,
    velocity: Vec2,
}

impl Case {
    /// What it takes to stop from the speed at the start with all force, units.
    fn braking_distance(&self) -> f32 {
        self.velocity.length_squared() * self.agent.mass / (2.0 * self.agent.max_force)
    }

    fn tick_travel(&self) -> f32 {
        self.velocity.length() / self.rate as f32
    }
}

/// How an agent arrived.
struct Arrival {
    /// How far it went beyond the target, seen from the start, units.
    beyond: f32,
    position: Vec2,
    velocity: Vec2,
}

fn run_to_rest(case: &Case) -> Arrival {
    let mut app = app_at(case.rate);
    let transform = Transform::from_translation(case.start.extend(0.0));
    let agent = app.world_mut().spawn((Arrive::new(Vec2::ZERO), case.agent, Velocity(case.velocity), transform)).id();
    let way = -case.start.normalize();
    let mut beyond = 0.0_f32;
    // Twice the time it takes to stop, speed up, cross and stop again.
    let deceleration = case.agent.max_force / case.agent.mass;
    let seconds = 2.0 * (case.start.length() / case.agent.max_speed + 6.0 * case.agent.max_speed / deceleration)
        + 20.0 * case.agent.response_time;
    for _ in 0..(f64::from(seconds) * case.rate) as usize + 10 {
        app.update();
        beyond = beyond.max(position(&app, agent).dot(way));
    }
    Arrival { beyond, position: position(&app, agent), velocity: velocity(&app, agent) }
}

/// A case that starts at so many braking distances (and a tick's travel more), moving in any direction.
fn case(braking_distances: impl Strategy<Value = f32>) -> impl Strategy<Value = Case> {
    let body = (0.0..3.0_f32, -1.0..1.3_f32, -0.3..1.3_f32)
        .prop_map(|(speed, mass, force)| (ops::powf(10.0, speed), ops::powf(10.0, mass), ops::powf(10.0, force)));
    let rate = prop_oneof![Just(30.0), Just(60.0), Just(120.0), 20.0..250.0];
    (rate, body, 0.0..1.0_f32, 0.0..TAU, -PI..=PI, braking_distances).prop_map(
        |(rate, (max_speed, mass, force), speed, direction, approach, braking_distances)| {
            let agent = SteeringAgent { mass, max_speed, max_force: mass * max_speed * force, ..default() };
            let direction = Vec2::from_angle(direction);
            let velocity = Vec2::from_angle(approach).rotate(direction) * max_speed * speed;
            let case = Case { rate, agent, start: Vec2::ZERO, velocity };
            let distance = braking_distances * case.braking_distance() + case.tick_travel() + 1e-3 * max_speed;
            Case { start: -direction * distance, ..case }
        },
    )
}

fn assert_at_rest(arrival: &Arrival, case: &Case) -> Result<(), TestCaseError> {
    prop_assert!(arrival.position.length() < 1e-4 * case.start.length(), "ends at {}", arrival.position);
    prop_assert!(arrival.velocity.length() < 1e-4 * case.agent.max_speed, "ends with {}", arrival.velocity);
    Ok(())
}

proptest! {
    #![proptest_config(config(quarter_of(200)))]

    #[test]
    fn stops_on_the_target_without_running_past_it(case in case(1.0..4.0_f32)) {
        let arrival = run_to_rest(&case);
        let allowed = (0.01 * case.braking_distance()).max(case.tick_travel()) + 1e-5 * case.start.length();
        prop_assert!(arrival.beyond <= allowed, "{} beyond, {allowed} allowed", arrival.beyond);
        assert_at_rest(&arrival, &case)?;
    }

    #[test]
    fn from_anywhere_else_it_comes_back_and_rests(case in case(0.0..1.5_f32)) {
        assert_at_rest(&run_to_rest(&case), &case)?;
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
        let Arrival { beyond, position, .. } = run_to_rest(&Case { rate: RATE, agent, start, velocity: Vec2::ZERO });
        assert!(beyond <= 0.001 * start.x, "{beyond} beyond of {}: {agent:?}", start.x);
        assert!(position.length() < 0.01 * start.x, "ends at {position}: {agent:?}");
    }
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
