//! Bodies that turn, speed up and brake only so fast.

use std::f32::consts::{PI, TAU};

use bevy::math::ops;
use bevy_steerling::agent::Vehicle;

use super::*;

/// A body on its way to a place.
#[derive(Clone, Debug)]
struct Case {
    limits: BodyLimits,
    body: SteeringAgent,
    heading: Vec2,
    speed: f32,
    place: Vec2,
}

/// What it did.
#[derive(Clone, Debug)]
struct Run {
    /// The nearest that it came to the place, units.
    nearest: f32,
    /// How far it turned, radians, whichever way.
    turned: f32,
    /// How far it went, units, and how far of that backward.
    way: f32,
    backward: f32,
    /// How far away it was in the end, and how fast.
    left: f32,
    speed: f32,
}

/// Runs all of them side by side, and asserts that each keeps to its limits in each tick.
fn run_all<B: Bundle>(cases: &[Case], behavior: impl Fn(Vec2) -> B, seconds: f32, rate: f64) -> Vec<Run> {
    let mut app = app_at(rate);
    let tick = (1.0 / rate) as f32;
    let spawn = |(index, case): (usize, &Case)| {
        let Case { limits, body, heading, speed, place } = case.clone();
        let id = SteeringId::new(index as u64);
        app.world_mut().spawn((limits.with_heading(heading), body, Velocity(heading * speed), behavior(place), id)).id()
    };
    let agents: Vec<Entity> = cases.iter().enumerate().map(spawn).collect();
    let run = Run { nearest: f32::INFINITY, turned: 0.0, way: 0.0, backward: 0.0, left: 0.0, speed: 0.0 };
    let mut runs = vec![run; cases.len()];
    let state = |app: &App, agent: Entity| {
        let initial = app.world().get::<BodyLimits>(agent).unwrap().initial_heading;
        let heading = app.world().get::<Vehicle>(agent).unwrap().heading().or(initial).unwrap();
        (position(app, agent), velocity(app, agent), heading)
    };
    for _ in 0..(seconds / tick) as usize {
        let before: Vec<_> = agents.iter().map(|agent| state(&app, *agent)).collect();
        app.update();
        for (((case, run), agent), before) in cases.iter().zip(&mut runs).zip(&agents).zip(before) {
            let (p, v, _) = before;
            let (q, w, heading) = state(&app, *agent);
            assert_within_limits(case, [(v, before.2), (w, heading)], tick);
            let applied = v + force(&app, *agent) * (tick / case.body.mass);
            assert!(applied.distance(w) < 1e-3 * (1.0 + v.length()), "{applied} is not {w}: {case:?}");

            let along = ((case.place - p).dot(q - p) / (q - p).length_squared().max(1e-12)).clamp(0.0, 1.0);
            run.nearest = run.nearest.min(p.lerp(q, along).distance(case.place));
            run.turned += angle(before.2, heading);
            run.way += p.distance(q);
            run.backward += (p - q).dot(heading).max(0.0);
            (run.left, run.speed) = (q.distance(case.place), w.length());
        }
    }
    runs
}

/// The angle between two unit vectors, with all its digits.
fn angle(a: Vec2, b: Vec2) -> f32 {
    ops::atan2(a.perp_dot(b).abs(), a.dot(b))
}

fn assert_within_limits(case: &Case, [(v, old_heading), (w, heading)]: [(Vec2, Vec2); 2], tick: f32) {
    let Case { limits, body, .. } = case;
    let turned = angle(old_heading, heading);
    let (before, after) = (v.length(), w.length());
    // Less than that is rounding.
    let slack = 1e-5;
    if let Some(rate) = limits.max_turn_rate {
        assert!(turned <= rate * tick * 1.001 + slack, "turned by {turned}, {v} to {w}: {case:?}");
    }
    if let Some(radius) = limits.min_turning_radius {
        assert!(turned <= after * tick / radius * 1.001 + slack, "turned by {turned}, {v} to {w}: {case:?}");
    }
    let (change, slack) = ((after - before) / tick, 1e-3 * body.max_speed);
    let strength = body.max_force / body.mass;
    if v.dot(w) >= 0.0 {
        let (acceleration, braking) = (limits.max_acceleration, limits.max_braking);
        assert!(change <= acceleration.unwrap_or(strength).min(strength) * 1.001 + slack, "{v} to {w}: {case:?}");
        assert!(-change <= braking.unwrap_or(strength).min(strength) * 1.001 + slack, "{v} to {w}: {case:?}");
    }
    assert!(v.distance(w) <= strength * tick * 1.001 + 1e-3, "{v} to {w}: {case:?}");
    assert!(after <= body.max_speed * 1.0001, "{w}: {case:?}");
    let along = w.dot(heading);
    assert!(along > -limits.reverse_speed * 1.001 - 1e-3 * body.max_speed, "{along} backward: {case:?}");
    assert!(along.abs() > 0.999 * after - 1e-3 * body.max_speed, "{w} is not along {heading}: {case:?}");
}

