//! Solid bodies, and warnings of collisions.

use super::*;

#[test]
fn solid_bodies_that_push_into_one_place_do_not_overlap() {
    let mut app = app();
    let mut random = numbers(1);
    let (wall, ground) = (Obstacle::new(Cuboid::from_length(30.0)), Obstacle::new(InfinitePlane3d::new(Vec3::Y)));
    let shapes = [wall.shape.placed(&Transform::from_xyz(0.0, 15.0, 0.0)), ground.shape.placed(&Transform::default())];
    app.world_mut().spawn((wall, Transform::from_xyz(0.0, 15.0, 0.0)));
    app.world_mut().spawn((ground, Transform::default()));
    let bodies: Vec<(Entity, f32)> = (0..60)
        .map(|_| {
            let radius = 2.0 + 3.0 * random();
            let body = SteeringAgent { radius, mass: 0.5 + random(), max_speed: 60.0, max_force: 400.0, ..default() };
            let place = vector(&mut random, 300.0);
            let place = Transform::from_translation(place.with_y(place.y.abs() + 40.0));
            (app.world_mut().spawn((body, Solid::default(), Seek::new(Vec3::new(20.0, 5.0, 0.0)), place)).id(), radius)
        })
        .collect();
    for second in 0..20 {
        run(&mut app, 60);
        let places: Vec<(Vec3, f32)> = bodies.iter().map(|(body, radius)| (position(&app, *body), *radius)).collect();
        for (index, (place, radius)) in places.iter().enumerate() {
            for shape in &shapes {
                let depth = radius - shape.distance(*place).0;
                assert!(depth < 0.02 * radius, "{depth} in a wall after {second} s");
            }
            for (other, other_radius) in &places[index + 1..] {
                let depth = radius + other_radius - place.distance(*other);
                assert!(depth < 0.1 * radius.min(*other_radius), "{depth} between two bodies after {second} s");
            }
        }
    }
}

#[test]
fn a_fast_body_does_not_pass_through_a_thin_wall() {
    for seed in 0..60 {
        let mut random = numbers(seed);
        let mut app = app();
        let place = Transform::from_rotation(rotation(&mut random));
        let wall = Obstacle::new(Cuboid::new(400.0, 0.5, 400.0));
        let shape = wall.shape.placed(&place);
        app.world_mut().spawn((wall, place));
        let up = place.rotation * Vec3::Y;
        let start = up * (30.0 + 100.0 * random()) + vector(&mut random, 20.0);
        let fast = (vector(&mut random, 20.0) - start).normalize() * 2_000.0;
        let body = SteeringAgent { max_speed: 2_000.0, radius: 2.0, ..default() };
        let start = (Velocity(fast), Transform::from_translation(start));
        let body = app.world_mut().spawn((body, Solid::default(), start)).id();
        for _ in 0..30 {
            run(&mut app, 1);
            let place = position(&app, body);
            if place.length() < 190.0 {
                assert!(place.dot(up) > 0.0 && shape.distance(place).0 > 1.99, "seed {seed}: {place}");
            }
        }
    }
}

#[test]
fn an_agent_is_warned_of_an_obstacle_and_of_a_body_ahead() {
    for is_obstacle in [true, false] {
        let mut app = app();
        let warned = warnings(&mut app);
        let ahead = Transform::from_xyz(10.0, 200.0, -5.0);
        let other = match is_obstacle {
            true => app.world_mut().spawn((Obstacle::new(Sphere::new(20.0)), ahead)).id(),
            false => app.world_mut().spawn((SteeringAgent { radius: 20.0, ..default() }, ahead)).id(),
        };
        let agent = (SteeringAgent::default(), SteeringEvents::default(), Velocity(Vec3::Y * 50.0));
        let agent = app.world_mut().spawn((agent, Transform::default())).id();
        run(&mut app, 30);
        assert_eq!(*warned.lock().unwrap(), []);
        run(&mut app, 180);
        assert_eq!(*warned.lock().unwrap(), [(agent, other)]);
    }
}

