//! Crowds of bodies with masses from 0.1 to 10, radii 50 % smaller and larger, and response times up to half a second.

use std::f32::consts::TAU;

use bevy::math::ops;

use super::*;

/// By how much two may overlap where a dense crowd leaves no other velocity, as a share of the smaller radius.
const TOUCH: f32 = 0.01;

/// The same in a crowd of bodies with the same force.
const TOUCH_WITH_SAME_FORCE: f32 = 0.04;

const RADIUS: f32 = 8.0;

/// How the force of a body depends on its mass.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Force {
    /// All bodies take a quarter to half a second to reach their full speed.
    LikeMass,
    /// The heavier a body, the longer it takes: a thirtieth of a second to seven seconds.
    Same,
}

fn body(number: &mut impl FnMut() -> f32, force: Force, max_response_time: f32) -> SteeringAgent {
    let mass = ops::powf(10.0, 2.0 * number() - 1.0);
    let max_speed = 40.0 + 60.0 * number();
    SteeringAgent {
        mass,
        max_speed,
        max_force: match force {
            Force::LikeMass => mass * max_speed * (2.0 + 2.0 * number()),
            Force::Same => max_speed * (1.5 + 1.5 * number()),
        },
        radius: RADIUS * (0.5 + number()),
        response_time: max_response_time * number(),
    }
}

struct Crowd {
    app: App,
    agents: Vec<(Entity, SteeringAgent, Vec2)>,
}

/// Several seeds with both kinds of force.
fn cases() -> impl Iterator<Item = (u64, Force)> {
    [Force::LikeMass, Force::Same]
        .into_iter()
        .flat_map(|force| (0..u64::from(quarter_of(24))).map(move |seed| (seed, force)))
}

impl Crowd {
    /// Bodies on a grid, each with a goal and a constraint.
    fn new(seed: u64, force: Force, goal: impl Fn(Vec2) -> Vec2, constraint: impl Fn(&mut EntityWorldMut)) -> Self {
        let (mut app, mut number) = (app(), numbers(seed));
        let mut agents = Vec::new();
        let response_time = [0.0, 0.5][seed as usize % 2];
        for k in 0..25_u8 {
            let cell = Vec2::new(f32::from(k % 5) - 2.0, f32::from(k / 5) - 2.0);
            let start = cell * 60.0 + Vec2::from_angle(TAU * number()) * 10.0 * number();
            let (body, goal) = (body(&mut number, force, response_time), goal(start));
            let mut agent = app.world_mut().spawn((Arrive::new(goal), body, at(start.x, start.y)));
            constraint(&mut agent);
            agents.push((agent.id(), body, goal));
        }
        Self { app, agents }
    }

    /// The deepest overlap of two bodies in so many seconds, as a share of the smaller radius.
    fn deepest_in(&mut self, seconds: usize) -> f32 {
        let mut deepest = 0.0_f32;
        for _ in 0..60 * seconds {
            run(&mut self.app, 1);
            for (k, (one, body, _)) in self.agents.iter().enumerate() {
                for (other, other_body, _) in &self.agents[..k] {
                    let gap = position(&self.app, *one).distance(position(&self.app, *other));
                    let depth = body.radius + other_body.radius - gap;
                    deepest = deepest.max(depth / body.radius.min(other_body.radius));
                }
            }
        }
        deepest
    }
}

#[test]
fn mixed_bodies_that_avoid_each_other_change_places_without_a_touch() {
    let mut late = [0; 2];
    for (seed, force) in cases() {
        let mut crowd = Crowd::new(
            seed,
            force,
            |start| -1.5 * start,
            |agent| {
                agent.insert(AvoidNeighbors::default());
            },
        );
        let deepest = crowd.deepest_in(40);
        let touch = if force == Force::Same { TOUCH_WITH_SAME_FORCE } else { TOUCH };
        assert!(deepest < touch, "seed {seed}, {force:?}: an overlap of {deepest} radii");
        let is_late = |(agent, body, goal): &&(Entity, SteeringAgent, Vec2)| {
            position(&crowd.app, *agent).distance(*goal) > 0.5 * body.radius
        };
        late[force as usize] += crowd.agents.iter().filter(is_late).count();
    }
    // Seldom one stands before others that have arrived.
    let most = if quarter_of(24) == 24 { 6 } else { 1 };
    assert!(late.iter().all(|late| *late <= most), "{late:?} have not arrived");
}

#[test]
fn mixed_bodies_that_queue_do_not_touch() {
    for (seed, force) in cases() {
        let mut crowd = Crowd::new(
            seed,
            force,
            |start| Vec2::new(400.0, 0.1 * start.y),
            |agent| {
                agent.insert(Queue::default());
            },
        );
        let deepest = crowd.deepest_in(20);
        assert!(deepest < TOUCH, "seed {seed}, {force:?}: an overlap of {deepest} radii");
        // Those ahead have arrived.
        let arrived =
            crowd.agents.iter().filter(|(agent, _, goal)| position(&crowd.app, *agent).distance(*goal) < 60.0);
        assert!(arrived.count() > 3, "seed {seed}, {force:?}");
    }
}

#[test]
fn mixed_bodies_stay_in_their_region() {
    for (seed, force) in cases() {
        let mut crowd = Crowd::new(
            seed,
            force,
            |start| 5.0 * start,
            |agent| {
                agent.insert((Wander::default(), Contain::new(Rectangle::new(360.0, 360.0))));
            },
        );
        for _ in 0..60 * 20 {
            run(&mut crowd.app, 1);
            for (agent, body, _) in &crowd.agents {
                let inside = 180.0 - position(&crowd.app, *agent).abs().max_element();
                // Rounding errors of coordinates of a few hundred.
                assert!(inside > body.radius - 1e-3, "seed {seed}, {force:?}: {body:?} is {inside} from the rim");
            }
        }
    }
}
