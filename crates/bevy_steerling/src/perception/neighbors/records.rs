//! What the index holds about each agent.

use bevy::prelude::*;

use crate::agent::random::{direction_from, mix};
use crate::agent::{GroupMask, SteeringId};
use crate::math::Vector;

/// Another agent, as it was at the start of the tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbor {
    /// Its entity.
    pub entity: Entity,
    /// Its number.
    pub id: SteeringId,
    /// Position, units. In a world that wraps, within the area.
    pub position: Vector,
    /// Velocity, units per second; zero when it is not finite.
    pub velocity: Vector,
    /// Radius of the body, units, ≥ 0.
    pub radius: f32,
    /// The groups it belongs to: see [`SteeringGroups`](crate::agent::SteeringGroups).
    pub groups: GroupMask,
}

/// The position and the velocity of an agent: all that most searches need.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Body {
    pub position: Vector,
    pub velocity: Vector,
}

/// What does not change from tick to tick.
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
    /// One more than its place in `records`; zero if the entity is no agent.
    pub next: u32,
}

/// The direction from `me` to an agent in exactly the same place. For `other` it is the opposite.
pub(crate) fn direction_to_coincident(me: SteeringId, other: SteeringId) -> Vector {
    let (low, high) = (me.min(other), me.max(other));
    let direction = direction_from(mix(low.get()) ^ high.get());
    if me == low { direction } else { -direction }
}
