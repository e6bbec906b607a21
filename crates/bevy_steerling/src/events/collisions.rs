//! Detects imminent collisions.

use alloc::vec::Vec;

use bevy::ecs::change_detection::ContiguousMut;
use bevy::ecs::query::QueryData;
use bevy::platform::sync::Mutex;
use bevy::prelude::*;

use crate::agent::view::{AgentData, TickFrame};
use crate::agent::{Agent, GroupMask};
use crate::constraints::avoid_obstacles::AvoidObstacles;
use crate::events::bodies::{Bodies, Marks, Meeting, time_to_touch};
use crate::events::encounters::{Encounters, Lookout};
use crate::events::happenings::{Happening, Happenings, Placed};
use crate::events::notice::at_end_of_tick;
use crate::events::surroundings::Surroundings;
use crate::events::types::CollisionImminent;
use crate::events::watch::{EventState, SteeringEvents};
use crate::math::Vector;
use crate::math::normalize;
use crate::perception::neighbors::{Neighbors, Radii};
use crate::tick::{TickParam, threads};
use crate::world::solid::Solid;

/// A collision is over when a body larger by this factor would not touch within the warning time multiplied by the same factor.
const OVER: f32 = 2.0;

/// The minimum number of watched agents for which several threads detect collisions.
const PARALLEL_THRESHOLD: usize = 1_000;

impl SteeringEvents {
    fn warning_time_for(&self, agent: &Agent) -> f32 {
        let braking = agent.max_speed * agent.mass / agent.max_force;
        // An agent that cannot brake at all needs no warning.
        let default = if braking.is_finite() { braking } else { 0.0 };
        self.warning_time.unwrap_or(default).max(0.0)
    }
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

/// A watched agent.
#[derive(QueryData)]
#[query_data(contiguous(all))]
pub(super) struct Watched {
    events: &'static SteeringEvents,
    data: AgentData,
    avoid: Option<&'static AvoidObstacles>,
    solid: Option<&'static Solid>,
}

impl<'w, 's> WatchedContiguousItem<'w, 's> {
    #[inline(always)]
    fn row(&self, row: usize) -> WatchedItem<'w, 's> {
        WatchedItem {
            events: &self.events[row],
            data: self.data.row(row),
            avoid: self.avoid.map(|all| &all[row]),
            solid: self.solid.map(|all| &all[row]),
        }
    }
}

/// All agents, and which of them may soon touch others. The lists keep their capacity between ticks.
#[derive(Default)]
pub(super) struct Sightings {
    bodies: Bodies,
    encounters: Encounters,
    /// The buffers that no thread is using.
    lists: Mutex<Vec<Lists>>,
}

/// Buffers for detecting the collisions of one agent at a time, and the events. They keep their capacity between ticks.
#[derive(Default)]
struct Lists {
    /// The bodies that the agent will touch within the warning time: the time, the rank (agents by id, then obstacles), and the entity.
    imminent: Vec<(u32, (bool, u64), Entity)>,
    /// The obstacles that a larger agent would touch.
    near: Vec<Entity>,
    /// The agents that it has been warned about are marked.
    marks: Marks,
    happenings: Vec<Placed>,
}

/// Detects imminent collisions.
pub(super) fn notice(
    mut agents: Query<(Watched, &mut EventState)>,
    surroundings: Surroundings,
    tick: TickParam,
    mut happenings: ResMut<Happenings>,
    mut sightings: Local<Sightings>,
) {
    let frame = tick.frame();
    let Sightings { bodies, encounters, lists } = &mut *sightings;
    bodies.note(agents.iter().len(), &surroundings);
    let lookouts = agents.iter().map(|(watched, _)| {
        let agent = at_end_of_tick(&watched.data, frame);
        let time = watched.events.warning_time_for(&agent);
        (agent.entity, Lookout { time, far: far(&agent, time) })
    });
    encounters.find(lookouts, bodies.all(), &surroundings.neighbors, *tick.threads);
    let view = View { bodies, encounters, surroundings: &surroundings };

    let mut first = 0;
    let Ok(tables) = agents.contiguous_iter_mut() else {
        // Columns are not available if a component with which the app disables entities uses sparse storage.
        let mut own = threads::locked(lists).pop().unwrap_or_default();
        for (place, (watched, mut state)) in agents.iter_mut().enumerate() {
            view.notice(place, &watched, state.bypass_change_detection(), frame, &mut own);
        }
        happenings.collisions.append(&mut own.happenings);
        return threads::locked(lists).push(own);
    };
    let happenings = Mutex::new(&mut happenings.collisions);
    for (watched, states) in tables {
        let (states, _) = ContiguousMut::bypass_change_detection_split(states);
        let count = states.len();
        threads::divide(states, tick.threads.parallel(|| count, PARALLEL_THRESHOLD), |row, states| {
            let mut own = threads::locked(lists).pop().unwrap_or_default();
            for (row, state) in (row..).zip(states) {
                view.notice(first + row, &watched.row(row), state, frame, &mut own);
            }
            if !own.happenings.is_empty() {
                threads::locked(&happenings).append(&mut own.happenings);
            }
            threads::locked(lists).push(own);
        });
        first += count;
    }
}

/// The data that all watched agents share.
struct View<'a, 'w, 's> {
    bodies: &'a Bodies,
    encounters: &'a Encounters,
    surroundings: &'a Surroundings<'w, 's>,
}

