//! Queries of obstacles by a game.

use bevy_steerling::perception::obstacles::ObstacleHit;

use super::*;

/// Random shapes, some of which overlap, in an app that has run a tick.
fn scattered(bounds: SteeringBounds, count: u32, number: &mut impl FnMut() -> f32) -> (App, Vec<Entity>) {
    let mut app = app();
    app.insert_resource(bounds);
    let mut spawn = |app: &mut App| {
        let mut size = |most: f32| 2.0 + most * number();
        let shape: ObstacleShape = match (5.0 * size(1.0)) as u32 % 5 {
            0 => Circle::new(size(30.0)).into(),
            1 => Rectangle::new(size(80.0), size(20.0)).into(),
            2 => Capsule2d::new(size(9.0), size(40.0)).into(),
            3 => Segment2d::new(Vec2::new(-size(40.0), size(20.0)), Vec2::new(size(40.0), -size(20.0))).into(),
            _ => Polyline2d::new([Vec2::new(-size(40.0), 9.0), Vec2::ZERO, Vec2::new(size(20.0), size(40.0))]).into(),
        };
        let mut coordinate = || 400.0 * number() - 200.0;
        let transform = at(coordinate(), coordinate()).with_rotation(Quat::from_rotation_z(coordinate()));
        let layers = GroupMask::bit((number() * 3.0) as u32);
        app.world_mut().spawn((Obstacle::new(shape).with_layers(layers), transform)).id()
    };
    let obstacles = (0..count).map(|_| spawn(&mut app)).collect();
    app.update();
    (app, obstacles)
}

/// The distance from a point to an obstacle; in a world that wraps, to the nearest of its images.
fn distance_to(app: &App, obstacle: Entity, point: Vec2) -> f32 {
    let (shape, transform) = (app.world().get::<Obstacle>(obstacle).unwrap(), app.world().get(obstacle).unwrap());
    let placed = shape.shape.placed(transform, SteeringPlane::XY);
    let bounds = app.world().resource::<SteeringBounds>();
    let lap = bounds.max - bounds.min;
    let laps = if lap == Vec2::ZERO { 0..=0 } else { -1..=1_i8 };
    let images = laps.clone().flat_map(|x| laps.clone().map(move |y| Vec2::new(f32::from(x), f32::from(y))));
    images.map(|image| placed.distance(point + image * lap).0).fold(f32::INFINITY, f32::min)
}

fn in_layers(app: &App, obstacles: &[Entity], layers: GroupMask) -> Vec<Entity> {
    let is_in = |entity: &Entity| app.world().get::<Obstacle>(*entity).unwrap().layers.intersects(layers);
    obstacles.iter().copied().filter(is_in).collect()
}

/// Calls `check` with random obstacles, a point, a way, a filter and the obstacles that it admits.
fn for_random_ways(mut check: impl FnMut(&App, Vec2, Vec2, &ObstacleFilter, &[Entity], &mut dyn FnMut() -> f32)) {
    let worlds = [SteeringBounds::default(), SteeringBounds::wrap(Vec2::splat(-250.0), Vec2::splat(250.0))];
    for (seed, bounds) in (0..24).zip(worlds.into_iter().cycle()) {
        let mut number = numbers(seed);
        let (app, obstacles) = scattered(bounds, 4 + 3 * seed as u32, &mut number);
        for _ in 0..40 {
            let filter = ObstacleFilter::in_layers(GroupMask::from_bits((number() * 8.0) as u32));
            let from = Vec2::new(number() - 0.5, number() - 0.5) * 480.0;
            let way = Vec2::from_angle(number() * 6.3) * (1.0 + 200.0 * number());
            let admitted = in_layers(&app, &obstacles, filter.layers);
            check(&app, from, way, &filter, &admitted, &mut number);
        }
    }
}

/// The least distance from the way to any of the obstacles, sampled.
fn least_along(app: &App, obstacles: &[Entity], from: Vec2, way: Vec2) -> f32 {
    let points = (0..=150_u16).map(|step| from + way * (f32::from(step) / 150.0));
    let distances = points.flat_map(|point| obstacles.iter().map(move |obstacle| distance_to(app, *obstacle, point)));
    distances.fold(f32::INFINITY, f32::min)
}

#[test]
fn a_cast_hits_what_a_body_on_the_same_way_touches_first() {
    let (mut hits, mut misses) = (0, 0);
    for_random_ways(|app, from, way, filter, admitted, number| {
        let radius = if number() < 0.5 { 0.0 } else { 12.0 * number() };
        let least = |part: f32| least_along(app, admitted, from, way * part) - radius;
        if admitted.iter().any(|obstacle| distance_to(app, *obstacle, from) <= radius) {
            return;
        }
        let obstacles = app.world().resource::<Obstacles>();
        let hit = obstacles.cast_body(from, way, radius, filter);
        if radius == 0.0 {
            assert_eq!(hit, obstacles.cast_ray(from, way, filter));
        }
        match hit {
            Some(ObstacleHit { entity, distance, point, normal }) => {
                assert!(admitted.contains(&entity) && distance <= way.length());
                // At the hit, the body touches the obstacle at this point. It touches none before.
                let place = from + way.normalize() * distance;
                assert!(distance_to(app, entity, point).abs() < 2e-3, "the point is on the surface");
                assert!((place.distance(point) - radius).abs() < 2e-3 && (normal.length() - 1.0).abs() < 1e-3);
                assert!(
                    radius < 0.1 || (place - point).normalize().dot(normal) > 0.99,
                    "the normal points to the body"
                );
                assert!(normal.dot(way) <= 1e-3 * way.length(), "the normal points against the way");
                assert!(least(0.999 * distance / way.length()) > -2e-3, "it touches none before");
                hits += 1;
            }
            None => {
                assert!(least(1.0) > -1e-3, "it missed something");
                misses += 1;
            }
        }
    });
    assert!(hits > 100 && misses > 100, "{hits} hits, {misses} misses");
}

