//! Agents that want to stop at the same place close up and come to rest.

use bevy::ecs::component::component_clone_ignore;
use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::world::DeferredWorld;
use bevy::prelude::*;

use crate::agent::Agent;
use crate::math::Vector;
use crate::perception::neighbors::Neighbor;

/// Whether an agent with [`AvoidNeighbors`](crate::constraints::avoid_neighbors::AvoidNeighbors) has come to rest as near to its
/// destination as others let it.
///
/// Agents that want to stop at the same place, as with [`Arrive`](crate::behaviors::arrive::Arrive), at the goal of a
/// [field](crate::behaviors::follow_field::FollowField) or at the end of a [path](crate::behaviors::follow_path::FollowPath), form a crowd
/// there. An agent joins the crowd when it gets next to a member that is nearer to the destination. Members close up and do not pass each
/// other. A crowd of ten or more moves as a whole until its center is at the destination and it is about as wide as it is long: the members
/// that arrived first move on to make room. A member that others hold up moves around one of them into a gap that is nearer to the
/// destination, so that the crowd becomes round. It settles when it gets no nearer. If those in the middle keep each other from the
/// destination, they take turns for a while. At a destination that keeps moving, the crowd does not move as a whole. A member does not move
/// on to a place that a wall separates from the destination. An agent that stands beside a settled member for long settles, too.
///
/// A settled agent stays until the members next to it leave, the crowd moves as a whole, or its destination moves by more than its radius.
/// For a while after it has settled, it also moves if it finds a nearer gap.
///
/// Updated every tick. Cloned entities start with a new state.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[component(clone_behavior = Custom(component_clone_ignore))]
pub struct Settling {
    /// The place at which the agent wants to stop.
    pub(super) destination: Option<Vector>,
    /// The position of this place after its last noticeable move.
    pub(super) stood: Vector,
    /// The time since that move, seconds.
    pub(super) still: f32,
    /// The least distance from the place so far, units.
    pub(super) nearest: f32,
    /// The time since the agent last got nearer, seconds.
    pub(super) time: f32,
    /// Whether it belongs to the crowd at the place.
    pub(super) in_crowd: bool,
    /// Whether it moves along with the crowd as a whole.
    pub(super) moves_along: bool,
    /// The time for which something has held it up while it moved along, seconds.
    pub(super) held_up: f32,
    /// The distance from its place in the crowd at that time, units.
    pub(super) out_of_place: f32,
    /// Whether the agent is beside the place, nobody has taken it, and it takes turns with others to get there.
    pub(super) takes_turns: bool,
    pub(super) is_settled: bool,
    /// The gap at the rim of the crowd, or the place in the crowd, to which the agent is on its way.
    pub(super) gap: Option<Vector>,
    /// The time since the agent last looked for a gap, seconds.
    pub(super) looked: f32,
}

/// The distance by which an agent must get nearer within its patience, as a share of its radius.
pub(super) const NEARER: f32 = 0.2;

/// A place stands still if it moves by at most this share of the radius.
const STILL: f32 = 0.1;

/// An agent that moves slower than this share of its max speed stays where it is.
pub(super) const IDLE: f32 = 0.1;

impl Settling {
    /// Whether the agent is as near to its destination as it can get. Then it wants to stay.
    pub fn is_settled(&self) -> bool {
        self.is_settled && !self.moves_along
    }

    /// Whether the agent belongs to the crowd at its destination, or has settled beside it.
    pub(crate) fn is_there(&self) -> bool {
        self.in_crowd || self.is_settled
    }

    /// The part of the state that other agents react to.
    pub(super) fn stopping(&self) -> Stopping {
        Stopping { destination: self.destination, in_crowd: self.in_crowd, takes_turns: self.takes_turns }
    }

    /// Records that the destination is at the displacement `to`.
    pub(super) fn note(&mut self, agent: &Agent, to: Vector) {
        let (place, distance) = (agent.position + to, to.length());
        let moved = |from| agent.space.displacement(from, place).length();
        let strayed = self.destination.map_or(f32::INFINITY, moved);
        self.still += agent.tick;
        if strayed > STILL * agent.radius && moved(self.stood) > STILL * agent.radius {
            (self.stood, self.still) = (place, 0.0);
        }
        if strayed > agent.radius {
            *self = Self { destination: Some(place), nearest: distance, stood: place, ..Self::default() };
        } else if self.moves_along || distance < self.nearest - NEARER * agent.radius {
            (self.nearest, self.time) = (distance, 0.0);
        } else {
            self.time += agent.tick;
        }
    }
}

/// The part of [`Settling`] that other agents react to.
#[derive(Clone, Copy, Default)]
pub(super) struct Stopping {
    /// The place at which it wants to stop.
    pub destination: Option<Vector>,
    /// Whether it belongs to the crowd at the place.
    in_crowd: bool,
    /// Whether it takes turns with others to get there.
    pub takes_turns: bool,
}

impl Stopping {
    /// The destination of the crowd that the agent belongs to.
    pub fn crowd(&self) -> Option<Vector> {
        self.destination.filter(|_| self.in_crowd)
    }
}

/// Makes an agent that no longer avoids others leave its crowd.
pub(super) fn leave_crowd(mut world: DeferredWorld, context: HookContext) {
    if let Some(mut settling) = world.get_mut::<Settling>(context.entity) {
        *settling = Settling::default();
    }
}

/// Whether an agent with the destination at the displacement `to` cannot get there because of another one at the displacement `way`, which
/// wants to stop at the displacement `its`: it stands there, or in the crowd around its own destination, which covers this one.
pub(super) fn competes(to: Vector, way: Vector, its: Vector, touch: f32) -> bool {
    let apart = (its - to).length();
    let is_covered = apart < touch.max(to.length()) && apart < touch + (way - its).length();
    is_covered || (way - to).length() < touch
}

/// The relation of an agent to another one next to it.
#[derive(Default)]
pub(super) struct Beside {
    /// Whether it makes the agent a member of the crowd.
    pub admits: bool,
    /// Whether it has taken the destination of the agent.
    pub has_taken: bool,
    /// Whether it is at rest, and nearer to the destination.
    pub supports: bool,
    /// Whether it has settled in the crowd at the destination, so it stays.
    pub holds: bool,
    /// The distance between the destinations of the two, units.
    pub apart: f32,
}

/// The relation of an agent with the destination at the displacement `to` to `other`, at the displacement `way`.
pub(super) fn beside(agent: &Agent, to: Vector, other: &Neighbor, way: Vector, its: Option<&Settling>) -> Beside {
    let (touch, distance, its_distance) = (agent.radius + other.radius, to.length(), (way - to).length());
    let (is_nearer, is_there) = (its_distance < distance, its_distance < touch);
    let Some((its, place)) = its.and_then(|its| Some((its, agent.to(its.destination?)))) else {
        let has_taken = is_there && other.velocity.length() <= IDLE * agent.max_speed;
        return Beside { admits: has_taken, has_taken, supports: has_taken && is_nearer, ..default() };
    };
    // Its body covers its destination.
    let has_arrived = (way - place).length() < other.radius;
    let competes = competes(to, way, place, touch);
    Beside {
        admits: competes && (distance <= touch || its.in_crowd && is_nearer),
        has_taken: is_there && has_arrived,
        supports: is_nearer && (its.is_settled || has_arrived),
        holds: competes && its.in_crowd && its.is_settled,
        apart: (place - to).length(),
    }
}
