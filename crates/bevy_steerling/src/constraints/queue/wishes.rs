//! The wishes of all agents, for those that keep their places in line.

use alloc::vec::Vec;

use bevy::prelude::*;

use crate::agent::view::AgentData;
use crate::agent::{BodyLimits, GroupMask, SteeringForce};
use crate::constraints::avoid_obstacles::AvoidObstacles;
use crate::constraints::queue::component::{Queue, QueuePlace, perception_radius};
use crate::math::{Vector, finite_or_zero, normalize};
use crate::perception::neighbors::Neighbors;
use crate::tick::TickParam;

/// The state of an agent that others in a queue read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wish {
    pub position: Vector,
    /// The direction in which its behaviors want to go, a unit vector, or zero.
    pub heading: Vector,
    /// Its place in line: see [`QueuePlace`]. NaN if it keeps none.
    pub place: f32,
    pub radius: f32,
    /// Its speed along its heading, units/s.
    pub pace: f32,
}

impl Default for Wish {
    fn default() -> Self {
        Self { position: Vector::NAN, heading: Vector::ZERO, place: f32::NAN, radius: 0.0, pace: 0.0 }
    }
}

/// The state of an agent in addition to its [`Wish`].
#[derive(Clone, Copy)]
pub(super) struct Member {
    pub velocity: Vector,
    /// The total before the queue bends it.
    pub force: Vector,
    pub mass: f32,
    pub max_speed: f32,
    pub max_force: f32,
    pub response_time: f32,
    pub time_gap: f32,
    pub headway: f32,
    /// The layers of the obstacles that the agent stays clear of.
    pub layers: GroupMask,
    /// How far the agent perceives, units; negative for an agent that keeps no place.
    pub far: f32,
}

impl Member {
    /// An agent that keeps no place.
    pub const STRANGER: Self = Self {
        velocity: Vector::ZERO,
        force: Vector::ZERO,
        mass: 1.0,
        max_speed: 0.0,
        max_force: 1.0,
        response_time: 1.0,
        time_gap: 1.0,
        headway: 1.0,
        layers: GroupMask::NONE,
        far: -1.0,
    };
}

/// The wishes of all agents, in the order of the [`Neighbors`] index; empty while no agent keeps its place.
#[derive(Resource, Default)]
pub struct Wishes {
    pub(super) wishes: Vec<Wish>,
    pub(super) members: Vec<Member>,
}

impl Wishes {
    /// The wish of the agent with this place in the index.
    pub(super) fn at(&self, place: usize, neighbors: &Neighbors) -> Wish {
        self.wishes.get(place).copied().unwrap_or_else(|| {
            let neighbor = neighbors.neighbor(place);
            Wish { position: neighbor.position, radius: neighbor.radius, ..Wish::default() }
        })
    }

    /// Whether the total of an agent is still the one that was recorded.
    pub(super) fn is_total(&self, place: Option<usize>, total: Vector) -> bool {
        place.and_then(|place| self.members.get(place)).is_some_and(|member| member.force == total)
    }
}

type Members<'w, 's> = Query<
    'w,
    's,
    (
        &'static SteeringForce,
        AgentData,
        Option<(&'static Queue, &'static mut QueuePlace)>,
        Option<&'static AvoidObstacles>,
        Option<&'static BodyLimits>,
    ),
>;

/// Records where all agents want to go, and the places of those that keep one.
pub(crate) fn note_wishes(
    mut agents: Members,
    queues: Query<(), With<Queue>>,
    neighbors: Res<Neighbors>,
    mut noted: ResMut<Wishes>,
    tick: TickParam,
) {
    let Wishes { wishes, members } = &mut *noted;
    members.clear();
    wishes.clear();
    if queues.is_empty() {
        return;
    }
    let (frame, largest) = (tick.frame(), neighbors.largest_radius());
    members.resize(neighbors.bodies().len(), Member::STRANGER);
    wishes.resize(members.len(), Wish::default());
    agents.iter_mut().for_each(|(force, data, mut queue, avoid, limits)| {
        let Some(place) = neighbors.place_of(data.entity) else { return };
        let agent = data.agent(force.0, frame);
        let agent = limits.map_or(agent, |limits| limits.braking_agent(&agent));
        let wanted = agent.velocity + agent.force * (agent.response_time / agent.mass);
        let heading = normalize(finite_or_zero(wanted));
        let heading = queue
            .as_mut()
            .map_or(heading, |(_, place)| place.bypass_change_detection().heading(heading, data.is_thinking()));
        let body = neighbors.bodies()[place];
        let pace = body.velocity.dot(heading);
        wishes[place] = Wish {
            position: body.position,
            heading,
            // The stored place is for the next tick in which the agent thinks, and the agent is still on its way there.
            place: queue.as_ref().map_or(f32::NAN, |(_, place)| place.get() + pace * data.keeps_going(frame.length)),
            radius: agent.radius,
            pace,
        };
        // Agents that consider only some groups or do not think in every tick are computed one by one.
        let is_usual = |queue: &Queue| {
            queue.groups == GroupMask::ALL && wanted.is_finite() && agent.max_force > 0.0 && agent.tick == frame.length
        };
        if let Some((queue, _)) = queue.filter(|(queue, _)| is_usual(queue)) {
            let reach = perception_radius(queue, agent.max_speed, agent.radius);
            let [time_gap, headway] = queue.times(frame.length);
            members[place] = Member {
                velocity: agent.velocity,
                force: agent.force,
                mass: agent.mass,
                max_speed: agent.max_speed,
                max_force: agent.max_force,
                response_time: agent.response_time,
                time_gap,
                headway,
                layers: avoid.map_or(GroupMask::NONE, |avoid| avoid.layers),
                far: reach + (largest - agent.radius).max(0.0),
            };
        }
    });
}
