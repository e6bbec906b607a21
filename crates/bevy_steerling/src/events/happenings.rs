//! The events of a tick, collected and triggered at its end.

use alloc::vec::Vec;
use core::mem;

use bevy::prelude::*;

use crate::agent::SteeringId;
#[cfg(not(dim3))]
use crate::events::types::WallLost;
use crate::events::types::{
    Arrived, Caught, CollisionImminent, PathFinished, Stuck, TargetFound, TargetLost, Unstuck, WaypointReached,
};
use crate::events::watch::SteeringEvents;

/// The events of a tick, to be triggered at its end.
#[derive(Resource, Default)]
pub(super) struct Happenings(pub Vec<(SteeringId, Place, Happening)>);

/// The place of an event among those of agents with the same id: the number of the agent in the world, whether the event is an imminent
/// collision, and its number.
pub(super) type Place = (usize, bool, usize);

pub(super) enum Happening {
    TargetLost(TargetLost),
    TargetFound(TargetFound),
    Arrived(Arrived),
    Caught(Caught),
    WaypointReached(WaypointReached),
    PathFinished(PathFinished),
    #[cfg(not(dim3))]
    WallLost(WallLost),
    Unstuck(Unstuck),
    Stuck(Stuck),
    CollisionImminent(CollisionImminent),
}

impl Happening {
    /// The agent, and the other entity that the event refers to.
    fn entities(&self) -> (Entity, Option<Entity>) {
        match *self {
            Self::TargetLost(TargetLost { entity, .. })
            | Self::TargetFound(TargetFound { entity, .. })
            | Self::Arrived(Arrived { entity, .. })
            | Self::WaypointReached(WaypointReached { entity, .. })
            | Self::PathFinished(PathFinished { entity })
            | Self::Unstuck(Unstuck { entity })
            | Self::Stuck(Stuck { entity, .. }) => (entity, None),
            #[cfg(not(dim3))]
            Self::WallLost(WallLost { entity }) => (entity, None),
            Self::Caught(Caught { entity, quarry }) => (entity, Some(quarry)),
            Self::CollisionImminent(CollisionImminent { entity, other, .. }) => (entity, Some(other)),
        }
    }

    fn trigger(self, world: &mut World) {
        match self {
            Self::TargetLost(event) => world.trigger(event),
            Self::TargetFound(event) => world.trigger(event),
            Self::Arrived(event) => world.trigger(event),
            Self::Caught(event) => world.trigger(event),
            Self::WaypointReached(event) => world.trigger(event),
            Self::PathFinished(event) => world.trigger(event),
            #[cfg(not(dim3))]
            Self::WallLost(event) => world.trigger(event),
            Self::Unstuck(event) => world.trigger(event),
            Self::Stuck(event) => world.trigger(event),
            Self::CollisionImminent(event) => world.trigger(event),
        }
    }
}

/// Triggers all events in order.
pub(super) fn trigger_all(world: &mut World) {
    let mut happenings = mem::take(&mut world.resource_mut::<Happenings>().0);
    happenings.sort_unstable_by_key(|(id, place, _)| (*id, *place));
    for (.., happening) in happenings.drain(..) {
        let (agent, other) = happening.entities();
        let is_there = |entity| world.get_entity(entity).is_ok();
        if world.get::<SteeringEvents>(agent).is_some() && other.is_none_or(is_there) {
            happening.trigger(world);
            world.flush();
        }
    }
    // The list keeps its capacity.
    world.resource_mut::<Happenings>().0 = happenings;
}
