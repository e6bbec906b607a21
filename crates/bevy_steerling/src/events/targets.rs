//! Detects when an agent arrives at a target, loses it, or catches it.

use alloc::vec::Vec;

use bevy::prelude::*;

use crate::agent::Agent;
use crate::constraints::settling::Settling;
use crate::engine::behavior::Arrival;
use crate::events::aims::WatchedAim;
use crate::events::happenings::Happening;
use crate::events::surroundings::Surroundings;
use crate::events::types::{Arrived, Caught, TargetFound, TargetLost};
use crate::events::watch::{EventState, SteeringEvents};
use crate::math::segment::nearest_on_segment;
use crate::math::{Vector, finite_or_zero};
use crate::perception::target::{Kinematics, Target};

/// The default reach of an agent, in radii. It is slightly more than 1, so that bodies that are kept from overlapping count as touching.
const TOUCH: f32 = 1.1;

/// An agent has left its target when it is farther away than the arrival distance times this.
const LEFT: f32 = 2.0;

/// An agent is slow if its speed is at most this share of its max speed.
const SLOW: f32 = 0.1;

impl SteeringEvents {
    fn arrival_distance_for(&self, agent: &Agent) -> f32 {
        self.arrival_distance.unwrap_or(TOUCH * agent.radius).max(0.0)
    }

    fn reach_for(&self, agent: &Agent) -> f32 {
        self.reach.unwrap_or(TOUCH * agent.radius).max(0.0)
    }
}

/// The largest distance from the target at which the agent has arrived; `None` if it cannot arrive. `default` is that of
/// [`SteeringEvents`].
fn arrival_distance(arrival: Arrival, default: f32) -> Option<f32> {
    match arrival {
        Arrival::Never => None,
        Arrival::AtRest { tolerance } => Some(default.max(tolerance)),
        Arrival::Passing => Some(default),
    }
}

/// A target at the end of the tick.
#[derive(Clone, Copy)]
struct Found {
    entity: Option<Entity>,
    /// The displacement to the target.
    to: Vector,
    /// The velocity relative to the agent.
    velocity: Vector,
    /// The radius of the target's body; zero without one.
    radius: f32,
}

