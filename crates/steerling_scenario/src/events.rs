//! What happens to the agents that a scenario watches, counted.

use bevy::prelude::*;
use bevy_steerling::prelude::*;
use serde::Serialize;

/// How often each event was told, in the order in which they are within a tick.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct EventCounts {
    /// How often a behavior's target was gone.
    pub target_lost: u64,
    /// How often an agent was at its target.
    pub arrived: u64,
    /// How often a pursuer had its quarry within reach.
    pub caught: u64,
    /// How often an agent that was stuck got on.
    pub unstuck: u64,
    /// How often an agent was stuck.
    pub stuck: u64,
    /// How often an agent was about to run into another one or an obstacle.
    pub collision_imminent: u64,
}

/// Counts what happens from now on.
pub(crate) fn count(app: &mut App) {
    app.init_resource::<EventCounts>()
        .add_observer(|_: On<TargetLost>, mut counts: ResMut<EventCounts>| counts.target_lost += 1)
        .add_observer(|_: On<Arrived>, mut counts: ResMut<EventCounts>| counts.arrived += 1)
        .add_observer(|_: On<Caught>, mut counts: ResMut<EventCounts>| counts.caught += 1)
        .add_observer(|_: On<Unstuck>, mut counts: ResMut<EventCounts>| counts.unstuck += 1)
        .add_observer(|_: On<Stuck>, mut counts: ResMut<EventCounts>| counts.stuck += 1)
        .add_observer(|_: On<CollisionImminent>, mut counts: ResMut<EventCounts>| counts.collision_imminent += 1);
}
