//! Detects imminent collisions.

use alloc::vec::Vec;

use bevy::prelude::*;

use crate::agent::Agent;
use crate::agent::GroupMask;
use crate::agent::view::AgentData;
use crate::events::bodies::{Bodies, Meeting, time_to_touch};
use crate::events::encounters::{Encounters, Lookout};
use crate::events::happenings::Happening;
use crate::events::surroundings::{Surroundings, WatchedDataItem};
use crate::events::types::CollisionImminent;
use crate::events::watch::{EventState, SteeringEvents};
use crate::math::Vector;
use crate::math::normalize;
use crate::perception::neighbors::{Neighbors, Radii};
use crate::tick::TickParam;
use crate::tick::schedule::SteeringThreads;

/// A collision is over when a body larger by this factor would not touch within the warning time multiplied by the same factor.
const OVER: f32 = 2.0;

impl SteeringEvents {
    fn warning_time_for(&self, agent: &Agent) -> f32 {
        let braking = agent.max_speed * agent.mass / agent.max_force;
        // An agent that cannot brake at all needs no warning.
        let default = if braking.is_finite() { braking } else { 0.0 };
        self.warning_time.unwrap_or(default).max(0.0)
    }
}

/// How an agent looks out for others.
pub(super) fn lookout(events: &SteeringEvents, agent: &Agent) -> Lookout {
    let time = events.warning_time_for(agent);
    Lookout { time, far: far(agent, time) }
}

/// How far two agents like this one can approach each other within `time`, units.
fn far(agent: &Agent, time: f32) -> f32 {
    2.0 * agent.max_speed * (time + agent.tick) + agent.radius
}

/// Requests the neighbor index if no behavior needs it. An index that behaviors need is not changed: it determines the order in which
/// neighbors are visited, and so the rounding of sums, which must not depend on whether agents are watched.
pub(super) fn report_perception_radius(
    agents: Query<(&SteeringEvents, AgentData)>,
    mut neighbors: ResMut<Neighbors>,
    tick: TickParam,
) {
    if neighbors.is_needed() {
        return;
    }
    let mut sights = Radii::default();
    for (events, data) in &agents {
        let agent = data.agent(Vector::ZERO, tick.frame());
        let time = events.warning_time_for(&agent);
        if time > 0.0 {
            sights.note(far(&agent, time) + agent.radius, 1);
        }
    }
    neighbors.widen(&sights);
}

/// The bodies that an agent may collide with. The lists keep their capacity between ticks.
#[derive(Default)]
pub(super) struct Sightings {
    /// The bodies that it will touch within the warning time: the time, the rank (agents by id, then obstacles), and the entity.
    imminent: Vec<(u32, (bool, u64), Entity)>,
    /// The obstacles that a larger agent would touch.
    near: Vec<Entity>,
    /// All agents. Those that the agent has been warned about are marked.
    bodies: Bodies,
    encounters: Encounters,
}

impl Sightings {
    /// Records all agents. `watched` are those that look out.
    pub fn note(
        &mut self,
        watched: impl ExactSizeIterator<Item = (Entity, Lookout)>,
        surroundings: &Surroundings,
        threads: SteeringThreads,
    ) {
        self.bodies.note(watched.len(), surroundings);
        self.encounters.find(watched, self.bodies.all(), &surroundings.neighbors, threads);
    }
}

/// Lists the unmarked agents that the agent will touch within `time`.
fn find_agents(agent: &Agent, time: f32, surroundings: &Surroundings, sightings: &mut Sightings) {
    let neighbors = &surroundings.neighbors;
    let Sightings { bodies, imminent, encounters, .. } = sightings;
    if !encounters.are_expected(agent, neighbors) {
        return;
    }
    let radius = far(agent, time) + neighbors.largest_radius();
    bodies.for_each_touching(agent, time, radius, surroundings, |place, touching| {
        let neighbor = neighbors.neighbor(place);
        imminent.push((touching.to_bits(), (false, neighbor.id.get()), neighbor.entity));
    });
}

impl WatchedDataItem<'_, '_> {
    /// The layers of the obstacles that the agent considers.
    fn layers(&self) -> GroupMask {
        match (self.avoid, self.solid) {
            (None, None) => GroupMask::ALL,
            (avoid, solid) => {
                let of_avoid = avoid.map_or(GroupMask::NONE, |avoid| avoid.layers);
                of_avoid | solid.map_or(GroupMask::NONE, |solid| solid.layers)
            }
        }
    }

    /// Lists the obstacles that the agent will touch within `time`, and those that a larger agent would touch.
    fn find_obstacles(
        &self,
        agent: &Agent,
        time: f32,
        surroundings: &Surroundings,
        Sightings { imminent, near, .. }: &mut Sightings,
    ) {
        let larger = OVER * agent.radius;
        let reach = far(agent, OVER * time) + agent.radius;
        surroundings.obstacles.for_each_near(agent, reach, self.layers(), |obstacle, position| {
            if obstacle.entity == agent.entity {
                return;
            }
            let relative = agent.velocity - obstacle.velocity_nearest_to(position);
            let (ahead, speed) = (normalize(relative), relative.length());
            let touching =
                |radius| obstacle.shape.cast_distance(position, ahead, radius).map(|distance| distance / speed);
            if let Some(touching) = touching(agent.radius).filter(|touching| *touching <= time) {
                imminent.push((touching.to_bits(), (true, imminent.len() as u64), obstacle.entity));
            }
            if obstacle.shape.distance(position).0 <= larger
                || touching(larger).is_some_and(|touching| touching <= OVER * time)
            {
                near.push(obstacle.entity);
            }
        });
    }
}

/// Detects imminent collisions of the agent.
pub(super) fn notice(
    events: &SteeringEvents,
    state: &mut EventState,
    agent: &Agent,
    watched: &WatchedDataItem,
    surroundings: &Surroundings,
    sightings: &mut Sightings,
    tell: &mut impl FnMut(Happening),
) {
    let time = events.warning_time_for(agent);
    let warned = &mut state.warned;
    if time <= 0.0 {
        return warned.clear();
    }
    sightings.imminent.clear();
    sightings.near.clear();
    watched.find_obstacles(agent, time, surroundings, sightings);
    let Sightings { near, bodies, .. } = sightings;
    let larger = OVER * agent.radius;
    bodies.unmark_all();

    warned.retain(|other| {
        let comes_near = |(to, velocity, radius): Meeting| {
            let touch = larger + radius;
            to.length() <= touch || time_to_touch(to, velocity, touch).is_some_and(|touching| touching <= OVER * time)
        };
        let place = surroundings.neighbors.place_of(*other);
        let is_warned =
            bodies.meeting(agent, (*other, place), surroundings).is_some_and(comes_near) || near.contains(other);
        if let Some(place) = place.filter(|_| is_warned) {
            bodies.mark(place);
        }
        is_warned
    });
    find_agents(agent, time, surroundings, sightings);
    let Sightings { imminent, bodies, .. } = sightings;
    imminent.sort_unstable();
    for (time, _, other) in imminent.drain(..) {
        let place = surroundings.neighbors.place_of(other);
        let is_warned = place.map_or_else(|| warned.contains(&other), |place| bodies.mark(place));
        if !is_warned {
            warned.push(other);
            tell(Happening::CollisionImminent(CollisionImminent {
                entity: agent.entity,
                other,
                time: f32::from_bits(time),
            }));
        }
    }
}
