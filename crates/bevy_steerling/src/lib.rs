//! Steering behaviors for Bevy: put components like [`Seek`], [`Pursue`] or [`Wander`] on entities, and they move like living things.
//!
//! Agents seek, flee, arrive, pursue, evade, match velocities, wander, flock, keep apart,
//! stay in a region, avoid obstacles and each other, and queue. No physics engine is needed, and any can take over. The crate draws nothing
//! and needs no renderer.
//!
//! # Five minutes
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
//!     // In a game: a Camera2d, and a Sprite on each of these
//!     let prey = commands.spawn((Wander::default(), Transform::from_xyz(100.0, 0.0, 0.0))).id();
//!     commands.spawn((
//!         Pursue::new(prey),
//!         SteeringAgent { max_speed: 120.0, max_force: 400.0, ..default() },
//!         Transform::from_xyz(-100.0, 0.0, 0.0),
//!     ));
//! }
//! ```
//!
//! The prey roams about. The other agent, which is a little faster, runs to where the prey will be, meets it, runs past it and
//! turns back. To turn a behavior on, insert its component; to turn it off, remove it. Several on one agent add up, each with its weight:
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_steerling::prelude::*;
//! # fn setup(mut commands: Commands) {
//! commands.spawn((Obstacle::new(Circle::new(40.0)), Transform::from_xyz(100.0, 0.0, 0.0)));
//! commands.spawn((
//!     Wander::default(),
//!     Flee::new(Vec2::ZERO).with_panic_distance(80.0).with_weight(4.0),
//!     AvoidObstacles::default(),
//!     FaceVelocity::default(),
//!     Transform::from_xyz(200.0, 0.0, 0.0),
//! ));
//! # }
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
//! Mass, max speed, max force and radius are in [`SteeringAgent`], which every behavior brings along. Positions are those of root
//! entities, in the plane of x and y. For motion that is smooth at any display rate, interpolate transforms between ticks, for instance with
//! `bevy_transform_interpolation`.
//!
//! # Behaviors
//!
//! Each has a page with a figure, its formula, its parameters, when to use it and what it combines with.
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
//! A [`Target`] is a place, an entity or a group of agents. Behaviors of your own are made in the same way; see [`SteeringBehavior`].
//! Instead of adding up, contributions can be taken by priority: see [`Arbitration`]. What each behavior wanted, and what became of it, a
//! [`SteeringTrace`] tells.
//! A body that cannot go any way at any moment, a car or a ship, has [`BodyLimits`]; what knocks an agent back is an [`Knockback`].
//!
//! Beside them:
//!
//! | | |
//! |---|---|
//! | [`Obstacle`] | what stands, or moves, in the way |
//! | [`Solid`] | bodies that cannot be entered: behaviors are wishes, and where forces do not suffice this keeps bodies apart |
//! | [`SteeringBounds`] | a world whose edges wrap or bounce |
//! | [`FaceVelocity`] | turns an agent where it moves |
//! | [`SteeringGroups`], [`GroupWeights`] | who belongs to whom, and how much that counts |
//! | [`Neighbors`] | who is near, for behaviors and for the rest of the game |
//! | [`ExternalMovement`] | for agents that a physics engine or the player moves |
//!
//! # The order of a tick
//!
//! The systems run in a schedule of their own, [`SteeringSchedule`], in the sets of [`SteeringSystems`]:
//!
//! | set | what happens |
//! |---|---|
//! | [`Sense`](SteeringSystems::Sense) | forces are cleared, the indexes of neighbors and obstacles are brought up to date |
//! | [`Steer`](SteeringSystems::Steer) | behaviors add up what they want, then those of your own |
//! | [`Constrain`](SteeringSystems::Constrain) | Contain, `AvoidObstacles`, `AvoidNeighbors` and Queue bend the sum |
//! | [`Integrate`](SteeringSystems::Integrate) | the sum becomes velocity and movement; then facing |
//! | [`Confine`](SteeringSystems::Confine) | the edges of the world, solid bodies |
//! | [`React`](SteeringSystems::React) | [events] are told; for what a game does about the result |
//!
//! Nothing moves before `Integrate`: all behaviors see the same picture. In the schedule of the plugin all of this is one set,
//! [`RunSteeringSystems`], to order your own systems against.
//!
//! What happens to agents that have [`SteeringEvents`] is told to observers: [`Arrived`], [`TargetLost`], [`Caught`], [`Stuck`],
//! [`Unstuck`], [`CollisionImminent`]. See [`events`] for what is told when, and in which order.
//!
//! # Results repeat
//!
//! The same agents with the same [`SteeringSeed`] move in the same way, bit for bit, on one thread
//! and many, in debug and release builds. With the feature `libm` that holds across platforms too. No input gives NaN, and a target
//! that is gone is no panic.
//!
//! # Features
//!
//! | feature | |
//! |---|---|
//! | `std` (default) | the standard library; without it enable `libm` |
//! | `serialize` | serde for all components and resources, also through reflection |
//! | `libm` | the same sines and cosines, so the same results, on every platform |
//!
//! # Where to go next
//!
//! The pages of the behaviors; [`SteeringBehavior`] for your own; [`schedule`] for what runs when. In the repository: `docs/concepts.md` for the
//! ideas, `docs/recipes.md` for guards, crowds and physics bodies, `docs/migration.md` for those who have seek code already,
//! `docs/scenario_guide.md` for scenes as files, and sixteen scenes to run with `cargo run --example NAME`.

