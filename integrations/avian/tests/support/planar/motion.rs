//! Without contacts, a pushed body moves like an agent that steering moves.

use bevy::prelude::*;
use bevy_steerling::prelude::*;
use rand::RngExt;

use super::colliders::{Random, at, place, plain_app, point, random, ticks};
use crate::engine;
use crate::engine::parry::shape::SharedShape;

/// A body that is the same in both apps.
#[derive(Clone, Copy)]
struct Body {
    agent: SteeringAgent,
    place: Vec2,
    velocity: Vec2,
}

fn body(random: &mut Random, place: Vec2) -> Body {
    let mass = random.random_range(0.3..4.0);
    let agent = SteeringAgent {
        mass,
        max_speed: random.random_range(1.0..6.0),
        max_force: mass * random.random_range(4.0..20.0),
        radius: random.random_range(0.2..0.5),
        response_time: random.random_range(0.0..0.2),
    };
    Body { agent, place, velocity: 0.5 * agent.max_speed * Vec2::from_angle(random.random_range(-3.0..3.0)) }
}

/// Adds the behaviors of a case.
fn add_behaviors(entity: &mut EntityWorldMut, case: usize, goal: Vec2) {
    match case % 5 {
        0 => entity.insert(Seek::new(goal)),
        1 => entity.insert(Arrive::new(goal)),
        2 => entity.insert(Wander::default()),
        3 => entity.insert((Arrive::new(goal), AvoidObstacles::default())),
        _ => entity.insert((Arrive::new(goal), AvoidObstacles::default(), AvoidNeighbors::default())),
    };
}

/// Runs the same bodies in both apps. Returns the largest distance between a body and its twin.
fn largest_difference(case: usize, length: usize) -> f32 {
    let mut random = random(case as u64);
    let (mut engine, mut plain) = (engine::app(), plain_app());
    // Nothing is in the way of those who do not look.
    let (count, is_blocked) = match case % 5 {
        0..3 => (1, false),
        3 => (3, true),
        _ => (8, true),
    };
    let bodies: Vec<Body> = (0..count)
        .map(|index| {
            let side = if index % 2 == 0 { -1.0 } else { 1.0 };
            body(&mut random, Vec2::new(12.0 * side, 3.0 * index as f32 - 1.5 * count as f32))
        })
        .collect();
    for height in [-9.0, 0.0, 9.0].into_iter().filter(|_| is_blocked) {
        let (radius, center) = (random.random_range(0.5..2.0), Vec2::new(random.random_range(-3.0..3.0), height));
        engine.world_mut().spawn((engine::fixed(SharedShape::ball(radius)), at(center, 0.0)));
        plain.world_mut().spawn((Obstacle::new(Circle::new(radius)), at(center, 0.0)));
    }
    let twins: Vec<[Entity; 2]> = bodies
        .iter()
        .zip(0..)
        .map(|(Body { agent, place, velocity }, id)| {
            let common = (*agent, SteeringId::new(id), at(*place, 0.0));
            let pushed = (engine::dynamic(SharedShape::ball(agent.radius), agent.mass), engine::moving(*velocity));
            [
                engine.world_mut().spawn((common, pushed)).id(),
                plain.world_mut().spawn((common, Velocity(*velocity))).id(),
            ]
        })
        .collect();
    // The engine knows its bodies from the first tick on.
    ticks(&mut engine, 1);
    ticks(&mut plain, 1);
    for ([pushed, moved], body) in twins.iter().zip(&bodies) {
        let goal = Vec2::new(-body.place.x, body.place.y) + point(&mut random, 1.5);
        add_behaviors(&mut engine.world_mut().entity_mut(*pushed), case, goal);
        add_behaviors(&mut plain.world_mut().entity_mut(*moved), case, goal);
    }
    let mut largest = 0.0_f32;
    for _ in 0..length {
        ticks(&mut engine, 1);
        ticks(&mut plain, 1);
        assert!(engine::touching(engine.world_mut()).is_empty(), "case {case}");
        for [pushed, moved] in &twins {
            largest = largest.max(place(&engine, *pushed).distance(place(&plain, *moved)));
        }
    }
    for ([pushed, _], body) in twins.iter().zip(&bodies) {
        let agent = engine.world().get::<SteeringAgent>(*pushed).expect("an agent");
        assert!((agent.mass / body.agent.mass - 1.0).abs() < 1e-5 && agent.radius == body.agent.radius);
    }
    largest
}

#[test]
fn a_pushed_body_moves_like_an_agent() {
    let mut differences: Vec<(f32, usize)> = (0..40).map(|case| (largest_difference(case, 4 * 64), case)).collect();
    differences.sort_by(|a, b| a.0.total_cmp(&b.0));
    println!("largest differences over 4 s, units: {:?}", &differences[differences.len() - 5..]);
    assert!(differences.iter().all(|(difference, _)| *difference < engine::SAME_MOTION), "{differences:?}");
}

#[test]
fn a_hard_stop_stops_a_body_like_an_agent() {
    for seed in 0..20 {
        let mut random = random(500 + seed);
        let Body { agent, .. } = body(&mut random, Vec2::ZERO);
        let (mut engine, mut plain) = (engine::app(), plain_app());
        let ahead = at(Vec2::new(random.random_range(4.0..6.0), 0.0), 0.0);
        let shape = || SharedShape::ball(agent.radius);
        engine.world_mut().spawn((agent, SteeringId::new(1), ahead, engine::dynamic(shape(), agent.mass)));
        plain.world_mut().spawn((agent, SteeringId::new(1), ahead));
        let walker = (agent, SteeringId::new(2), at(Vec2::ZERO, 0.0));
        let pushed = engine.world_mut().spawn((walker, engine::dynamic(shape(), agent.mass))).id();
        let moved = plain.world_mut().spawn(walker).id();
        ticks(&mut engine, 1);
        ticks(&mut plain, 1);
        let queue = (Seek::new(Vec2::new(20.0, 0.0)), ClassicQueue::new(ClassicQueueStyle::HardStop));
        engine.world_mut().entity_mut(pushed).insert(queue.clone());
        plain.world_mut().entity_mut(moved).insert(queue);
        let (mut stops, mut fastest) = (0, 0.0_f32);
        for tick in 0..4 * 64 {
            let before = engine::velocity(engine.world(), pushed).length();
            ticks(&mut engine, 1);
            ticks(&mut plain, 1);
            let after = engine::velocity(engine.world(), pushed).length();
            fastest = fastest.max(after);
            stops += usize::from(after < 0.5 * before);
            let difference = place(&engine, pushed).distance(place(&plain, moved));
            assert!(difference < engine::SAME_MOTION, "seed {seed}, tick {tick}: {difference}");
        }
        assert!(stops > 0 && fastest > 0.5 * agent.max_speed, "seed {seed}: {stops} stops from {fastest}");
    }
}
