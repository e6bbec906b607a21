//! Properties of bodies and obstacles on the ground of a 3D world, for any engine. `engine` in the test that includes this module is the
//! adapter.

use bevy::prelude::*;
use bevy_steerling::prelude::*;
use rand::RngExt;

use crate::engine;
use crate::engine::parry::math::Pose;
use crate::engine::parry::shape::SharedShape;
use crate::engine::parry::utils::Array2;
use crate::glue::ObstacleHeights;
use crate::scenes::{Random, plain_app, point, random, ticks};

/// The app of the engine, with steering on the ground.
fn ground_app() -> App {
    let mut app = engine::app();
    app.insert_resource(SteeringPlane::XZ);
    app
}

fn space(random: &mut Random, half: f32) -> Vec3 {
    point(random, half).extend(random.random_range(-half..half))
}

fn rotation(random: &mut Random) -> Quat {
    Quat::from_euler(EulerRot::XYZ, space(random, 3.0).x, space(random, 1.5).y, space(random, 3.0).z)
}

/// A point of the ground, at a height.
fn at(place: Vec2, height: f32) -> Transform {
    Transform::from_translation(SteeringPlane::XZ.to_world(place, height))
}

fn place(app: &App, entity: Entity) -> Vec2 {
    let transform = app.world().get::<Transform>(entity).expect("a place");
    SteeringPlane::XZ.to_plane(transform.translation)
}

/// The number of kinds of colliders that can be obstacles and have an area.
const KINDS: u64 = 16;

/// A random collider of a kind, how much larger an obstacle may be, units, and whether its outline is exact between any two heights.
fn shape(kind: u64, random: &mut Random) -> (SharedShape, f32, bool) {
    let mut size = || random.random_range(0.4..2.0);
    let (a, b, c) = (size(), size(), size());
    let border = 0.3 * c;
    let mut corner = || space(random, 2.0);
    let triangle = [corner(), corner(), corner()];
    let hull: Vec<Vec3> = (0..10).map(|_| corner()).collect();
    let convex_hull = |points: &[Vec3]| SharedShape::convex_hull(points).expect("a hull");
    match kind {
        0 => (SharedShape::ball(a), 0.0, true),
        1 => (SharedShape::cuboid(a, b, c), 0.0, true),
        2 => (SharedShape::capsule(triangle[0], triangle[1], a), 0.0, false),
        3 => (SharedShape::cylinder(a, b), 0.01 * b, true),
        4 => (SharedShape::cone(a, b), 0.01 * b, true),
        5 => (convex_hull(&hull), 0.0, true),
        6 => (SharedShape::round_cuboid(a, b, c, border), 0.01 * border, false),
        7 => (SharedShape::round_cylinder(a, b, border), 0.01 * (b + border), false),
        8 => (SharedShape::round_cone(a, b, border), 0.01 * (b + border), false),
        9 => (SharedShape::round_convex_hull(&hull, border).expect("a hull"), 0.01 * border, false),
        10 => {
            let parts = [SharedShape::ball(a), SharedShape::cuboid(b, c, a), convex_hull(&hull)];
            let places = triangle.map(|place| Pose::from_translation(2.0 * place));
            (SharedShape::compound(places.into_iter().zip(parts).collect()), 0.0, true)
        }
        11 => {
            let indices = vec![[0, 1, 2], [2, 3, 4], [5, 6, 7]];
            (SharedShape::trimesh(hull, indices).expect("a mesh"), 0.0, true)
        }
        12 => (SharedShape::triangle(triangle[0], triangle[1], triangle[2]), 0.0, true),
        13 => (SharedShape::round_triangle(triangle[0], triangle[1], triangle[2], border), 0.01 * border, false),
        14 => {
            let heights = Array2::new(3, 4, (0..12).map(|index| hull[index % 10].x).collect());
            (SharedShape::heightfield(heights, Vec3::new(2.0 * a, 0.5, 2.0 * b)), 0.0, true)
        }
        _ => {
            let cells: Vec<IVec3> = hull.iter().map(|place| place.floor().as_ivec3()).collect();
            (SharedShape::voxels(Vec3::new(a, b, c), &cells), 0.0, true)
        }
    }
}

