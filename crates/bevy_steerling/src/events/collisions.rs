//! Who is about to run into whom.

use alloc::vec::Vec;

use bevy::math::ops;
use bevy::prelude::*;

use super::{BehaviorsItem, CollisionImminent, Happening, SteeringEvents, Surroundings};
use crate::engine::behavior::{Agent, AgentData, TickParam};
use crate::math::{self, Vector, finite_or_zero, normalize};
use crate::perception::neighbors::Neighbors;

/// A collision is over when even a body so many times as large would not touch within so many times the warning time.
const OVER: f32 = 2.0;

/// How long it takes until the centers of two that go on as they do are no farther than `touch` from each other, s, with the
/// displacement and the relative velocity of the other one. `None` if they never come so near; zero if they are and come still nearer.
///
/// The smaller root of `|p + v · t| = touch`.
///
/// ```
/// # use bevy::math::Vec2;
/// # use bevy_steerling::events::time_to_touch;
/// assert_eq!(time_to_touch(Vec2::new(10.0, 3.0), Vec2::new(-2.0, 0.0), 5.0), Some(3.0));
/// assert_eq!(time_to_touch(Vec2::new(10.0, 3.0), Vec2::new(-2.0, 0.0), 2.0), None);
/// assert_eq!(time_to_touch(Vec2::new(10.0, 3.0), Vec2::new(-2.0, 0.0), 20.0), Some(0.0));
/// assert_eq!(time_to_touch(Vec2::new(10.0, 3.0), Vec2::new(2.0, 0.0), 20.0), None);
/// ```
pub fn time_to_touch(displacement: Vector, relative_velocity: Vector, touch: f32) -> Option<f32> {
    let closing = -displacement.dot(relative_velocity);
    if closing <= 0.0 {
        return None;
    }
    let gap = displacement.length_squared() - touch * touch;
    let root = closing * closing - relative_velocity.length_squared() * gap;
    if gap <= 0.0 { Some(0.0) } else { (root >= 0.0).then(|| gap / (closing + ops::sqrt(root))) }
}

impl SteeringEvents {
    fn warning_time_for(&self, agent: &Agent) -> f32 {
        let braking = agent.max_speed * agent.mass / agent.max_force;
        // Who cannot brake at all need not be told in time.
        let default = if braking.is_finite() { braking } else { 0.0 };
        self.warning_time.unwrap_or(default).max(0.0)
    }
}

/// How far two such agents come toward each other.
fn far(agent: &Agent, time: f32) -> f32 {
    2.0 * agent.max_speed * (time + agent.tick) + agent.radius
}

/// Keeps the neighbor index where nobody else looks around. It is not made to suit this look if somebody does: in which order neighbors
/// are visited, and so the last digit of motions, does not depend on who watches.
pub(super) fn look(agents: Query<(&SteeringEvents, AgentData)>, mut neighbors: ResMut<Neighbors>, tick: TickParam) {
    if neighbors.is_needed() {
        return;
    }
    let sights = agents.iter().map(|(events, data)| {
        let agent = data.agent(Vector::ZERO, tick.length(), tick.space());
        match events.warning_time_for(&agent) {
            time if time > 0.0 => far(&agent, time) + agent.radius,
            _ => 0.0,
        }
    });
    neighbors.widen(sights.fold(0.0, f32::max));
}

/// What an agent sees in a tick.
#[derive(Default)]
pub(crate) struct Sightings {
    /// What it touches soon: when, agents by number and then obstacles, and which.
    imminent: Vec<(u32, (bool, u64), Entity)>,
    /// Obstacles that it might touch if it were larger.
    near: Vec<Entity>,
}

/// Notices what the agent is about to run into.
pub(super) fn notice(
    events: &mut SteeringEvents,
    agent: &Agent,
    behaviors: &BehaviorsItem,
    surroundings: &Surroundings,
    sightings: &mut Sightings,
    tell: &mut impl FnMut(Happening),
) {
    let time = events.warning_time_for(agent);
    let warned = &mut events.memory.warned;
    if time <= 0.0 {
        return warned.clear();
    }
    let Surroundings { neighbors, obstacles, bodies, .. } = surroundings;
    let Sightings { imminent, near } = sightings;
    imminent.clear();
    near.clear();

    let meeting = |other: Entity| {
        let (transform, velocity, body) = bodies.get(other).ok()?;
        let to = agent.to(math::position(transform));
        Some((to, finite_or_zero(velocity.0) - agent.velocity, body.radius.max(0.0)))
    };
    neighbors.for_each_near(agent, far(agent, time) + neighbors.largest_radius(), |neighbor, _| {
        let touching = meeting(neighbor.entity)
            .and_then(|(to, velocity, radius)| time_to_touch(to, velocity, agent.radius + radius));
        if let Some(touching) = touching.filter(|touching| *touching <= time) {
            imminent.push((touching.to_bits(), (false, neighbor.id.get()), neighbor.entity));
        }
    });
    let layers = match (behaviors.avoid_obstacles, behaviors.solid) {
        (None, None) => u32::MAX,
        (avoid, solid) => avoid.map_or(0, |avoid| avoid.layers) | solid.map_or(0, |solid| solid.layers),
    };
    let larger = OVER * agent.radius;
    obstacles.for_each_near(agent, far(agent, OVER * time) + agent.radius, layers, |obstacle, position| {
        if obstacle.entity == agent.entity {
            return;
        }
        let relative = agent.velocity - obstacle.velocity;
        let (ahead, speed) = (normalize(relative), relative.length());
        let touching = |radius| obstacle.shape.cast_distance(position, ahead, radius).map(|way| way / speed);
        if let Some(touching) = touching(agent.radius).filter(|touching| *touching <= time) {
            imminent.push((touching.to_bits(), (true, imminent.len() as u64), obstacle.entity));
        }
        if obstacle.shape.distance(position).0 <= larger
            || touching(larger).is_some_and(|touching| touching <= OVER * time)
        {
            near.push(obstacle.entity);
        }
    });

    warned.retain(|other| {
        let comes_near = |(to, velocity, radius): (Vector, Vector, f32)| {
            let touch = larger + radius;
            to.length() <= touch || time_to_touch(to, velocity, touch).is_some_and(|touching| touching <= OVER * time)
        };
        near.contains(other) || meeting(*other).is_some_and(comes_near)
    });
    imminent.sort_unstable();
    for (time, _, other) in imminent.drain(..) {
        if !warned.contains(&other) {
            warned.push(other);
            tell(Happening::CollisionImminent(CollisionImminent {
                entity: agent.entity,
                other,
                time: f32::from_bits(time),
            }));
        }
    }
}
