//! Events: what happens to agents, triggered for observers.
//!
//! An agent with [`SteeringEvents`] is watched. Each event is triggered once, when it begins. Events that could flicker are triggered
//! again only after they are clearly over:
//!
//! | event | triggered when | again only after |
//! |---|---|---|
//! | [`TargetLost`] | the target of a behavior is gone | the target was found again |
//! | [`Arrived`] | the agent is at the target of a behavior | it was twice as far away |
//! | [`Caught`] | the quarry is within reach | the quarry was twice as far away |
//! | [`Unstuck`] | a stuck agent gets away or no longer wants to | – |
//! | [`Stuck`] | the agent wants to move and has not for a while | it was unstuck |
//! | [`CollisionImminent`] | the agent will touch another agent or an obstacle soon, if both keep their velocities | an agent twice as large would not touch it within twice the time |
//!
//! A behavior raises `TargetLost`, `Arrived` and `Caught` through its [aims](crate::engine::behavior::SteeringBehavior::aims); a game's own
//! behaviors do as well.
//!
//! # Order
//!
//! All events are detected in [`SteeringSystems::React`](crate::tick::schedule::SteeringSystems::React), at the end of the tick, and
//! triggered right then: agent by agent in the order of their [`SteeringId`](crate::agent::SteeringId)s, and for each agent in the order
//! of the table above. Several targets come in the order in which behaviors run, several collisions soonest first; of collisions at the
//! same time agents come before obstacles, and smaller numbers first. So the order does not depend on that of entities or of spawning.
//!
//! Observers may do anything. The commands of one observer are applied before the next event. An agent that is despawned by an observer,
//! or loses [`SteeringEvents`], gets no further events, and no event names an entity that is gone.

mod collisions;
mod happenings;
mod notice;
mod progress;
mod surroundings;
mod targets;
mod types;
mod watch;

use bevy::app::{App, Plugin};
use bevy::ecs::schedule::IntoScheduleConfigs;
use bevy::ecs::schedule::common_conditions::any_with_component;

use crate::engine::maneuver;
use crate::engine::registry::Phase;
use crate::perception::PerceptionRadiusSystems;
use crate::perception::neighbors;
use crate::tick::schedule::{SteeringSchedule, SteeringSystems};

pub use collisions::time_to_touch;
pub use types::{Arrived, Caught, CollisionImminent, Stuck, TargetLost, Unstuck};
pub use watch::{EventState, SteeringEvents};

/// Detects events and triggers them.
pub(crate) struct EventsPlugin;

impl Plugin for EventsPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<happenings::Happenings>()
            .init_resource::<targets::WatchedAims>()
            .register_type::<SteeringEvents>()
            .register_type::<EventState>()
            .add_systems(
                SteeringSchedule,
                (
                    collisions::report_perception_radius
                        .in_set(SteeringSystems::Sense)
                        .after(PerceptionRadiusSystems)
                        .before(neighbors::index_neighbors),
                    progress::note_wishes.in_set(SteeringSystems::Constrain).before(maneuver::turn_bodies),
                    progress::note_open_ways
                        .in_set(SteeringSystems::Constrain)
                        .after(Phase::AvoidingConstraints)
                        .before(Phase::QueueingConstraints),
                    progress::note_waiting.in_set(SteeringSystems::Constrain).after(Phase::QueueingConstraints),
                    (targets::collect_aims, notice::notice, happenings::trigger_all)
                        .chain()
                        .in_set(SteeringSystems::React),
                )
                    .run_if(any_with_component::<SteeringEvents>),
            );
    }
}