#[test]
fn an_obstacle_is_the_outline_of_the_collider() {
    for seed in 0..20 * KINDS {
        let mut random = random(seed);
        let (shape, rounding, is_exact) = shape(seed % KINDS, &mut random);
        let mut app = ground_app();
        let center = point(&mut random, 10.0);
        // Everything, or what is between two heights.
        let slice = ObstacleHeights { low: random.random_range(-1.0..0.5), high: random.random_range(0.5..1.5) };
        let heights = if (seed / KINDS).is_multiple_of(2) { ObstacleHeights::ALL } else { slice };
        app.insert_resource(heights);
        let is_upright = random.random_range(0..3) == 0;
        let turn = if is_upright { Quat::from_rotation_y(1.0) } else { rotation(&mut random) };
        let collider = app.world_mut().spawn((engine::fixed(shape), at(center, 0.0).with_rotation(turn))).id();
        ticks(&mut app, 2);
        let (low, high) = (heights.low.max(-50.0), heights.high.min(50.0));
        for _ in 0..100 {
            let point = center + point(&mut random, 4.0);
            let from = SteeringPlane::XZ.to_world(point, high);
            let is_there = engine::is_hit(app.world_mut(), collider, from, Vec3::NEG_Y * (high - low));
            let obstacles = app.world().resource::<Obstacles>();
            let nearest = obstacles.nearest(point, 1e3, &ObstacleFilter::default()).map(|hit| hit.distance);
            let distance = nearest.unwrap_or(f32::INFINITY);
            let what = format!("seed {seed}, {point}: {is_there}, {distance}");
            assert!(!is_there || distance < 2e-3, "{what}");
            let is_whole = is_exact || heights == ObstacleHeights::ALL;
            assert!(!is_whole || is_there || distance > -rounding - 2e-3, "{what}");
        }
    }
}

#[test]
fn a_line_is_an_obstacle_along_its_length() {
    for seed in 0..40 {
        let mut random = random(700 + seed);
        let points: Vec<Vec3> = (0..4).map(|_| space(&mut random, 3.0)).collect();
        let (shape, legs) = match seed % 2 {
            0 => (SharedShape::segment(points[0], points[1]), 1),
            _ => (SharedShape::polyline(points.clone(), None), 3),
        };
        let transform = at(point(&mut random, 10.0), 0.0).with_rotation(rotation(&mut random));
        let mut app = ground_app();
        app.insert_resource(ObstacleHeights::ALL);
        app.world_mut().spawn((engine::fixed(shape), transform));
        ticks(&mut app, 2);
        let obstacles = app.world().resource::<Obstacles>();
        for leg in points.windows(2).take(legs) {
            let place = transform * leg[0].lerp(leg[1], random.random_range(0.0..1.0));
            let place = SteeringPlane::XZ.to_plane(place);
            let distance = obstacles.nearest(place, 1e3, &ObstacleFilter::default()).map(|hit| hit.distance);
            assert!(distance.is_some_and(|distance| distance.abs() < 2e-3), "seed {seed}: {distance:?}");
        }
    }
}

#[test]
fn floors_and_ceilings_are_no_obstacles() {
    let mut app = ground_app();
    app.world_mut().spawn((engine::fixed(SharedShape::cuboid(50.0, 0.5, 50.0)), at(Vec2::ZERO, -0.5)));
    app.world_mut().spawn((engine::fixed(SharedShape::cuboid(50.0, 0.5, 50.0)), at(Vec2::ZERO, 3.0)));
    app.world_mut().spawn((engine::fixed(SharedShape::halfspace(Vec3::Y)), at(Vec2::ZERO, 0.0)));
    ticks(&mut app, 2);
    assert_eq!(app.world_mut().query::<&Obstacle>().iter(app.world()).count(), 0);
    // A ramp is where it is too steep to step on.
    let ramp = (engine::fixed(SharedShape::cuboid(5.0, 0.1, 1.0)), at(Vec2::ZERO, 0.0));
    let tilted = ramp.1.with_rotation(Quat::from_rotation_z(0.2));
    app.world_mut().spawn((ramp.0, tilted));
    ticks(&mut app, 2);
    let nearest = |app: &App, x: f32| {
        let obstacles = app.world().resource::<Obstacles>();
        obstacles.nearest(Vec2::new(x, 0.0), 99.0, &ObstacleFilter::default()).map(|hit| hit.distance)
    };
    assert!(nearest(&app, -4.0).is_some_and(|distance| distance > 4.0), "{:?}", nearest(&app, -4.0));
    assert!(nearest(&app, 4.0).is_some_and(|distance| distance < 0.0), "{:?}", nearest(&app, 4.0));
}

