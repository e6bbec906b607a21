//! The data of each agent in the index.

use bevy::prelude::*;

use crate::agent::random::{direction_from, mix};
use crate::agent::{GroupMask, SteeringId};
use crate::math::Vector;

/// Another agent, as it was at the start of the tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbor {
    /// The entity.
    pub entity: Entity,
    /// The id.
    pub id: SteeringId,
    /// The position, units. In a world that wraps, it is within the area.
    pub position: Vector,
    /// The velocity, units/s; zero if it is not finite.
    pub velocity: Vector,
    /// The radius of the body, units, ≥ 0.
    pub radius: f32,
    /// The groups that the agent belongs to: see [`SteeringGroups`](crate::agent::SteeringGroups).
    pub groups: GroupMask,
}

/// The position and the velocity of an agent: all that most searches need.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Body {
    pub position: Vector,
    pub velocity: Vector,
}

/// The data that does not change from tick to tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record {
    pub entity: Entity,
    pub id: SteeringId,
    pub radius: f32,
    pub groups: GroupMask,
}

/// Where the record of an entity is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Known {
    pub generation: u32,
    /// The index in `records` plus one; zero if the entity is not an agent.
    pub next: u32,
}

/// The direction from `me` to an agent in exactly the same place. For `other`, it is the opposite one.
pub(crate) fn direction_to_coincident(me: SteeringId, other: SteeringId) -> Vector {
    let (low, high) = (me.min(other), me.max(other));
    let direction = direction_from(mix(low.get()) ^ high.get());
    if me == low { direction } else { -direction }
}
