//! Steering behaviors for Bevy: agents that seek, flee, arrive, pursue, evade, match velocities, wander, flock, keep apart,
//! stay in a region, avoid obstacles and each other, and queue.
//!
//! Add [`SteeringPlugin`], spawn entities with behaviors, and they move:
//!
//! ```
//! use bevy::prelude::*;
//! use bevy_steerling::prelude::*;
//!
//! fn main() {
//!     App::new()
//!         // In a game: DefaultPlugins
//!         .add_plugins(MinimalPlugins)
//!         .add_plugins(SteeringPlugin::default())
//!         .add_systems(Startup, setup)
//! #       .update();
//! #   App::new()
//!         .run();
//! }
//!
//! fn setup(mut commands: Commands) {
//!     let prey = commands.spawn((Wander::default(), Transform::from_xyz(100.0, 0.0, 0.0))).id();
//!     commands.spawn((
//!         Pursue::new(prey),
//!         SteeringAgent { max_speed: 120.0, max_force: 400.0, ..default() },
//!         Transform::from_xyz(-100.0, 0.0, 0.0),
//!     ));
//! }
//! ```
//!
//! # How it works
//!
//! Each behavior is a component. Every tick (of `FixedUpdate`, unless the plugin is told otherwise) it adds what it wants
//! to the agent's [`SteeringForce`], times its weight. Then force, mass and max speed make the
//! agent's [`Velocity`], and that moves its `Transform`:
//!
//! | | |
//! |---|---|
//! | force | `F = Σ weightᵢ · contributionᵢ`, at most `max_force` long |
//! | velocity | `v' = v + F/m · h`, at most `max_speed` long |
//! | position | `p' = p + v' · h` |
//!
//! with the mass `m` and the length `h` of the tick. A behavior that desires a velocity `u` contributes `(u − v)/h`, or
//! `(u − v)/τ` on an agent with a response time `τ`; that is the classic *steering = desired − velocity* (Craig Reynolds,
//! Steering Behaviors for Autonomous Characters, GDC 1999), in units of force, so that motion depends on the tick rate as
//! little as can be.
//!
//! | behavior | what it does |
//! |---|---|
//! | [`Seek`] | runs to a target at full speed, and past it |
//! | [`Flee`] | runs away from it |
//! | [`Arrive`] | goes to a target and stops there |
//! | [`Pursue`] | runs to where a moving target will be |
//! | [`Evade`] | runs away from where it will be |
//! | [`MatchVelocity`] | moves as a target does |
//! | [`Wander`] | roams about |
//! | [`Separation`] | keeps away from other agents |
//! | [`Alignment`] | moves as the agents around it do |
//! | [`Cohesion`] | stays with the agents around it |
//! | [`Flock`] | all three of these, faster |
//! | [`Contain`] | stays in a region whatever all those want |
//! | [`AvoidObstacles`] | goes round what is in the way of all that |
//! | [`AvoidNeighbors`] | goes past other agents without touching them |
//! | [`Queue`] | waits its turn instead of pushing in |
//!
//! Behaviors of your own are made in the same way; see [`SteeringBehavior`]. They are wishes: where forces do not suffice, bodies
//! that are [`Solid`] are kept out of each other and out of obstacles.
//!
//! Positions are those of root entities, in the plane of x and y. The crate draws nothing and needs no renderer; for
//! motion that is smooth at any display rate, interpolate transforms between ticks, for instance with
//! `bevy_transform_interpolation`.
//!
//! # Results repeat
//!
//! The same agents with the same [`SteeringSeed`] move in the same way, bit for bit, on one thread
//! and many, in debug and release builds. With the feature `libm` that holds across platforms too.

#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

use bevy::app::{App, FixedUpdate, Plugin};
use bevy::ecs::intern::Interned;
use bevy::ecs::schedule::common_conditions::any_with_component;
use bevy::ecs::schedule::{IntoScheduleConfigs, ScheduleLabel};
use bevy::time::Time;

pub mod agent;
pub mod behavior;
pub mod behaviors;
pub mod bounds;
pub mod facing;
mod field_of_view;
pub mod flocking;
mod heading;
mod integrate;
pub mod interception;
pub mod math;
pub mod neighbors;
pub mod obstacles;
pub mod prediction;
pub mod random;
pub mod regions;
mod restraint;
pub mod schedule;
mod sine;
pub mod solid;
pub mod target;

/// Everything a game usually needs.
pub mod prelude {
    pub use bevy::ecs::system::SystemParamItem;

