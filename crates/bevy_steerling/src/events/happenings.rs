//! The events of a tick, collected and triggered at its end.

use alloc::vec::Vec;
use core::{iter, mem};

use bevy::prelude::*;

use crate::agent::SteeringId;
#[cfg(not(dim3))]
use crate::events::types::WallLost;
use crate::events::types::{
    Arrived, Caught, CollisionImminent, PathFinished, Stuck, TargetFound, TargetLost, Unstuck, WaypointReached,
};
use crate::events::watch::SteeringEvents;

/// The events of a tick, to be triggered at its end. Two lists, each in the order of agents in the world, are sorted much faster than one.
#[derive(Resource, Default)]
pub(super) struct Happenings {
    /// All events except imminent collisions.
    pub usual: Vec<Placed>,
    pub collisions: Vec<Placed>,
}

/// An event and its place.
pub(super) struct Placed {
    pub id: SteeringId,
    /// The index of the agent in the order of the world.
    pub agent: usize,
    /// The number of the event among those of the agent in the same list.
    pub number: usize,
    pub happening: Happening,
}

impl Placed {
    fn key(&self) -> (SteeringId, usize, usize) {
        (self.id, self.agent, self.number)
    }
}

impl Happenings {
    /// Removes all events, in order.
    fn drain(&mut self) -> impl Iterator<Item = Happening> {
        self.usual.sort_unstable_by_key(Placed::key);
        self.collisions.sort_unstable_by_key(Placed::key);
        let (mut usual, mut collisions) = (self.usual.drain(..).peekable(), self.collisions.drain(..).peekable());
        iter::from_fn(move || {
            let agent = |event: &Placed| (event.id, event.agent);
            // Collisions come last.
            let collision = collisions
                .peek()
                .is_some_and(|collision| usual.peek().is_none_or(|usual| agent(collision) < agent(usual)));
            if collision { collisions.next() } else { usual.next() }.map(|event| event.happening)
        })
    }
}

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
    let mut happenings = mem::take(&mut *world.resource_mut::<Happenings>());
    for happening in happenings.drain() {
        let (agent, other) = happening.entities();
        let is_there = |entity| world.get_entity(entity).is_ok();
        if world.get::<SteeringEvents>(agent).is_some() && other.is_none_or(is_there) {
            happening.trigger(world);
            world.flush();
        }
    }
    // The lists keep their capacity.
    *world.resource_mut::<Happenings>() = happenings;
}