fn kinds() -> Vec<BodyLimits> {
    let none = BodyLimits::default;
    vec![
        none().with_max_turn_rate(1.5),
        none().with_min_turning_radius(30.0),
        none()
            .with_min_turning_radius(30.0)
            .with_max_turn_rate(2.0)
            .with_max_acceleration(60.0)
            .with_max_braking(150.0),
        none().with_min_turning_radius(30.0).with_reverse_speed(40.0),
        none().with_max_turn_rate(1.0).with_reverse_speed(100.0).with_max_braking(80.0),
        none().with_max_acceleration(50.0).with_max_braking(400.0),
    ]
}

/// The places around a body that are hard to reach: inside its turning circles, straight behind, beside; with each kind of limits.
fn hard_cases() -> Vec<Case> {
    let mut cases = vec![];
    for limits in kinds() {
        for distance in [1.0, 10.0, 25.0, 55.0, 200.0] {
            for sixteenth in 0..16_u8 {
                for speed in [0.0, 90.0] {
                    let place = Vec2::from_angle(f32::from(sixteenth) * PI / 8.0) * distance;
                    let (limits, body) = (limits.clone(), SteeringAgent::default());
                    cases.push(Case { limits, body, heading: Vec2::X, speed, place });
                }
            }
        }
    }
    cases
}

/// Any limits, any place and any speed, in units of any size.
fn random_cases(count: usize) -> Vec<Case> {
    let mut random = numbers(5);
    (0..count)
        .map(|_| {
            let mut between = |low: f32, high: f32| low * ops::powf(high / low, random());
            let max_speed = between(0.5, 500.0);
            let strength = max_speed * between(0.5, 10.0);
            let mass = between(0.3, 5.0);
            let body = SteeringAgent {
                max_speed,
                mass,
                max_force: strength * mass,
                radius: 0.1 * max_speed,
                response_time: 0.0,
            };
            let mut limits = BodyLimits::default()
                .with_max_turn_rate(between(0.3, 6.0))
                .with_min_turning_radius(max_speed * between(0.05, 1.0))
                .with_max_acceleration(strength * between(0.1, 1.5))
                .with_max_braking(strength * between(0.1, 1.5))
                .with_reverse_speed(max_speed * between(0.1, 1.0));
            let distance = max_speed * between(0.03, 5.0);
            if random() < 0.4 {
                limits.max_turn_rate = None;
            }
            if random() < 0.4 {
                limits.min_turning_radius = None;
            }
            if random() < 0.5 {
                limits.max_acceleration = None;
            }
            if random() < 0.5 {
                limits.max_braking = None;
            }
            if random() < 0.5 {
                limits.reverse_speed = 0.0;
            }
            let heading = Vec2::from_angle(TAU * random());
            let place = Vec2::from_angle(TAU * random()) * distance;
            Case { limits, body, heading, speed: max_speed * (1.5 * random() - 0.5).max(0.0), place }
        })
        .collect()
}

#[test]
fn arrives_at_any_place_and_stops_there() {
    for (cases, seconds, rate) in [(hard_cases(), 20.0, 30.0), (random_cases(200), 60.0, 50.0)] {
        for (case, run) in cases.iter().zip(run_all(&cases, Arrive::new, seconds, rate)) {
            let way_per_tick = case.body.max_speed / rate as f32;
            let near = 0.01 * case.limits.min_turning_radius.unwrap_or(0.0).max(way_per_tick);
            assert!(run.left <= near + 1e-4 * case.body.max_speed && run.speed == 0.0, "{run:?} of {case:?}");
            let turns = case.limits.max_turn_rate.is_none() && case.limits.min_turning_radius.is_none();
            assert!(turns || run.turned < 2.0 * TAU, "{run:?} of {case:?}");
        }
    }
}