#[test]
fn the_line_of_sight_is_cut_by_what_is_on_it_and_is_the_same_both_ways() {
    let mut counts = [0, 0];
    for_random_ways(|app, from, way, filter, admitted, _| {
        let obstacles = app.world().resource::<Obstacles>();
        let sees = obstacles.has_line_of_sight(from, from + way, filter);
        let least = least_along(app, admitted, from, way);
        // A sampled way may miss a line or a corner; a line of sight that just touches is not certain.
        if !(-0.01..=0.5).contains(&least)
            || obstacles.cast_ray(from, way, filter).is_some_and(|hit| hit.distance > 0.01)
        {
            assert_eq!(sees, least > 0.5, "{from} {way} {least}");
            assert_eq!(sees, obstacles.has_line_of_sight(from + way, from, filter), "{from} {way} back");
            counts[usize::from(sees)] += 1;
        }
    });
    assert!(counts.into_iter().all(|count| count > 150), "{counts:?}");
}

#[test]
fn the_nearest_obstacle_is_the_one_that_a_search_of_all_finds() {
    let (mut found, mut inside) = (0, 0);
    for_random_ways(|app, from, way, filter, admitted, _| {
        let most = 0.5 * way.length();
        let distances = admitted.iter().map(|obstacle| distance_to(app, *obstacle, from));
        let least = distances.fold(f32::INFINITY, f32::min);
        let nearest = app.world().resource::<Obstacles>().nearest(from, most, filter);
        assert_eq!(nearest.is_some(), least <= most, "{least} of {most}");
        let Some(ObstacleHit { entity, distance, point, normal }) = nearest else { return };
        assert!(admitted.contains(&entity) && (distance - least).abs() < 1e-3, "{distance} {least}");
        assert!((point + normal * distance).distance(from) < 1e-3 && (normal.length() - 1.0).abs() < 1e-3);
        found += 1;
        inside += u32::from(distance < 0.0);
    });
    assert!(found > 200 && inside > 30, "{found}, {inside} inside");
}

#[test]
fn a_query_finds_moving_obstacles_and_only_those_on_its_floor() {
    let mut app = app();
    app.insert_resource(SteeringPlane::XY.with_floor_height(3.0));
    let moving = (Velocity(Vec2::X), Obstacle::new(Circle::new(5.0)), Transform::from_xyz(40.0, 0.0, 10.0));
    let moving = app.world_mut().spawn(moving).id();
    app.update();
    let obstacles = app.world().resource::<Obstacles>();
    let shot = |filter| obstacles.cast_ray(Vec2::ZERO, Vec2::X * 100.0, &filter);
    let all = ObstacleFilter::default();
    assert_eq!(shot(all).map(|hit| (hit.entity, hit.distance)), Some((moving, 35.0)));
    assert!(shot(all.on_floor(11.0)).is_some() && shot(all.on_floor(0.0)).is_none());
    assert!(obstacles.nearest(Vec2::ZERO, 100.0, &all.on_floor(0.0)).is_none());
    assert!(obstacles.has_line_of_sight(Vec2::ZERO, Vec2::X * 90.0, &all.on_floor(0.0)));
}

#[test]
fn numbers_without_sense_hit_nothing() {
    let (app, _) = scattered(SteeringBounds::default(), 9, &mut numbers(3));
    let obstacles = app.world().resource::<Obstacles>();
    let all = ObstacleFilter::default();
    for (from, way) in [
        (Vec2::NAN, Vec2::X),
        (Vec2::ZERO, Vec2::NAN),
        (Vec2::ZERO, Vec2::INFINITY),
        (Vec2::INFINITY, Vec2::X),
        (Vec2::ZERO, Vec2::ZERO),
    ] {
        assert_eq!(obstacles.cast_body(from, way, 1.0, &all), None, "{from} {way}");
    }
    assert_eq!(obstacles.nearest(Vec2::NAN, 9.0, &all), None);
    assert_eq!(obstacles.nearest(Vec2::ZERO, f32::NAN, &all), None);
    assert!(obstacles.nearest(Vec2::splat(1e6), f32::INFINITY, &all).is_some());
    assert!(!obstacles.has_line_of_sight(Vec2::NAN, Vec2::ZERO, &all));
    assert_eq!(obstacles.cast_body(Vec2::ZERO, Vec2::X, f32::NAN, &all), obstacles.cast_ray(Vec2::ZERO, Vec2::X, &all));
}
