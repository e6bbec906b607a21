//! Orbit circles its target at a distance.

use std::f32::consts::TAU;

use super::*;

/// An agent, its orbit, and a target that moves straight.
#[derive(Debug)]
struct Case {
    rate: f64,
    body: SteeringAgent,
    radius: f32,
    clockwise: bool,
    start: Vec2,
    velocity: Vec2,
    target: Vec2,
}

impl Case {
    fn random(number: &mut impl FnMut() -> f32) -> Self {
        let mut scale = |low: f32, high: f32| low * ops::powf(high / low, number());
        let (mass, acceleration, max_speed) = (scale(0.1, 10.0), scale(100.0, 3000.0), scale(100.0, 300.0));
        let radius = scale(20.0, 80.0);
        let response_time = if number() < 0.5 { 0.0 } else { 0.2 * number() };
        let body = SteeringAgent { mass, max_speed, max_force: mass * acceleration, response_time, ..default() };
        let mut direction = |length: f32| Vec2::from_angle(TAU * number()) * length;
        let (start, velocity, target) = (direction(1.0), direction(1.0), direction(1.0));
        let case = Self {
            rate: 30.0 + 90.0 * f64::from(number()),
            body,
            radius,
            clockwise: number() < 0.5,
            start: start * radius * 4.0 * number(),
            velocity: velocity * max_speed * number(),
            target: Vec2::ZERO,
        };
        let speed = case.speed();
        let target = if number() < 0.5 { Vec2::ZERO } else { target * 0.25 * speed * number() };
        Self { target, ..case }
    }

    /// The speed at which it can hold the circle.
    fn speed(&self) -> f32 {
        self.body.max_speed.min(ops::sqrt(0.98 * self.body.max_force / self.body.mass * self.radius))
    }
}

/// The largest distance from the circle as a share of its radius, and the lowest speed, over two rounds.
fn hold(case: &Case) -> (f32, f32) {
    let mut app = app_at(case.rate);
    // A target that nothing slows down.
    let body = SteeringAgent { max_speed: 1e6, ..default() };
    let target = app.world_mut().spawn((body, Velocity(case.target))).id();
    let orbit = Orbit { clockwise: case.clockwise, ..Orbit::new(target, case.radius) };
    let start = Transform::from_translation(case.start.extend(0.0));
    let agent = app.world_mut().spawn((orbit, case.body, Velocity(case.velocity), start)).id();
    let round = TAU * case.radius / case.speed();
    let speeding = 4.0 * case.body.max_speed * case.body.mass / case.body.max_force;
    let ticks = |seconds: f32| (f64::from(seconds) * case.rate) as usize + 1;
    run(&mut app, ticks(4.0 * round + speeding));
    let (mut off, mut slowest, mut turned) = (0.0_f32, f32::INFINITY, 0.0);
    let mut from_target = position(&app, agent) - position(&app, target);
    for _ in 0..ticks(2.0 * round) {
        run(&mut app, 1);
        let before = from_target;
        from_target = position(&app, agent) - position(&app, target);
        turned += before.angle_to(from_target);
        off = off.max((from_target.length() - case.radius).abs() / case.radius);
        slowest = slowest.min(velocity(&app, agent).length());
    }
    assert_eq!(turned < 0.0, case.clockwise, "{turned}: {case:?}");
    assert!(turned.abs() > TAU, "{turned}: {case:?}");
    (off, slowest)
}

#[test]
fn from_anywhere_it_gets_to_the_circle_and_holds_it_at_full_speed() {
    let mut number = numbers(1);
    let mut failures = Vec::new();
    let (mut slow, mut worst) = (0, 0.0_f32);
    for _ in 0..40 {
        let case = Case::random(&mut number);
        let (off, slowest) = hold(&case);
        worst = worst.max(off);
        // What a moving target costs.
        let speed = if case.speed() < case.body.max_speed { case.speed() - case.target.length() } else { case.speed() };
        slow += usize::from(case.speed() < case.body.max_speed);
        let enough = if case.target == Vec2::ZERO { 0.99 * speed } else { 0.7 * speed };
        if off > 0.01 || slowest < enough {
            failures.push(format!("{off} off, {slowest} of {speed}: {case:?}"));
        }
    }
    println!("{worst} off at most, {slow} held back");
    assert!(slow > 2, "only {slow} cannot hold the circle at full speed");
    assert!(failures.is_empty(), "{}: {}", failures.len(), failures.join("\n"));
}

