//! Everything that steering remembers.

use std::fmt::Debug;

use bevy::ecs::component::Mutable;
use bevy::prelude::*;
use bevy_ggrs::{GgrsSchedule, LoadWorld, LoadWorldSystems, RollbackApp};
use bevy_steerling::agent::{HardStop, RateState, Vehicle};
use bevy_steerling::behaviors::face::FaceState;
use bevy_steerling::behaviors::follow_wall::FollowWallState;
use bevy_steerling::behaviors::hide::HideState;
use bevy_steerling::behaviors::hold::HoldState;
use bevy_steerling::behaviors::leader::LeaderHeading;
use bevy_steerling::behaviors::wander::WanderState;
use bevy_steerling::constraints::avoid_neighbors::{Detour, PreferredVelocity};
use bevy_steerling::constraints::avoid_obstacles::AvoidObstaclesState;
use bevy_steerling::constraints::contain::ContainState;
use bevy_steerling::constraints::queue::QueuePlace;
use bevy_steerling::constraints::settling::Settling;
use bevy_steerling::engine::arbitration::ArbitrationState;
use bevy_steerling::events::EventState;
use bevy_steerling::prelude::*;

use crate::checksums;
use crate::relations::{self, follow_entities};

/// Runs steering in the [`GgrsSchedule`], and registers everything that it remembers for rollback.
///
/// The motion of all entities with `Rollback` takes part in the checksums: their `Transform` and [`Velocity`].
/// [`with_state_checksums`](Self::with_state_checksums) adds the state of behaviors.
#[derive(Clone, Copy, Debug, Default)]
pub struct SteeringRollbackPlugin {
    checksum_state: bool,
}

impl SteeringRollbackPlugin {
    /// Also computes checksums of the state of behaviors and constraints, so that a difference is found before it changes the motion.
    ///
    /// This formats every state in every frame: it is meant for tests. State that refers to entities is left out, because the same agent
    /// may be another entity on another machine.
    #[must_use]
    pub fn with_state_checksums(self) -> Self {
        Self { checksum_state: true }
    }
}

/// Calls a function for each of these types.
macro_rules! each {
    ($function:ident, $app:ident: $($component:ty),+) => {
        $($function::<$component>($app);)+
    };
}

impl Plugin for SteeringRollbackPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(SteeringPlugin::new(GgrsSchedule))
            // The timestep is fixed.
            .insert_resource(LongestTick::UNLIMITED)
            .require_rollback::<SteeringAgent>()
            .require_rollback::<Obstacle>()
            .require_rollback::<FlowField>()
            .rollback_resource_with_copy::<SteeringSeed>()
            .rollback_resource_with_copy::<SteeringBounds>()
            .rollback_resource_with_copy::<SteeringPlane>()
            .rollback_resource_with_copy::<LongestTick>()
            .checksum_component(checksums::of_transform)
            .checksum_component(checksums::of_velocity);
        each!(remember, app: Transform, Velocity, SteeringForce);
        remember_settings(app);
        remember_state(app);
        relations::plugin(app);
        if self.checksum_state {
            checksum_state(app);
        }
    }
}

/// What a game sets.
fn remember_settings(app: &mut App) {
    each!(remember, app: SteeringAgent, SteeringId, SteeringGroups, GroupWeights, ExternalMovement, MovedByForce, BodyLimits, Sight, SteeringRate);
    each!(remember, app: Obstacle, Solid, FlowField, Knockback, FaceVelocity, Arbitration, SteeringTrace, SteeringEvents);
    each!(remember, app: Separation, Alignment, Cohesion, Flock, AvoidWithFeelers, Wander);
    each!(remember, app: AvoidObstacles, AvoidNeighbors, Contain, ClassicQueue, Queue);
    each!(remember_quietly, app: FollowPath, FollowWall, Hold, Formation);
    each!(remember_quietly, app: Arrive, Evade, Face, Flee, FollowField, FollowLeader, Hide, Interpose, MatchVelocity, OffsetPursuit);
    each!(remember_quietly, app: Orbit, Pursue, Seek);
    each!(follow_entities, app: Arrive, Evade, Face, Flee, FollowField, FollowLeader, Hide, Interpose, MatchVelocity);
    each!(follow_entities, app: OffsetPursuit, Orbit, Pursue, Seek);
}

/// What steering writes.
fn remember_state(app: &mut App) {
    each!(remember, app: WanderState, PathProgress, HideState, HoldState, LeaderHeading, FaceState, FollowWallState);
    each!(remember, app: FormationState, FormationSlot, ContainState, AvoidObstaclesState, Detour, PreferredVelocity);
    each!(remember, app: Settling, QueuePlace, HardStop, RateState, Vehicle, ArbitrationState);
    each!(remember_quietly, app: EventState);
    each!(follow_entities, app: HideState, LeaderHeading, FormationState, FormationSlot, EventState);
}

fn checksum_state(app: &mut App) {
    each!(checksum, app: SteeringId, SteeringForce, Knockback);
    each!(checksum, app: WanderState, PathProgress, HoldState, FaceState, FollowWallState, ContainState, AvoidObstaclesState);
    each!(checksum, app: Detour, PreferredVelocity, Settling, QueuePlace, HardStop, RateState, Vehicle, ArbitrationState);
}

fn remember<C: Component<Mutability = Mutable> + Clone>(app: &mut App) {
    app.rollback_component_with_clone::<C>();
}

/// For components of which steering asks whether they have changed: a rollback does not count as a change.
fn remember_quietly<C: Component<Mutability = Mutable> + Clone>(app: &mut App) {
    remember::<C>(app);
    app.add_systems(LoadWorld, relations::forget_changes::<C>.after(LoadWorldSystems::Mapping));
}

fn checksum<C: Component + Debug>(app: &mut App) {
    app.checksum_component::<C>(checksums::of_debug);
}
