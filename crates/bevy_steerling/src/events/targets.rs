//! Who is at its target, has lost it, or has caught its quarry.

use bevy::prelude::*;

use super::{Arrived, BehaviorsItem, Caught, Happening, SteeringEvents, Surroundings, TargetLost, TargetedBehavior};
use crate::engine::behavior::Agent;
use crate::math::segment::nearest_on_segment;
use crate::math::{Vector, finite_or_zero};
use crate::perception::target::{Kinematics, Target};

/// How far the agent's body is reckoned to reach, in radii: those that are kept from overlapping touch.
const TOUCH: f32 = 1.1;

/// Who is farther than this many times the distance at which it arrived has left.
const LEFT: f32 = 2.0;

/// Who goes no faster than this share of its max speed is slow.
const SLOW: f32 = 0.1;

impl TargetedBehavior {
    /// In the order in which they run.
    const ALL: [Self; 6] = [Self::Evade, Self::Flee, Self::Pursue, Self::Arrive, Self::Seek, Self::MatchVelocity];

    /// Its bit in a mask.
    fn bit(self) -> u8 {
        1 << self as u8
    }

    fn target(self, behaviors: &BehaviorsItem) -> Option<Target> {
        match self {
            Self::Evade => behaviors.evade.map(|evade| evade.target),
            Self::Flee => behaviors.flee.map(|flee| flee.target),
            Self::Pursue => behaviors.pursue.map(|pursue| pursue.target),
            Self::Arrive => behaviors.arrive.map(|arrive| arrive.target),
            Self::Seek => behaviors.seek.map(|seek| seek.target),
            Self::MatchVelocity => behaviors.match_velocity.map(|matching| matching.target),
        }
    }
}

impl SteeringEvents {
    fn arrival_distance_for(&self, agent: &Agent) -> f32 {
        self.arrival_distance.unwrap_or(TOUCH * agent.radius).max(0.0)
    }

    fn reach_for(&self, agent: &Agent) -> f32 {
        self.reach.unwrap_or(TOUCH * agent.radius).max(0.0)
    }
}

/// A target where it is now.
#[derive(Clone, Copy)]
struct Found {
    entity: Option<Entity>,
    /// The displacement to it.
    to: Vector,
    /// As seen from the agent.
    velocity: Vector,
    /// Zero for what has no body.
    radius: f32,
}

impl Found {
    /// The shortest displacement in the tick that just ended.
    fn nearest(&self, tick: f32) -> Vector {
        nearest_on_segment(Vector::ZERO, self.to - self.velocity * tick, self.to)
    }
}

impl Surroundings<'_, '_> {
    fn find(&self, agent: &Agent, target: Target) -> Option<Found> {
        match target {
            Target::Point(_) => self.targets.find(target).map(|found| self.found(agent, None, found)),
            Target::Entity(entity) => self.find_entity(agent, entity),
            Target::Group(groups) => {
                let (member, _) = self.neighbors.nearest_of(agent, f32::INFINITY, groups)?;
                let then = Kinematics { position: member.position, velocity: member.velocity };
                let now = self.find_entity(agent, member.entity);
                now.or_else(|| Some(self.found(agent, None, then)))
            }
        }
    }

    fn find_entity(&self, agent: &Agent, entity: Entity) -> Option<Found> {
        let found = self.targets.find(Target::Entity(entity))?;
        Some(self.found(agent, Some(entity), found))
    }

    fn found(&self, agent: &Agent, entity: Option<Entity>, found: Kinematics) -> Found {
        let body = entity.and_then(|entity| self.bodies.get(entity).ok());
        Found {
            entity,
            to: agent.to(found.position),
            velocity: finite_or_zero(found.velocity) - agent.velocity,
            radius: body.map_or(0.0, |(.., body)| body.radius.max(0.0)),
        }
    }
}

/// Notices what has become of the targets.
pub(super) fn notice(
    events: &mut SteeringEvents,
    agent: &Agent,
    behaviors: &BehaviorsItem,
    surroundings: &Surroundings,
    tell: &mut impl FnMut(Happening),
) {
    let (distance, reach) = (events.arrival_distance_for(agent), events.reach_for(agent));
    let (entity, memory) = (agent.entity, &mut events.memory);
    let targets = TargetedBehavior::ALL.map(|behavior| {
        let target = behavior.target(behaviors)?;
        Some((target, surroundings.find(agent, target)))
    });
    let found = |behavior: TargetedBehavior| {
        let (target, found) = targets[behavior as usize]?;
        Some((target, found?))
    };

    for behavior in TargetedBehavior::ALL {
        let bit = behavior.bit();
        let lost = targets[behavior as usize].filter(|(_, found)| found.is_none());
        if let Some((target, _)) = lost.filter(|_| memory.lost & bit == 0) {
            tell(Happening::TargetLost(TargetLost { entity, behavior, target }));
        }
        memory.lost = if lost.is_some() { memory.lost | bit } else { memory.lost & !bit };
    }

    let tolerance = behaviors.arrive.map_or(0.0, |arrive| arrive.arrival_tolerance);
    for (behavior, distance) in
        [(TargetedBehavior::Arrive, distance.max(tolerance)), (TargetedBehavior::Seek, distance)]
    {
        let (bit, found) = (behavior.bit(), found(behavior));
        let near = |found: &Found| distance + found.radius;
        if found.is_none_or(|(_, found)| found.to.length() > LEFT * near(&found)) {
            memory.arrived &= !bit;
        }
        let arrived = found.filter(|(_, found)| match behavior {
            TargetedBehavior::Arrive => {
                found.to.length() <= near(found) && found.velocity.length() <= SLOW * agent.max_speed
            }
            _ => found.nearest(agent.tick).length() <= near(found),
        });
        if let Some((target, _)) = arrived.filter(|_| memory.arrived & bit == 0) {
            memory.arrived |= bit;
            tell(Happening::Arrived(Arrived { entity, behavior, target }));
        }
    }

    let hunted = [TargetedBehavior::Pursue, TargetedBehavior::Seek].map(found);
    memory.caught.retain(|quarry| {
        let still = surroundings.find_entity(agent, *quarry).filter(|_| hunted.iter().any(Option::is_some));
        still.is_some_and(|still| still.to.length() <= LEFT * (reach + still.radius))
    });
    for (_, found) in hunted.into_iter().flatten() {
        let caught = found.nearest(agent.tick).length() <= reach + found.radius;
        if let Some(quarry) = found.entity.filter(|quarry| caught && !memory.caught.contains(quarry)) {
            memory.caught.push(quarry);
            tell(Happening::Caught(Caught { entity, quarry }));
        }
    }
}