#[test]
fn seeks_through_any_place_without_orbiting() {
    for (cases, seconds, rate) in [(hard_cases(), 10.0, 30.0), (random_cases(200), 40.0, 50.0)] {
        for (case, run) in cases.iter().zip(run_all(&cases, Seek::new, seconds, rate)) {
            // Between one tick and the next it may turn a little.
            assert!(run.nearest < 0.3 * case.body.max_speed / rate as f32, "{run:?} of {case:?}");
        }
    }
}

fn one(limits: BodyLimits, speed: f32, place: Vec2) -> Case {
    Case { limits, body: SteeringAgent::default(), heading: Vec2::X, speed, place }
}

#[test]
fn a_missile_that_cannot_brake_hits_what_is_inside_its_turning_circle() {
    let missile = BodyLimits::default().with_max_turn_rate(1.2).with_max_braking(0.0);
    // The circle has a radius of 83.
    let cases: Vec<Case> = [Vec2::new(0.0, 80.0), Vec2::new(20.0, -60.0), Vec2::new(-70.0, 0.0), Vec2::new(-5.0, 5.0)]
        .map(|place| one(missile.clone(), 100.0, place))
        .to_vec();
    for run in run_all(&cases, Seek::new, 12.0, RATE) {
        assert!(run.nearest < 0.5, "{run:?}");
    }
}

#[test]
fn goes_backward_where_that_is_shorter_and_never_without_a_reverse_gear() {
    let car = BodyLimits::default().with_min_turning_radius(30.0);
    let with_gear = car.clone().with_reverse_speed(50.0);
    let near_behind = Vec2::new(-40.0, 3.0);
    let far_behind = Vec2::new(-900.0, 3.0);
    let cases = [one(car, 0.0, near_behind), one(with_gear.clone(), 0.0, near_behind), one(with_gear, 0.0, far_behind)];
    let runs = run_all(&cases, Arrive::new, 20.0, RATE);
    assert!(runs[0].backward < 1e-3 && runs[0].way > 150.0, "{:?}", runs[0]);
    assert!(runs[1].backward > 39.0 && runs[1].way < 42.0 && runs[1].turned < 1.0, "{:?}", runs[1]);
    assert!(runs[2].backward < 1.0 && runs[2].way < 1100.0, "{:?}", runs[2]);
}

#[test]
fn who_has_to_turn_round_goes_to_the_side_that_its_number_says() {
    let car = BodyLimits::default().with_min_turning_radius(30.0);
    let mut app = app();
    let spawn = |id| {
        let wishes = (Seek::new(Vec2::new(-300.0, 0.0)), SteeringId::new(id), car.clone());
        app.world_mut().spawn((wishes, Velocity(Vec2::new(60.0, 0.0)))).id()
    };
    let agents = [6, 7].map(spawn);
    run(&mut app, 30);
    assert!(position(&app, agents[0]).y > 5.0, "left: {}", position(&app, agents[0]));
    assert_eq!(position(&app, agents[1]).y, -position(&app, agents[0]).y);
}

/// Whoever flees knows no place to go, but turns round all the same.
#[test]
fn a_car_that_flees_turns_round() {
    let mut app = app();
    let car = BodyLimits::default().with_min_turning_radius(30.0);
    let agents = [0.0, 80.0].map(|speed| {
        let flee = Flee::new(Vec2::new(200.0, 1.0));
        app.world_mut().spawn((flee, car.clone(), Velocity(Vec2::new(speed, 0.0)))).id()
    });
    run(&mut app, 300);
    for agent in agents {
        assert!(velocity(&app, agent).x < -95.0, "{} at {}", velocity(&app, agent), position(&app, agent));
    }
}