#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

use bevy::app::{App, FixedUpdate, Plugin};
use bevy::ecs::intern::Interned;
use bevy::ecs::schedule::ScheduleLabel;

pub mod agent;
pub mod behaviors;
pub mod constraints;
#[cfg(feature = "debug")]
pub mod debug;
pub mod engine;
pub mod events;
pub mod math;
pub mod motion;
pub mod perception;
pub mod tick;
pub mod world;

/// Everything that a game usually needs. To write behaviors, use the [`behavior_prelude`] too.
pub mod prelude {
    pub use crate::SteeringPlugin;
    pub use crate::agent::random::SteeringSeed;
    pub use crate::agent::{
        BodyLimits, ExternalMovement, GroupMask, SteeringAgent, SteeringForce, SteeringGroups, SteeringId, Velocity,
    };
    pub use crate::behaviors::alignment::Alignment;
    pub use crate::behaviors::arrive::Arrive;
    pub use crate::behaviors::avoid_with_feelers::AvoidWithFeelers;
    pub use crate::behaviors::cohesion::Cohesion;
    pub use crate::behaviors::evade::Evade;
    pub use crate::behaviors::flee::Flee;
    pub use crate::behaviors::flock::{Flock, FlockPart};
    pub use crate::behaviors::match_velocity::MatchVelocity;
    pub use crate::behaviors::pursue::Pursue;
    pub use crate::behaviors::seek::Seek;
    pub use crate::behaviors::separation::Separation;
    pub use crate::behaviors::wander::Wander;
    pub use crate::constraints::avoid_neighbors::AvoidNeighbors;
    pub use crate::constraints::avoid_obstacles::AvoidObstacles;
    pub use crate::constraints::classic_queue::{ClassicQueue, ClassicQueueStyle};
    pub use crate::constraints::contain::Contain;
    pub use crate::constraints::queue::Queue;
    pub use crate::engine::arbitration::{Arbitration, ArbitrationMode};
    pub use crate::engine::contribution::Contribution;
    pub use crate::engine::name::BehaviorName;
    pub use crate::engine::registry::SteeringAppExt;
    pub use crate::engine::trace::SteeringTrace;
    pub use crate::events::{Arrived, Caught, CollisionImminent, SteeringEvents, Stuck, TargetLost, Unstuck};
    pub use crate::math::space::SteeringBounds;
    pub use crate::motion::facing::FaceVelocity;
    pub use crate::motion::knockback::Knockback;
    pub use crate::perception::flocking::GroupWeights;
    pub use crate::perception::neighbors::Neighbors;
    pub use crate::perception::obstacles::{Obstacle, ObstacleShape, Obstacles};
    pub use crate::perception::prediction::Prediction;
    pub use crate::perception::regions::Region;
    pub use crate::perception::target::{Target, Targets};
    pub use crate::tick::schedule::{RunSteeringSystems, SteeringSchedule, SteeringSystems, SteeringThreads};
    pub use crate::world::solid::Solid;
}

/// What it takes to write behaviors and constraints, besides the [`prelude`].
pub mod behavior_prelude {
    pub use bevy::ecs::system::SystemParamItem;

    pub use crate::agent::random::SteeringRng;
    pub use crate::agent::{Agent, HardStop};
    pub use crate::engine::approach::Approach;
    pub use crate::engine::behavior::{Aim, Arrival, Stateless, SteeringBehavior};
    pub use crate::engine::constraint::SteeringConstraint;
    pub use crate::engine::figure::Figure;
    pub use crate::engine::wish::Wish;
    pub use crate::math::{normalize, truncate};
    pub use crate::perception::neighbors::Neighbor;
    pub use crate::perception::obstacles::{IndexedObstacle, PlacedShape};
    pub use crate::perception::target::Kinematics;
}

/// The pages in `docs`, whose code is compiled with the tests.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../../docs/concepts.md")]
    struct Concepts;
    #[doc = include_str!("../../../docs/recipes.md")]
    struct Recipes;
    #[doc = include_str!("../../../docs/migration.md")]
    struct Migration;
}

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
        app.add_plugins((
            tick::TickPlugin { schedule: self.schedule },
            agent::AgentPlugin,
            perception::PerceptionPlugin,
            engine::EnginePlugin,
            behaviors::BehaviorsPlugin,
            constraints::ConstraintsPlugin,
            motion::MotionPlugin,
            world::WorldPlugin,
            events::EventsPlugin,
        ));
    }
}