#[test]
fn a_pushed_body_moves_like_an_agent_on_the_ground() {
    for seed in 0..20 {
        let mut random = random(seed);
        let (mut pushed, mut moved) = (ground_app(), plain_app());
        moved.insert_resource(SteeringPlane::XZ);
        let mass = random.random_range(0.3..4.0);
        let agent = SteeringAgent { mass, max_speed: 3.0, max_force: mass * 10.0, radius: 0.4, ..default() };
        let common = (agent, SteeringId::new(3), at(point(&mut random, 5.0), 2.0));
        let shape = SharedShape::capsule_y(0.5, 0.4);
        let twins = [
            pushed.world_mut().spawn((common, engine::dynamic(shape, mass))).id(),
            moved.world_mut().spawn(common).id(),
        ];
        let (goal, wanders) = (point(&mut random, 8.0), seed % 2 == 0);
        ticks(&mut pushed, 1);
        ticks(&mut moved, 1);
        for (app, entity) in [&mut pushed, &mut moved].into_iter().zip(twins) {
            let mut entity = app.world_mut().entity_mut(entity);
            // Not both: their sum may push a body beyond its max speed, to which steering holds an agent.
            if wanders {
                entity.insert(Wander::default());
            } else {
                entity.insert(Arrive::new(goal));
            }
        }
        for _ in 0..256 {
            ticks(&mut pushed, 1);
            ticks(&mut moved, 1);
            let difference = place(&pushed, twins[0]).distance(place(&moved, twins[1]));
            assert!(difference < engine::SAME_MOTION, "seed {seed}: {difference}");
            let height = pushed.world().get::<Transform>(twins[0]).expect("a place").translation.y;
            assert_eq!(height, 2.0, "seed {seed}");
        }
    }
}

#[test]
fn walkers_on_a_floor_go_around_what_stands_on_it() {
    let (mut arrived, mut walkers) = (0, 0);
    for seed in 0..3 {
        let mut random = random(300 + seed);
        let mut app = ground_app();
        engine::set_gravity(app.world_mut(), Vec3::NEG_Y * 9.81);
        let slippery = || engine::Friction::new(0.0);
        let floor = engine::fixed(SharedShape::cuboid(60.0, 0.5, 60.0));
        let floor = app.world_mut().spawn((floor, slippery(), at(Vec2::ZERO, -0.5))).id();
        for (column, row) in (-1..=1).flat_map(|column| (-2..=2).map(move |row| (column as f32, row as f32))) {
            let (shape, ..) = shape(random.random_range(0..12), &mut random);
            let center = Vec2::new(14.0 * column, 14.0 * row + 5.0 * column) + point(&mut random, 1.0);
            let transform = at(center, random.random_range(0.0..1.0)).with_rotation(rotation(&mut random));
            app.world_mut().spawn((engine::fixed(shape), transform));
        }
        let goals: Vec<(Entity, Vec2)> = (-2..=2)
            .map(|row| {
                let (start, goal) = (Vec2::new(-28.0, 12.0 * row as f32), Vec2::new(28.0, -10.0 * row as f32));
                let mass = random.random_range(0.5..3.0);
                let settings = SteeringAgent { max_speed: 2.0, max_force: 12.0 * mass, ..default() };
                let behaviors = (Arrive::new(goal), AvoidObstacles::default(), AvoidNeighbors::default());
                let body = engine::dynamic(SharedShape::capsule_y(0.5, 0.35), mass);
                let upright = (engine::LockedAxes::ROTATION_LOCKED, slippery());
                (app.world_mut().spawn((behaviors, settings, body, upright, at(start, 0.85))).id(), goal)
            })
            .collect();
        for tick in 0..64 * 50 {
            ticks(&mut app, 1);
            let touching: Vec<_> =
                engine::touching(app.world_mut()).into_iter().filter(|pair| !pair.contains(&floor)).collect();
            assert!(touching.is_empty(), "seed {seed}, tick {tick}");
        }
        for (walker, goal) in goals {
            walkers += 1;
            arrived += usize::from(place(&app, walker).distance(goal) < 0.5);
            let height = app.world().get::<Transform>(walker).expect("a place").translation.y;
            assert!((height - 0.85).abs() < 0.05, "seed {seed}: at a height of {height}");
            assert_eq!(app.world().get::<SteeringAgent>(walker).expect("an agent").radius, 0.35);
        }
    }
    println!("{arrived} of {walkers} arrived");
    assert!(arrived * 100 >= walkers * 90, "{arrived} of {walkers}");
}
