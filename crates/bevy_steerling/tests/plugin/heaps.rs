//! Bodies in a heap get apart, and nobody gets into a wall.

use core::f32::consts::{FRAC_PI_2, TAU};

use bevy_steerling::behavior_prelude::PlacedShape;

use super::*;

/// Walls that bodies cannot leave on the other side: thick ones, straight, round, or in a corner.
fn walls(number: &mut impl FnMut() -> f32) -> Vec<(ObstacleShape, Transform)> {
    let turn = Transform::from_rotation(Quat::from_rotation_z(TAU * number()));
    let placed = |x: f32, y: f32| turn * Transform::from_xyz(x, y, 0.0);
    let thick = ObstacleShape::from(Rectangle::new(200.0, 1200.0));
    match (number() * 3.0) as usize {
        0 => vec![(thick, placed(130.0, 0.0))],
        1 => vec![
            (thick.clone(), placed(130.0, 0.0)),
            (thick, turn * Transform::from_xyz(0.0, 130.0, 0.0).with_rotation(Quat::from_rotation_z(FRAC_PI_2))),
        ],
        _ => vec![(Circle::new(150.0).into(), placed(180.0, 0.0))],
    }
}

/// The distance of a body from the nearest wall, units, negative inside.
fn gap(walls: &[PlacedShape], place: Vec2, radius: f32) -> f32 {
    walls.iter().map(|wall| wall.distance(place).0).fold(f32::INFINITY, f32::min) - radius
}

#[test]
fn no_body_of_a_heap_beside_a_wall_gets_into_it_whatever_it_wants_and_whoever_comes_by() {
    let (mut number, mut near) = (numbers(1), 0);
    for case in 0..quarter_of(54) as usize {
        let mut app = app_at([30.0, 60.0, 120.0][case % 3]);
        let shapes = walls(&mut number);
        let placed: Vec<PlacedShape> =
            shapes.iter().map(|(shape, place)| shape.placed(place, SteeringPlane::XY)).collect();
        app.world_mut().spawn_batch(shapes.into_iter().map(|(shape, place)| (Obstacle::new(shape), place)));
        let (mass, size) = (0.3 + 3.0 * number(), 4.0 + 6.0 * number());
        let mut bodies: Vec<(Entity, f32, f32)> = Vec::new();
        while bodies.len() < 40 {
            let place = Vec2::new(number() - 0.5, number() - 0.5) * 8.0 * size;
            let radius = size * (0.7 + 0.6 * number());
            let start = gap(&placed, place, radius);
            if start < 0.0 {
                continue;
            }
            let body = SteeringAgent { mass, max_speed: 60.0, max_force: 180.0 * mass, radius, ..default() };
            let mut agent = app.world_mut().spawn((body, AvoidObstacles::default(), at(place.x, place.y)));
            match case / 3 % 3 {
                0 => agent.insert(Seek::new(Vec2::new(3e3, 2e3))),
                1 => agent.insert(Arrive::new(place)),
                _ => agent.insert(Seek::new(Vec2::from_angle(TAU * number()) * 1e3)),
            };
            if case / 9 % 2 == 0 {
                agent.insert(Queue::default());
            } else {
                agent.insert(AvoidNeighbors::default());
            }
            bodies.push((agent.id(), radius, start));
        }
        // Something that a game moves drives over the heap, and along or into the walls.
        let way = Vec2::from_angle(TAU * number()) * 80.0;
        let truck = (ExternalMovement, SteeringAgent { radius: 2.0 * size, ..default() }, Velocity(way));
        let truck = app.world_mut().spawn((truck, at(-3.0 * way.x, -3.0 * way.y))).id();
        let tick = app.world().resource::<Time<Fixed>>().timestep().as_secs_f32();
        for _ in 0..(6.0 / tick) as usize {
            app.world_mut().get_mut::<Transform>(truck).expect("it is there").translation += (way * tick).extend(0.0);
            run(&mut app, 1);
            for &(body, radius, _) in &bodies {
                let gap = gap(&placed, position(&app, body), radius);
                assert!(gap > -0.02 * radius, "case {case}: a body of {radius} is {} inside a wall", -gap);
                near += usize::from(gap < 0.2 * radius);
            }
        }
    }
    assert!(near > 1_000, "few bodies came near a wall: {near}");
}

#[test]
fn a_heap_beside_a_wall_gets_apart() {
    let mut number = numbers(2);
    for case in 0..quarter_of(16) {
        let mut app = app();
        let shapes = walls(&mut number);
        let placed: Vec<PlacedShape> =
            shapes.iter().map(|(shape, place)| shape.placed(place, SteeringPlane::XY)).collect();
        app.world_mut().spawn_batch(shapes.into_iter().map(|(shape, place)| (Obstacle::new(shape), place)));
        let mut bodies = Vec::new();
        while bodies.len() < 40 {
            let place = Vec2::new(number() - 0.5, number() - 0.5) * 50.0;
            if gap(&placed, place, 6.0) > 0.0 {
                let body = SteeringAgent { max_speed: 60.0, max_force: 180.0, radius: 6.0, ..default() };
                let avoid = (AvoidObstacles::default(), AvoidNeighbors::default());
                bodies.push(app.world_mut().spawn((body, avoid, at(place.x, place.y))).id());
            }
        }
        run(&mut app, 60 * 20);
        for (index, body) in bodies.iter().enumerate() {
            for other in &bodies[..index] {
                let gap = position(&app, *body).distance(position(&app, *other)) - 12.0;
                assert!(gap > -0.05, "case {case}: two overlap by {}", -gap);
            }
        }
    }
}
