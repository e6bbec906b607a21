//! What all agents want, for those that keep their places in line.

use alloc::vec::Vec;

use bevy::prelude::*;

use crate::agent::{SteeringAgent, SteeringForce, Velocity};
use crate::constraints::avoid_obstacles::{AvoidObstacles, Detection};
use crate::constraints::queue::keep_place::perception_radius;
use crate::constraints::queue::{Queue, QueueStyle};
use crate::engine::behavior::TickParam;
use crate::math::{self, Vector, normalize};
use crate::perception::neighbors::Neighbors;

/// What agents that keep their places know of another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wish {
    pub position: Vector,
    /// The direction in which its behaviors want to go, a unit vector, or zero.
    pub heading: Vector,
    /// Its place in line: see [`Queue::place`]. NaN if it keeps none.
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

/// What an agent knows of itself besides its [`Wish`].
#[derive(Clone, Copy)]
pub(super) struct Member {
    pub velocity: Vector,
    /// The sum of the other behaviors' forces.
    pub force: Vector,
    pub mass: f32,
    pub max_speed: f32,
    pub max_force: f32,
    pub response_time: f32,
    pub time_gap: f32,
    /// The layers of the obstacles that it keeps clear of.
    pub layers: u32,
    /// How far it perceives, units; negative for an agent that keeps no place.
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
        layers: 0,
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
}

/// Notes where all agents want to go, and the places of those that keep them.
pub(crate) fn note_wishes(
    agents: Query<(Entity, &SteeringAgent, &SteeringForce, &Velocity, Option<&Queue>, Option<&AvoidObstacles>)>,
    queues: Query<&Queue>,
    neighbors: Res<Neighbors>,
    mut noted: ResMut<Wishes>,
    tick: TickParam,
) {
    let Wishes { wishes, members } = &mut *noted;
    members.clear();
    wishes.clear();
    if !queues.iter().any(|queue| queue.style == QueueStyle::KeepPlace) {
        return;
    }
    let (tick, largest) = (tick.length(), neighbors.largest_radius());
    members.resize(neighbors.bodies().len(), Member::STRANGER);
    wishes.resize(members.len(), Wish::default());
    agents.iter().for_each(|(entity, agent, force, velocity, queue, avoid)| {
        let Some(place) = neighbors.place_of(entity) else { return };
        let queue = queue.filter(|queue| queue.style == QueueStyle::KeepPlace);
        let (mass, response_time) = (agent.effective_mass(), agent.response_time.max(tick));
        let (max_speed, max_force, radius) =
            (agent.max_speed.max(0.0), agent.max_force.max(0.0), agent.radius.max(0.0));
        let wanted = velocity.0 + force.0 * (response_time / mass);
        let heading = normalize(math::finite_or_zero(wanted));
        let body = neighbors.bodies()[place];
        wishes[place] = Wish {
            position: body.position,
            heading,
            place: queue.map_or(f32::NAN, Queue::known_place),
            radius,
            pace: body.velocity.dot(heading),
        };
        if let Some(queue) = queue.filter(|_| wanted.is_finite() && max_force > 0.0) {
            let avoid = avoid.filter(|avoid| avoid.detection == Detection::Swept);
            members[place] = Member {
                velocity: velocity.0,
                force: force.0,
                mass,
                max_speed,
                max_force,
                response_time,
                time_gap: queue.time_gap.max(tick),
                layers: avoid.map_or(0, |avoid| avoid.layers),
                far: perception_radius(max_speed, radius, queue.time_gap.max(0.0)) + (largest - radius).max(0.0),
            };
        }
    });
}