    pub use crate::SteeringPlugin;
    pub use crate::agent::{ExternalMovement, SteeringAgent, SteeringForce, SteeringGroups, SteeringId, Velocity};
    pub use crate::behavior::{Agent, SteeringAppExt, SteeringBehavior};
    pub use crate::behaviors::alignment::Alignment;
    pub use crate::behaviors::arrive::{Arrive, SlowingRadius};
    pub use crate::behaviors::avoid_neighbors::AvoidNeighbors;
    pub use crate::behaviors::avoid_obstacles::{AvoidObstacles, AvoidSide, AvoidSteer, Detection};
    pub use crate::behaviors::cohesion::Cohesion;
    pub use crate::behaviors::contain::Contain;
    pub use crate::behaviors::evade::Evade;
    pub use crate::behaviors::flee::Flee;
    pub use crate::behaviors::flock::{Flock, FlockPart};
    pub use crate::behaviors::match_velocity::MatchVelocity;
    pub use crate::behaviors::pursue::Pursue;
    pub use crate::behaviors::queue::{Queue, QueueStyle};
    pub use crate::behaviors::seek::Seek;
    pub use crate::behaviors::separation::Separation;
    pub use crate::behaviors::wander::{Drive, Wander};
    pub use crate::bounds::{Edge, SteeringBounds};
    pub use crate::facing::FaceVelocity;
    pub use crate::flocking::{GroupWeight, GroupWeights};
    pub use crate::neighbors::{Neighbor, Neighbors};
    pub use crate::obstacles::{IndexedObstacle, Obstacle, ObstacleShape, Obstacles, PlacedShape};
    pub use crate::prediction::Prediction;
    pub use crate::random::{SteeringRng, SteeringSeed};
    pub use crate::regions::Region;
    pub use crate::schedule::{RunSteeringSystems, SteeringSchedule, SteeringSystems, SteeringThreads};
    pub use crate::solid::Solid;
    pub use crate::target::{Kinematics, Target, Targets};
}

use behavior::BehaviorSystems;
use behaviors::avoid_neighbors;
use prelude::*;

/// Makes entities with behaviors move, once per tick of a schedule: `FixedUpdate` by default.
///
/// The length of a tick is that of `Res<Time>` in that schedule; without Bevy's `TimePlugin` (part of `DefaultPlugins` and
/// `MinimalPlugins`) time stands still.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # App::new()
/// .add_plugins(SteeringPlugin::default())
/// # ;
/// # App::new()
/// // or once per frame:
/// .add_plugins(SteeringPlugin::new(Update))
/// # ;
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SteeringPlugin {
    schedule: Interned<dyn ScheduleLabel>,
}

impl SteeringPlugin {
    /// Steers in `schedule`.
    pub fn new(schedule: impl ScheduleLabel) -> Self {
        Self { schedule: schedule.intern() }
    }
}

impl Default for SteeringPlugin {
    fn default() -> Self {
        Self::new(FixedUpdate)
    }
}

impl Plugin for SteeringPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Time>()
            .init_resource::<agent::NextSteeringId>()
            .init_resource::<SteeringBounds>()
            .init_resource::<SteeringSeed>()
            .init_resource::<SteeringThreads>()
            .init_resource::<Neighbors>()
            .init_resource::<Obstacles>()
            .register_type::<SteeringAgent>()
            .register_type::<Velocity>()
            .register_type::<SteeringForce>()
            .register_type::<SteeringId>()
            .register_type::<SteeringGroups>()
            .register_type::<GroupWeights>()
            .register_type::<agent::NextSteeringId>()
            .register_type::<ExternalMovement>()
            .register_type::<avoid_neighbors::Intent>()
            .register_type::<FaceVelocity>()
            .register_type::<Obstacle>()
            .register_type::<Solid>()
            .register_type::<SteeringBounds>()
            .register_type::<SteeringSeed>()
            .register_type::<SteeringThreads>()
            .init_schedule(SteeringSchedule)
            .edit_schedule(SteeringSchedule, schedule::configure)
            .add_systems(self.schedule, schedule::run_steering.in_set(RunSteeringSystems));

        app.configure_sets(
            SteeringSchedule,
            (
                behavior::LookSystems.in_set(SteeringSystems::Sense),
                (BehaviorSystems::BuiltIn, BehaviorSystems::Users).chain().in_set(SteeringSystems::Steer),
                (BehaviorSystems::Restraining, BehaviorSystems::Avoiding, BehaviorSystems::Queueing)
                    .chain()
                    .in_set(SteeringSystems::Restrain),
            ),
        )
        .add_systems(
            SteeringSchedule,
            (
                (
                    integrate::clear_forces,
                    neighbors::forget_sight.before(behavior::LookSystems),
                    neighbors::index_neighbors.after(behavior::LookSystems),
                    obstacles::index_obstacles,
                )
                    .in_set(SteeringSystems::Sense),
                avoid_neighbors::note_intents
                    .in_set(SteeringSystems::Restrain)
                    .after(BehaviorSystems::Restraining)
                    .before(BehaviorSystems::Avoiding),
                behaviors::queue::note_wishes
                    .in_set(SteeringSystems::Restrain)
                    .after(BehaviorSystems::Avoiding)
                    .before(BehaviorSystems::Queueing),
                (integrate::integrate, integrate::integrate_queued, integrate::limit_forces, facing::face_velocity)
                    .chain()
                    .in_set(SteeringSystems::Integrate),
                (
                    // Obstacles may have moved since the tick began.
                    (obstacles::index_obstacles, solid::stop_before_walls).chain().run_if(any_with_component::<Solid>),
                    bounds::confine,
                    solid::keep_apart.run_if(any_with_component::<Solid>),
                )
                    .chain()
                    .in_set(SteeringSystems::Confine),
            ),
        );
        behaviors::register(app);
        agent::number_early_agents(app.world_mut());
    }
}
