//! Counts of events.

use bevy::prelude::*;
use bevy_steerling::prelude::*;
use serde::Serialize;

/// The number of each kind of event, in the order in which they are triggered within a tick.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct EventCounts {
    /// A behavior lost its target.
    pub target_lost: u64,
    /// A behavior found a target that it had lost.
    pub target_found: u64,
    /// An agent arrived at its target.
    pub arrived: u64,
    /// A pursuer caught its quarry.
    pub caught: u64,
    /// A stuck agent made progress again.
    pub unstuck: u64,
    /// An agent got stuck.
    pub stuck: u64,
    /// An agent was about to collide with another one or with an obstacle.
    pub collision_imminent: u64,
}

/// Counts the events from now on.
pub(crate) fn count(app: &mut App) {
    app.init_resource::<EventCounts>()
        .add_observer(|_: On<TargetLost>, mut counts: ResMut<EventCounts>| counts.target_lost += 1)
        .add_observer(|_: On<TargetFound>, mut counts: ResMut<EventCounts>| counts.target_found += 1)
        .add_observer(|_: On<Arrived>, mut counts: ResMut<EventCounts>| counts.arrived += 1)
        .add_observer(|_: On<Caught>, mut counts: ResMut<EventCounts>| counts.caught += 1)
        .add_observer(|_: On<Unstuck>, mut counts: ResMut<EventCounts>| counts.unstuck += 1)
        .add_observer(|_: On<Stuck>, mut counts: ResMut<EventCounts>| counts.stuck += 1)
        .add_observer(|_: On<CollisionImminent>, mut counts: ResMut<EventCounts>| counts.collision_imminent += 1);
}