#[test]
fn a_car_circles_too() {
    let mut number = numbers(2);
    for _ in 0..8 {
        let (radius, max_speed) = (80.0 + 100.0 * number(), 40.0 + 60.0 * number());
        let body = SteeringAgent { max_speed, max_force: 400.0, ..default() };
        let mut app = app();
        let limits = BodyLimits::default().with_min_turning_radius(0.6 * radius).with_max_turn_rate(0.5 + number());
        let start = Vec2::from_angle(TAU * number()) * radius * 3.0 * number();
        let start = Transform::from_translation(start.extend(0.0));
        let agent = app.world_mut().spawn((Orbit::new(Vec2::ZERO, radius), limits, body, start)).id();
        run(&mut app, 3000);
        for _ in 0..1000 {
            run(&mut app, 1);
            let off = (position(&app, agent).length() - radius).abs() / radius;
            assert!(off < 0.03, "{off} off: radius {radius}, max speed {max_speed}");
            assert!(velocity(&app, agent).length() > 30.0);
        }
    }
}

#[test]
fn a_target_that_is_gone_leaves_it_alone() {
    let mut app = app();
    let target = app.world_mut().spawn(Transform::default()).id();
    let agent = app.world_mut().spawn((Orbit::new(target, 50.0), at(60.0, 0.0))).id();
    run(&mut app, 10);
    app.world_mut().despawn(target);
    run(&mut app, 1);
    assert_eq!(force(&app, agent), Vec2::ZERO);
}

/// The force of these agents is too weak to hold the circle at max speed.
#[test]
fn from_far_away_it_comes_at_max_speed_and_brakes_in_time() {
    let mut number = numbers(3);
    for _ in 0..quarter_of(80) {
        let case = Case { target: Vec2::ZERO, velocity: Vec2::ZERO, ..Case::random(&mut number) };
        let speeding = case.body.max_speed * case.body.max_speed * case.body.mass / case.body.max_force;
        let radius = speeding * (0.1 + 0.3 * number());
        let start = Vec2::from_angle(TAU * number()) * (radius + (1.5 + number()) * speeding);
        let case = Case { radius, start, ..case };
        let mut app = app_at(case.rate);
        let orbit = Orbit { clockwise: case.clockwise, ..Orbit::new(Vec2::ZERO, radius) };
        let agent = app.world_mut().spawn((orbit, case.body, at(start.x, start.y))).id();
        let mut fastest = 0.0_f32;
        for _ in 0..(10.0 * case.rate) as usize {
            run(&mut app, 1);
            let (speed, distance) = (velocity(&app, agent).length(), position(&app, agent).length());
            fastest = fastest.max(speed);
            assert!(distance > 0.97 * radius, "{distance}: {case:?}");
            assert!(distance > 1.02 * radius || speed < 1.3 * case.speed(), "{speed} on the circle: {case:?}");
        }
        assert!(fastest > 0.95 * case.body.max_speed, "{fastest}: {case:?}");
    }
}

#[test]
fn an_agent_that_orbits_at_no_distance_comes_to_rest_at_its_target() {
    let mut app = app();
    let places = [Vec2::new(-400.0, 0.0), Vec2::new(30.0, 200.0), Vec2::new(1.0, -3.0), Vec2::ZERO];
    for (radius, start_velocity) in [(0.0, Vec2::ZERO), (-5.0, Vec2::new(0.0, 90.0)), (0.0, Vec2::new(80.0, 10.0))] {
        let agents = places.map(|start| {
            let orbit = Orbit::new(Vec2::ZERO, radius);
            app.world_mut().spawn((orbit, Velocity(start_velocity), at(start.x, start.y))).id()
        });
        run(&mut app, 600);
        for (agent, start) in agents.into_iter().zip(places) {
            let (rest, speed) = (position(&app, agent).length(), velocity(&app, agent).length());
            assert!(rest < 0.1 && speed < 0.1, "from {start} at {start_velocity}: {rest} away at {speed}");
        }
    }
}
