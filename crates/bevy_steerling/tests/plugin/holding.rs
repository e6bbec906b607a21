//! Agents with `Hold` make way, and go back.

use super::*;

/// A standing crowd, whose bodies cover a quarter of the floor, lets a guest through. Nobody is touched, and 5 s later all are back.
fn lets_a_guest_through(seed: u64) {
    let mut number = numbers(seed);
    let mut app = app_at([30.0, 60.0, 120.0][seed as usize % 3]);
    let rate = [30, 60, 120][seed as usize % 3];
    let radius = 2.0 + 8.0 * number();
    let max_speed = radius * (6.0 + 8.0 * number());
    let body =
        SteeringAgent { radius, max_speed, max_force: max_speed * (2.0 + 4.0 * number()), mass: 1.0, ..default() };
    let count = 5 + (40.0 * number()) as usize;
    let half = 0.5 * radius * (core::f32::consts::PI * count as f32 / 0.25).sqrt();
    let mut places: Vec<Vec2> = Vec::new();
    while places.len() < count {
        let place = Vec2::new(number() - 0.5, number() - 0.5) * 2.0 * half;
        if places.iter().all(|other| other.distance(place) > 2.1 * radius) {
            places.push(place);
        }
    }
    let stands = |place: &Vec2| (body, Hold::default(), AvoidNeighbors::default(), at(place.x, place.y));
    let crowd: Vec<Entity> = places.iter().map(|place| app.world_mut().spawn(stands(place)).id()).collect();
    let start = Vec2::new(-half - 8.0 * radius, (number() - 0.5) * half);
    let goal = Vec2::new(half + 8.0 * radius, (number() - 0.5) * half);
    let guest = (body, Arrive::new(goal), AvoidNeighbors::default(), at(start.x, start.y));
    let guest = app.world_mut().spawn(guest).id();
    let (mut aside, mut ticks) = (0.0_f32, 0);
    let away = |app: &App| {
        let distances = crowd.iter().zip(&places).map(|(agent, place)| position(app, *agent).distance(*place));
        distances.fold(0.0, f32::max)
    };
    while position(&app, guest).x < half + radius {
        app.update();
        ticks += 1;
        aside = aside.max(away(&app));
        assert!(ticks < 60 * rate, "seed {seed}: the guest is still at {}", position(&app, guest));
        for (k, agent) in crowd.iter().enumerate() {
            for other in crowd[..k].iter().chain([&guest]) {
                let gap = position(&app, *agent).distance(position(&app, *other)) - 2.0 * radius;
                assert!(gap > -1e-3 * radius, "seed {seed}: a touch, {gap}");
            }
        }
    }
    assert!(aside > 0.1 * radius, "seed {seed}: somebody had to step aside, {aside}");
    run(&mut app, 5 * rate);
    assert!(away(&app) < 0.05 * radius, "seed {seed}: {} of a radius {radius} away", away(&app));
}

#[test]
fn a_crowd_that_lets_a_guest_through_is_back_in_its_place_within_five_seconds() {
    (0..u64::from(quarter_of(48))).for_each(lets_a_guest_through);
}

#[test]
fn an_agent_that_was_pushed_away_goes_back() {
    let mut number = numbers(1);
    for _ in 0..40 {
        let mut app = app();
        let place = Vec2::new(number(), number()) * 100.0;
        let body = SteeringAgent { mass: 0.5 + 4.0 * number(), max_force: 900.0, ..default() };
        let agent = app.world_mut().spawn((body, Hold::default(), at(place.x, place.y))).id();
        run(&mut app, 10);
        assert_eq!(position(&app, agent), place);
        let push = Vec2::from_angle(6.3 * number()) * 300.0 * number();
        app.world_mut().entity_mut(agent).insert(Knockback::new(push));
        run(&mut app, 600);
        assert!(position(&app, agent).distance(place) < 1e-2, "{} {place}", position(&app, agent));
        // Something else moves it, too.
        app.world_mut().get_mut::<Transform>(agent).unwrap().translation.x += 40.0;
        run(&mut app, 600);
        assert!(position(&app, agent).distance(place) < 1e-2);
    }
}

#[test]
fn a_new_hold_holds_a_new_place_and_so_does_a_clone() {
    let mut app = app();
    let agent = app.world_mut().spawn((Hold::default(), at(0.0, 0.0))).id();
    run(&mut app, 2);
    let moved = at(70.0, 10.0);
    app.world_mut().entity_mut(agent).insert((Hold::default(), moved));
    run(&mut app, 200);
    assert_eq!(position(&app, agent), Vec2::new(70.0, 10.0));

    let clone = app.world_mut().entity_mut(agent).clone_and_spawn();
    app.world_mut().entity_mut(clone).insert(at(-90.0, 5.0));
    app.world_mut().entity_mut(agent).insert(Hold::at(Vec2::new(0.0, 50.0)));
    run(&mut app, 400);
    assert_eq!(position(&app, clone), Vec2::new(-90.0, 5.0));
    assert!(position(&app, agent).distance(Vec2::new(0.0, 50.0)) < 1e-3);
}

#[test]
fn only_agents_that_come_near_or_stand_in_between_are_let_pass() {
    // The agent is 20 to the right of its place, and the other one is where it is told to be.
    let (beside, right) = (Vec2::new(10.0, 30.0), Vec2::new(50.0, 0.0));
    for (place, way, own, passes) in [
        (right, Vec2::new(-50.0, 0.0), Vec2::ZERO, true),
        (right, Vec2::new(50.0, 0.0), Vec2::ZERO, false),
        // Toward the place and away from the agent, and the other way round.
        (beside, Vec2::new(-30.0, -5.0), Vec2::ZERO, true),
        (beside, Vec2::new(30.0, -5.0), Vec2::ZERO, true),
        (beside, Vec2::new(0.0, 30.0), Vec2::ZERO, false),
        // The agent overtakes it, or lags behind it.
        (beside, Vec2::new(0.0, 15.0), Vec2::new(0.0, 30.0), true),
        (beside, Vec2::new(0.0, 15.0), Vec2::new(0.0, -30.0), false),
        // It is too slow to count as moving.
        (beside, Vec2::new(0.0, -9.0), Vec2::ZERO, false),
        (beside, Vec2::new(0.0, -11.0), Vec2::ZERO, true),
        (Vec2::new(10.0, 14.0), Vec2::ZERO, Vec2::ZERO, true),
        (Vec2::new(10.0, 18.0), Vec2::ZERO, Vec2::ZERO, false),
        // It is too far away.
        (Vec2::new(120.0, 0.0), Vec2::new(-50.0, 0.0), Vec2::ZERO, false),
    ] {
        let mut app = app();
        let agent = app.world_mut().spawn((Hold::at(Vec2::ZERO), Velocity(own), at(20.0, 0.0))).id();
        app.world_mut().spawn((SteeringAgent::default(), Velocity(way), at(place.x, place.y)));
        run(&mut app, 1);
        assert_eq!(force(&app, agent) == Vec2::ZERO, passes, "one at {place} with {way}");
    }
}