impl Found {
    /// The shortest displacement to the target during the tick.
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
                let member = self.targets.nearest_member(agent, groups)?;
                let then = Kinematics { position: member.position, velocity: member.velocity };
                let now = self.find_entity(agent, member.entity);
                now.or_else(|| Some(self.found(agent, None, then)))
            }
        }
    }

    fn find_entity(&self, agent: &Agent, entity: Entity) -> Option<Found> {
        let found = self.targets.find_for(agent, Target::Entity(entity))?;
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

/// The aims of an agent, each with its target at the end of the tick. The list keeps its capacity between ticks.
#[derive(Default)]
pub(super) struct FoundTargets(Vec<(WatchedAim, Option<Found>)>);

impl FoundTargets {
    pub fn clear(&mut self) {
        self.0.clear();
    }

    pub fn find(&mut self, agent: &Agent, aim: WatchedAim, surroundings: &Surroundings) {
        let found = surroundings.find(agent, aim.aim.target);
        self.0.push((aim, found));
    }

    fn iter(&self) -> impl Iterator<Item = (&WatchedAim, Option<Found>)> + Clone {
        self.0.iter().map(|(aim, found)| (aim, *found))
    }

    fn has(&self, test: impl Fn(&WatchedAim) -> bool) -> bool {
        self.0.iter().any(|(aim, _)| test(aim))
    }
}

/// Detects the events that concern the targets of an agent.
pub(super) fn notice(
    events: &SteeringEvents,
    state: &mut EventState,
    agent: &Agent,
    found: &FoundTargets,
    settling: &Settling,
    surroundings: &Surroundings,
    tell: &mut impl FnMut(Happening),
) {
    notice_lost(state, agent, found, tell);
    notice_arrived(events, state, agent, found, settling, tell);
    notice_caught(events, state, agent, found, surroundings, tell);
}

fn notice_lost(state: &mut EventState, agent: &Agent, found: &FoundTargets, tell: &mut impl FnMut(Happening)) {
    let entity = agent.entity;
    state.lost.retain(|number| found.has(|aim| aim.number == *number));
    for (aim, found) in found.iter() {
        let (was_lost, is_lost) = (state.lost.contains(&aim.number), found.is_none());
        if was_lost == is_lost {
            continue;
        }
        let (behavior, target) = (aim.behavior.clone(), aim.aim.target);
        if is_lost {
            state.lost.push(aim.number);
            tell(Happening::TargetLost(TargetLost { entity, behavior, target }));
        } else {
            state.lost.retain(|number| *number != aim.number);
            tell(Happening::TargetFound(TargetFound { entity, behavior, target }));
        }
    }
}

fn notice_arrived(
    events: &SteeringEvents,
    state: &mut EventState,
    agent: &Agent,
    found: &FoundTargets,
    settling: &Settling,
    tell: &mut impl FnMut(Happening),
) {
    let distance = events.arrival_distance_for(agent);
    state.arrived.retain(|number| found.has(|aim| aim.number == *number && !aim.is_set));
    for (aim, found) in found.iter() {
        let Some(distance) = arrival_distance(aim.aim.arrival, distance) else { continue };
        let near = |found: &Found| distance + found.radius;
        // The agent has settled as near to the target as others allow, or is in the crowd there.
        let rests = matches!(aim.aim.arrival, Arrival::AtRest { .. });
        let (is_settled, stays) = (rests && settling.is_settled(), rests && settling.is_there());
        if found.is_none_or(|found| found.to.length() > LEFT * near(&found) && !stays) {
            state.arrived.retain(|number| *number != aim.number);
        }
        let arrived = found.is_some_and(|found| match aim.aim.arrival {
            Arrival::Never => false,
            Arrival::AtRest { .. } => {
                let is_there = is_settled || found.to.length() <= near(&found);
                is_there && found.velocity.length() <= SLOW * agent.max_speed
            }
            Arrival::Passing => found.nearest(agent.tick).length() <= near(&found),
        });
        if arrived && !state.arrived.contains(&aim.number) {
            state.arrived.push(aim.number);
            let (behavior, target) = (aim.behavior.clone(), aim.aim.target);
            tell(Happening::Arrived(Arrived { entity: agent.entity, behavior, target }));
        }
    }
}

fn notice_caught(
    events: &SteeringEvents,
    state: &mut EventState,
    agent: &Agent,
    found: &FoundTargets,
    surroundings: &Surroundings,
    tell: &mut impl FnMut(Happening),
) {
    let (entity, reach) = (agent.entity, events.reach_for(agent));
    let found = found.iter().filter(|(aim, _)| aim.aim.catches).filter_map(|(_, found)| found);
    let hunts = found.clone().next().is_some();
    state.caught.retain(|quarry| {
        let still = surroundings.find_entity(agent, *quarry).filter(|_| hunts);
        still.is_some_and(|still| still.to.length() <= LEFT * (reach + still.radius))
    });
    for found in found {
        let caught = found.nearest(agent.tick).length() <= reach + found.radius;
        if let Some(quarry) = found.entity.filter(|quarry| caught && !state.caught.contains(quarry)) {
            state.caught.push(quarry);
            tell(Happening::Caught(Caught { entity, quarry }));
        }
    }
}

/// Whether the agent is at the target of one of its behaviors: it has arrived, or the target is within its reach.
pub(super) fn is_at_target(events: &SteeringEvents, agent: &Agent, found: &FoundTargets) -> bool {
    let (arrival, reach) = (events.arrival_distance_for(agent), events.reach_for(agent));
    found.iter().any(|(WatchedAim { aim, .. }, found)| {
        let arrival = arrival_distance(aim.arrival, arrival);
        let reach = aim.catches.then_some(reach);
        let distance = arrival.into_iter().chain(reach).reduce(f32::max);
        distance.zip(found).is_some_and(|(distance, found)| found.to.length() <= distance + found.radius)
    })
}
