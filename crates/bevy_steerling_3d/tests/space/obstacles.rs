//! Shapes of obstacles, and the ways of agents past them.

use bevy::math::ops;
use bevy_steerling_3d::perception::obstacles::ConvexHullError;

use super::*;

fn hull(points: impl IntoIterator<Item = Vec3>) -> ConvexHull {
    ConvexHull::new(points).expect("the points do not lie in a plane")
}

fn corners(half_size: Vec3) -> impl Iterator<Item = Vec3> {
    let signs = [-1.0, 1.0];
    signs.into_iter().flat_map(move |x| {
        signs.into_iter().flat_map(move |y| signs.into_iter().map(move |z| half_size * Vec3::new(x, y, z)))
    })
}

/// A shape of each kind, about as large as `size`.
fn shapes(random: &mut impl FnMut() -> f32, size: f32) -> [ObstacleShape; 6] {
    let mut length = || size * (0.2 + 0.8 * random());
    let lengths: Vec<f32> = (0..8).map(|_| length()).collect();
    let points: Vec<Vec3> = (0..12).map(|_| direction(random) * size).collect();
    [
        Sphere::new(lengths[0]).into(),
        Cuboid { half_size: Vec3::new(lengths[1], lengths[2], lengths[3]) }.into(),
        Capsule3d { radius: 0.3 * lengths[4], half_length: lengths[5] }.into(),
        Cylinder { radius: lengths[6], half_height: lengths[7] }.into(),
        InfinitePlane3d::new(direction(random)).into(),
        hull(points).into(),
    ]
}

fn placed(shape: &ObstacleShape, random: &mut impl FnMut() -> f32) -> PlacedShape {
    let place = Transform::from_translation(vector(random, 100.0)).with_rotation(rotation(random));
    shape.placed(&place)
}

#[test]
fn distances_are_those_of_points_on_the_surface() {
    let mut random = numbers(1);
    for _ in 0..200 {
        for shape in shapes(&mut random, 10.0) {
            let placed = placed(&shape, &mut random);
            for _ in 0..20 {
                let point = placed.center() + vector(&mut random, 60.0);
                let (distance, away) = placed.distance(point);
                assert!((away.length() - 1.0).abs() < 1e-4, "{shape:?}: {away}");
                // The nearest point of the surface.
                let (at_surface, _) = placed.distance(point - away * distance);
                assert!(at_surface.abs() < 1e-3, "{shape:?}: {at_surface} instead of 0 from {distance}");
                // Nowhere does the distance change by more than the way, so there is no nearer point.
                let other = point + vector(&mut random, 5.0);
                let change = (placed.distance(other).0 - distance).abs();
                assert!(change <= other.distance(point) * 1.0001 + 1e-3, "{shape:?}: {change}");
                assert!(distance >= point.distance(placed.center()) - placed.extent() - 1e-3, "beyond its extent");
            }
        }
    }
}

#[test]
fn a_box_is_the_hull_of_its_corners_and_a_cylinder_nearly_that_of_its_rims() {
    let mut random = numbers(2);
    for _ in 0..200 {
        let half_size = Vec3::new(1.0 + random(), 1.0 + 5.0 * random(), 1.0 + 9.0 * random());
        let (radius, half_height) = (half_size.x, half_size.y);
        let rim = (0..64_u8).flat_map(|k| {
            let around = Vec2::from_angle(f32::from(k) * PI / 32.0) * radius;
            [-half_height, half_height].map(|y| Vec3::new(around.x, y, around.y))
        });
        let pairs: [(ObstacleShape, ObstacleShape, f32); 2] = [
            (Cuboid { half_size }.into(), hull(corners(half_size)).into(), 1e-4),
            (Cylinder { radius, half_height }.into(), hull(rim).into(), 1.3e-3 * radius),
        ];
        let place = Transform::from_translation(vector(&mut random, 9.0)).with_rotation(rotation(&mut random));
        for (one, other, tolerance) in pairs {
            let [one, other] = [one, other].map(|shape| shape.placed(&place));
            for _ in 0..50 {
                let point = place.translation + vector(&mut random, 30.0);
                let [(distance, away), (expected, _)] = [&one, &other].map(|shape| shape.distance(point));
                assert!((distance - expected).abs() < tolerance, "{distance} instead of {expected} at {point}");
                let body = random();
                let ways = [&one, &other].map(|shape| shape.cast_distance(point, direction(&mut numbers(3)), body));
                if let ([Some(way), Some(expected)], true) = (ways, away != Vec3::ZERO) {
                    assert!((way - expected).abs() < 100.0 * tolerance, "{way} instead of {expected}");
                }
            }
        }
    }
}

