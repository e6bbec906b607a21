//! `AvoidNeighbors`: crowds that would block each other before a narrow door get through it, without touching.

use super::*;

/// Sends a crowd through a door that is `width` bodies wide. Returns how many do not get through in time.
fn stay_before_a_door(number: &mut impl FnMut() -> f32, width: f32) -> usize {
    let radius = 2.0 + 8.0 * number();
    let max_speed = radius * (3.0 + 9.0 * number());
    let body = SteeringAgent { max_speed, max_force: max_speed * (2.0 + 6.0 * number()), radius, ..default() };
    let rate = [20.0, 30.0, 60.0][(3.0 * number()) as usize];
    let mut app = app_at(rate);
    let (half_width, depth) = (width * radius, radius * (0.3 + 1.7 * number()));
    for side in [-1.0, 1.0] {
        let wall = Obstacle::new(Rectangle::new(2.0 * depth, 400.0 * radius));
        app.world_mut().spawn((wall, at(0.0, side * (half_width + 200.0 * radius))));
    }
    let (count, seeks) = (6 + (9.0 * number()) as usize, number() < 0.5);
    let mut places = Vec::new();
    while places.len() < count {
        let place = Vec2::new(depth + radius * (2.0 + 12.0 * number()), radius * (12.0 * number() - 6.0));
        if places.iter().all(|other: &Vec2| place.distance(*other) > 2.2 * radius) {
            places.push(place);
        }
    }
    let mut agents: Vec<Entity> = places
        .iter()
        .map(|place| {
            let avoid = (AvoidObstacles::default(), AvoidNeighbors::default(), body, at(place.x, place.y));
            let mut agent = app.world_mut().spawn(avoid);
            if seeks {
                agent.insert(Seek::new(Vec2::new(-200.0 * radius, 0.0)))
            } else {
                agent.insert(Arrive::new(Vec2::new(-20.0 * radius, 0.0)))
            };
            agent.id()
        })
        .collect();
    let longest = (50.0 + 10.0 * count as f32) * radius / max_speed + 5.0;
    for _ in 0..(f64::from(longest) * rate) as usize {
        run(&mut app, 1);
        for (k, agent) in agents.iter().enumerate() {
            let place = position(&app, *agent);
            let gap = agents[..k].iter().map(|other| place.distance(position(&app, *other))).fold(f32::MAX, f32::min);
            assert!(gap > 1.99 * radius, "two touch, at a door of {width} bodies: {gap}, radius {radius}");
        }
        agents.retain(|agent| {
            let is_through = position(&app, *agent).x < -depth - 8.0 * radius;
            if is_through {
                app.world_mut().despawn(*agent);
            }
            !is_through
        });
        if agents.is_empty() {
            break;
        }
    }
    agents.len()
}

#[test]
fn a_crowd_gets_through_a_door_for_one() {
    let mut number = numbers(31);
    let cases = quarter_of(80);
    let stay = (0..cases).filter(|_| {
        let width = 1.3 + 0.9 * number();
        stay_before_a_door(&mut number, width) > 0
    });
    let blocked = stay.count();
    assert_eq!(blocked, 0, "blocked doors of {cases}");
}