/// The smallest gap between bodies of this radius, as a share of the radius.
fn smallest_gap(app: &App, agents: &[Entity], radius: f32) -> f32 {
    let places: Vec<Vec3> = agents.iter().map(|agent| position(app, *agent)).collect();
    let gaps = places
        .iter()
        .enumerate()
        .flat_map(|(index, place)| places[index + 1..].iter().map(move |other| place.distance(*other) / radius - 2.0));
    gaps.fold(f32::INFINITY, f32::min)
}

/// Agents that go from one place to another.
fn travelers(app: &mut App, ways: impl IntoIterator<Item = (Vec3, Vec3)>) -> Vec<(Entity, Vec3)> {
    let body = SteeringAgent { max_speed: 60.0, max_force: 240.0, radius: 4.0, ..default() };
    let spawn = |(number, (from, to)): (usize, (Vec3, Vec3))| {
        let place = (SteeringId::new(number as u64), Transform::from_translation(from));
        (app.world_mut().spawn((body, Arrive::new(to), AvoidNeighbors::default(), place)).id(), to)
    };
    ways.into_iter().enumerate().map(spawn).collect()
}

#[test]
fn two_that_meet_from_any_directions_pass_without_touching() {
    for seed in 0..120 {
        let mut random = numbers(seed);
        let mut app = app();
        let ahead = direction(&mut random) * 150.0;
        // Some meet head-on, even straight up and down.
        let other = match seed % 3 {
            0 => -ahead,
            1 => direction(&mut random) * 150.0,
            _ => -ahead + vector(&mut random, 10.0),
        };
        let ahead = if seed % 15 == 0 { Vec3::Y * 150.0 } else { ahead };
        let other = if seed % 15 == 0 { -ahead } else { other };
        if ahead.distance(other) < 30.0 {
            continue;
        }
        let agents = travelers(&mut app, [(ahead, -ahead), (other, -other)]);
        let both = [agents[0].0, agents[1].0];
        let mut ways = [0.0; 2];
        for _ in 0..900 {
            let before = both.map(|agent| position(&app, agent));
            run(&mut app, 1);
            for ((way, agent), before) in ways.iter_mut().zip(both).zip(before) {
                *way += position(&app, agent).distance(before);
            }
            let gap = smallest_gap(&app, &both, 4.0);
            assert!(gap > 0.0, "seed {seed}: {gap}");
        }
        for (agent, goal) in agents {
            assert!(position(&app, agent).distance(goal) < 0.1, "seed {seed}: not there");
        }
        assert!(ways.iter().all(|way| *way < 1.06 * 300.0), "seed {seed}: {ways:?}");
    }
}

#[test]
fn a_crowd_changes_places_across_a_ball_without_touching() {
    for (seed, count) in [(1, 12), (2, 40), (3, 80)] {
        let mut random = numbers(seed);
        let mut app = app();
        let mut ways: Vec<(Vec3, Vec3)> = Vec::new();
        while ways.len() < count {
            let start = direction(&mut random) * 200.0;
            let is_free =
                |place: Vec3| ways.iter().all(|(from, to)| from.distance(place) > 14.0 && to.distance(place) > 14.0);
            if is_free(start) && is_free(-start) {
                ways.push((start, -start));
            }
        }
        let agents = travelers(&mut app, ways);
        let all: Vec<Entity> = agents.iter().map(|(agent, _)| *agent).collect();
        for _ in 0..2_400 {
            run(&mut app, 1);
            let gap = smallest_gap(&app, &all, 4.0);
            assert!(gap > -1e-3, "{count}: {gap}");
        }
        for (agent, goal) in agents {
            assert!(position(&app, agent).distance(goal) < 0.1, "{count}: {} not there", position(&app, agent));
        }
    }
}