#[test]
fn a_body_that_has_gone_its_way_just_touches() {
    let (mut hits, mut misses) = (0, 0);
    let mut random = numbers(4);
    for _ in 0..200 {
        for shape in shapes(&mut random, 10.0) {
            let placed = placed(&shape, &mut random);
            for _ in 0..10 {
                let from = placed.center() + direction(&mut random) * 40.0;
                let ahead = (placed.center() + vector(&mut random, 30.0) - from).normalize();
                let body = 3.0 * random();
                if placed.distance(from).0 <= body {
                    continue;
                }
                let gap = |way: f32| placed.distance(from + ahead * way).0 - body;
                if let Some(way) = placed.cast_distance(from, ahead, body) {
                    hits += 1;
                    assert!(gap(way).abs() < 1e-3_f32.max(1e-6 * way), "{shape:?}: {} after {way}", gap(way));
                    assert!((0..100_u8).all(|step| gap(way * f32::from(step) / 100.0) > -1e-3), "{shape:?}");
                } else {
                    misses += 1;
                    assert!((0..800_u16).all(|step| gap(f32::from(step) * 0.1) > -1e-3), "missed {shape:?}");
                }
            }
        }
    }
    assert!(hits > 3_000 && misses > 3_000, "{hits} and {misses}");
}

#[test]
fn a_body_that_touches_is_stopped_only_on_its_way_in() {
    let wall = ObstacleShape::from(InfinitePlane3d::new(Vec3::Y)).placed(&Transform::default());
    assert_eq!(wall.cast_distance(Vec3::Y, Vec3::NEG_Y, 1.0), Some(0.0));
    assert_eq!(wall.cast_distance(Vec3::Y, Vec3::Y, 1.0), None);
    assert_eq!(wall.cast_distance(Vec3::Y, Vec3::X, 1.0), None);
    assert_eq!(wall.cast_distance(Vec3::NEG_Y, Vec3::Y, 0.0), None);
    assert_eq!(wall.cast_distance(Vec3::Y * 5.0, Vec3::NEG_Y, 1.0), Some(4.0));
}

#[test]
fn points_in_a_plane_and_points_that_are_not_finite_have_no_hull() {
    let flat = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::ONE.with_z(0.0), Vec3::new(0.3, 0.7, 0.0)];
    for points in [&flat[..], &flat[..3], &flat[..1], &[], &[Vec3::NAN, Vec3::X, Vec3::Y, Vec3::Z]] {
        assert_eq!(ConvexHull::new(points.iter().copied()), Err(ConvexHullError), "{points:?}");
    }
}

/// Obstacles of all kinds, in cells of a grid, so that there is room between them. The last two are walls without an end.
pub fn forest(random: &mut impl FnMut() -> f32) -> Vec<(Obstacle, Transform)> {
    let mut forest = Vec::new();
    for cell in 0..27_u8 {
        let index = Vec3::new(f32::from(cell % 3), f32::from(cell / 3 % 3), f32::from(cell / 9));
        let place = (index - 1.0) * 80.0 + vector(random, 10.0);
        let mut all = shapes(random, 22.0).to_vec();
        all.remove(4);
        let shape = all.swap_remove((random() * 4.99) as usize);
        let transform = Transform::from_translation(place).with_rotation(rotation(random));
        forest.push((Obstacle::new(shape), transform));
    }
    for (place, up) in [(-200.0, Vec3::Y), (200.0, Vec3::NEG_Y)] {
        forest.push((Obstacle::new(InfinitePlane3d::new(up)), Transform::from_xyz(0.0, place, 0.0)));
    }
    forest
}

/// How far an agent was inside obstacles at most, as a share of its radius.
pub fn depth(forest: &[(Obstacle, Transform)], place: Vec3, radius: f32) -> f32 {
    let depths = forest.iter().map(|(obstacle, at)| radius - obstacle.shape.placed(at).distance(place).0);
    depths.fold(0.0, f32::max) / radius
}

#[test]
fn agents_arrive_through_a_forest_and_touch_nothing() {
    let (mut arrived, mut count) = (0, 0);
    for seed in 0..24 {
        let mut random = numbers(seed);
        let forest = forest(&mut random);
        let mut app = app();
        app.world_mut().spawn_batch(forest.clone());
        let mut agents = Vec::new();
        for _ in 0..8 {
            let radius = 1.0 + 3.0 * random();
            let max_speed = 20.0 + 100.0 * random();
            // It stops within 1 to 30 units.
            let max_force = 0.5 * max_speed * max_speed / (1.0 + 29.0 * random());
            let side = direction(&mut random);
            let from = side * Vec3::new(180.0, 160.0, 180.0);
            let goal = -from + vector(&mut random, 30.0);
            if depth(&forest, from, radius * 1.1) > 0.0 || depth(&forest, goal, radius * 1.5) > 0.0 {
                continue;
            }
            let body = SteeringAgent { max_speed, max_force, radius, ..default() };
            let start = Transform::from_translation(from);
            let agent = app.world_mut().spawn((body, Arrive::new(goal), AvoidObstacles::default(), start)).id();
            agents.push((agent, radius, goal));
        }
        for _ in 0..120 {
            run(&mut app, 20);
            for &(agent, radius, _) in &agents {
                let place = position(&app, agent);
                assert!(depth(&forest, place, radius) < 1e-3, "seed {seed}: {}", depth(&forest, place, radius));
            }
        }
        for (agent, radius, goal) in agents {
            let place = position(&app, agent);
            arrived += usize::from(place.distance(goal) < 0.1 * radius);
            count += 1;
            if place.distance(goal) >= 0.1 * radius {
                println!("seed {seed}: {} left, at {place}", place.distance(goal));
            }
        }
    }
    println!("{arrived} of {count}");
    assert!(count > 100 && arrived == count, "{arrived} of {count}");
}

