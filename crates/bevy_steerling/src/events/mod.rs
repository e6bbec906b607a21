//! Events that observers receive when something happens to an agent.
//!
//! Agents with [`SteeringEvents`] are watched. Each event is triggered once, when its condition becomes true. Events that could flicker are
//! triggered again only after their condition is clearly over:
//!
//! | event | triggered when | again only after |
//! |---|---|---|
//! | [`TargetLost`] | the target of a behavior is gone | the target was found again |
//! | [`TargetFound`] | a target that was lost is found again, or seen for the first time | it was lost again |
//! | [`Arrived`] | the agent is at the target of a behavior, or rests as near as [others](crate::constraints::settling::Settling) allow | it was twice the arrival distance away and outside the crowd there, or the game has set the behavior |
//! | [`Caught`] | the quarry is within reach | the quarry was twice as far away as the reach |
//! | [`WaypointReached`] | the agent passes a point of its path | it comes to the point again in a later lap |
//! | [`PathFinished`] | the agent is at rest at the end of its path, or as near to it as others allow | the path was replaced |
#![cfg_attr(not(dim3), doc = "| [`WallLost`] | the agent has no wall to follow within its reach | it found a wall |")]
//! | [`Unstuck`] | a stuck agent gets away, reaches its target, or no longer wants to move | – |
//! | [`Stuck`] | the agent has wanted to move for a while but has not moved | it was unstuck |
//! | [`CollisionImminent`] | the agent will soon touch another agent or an obstacle if both keep their velocities | an agent twice as large would not touch it within twice the time |
//!
//! `TargetLost`, `TargetFound`, `Arrived` and `Caught` follow from the
//! [aims](crate::engine::behavior::SteeringBehavior::aims) of behaviors, including a game's own.
//! `WaypointReached` and `PathFinished` follow from [`PathProgress`](crate::behaviors::follow_path::PathProgress).
#![cfg_attr(
    not(dim3),
    doc = "`WallLost` follows from [`FollowWallState`](crate::behaviors::follow_wall::FollowWallState)."
)]
//!
//! # Order
//!
//! Events are detected and triggered at the end of the tick, in [`SteeringSystems::React`]. Agents come in the order of their
//! [`SteeringId`](crate::agent::SteeringId)s, and the events of an agent in the order of the table. Several targets come in the order in
//! which behaviors run. Several collisions come in the order of time; at the same time, agents come before obstacles, and lower ids first.
//! So the order does not depend on entities or on the order of spawning.
//!
//! Observers may do anything. The commands of an observer are applied before the next event. An agent that is despawned or loses
//! [`SteeringEvents`] gets no further events, and no event refers to a despawned entity.

mod aims;
mod bodies;
mod collisions;
mod encounters;
mod happenings;
mod notice;
mod paths;
mod progress;
mod surroundings;
mod targets;
mod types;
#[cfg(not(dim3))]
mod walls;
mod watch;

use bevy::app::{App, Plugin};
use bevy::ecs::schedule::IntoScheduleConfigs;

use crate::engine::registry::Phase;
use crate::perception::PerceptionRadiusSystems;
use crate::perception::neighbors;
use crate::tick::schedule::{SteeringSchedule, SteeringSystems, is_in_use};

pub use bodies::time_to_touch;
#[cfg(not(dim3))]
pub use types::WallLost;
pub use types::{
    Arrived, Caught, CollisionImminent, PathFinished, Stuck, TargetFound, TargetLost, Unstuck, WaypointReached,
};
pub use watch::{EventState, SteeringEvents};

/// Detects events and triggers them.
pub(crate) struct EventsPlugin;

impl Plugin for EventsPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<happenings::Happenings>()
            .init_resource::<aims::WatchedAims>()
            .register_type::<SteeringEvents>()
            .register_type::<EventState>()
            .add_systems(
                SteeringSchedule,
                (
                    collisions::report_perception_radius
                        .in_set(SteeringSystems::Sense)
                        .after(PerceptionRadiusSystems)
                        .before(neighbors::index_neighbors),
                    progress::note_wishes.in_set(SteeringSystems::Constrain).before(Phase::Bodies),
                    (aims::collect_aims, notice::notice, collisions::notice, happenings::trigger_all)
                        .chain()
                        .in_set(SteeringSystems::React),
                )
                    .run_if(is_in_use::<SteeringEvents>),
            );
        #[cfg(not(dim3))]
        app.add_systems(
            SteeringSchedule,
            (
                progress::note_open_ways
                    .in_set(SteeringSystems::Constrain)
                    .after(Phase::AvoidingConstraints)
                    .before(Phase::QueueingConstraints),
                progress::note_waiting.in_set(SteeringSystems::Constrain).after(Phase::QueueingConstraints),
            )
                .run_if(is_in_use::<SteeringEvents>),
        );
    }
}