impl View<'_, '_, '_> {
    /// Detects imminent collisions of the agent at this place in the world.
    fn notice(&self, place: usize, watched: &WatchedItem, state: &mut EventState, frame: TickFrame, lists: &mut Lists) {
        let Self { bodies, surroundings, .. } = *self;
        let agent = &at_end_of_tick(&watched.data, frame);
        // An agent whose position is not finite gets no events until it is finite again.
        if !agent.position.is_finite() {
            return;
        }
        let time = watched.events.warning_time_for(agent);
        let warned = &mut state.warned;
        if time <= 0.0 {
            return warned.clear();
        }
        lists.imminent.clear();
        lists.near.clear();
        lists.marks.clear(surroundings.neighbors.bodies().len());
        watched.find_obstacles(agent, time, surroundings, lists);
        let larger = OVER * agent.radius;
        warned.retain(|other| {
            let comes_near = |(to, velocity, radius): Meeting| {
                let touch = larger + radius;
                let touches = || time_to_touch(to, velocity, touch).is_some_and(|touching| touching <= OVER * time);
                to.length() <= touch || touches()
            };
            let at = surroundings.neighbors.place_of(*other);
            let meeting = bodies.meeting(agent, (*other, at), surroundings);
            let is_warned = meeting.is_some_and(comes_near) || lists.near.contains(other);
            if let Some(at) = at.filter(|_| is_warned) {
                lists.marks.mark(at);
            }
            is_warned
        });
        self.find_agents(agent, time, lists);
        lists.imminent.sort_unstable();
        for (number, (time, _, other)) in lists.imminent.drain(..).enumerate() {
            let (entity, at) = (agent.entity, surroundings.neighbors.place_of(other));
            let is_warned = at.map_or_else(|| warned.contains(&other), |at| lists.marks.mark(at));
            if !is_warned {
                warned.push(other);
                let collision = CollisionImminent { entity, other, time: f32::from_bits(time) };
                let happening = Happening::CollisionImminent(collision);
                lists.happenings.push(Placed { id: agent.id, agent: place, number, happening });
            }
        }
    }

    /// Lists the agents that the agent will touch within `time`, except those that it has been warned about.
    fn find_agents(&self, agent: &Agent, time: f32, Lists { imminent, marks, .. }: &mut Lists) {
        let neighbors = &self.surroundings.neighbors;
        if !self.encounters.are_expected(agent, neighbors) {
            return;
        }
        let radius = far(agent, time) + neighbors.largest_radius();
        self.bodies.for_each_touching(agent, time, radius, self.surroundings, marks, |place, touching| {
            let neighbor = neighbors.neighbor(place);
            imminent.push((touching.to_bits(), (false, neighbor.id.get()), neighbor.entity));
        });
    }
}

impl WatchedItem<'_, '_> {
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
        Lists { imminent, near, .. }: &mut Lists,
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
