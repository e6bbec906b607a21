//! The obstacles are where the colliders are.

use bevy::prelude::*;
use bevy_steerling::prelude::*;
use rand::RngExt;

use super::colliders::{Agreement, KINDS, at, point, random, shape, ticks};
use crate::engine;

/// Compares distances to the obstacles of a collider with those that the engine finds.
fn compare(app: &mut App, collider: Entity, agreement: Agreement, points: &[Vec2], what: &str) {
    for &point in points {
        let expected = engine::distance(app.world_mut(), collider, point);
        let obstacles = app.world().resource::<Obstacles>();
        let found = obstacles.nearest(point, 1e4, &ObstacleFilter::default()).map_or(f32::NAN, |hit| hit.distance);
        let rounding = 2e-4 + 1e-5 * expected.abs();
        let agrees = match agreement {
            Agreement::Exact => (found - expected).abs() <= rounding,
            Agreement::Outside => (found - expected).abs() <= rounding || expected.max(found) <= rounding,
            Agreement::Border(border) => {
                // The engine's own measure has an error of a thousandth for these shapes.
                let rounding = rounding + 1e-3 * expected.abs();
                (-0.01 * border - rounding..=rounding).contains(&(found - expected))
            }
        };
        assert!(agrees, "{what}: {found} instead of {expected} at {point}");
    }
}

#[test]
fn distances_to_obstacles_are_those_to_the_colliders() {
    for seed in 0..12 * KINDS as u64 {
        let mut random = random(seed);
        let (shape, agreement) = shape(seed as usize % KINDS, &mut random);
        let mut app = engine::app();
        let place = at(point(&mut random, 20.0), random.random_range(-3.0..3.0));
        let collider = app.world_mut().spawn((engine::fixed(shape.clone()), place)).id();
        ticks(&mut app, 2);
        let points: Vec<Vec2> = (0..60).map(|_| place.translation.truncate() + point(&mut random, 9.0)).collect();
        compare(&mut app, collider, agreement, &points, &format!("seed {seed}"));

        // The same as a child of a body, with a scale.
        app.world_mut().despawn(collider);
        let scale = random.random_range(0.5..2.0);
        let (parent, next) = (at(point(&mut random, 20.0), 1.0), at(point(&mut random, 5.0), -0.7));
        let body = app.world_mut().spawn((engine::body_without_collider(), parent)).id();
        let child = (engine::collider(shape), ChildOf(body), next.with_scale(Vec3::splat(scale)));
        let collider = app.world_mut().spawn(child).id();
        ticks(&mut app, 3);
        let center = parent.transform_point(next.translation).truncate();
        let points: Vec<Vec2> = (0..30).map(|_| center + point(&mut random, 9.0)).collect();
        let agreement = match agreement {
            Agreement::Border(border) => Agreement::Border(border * scale),
            other => other,
        };
        compare(&mut app, collider, agreement, &points, &format!("seed {seed}, as a child"));
    }
}

#[test]
fn several_colliders_are_all_obstacles_and_each_hit_tells_which_one() {
    let mut random = random(77);
    let mut app = engine::app();
    let colliders: Vec<Entity> = (0..40)
        .map(|kind| {
            let (shape, _) = shape(kind % KINDS, &mut random);
            let place = at(point(&mut random, 60.0), random.random_range(-3.0..3.0));
            app.world_mut().spawn((engine::fixed(shape), place)).id()
        })
        .collect();
    ticks(&mut app, 2);
    for _ in 0..300 {
        let point = point(&mut random, 70.0);
        let nearest = app.world().resource::<Obstacles>().nearest(point, 1e4, &ObstacleFilter::default());
        let hit = nearest.expect("an obstacle");
        let distances: Vec<f32> =
            colliders.iter().map(|collider| engine::distance(app.world_mut(), *collider, point)).collect();
        let expected = distances.iter().copied().reduce(f32::min).expect("a collider");
        assert!(
            (hit.distance - expected).abs() < 0.02 || expected.max(hit.distance) < 1e-3,
            "{point}: {hit:?}, {expected}"
        );
        let owner = app.world().get::<crate::glue::ObstacleOf>(hit.entity).expect("the collider").0;
        let index = colliders.iter().position(|collider| *collider == owner).expect("one of them");
        assert!((distances[index] - hit.distance).abs() < 0.02 || distances[index] < 1e-3);
    }
}
