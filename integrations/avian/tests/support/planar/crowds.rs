//! Nobody touches anything.

use bevy::prelude::*;
use bevy_steerling::prelude::*;
use rand::RngExt;

use super::colliders::{KINDS, at, place, point, random, shape, ticks};
use crate::engine;
use crate::engine::parry::shape::SharedShape;

fn walker(radius: f32, mass: f32, place: Vec2, goal: Vec2) -> impl Bundle {
    (
        engine::dynamic(SharedShape::ball(radius), mass),
        SteeringAgent { max_speed: 2.0, max_force: 12.0 * mass, ..default() },
        (Arrive::new(goal), AvoidObstacles::default(), AvoidNeighbors::default()),
        at(place, 0.0),
    )
}

#[test]
fn walkers_go_around_random_colliders() {
    let (mut arrived, mut walkers) = (0, 0);
    for seed in 0..12 {
        let mut random = random(1000 + seed);
        let mut app = engine::app();
        for (column, row) in (-1..=1).flat_map(|column| (-2..=2).map(move |row| (column as f32, row as f32))) {
            let (shape, _) = shape(random.random_range(0..KINDS), &mut random);
            let place = Vec2::new(18.0 * column, 18.0 * row + 6.0 * column) + point(&mut random, 1.0);
            app.world_mut().spawn((engine::fixed(shape), at(place, random.random_range(-3.0..3.0))));
        }
        let goals: Vec<(Entity, Vec2)> = (-2..=2)
            .map(|row| {
                let (start, goal) = (Vec2::new(-36.0, 15.0 * row as f32), Vec2::new(36.0, -13.0 * row as f32));
                let (radius, mass) = (random.random_range(0.3..0.6), random.random_range(0.5..3.0));
                (app.world_mut().spawn(walker(radius, mass, start, goal)).id(), goal)
            })
            .collect();
        for tick in 0..64 * 50 {
            ticks(&mut app, 1);
            assert!(engine::touching(app.world_mut()).is_empty(), "seed {seed}, tick {tick}");
        }
        walkers += goals.len();
        arrived += goals.iter().filter(|(walker, goal)| place(&app, *walker).distance(*goal) < 0.5).count();
    }
    println!("{arrived} of {walkers} arrived");
    assert!(arrived * 100 >= walkers * 90, "{arrived} of {walkers}");
}

#[test]
fn crowds_cross() {
    for seed in 0..12 {
        let mut random = random(2000 + seed);
        let mut app = engine::app();
        let mut goals = Vec::new();
        for index in 0..24 {
            let side = if index % 2 == 0 { 1.0 } else { -1.0 };
            let (row, column) = ((index / 2 % 6) as f32, (index / 12) as f32);
            let start = Vec2::new(side * (9.0 + 2.0 * column), 1.6 * row - 4.0) + point(&mut random, 0.2);
            let goal = Vec2::new(-start.x, start.y);
            let (radius, mass) = (random.random_range(0.25..0.4), random.random_range(0.5..3.0));
            goals.push((app.world_mut().spawn(walker(radius, mass, start, goal)).id(), goal));
        }
        for tick in 0..64 * 30 {
            ticks(&mut app, 1);
            assert!(engine::touching(app.world_mut()).is_empty(), "seed {seed}, tick {tick}");
        }
        let late = goals.iter().filter(|(walker, goal)| place(&app, *walker).distance(*goal) > 0.3).count();
        assert_eq!(late, 0, "seed {seed}");
    }
}