#[test]
fn faces_its_heading_also_while_it_goes_backward() {
    let mut app = app();
    let car = BodyLimits::default().with_min_turning_radius(30.0).with_reverse_speed(50.0);
    let tank = BodyLimits::default().with_max_turn_rate(1.0);
    let bundle = (Arrive::new(Vec2::new(-60.0, 0.0)), FaceVelocity::default());
    let agents = [car, tank].map(|limits| app.world_mut().spawn((limits, bundle.clone())).id());
    run(&mut app, 40);
    let facing = agents.map(|agent| (app.world().get::<Transform>(agent).unwrap().rotation * Vec3::X).truncate());
    assert!(velocity(&app, agents[0]).x < -20.0 && facing[0].x > 0.99, "{}", facing[0]);
    assert!((angle(facing[1], Vec2::X) - 40.0 * TICK).abs() < 1e-3, "{}", facing[1]);
}

#[test]
fn cars_among_obstacles_reach_their_places_and_touch_nothing() {
    let mut app = app();
    let mut random = numbers(3);
    for k in 0..30_u8 {
        let place =
            Vec2::new(f32::from(k % 6) * 160.0, f32::from(k / 6) * 160.0) + 40.0 * Vec2::new(random(), random());
        app.world_mut().spawn((Obstacle::new(Circle::new(15.0 + 20.0 * random())), at(place.x, place.y)));
    }
    let car = BodyLimits::default().with_min_turning_radius(25.0).with_max_braking(120.0);
    let cars: Vec<(Entity, Vec2)> = (0..20_u8)
        .map(|k| {
            let goal = Vec2::new(1100.0, f32::from(k) * 40.0);
            let bundle = (car.clone(), Arrive::new(goal), AvoidObstacles::default());
            (app.world_mut().spawn((bundle, at(-150.0, f32::from(19 - k) * 40.0))).id(), goal)
        })
        .collect();
    let obstacles: Vec<(Vec2, f32)> = app
        .world_mut()
        .query::<(&Transform, &Obstacle)>()
        .iter(app.world())
        .map(|(transform, obstacle)| {
            let ObstacleShape::Circle(circle) = &obstacle.shape else { panic!("they are circles") };
            (transform.translation.truncate(), circle.radius)
        })
        .collect();
    let mut deepest = 0.0_f32;
    for _ in 0..60 * 40 {
        app.update();
        for (car, _) in &cars {
            for (center, radius) in &obstacles {
                deepest = deepest.max(radius + 8.0 - position(&app, *car).distance(*center));
            }
        }
    }
    let left: Vec<f32> = cars.iter().map(|(car, goal)| position(&app, *car).distance(*goal)).collect();
    assert!(left.iter().all(|left| *left < 1.0) && deepest < 0.1, "{deepest} deep, {left:?} left");
}

#[test]
fn the_limits_of_others_change_nothing_for_who_has_none() {
    let way_of = |limits: bool| {
        let mut app = app();
        let agent = app.world_mut().spawn((Seek::new(Vec2::new(-50.0, 30.0)), Velocity(Vec2::new(70.0, 0.0)))).id();
        if limits {
            app.world_mut().spawn((Seek::new(agent), BodyLimits::default().with_max_turn_rate(1.0)));
        }
        run(&mut app, 50);
        (position(&app, agent), velocity(&app, agent))
    };
    assert_eq!(way_of(false), way_of(true));
}

#[test]
fn a_body_at_rest_turns_to_a_velocity_behind_it() {
    for limits in [
        BodyLimits::default().with_max_turn_rate(2.0),
        BodyLimits::default().with_min_turning_radius(20.0),
        BodyLimits::default().with_max_turn_rate(2.0).with_min_turning_radius(20.0),
    ] {
        let mut app = app();
        let leader = app.world_mut().spawn((Velocity(Vec2::new(-80.0, 0.0)), at(0.0, 500.0))).id();
        let flees = (Flee::new(Vec2::new(100.0, 0.0)), limits.clone().with_heading(Vec2::X), at(0.0, 0.0));
        let flees = app.world_mut().spawn(flees).id();
        let matches = (MatchVelocity::new(leader), limits.with_heading(Vec2::X), at(0.0, 0.0));
        let matches = app.world_mut().spawn(matches).id();
        run(&mut app, 60 * 10);
        assert!(position(&app, flees).x < -100.0, "{}", position(&app, flees));
        assert!(velocity(&app, matches).distance(Vec2::new(-80.0, 0.0)) < 1.0, "{}", velocity(&app, matches));
    }
}