#[test]
fn an_agent_passes_a_ball_by_the_shortest_way() {
    for seed in 0..50 {
        let mut random = numbers(seed);
        let mut app = app();
        let radius = 20.0 + 40.0 * random();
        app.world_mut().spawn((Obstacle::new(Sphere::new(radius)), Transform::default()));
        let (from, aside) = (direction(&mut random) * 200.0, vector(&mut random, radius));
        let body = SteeringAgent { max_speed: 60.0, max_force: 600.0, radius: 2.0, ..default() };
        let start = (Velocity((aside - from).normalize() * 60.0), Transform::from_translation(from));
        let goal = 2.0 * aside - from;
        let agent = (body, Arrive::new(goal), AvoidObstacles::default().with_look_ahead(150.0), start);
        let agent = app.world_mut().spawn(agent).id();
        let (mut way, mut last) = (0.0, from);
        for _ in 0..600 {
            run(&mut app, 1);
            let place = position(&app, agent);
            way += place.distance(last);
            last = place;
        }
        assert!(last.distance(goal) < 0.1, "seed {seed}: {last} instead of {goal}");
        // Along two tangents and an arc between them, in the plane of the start, the goal and the center.
        let body = radius + 2.0;
        let tangent = |place: Vec3| (place.length_squared() - body * body).sqrt();
        let arc =
            from.angle_between(goal) - [from, goal].map(|place| ops::acos(body / place.length())).iter().sum::<f32>();
        let shortest = if arc > 0.0 { tangent(from) + tangent(goal) + body * arc } else { from.distance(goal) };
        assert!(way < 1.1 * shortest && way > 0.999 * shortest, "seed {seed}: {way} instead of {shortest}");
    }
}

#[test]
fn an_agent_that_starts_inside_leaves_by_the_shortest_way() {
    let mut random = numbers(7);
    for _ in 0..30 {
        for shape in shapes(&mut random, 20.0) {
            let mut app = app();
            let place = Transform::from_rotation(rotation(&mut random));
            let shape_there = shape.placed(&place);
            app.world_mut().spawn((Obstacle::new(shape.clone()), place));
            let start = vector(&mut random, 8.0);
            if shape_there.distance(start).0 >= 0.0 {
                continue;
            }
            let (depth, out) = shape_there.distance(start);
            let body = SteeringAgent { max_speed: 50.0, max_force: 500.0, radius: 1.0, ..default() };
            let agent =
                app.world_mut().spawn((body, AvoidObstacles::default(), Transform::from_translation(start))).id();
            let mut end = start;
            for _ in 0..180 {
                if shape_there.distance(end).0 < 1.0 {
                    run(&mut app, 1);
                    end = position(&app, agent);
                }
            }
            assert!(shape_there.distance(end).0 >= 1.0, "{shape:?}: {:?}", shape_there.distance(end));
            assert!(end.distance(start + out * (1.0 - depth)) < 1.5, "{shape:?}: {end} from {start}");
        }
    }
}

#[test]
fn a_moving_ball_that_is_slower_than_an_agent_does_not_touch_it() {
    for seed in 0..40 {
        let mut random = numbers(seed);
        let mut app = app();
        let (toward, radius) = (direction(&mut random), 10.0 + 20.0 * random());
        let speed = 15.0 + 35.0 * random();
        let ball = (Obstacle::new(Sphere::new(radius)), Velocity(toward * speed));
        let start = -toward * 200.0 + vector(&mut random, radius);
        let ball = app.world_mut().spawn((ball, Transform::from_translation(start))).id();
        let body = SteeringAgent { max_speed: 60.0, max_force: 600.0, radius: 2.0, ..default() };
        let agent = (body, Arrive::new(Vec3::ZERO), AvoidObstacles::default(), Transform::default());
        let agent = app.world_mut().spawn(agent).id();
        let advance = |app: &mut App| {
            let mut place = app.world_mut().get_mut::<Transform>(ball).expect("it has a place");
            place.translation += toward * speed * TICK;
        };
        for _ in 0..1_600 {
            if seed % 2 == 0 {
                advance(&mut app);
            }
            run(&mut app, 1);
            if seed % 2 == 1 {
                advance(&mut app);
            }
            let gap = position(&app, ball).distance(position(&app, agent)) - radius - 2.0;
            assert!(gap > 0.0, "seed {seed}: {gap}");
        }
        let back = position(&app, agent);
        assert!(back.length() < 0.1, "seed {seed}: {back}");
    }
}
