//! Steering behaviors for Bevy: add components such as [`Seek`], [`Pursue`] or [`Wander`] to entities, and they move like living
//! things.
//!
//! Agents seek, flee, arrive, pursue, evade, match velocities, wander, flock, find their way, stay in a region, avoid obstacles and
//! each other, and queue. The crate works with or without a physics engine. It needs no renderer, and draws only with the feature
//! `debug`.
//!
//! # Getting started
//!
//! Add [`SteeringPlugin`] and spawn entities with behaviors:
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
//! The prey wanders. The hunter is a little faster: it heads for the point where it can meet the prey, runs past it, and turns back.
//! Insert a behavior to turn it on, and remove it to turn it off. An agent can have any number of them; each has a weight:
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
//! In each tick (of `FixedUpdate` by default), every behavior of an agent returns a [`Wish`](engine::wish::Wish): usually a velocity,
//! or a place to go to. The engine turns each wish into a force, multiplies it by the behavior's weight and adds it to the agent's
//! [`SteeringForce`]. Then constraints, such as [`AvoidObstacles`], bend the total. Finally the force changes the agent's [`Velocity`],
//! and the velocity moves its `Transform`:
//!
//! | | |
//! |---|---|
//! | force | `F = Σ weightᵢ · forceᵢ`, bent by constraints, at most `max_force` |
//! | velocity | `v' = v + F/m · h`, at most `max_speed` |
//! | position | `p' = p + v' · h` |
//!
//! where `m` is the mass and `h` the length of the tick. The force that answers a wish for a velocity `u` is `(u − v)/τ · min(m, 1)`,
//! where `τ` is the agent's response time, at least one tick. This is the classic *steering = desired − velocity* (Craig Reynolds,
//! Steering Behaviors for Autonomous Characters, GDC 1999) in units of force: the motion hardly depends on the tick rate.
//!
//! [`SteeringAgent`] holds mass, max speed, max force, radius and response time; every behavior requires it. Agents are root entities
//! that move in a [`SteeringPlane`]: that of x and y, or the ground of a 3D world. For smooth motion at any
//! frame rate, interpolate transforms between ticks, for instance with `bevy_transform_interpolation`.
//!
//! # Behaviors
//!
//! Behaviors implement [`SteeringBehavior`](engine::behavior::SteeringBehavior). Each page has a figure, the formula, the parameters,
//! when to use the behavior and what to combine it with. This is the order in which they run, the most urgent first:
//!
//! | behavior | what the agent does |
//! |---|---|
//! | [`Separation`] | keeps away from other agents |
//! | [`AvoidWithFeelers`] | is pushed away from obstacles that its feelers touch |
//! | [`Evade`] | runs away from where a moving target will be |
//! | [`Flee`] | runs away from a target |
//! | [`Hide`] | keeps an obstacle between itself and a target |
//! | [`Pursue`] | runs to where a moving target will be |
//! | [`Arrive`] | goes to a target and stops there |
//! | [`Interpose`] | gets between two targets |
//! | [`FollowPath`] | follows a path, inside a lane around it |
//! | [`InFormation`] | keeps a slot in a [`Formation`] around an anchor |
//! | [`OffsetPursuit`] | keeps a place beside a leader |
//! | [`FollowLeader`] | follows a leader together with others, out of its way |
//! | [`Orbit`] | circles a target at a distance |
//! | [`FollowField`] | goes along the shortest way around obstacles, on a [`FlowField`] that a crowd shares |
//! | [`FollowWall`] | goes along walls at a distance |
//! | [`Seek`] | runs to a target at full speed, and past it |
//! | [`Flock`] | separation, alignment and cohesion in one, faster than the three |
//! | [`Alignment`] | moves at the mean velocity of the agents around it |
//! | [`Cohesion`] | moves toward the center of the agents around it |
//! | [`MatchVelocity`] | moves at the velocity of a target |
//! | [`Wander`] | roams at random |
//! | [`Face`] | looks at a target, without a force |
//!
//! A [`Target`] is a point, an entity, or a group of agents ([`GroupMask`]). By default, the forces of all behaviors are added up; an
//! [`Arbitration`] can put the most urgent ones first. A [`SteeringTrace`] records what each behavior wanted and how much of it was
//! applied.
//!
//! # Constraints
//!
//! Constraints implement [`SteeringConstraint`](engine::constraint::SteeringConstraint). They run after all behaviors, in this order,
//! and bend the total:
//!
//! | constraint | what the agent does |
//! |---|---|
//! | [`Formation`] | waits for the members of its formation |
//! | [`Contain`] | stays inside a region |
//! | [`AvoidObstacles`] | goes around obstacles |
//! | [`AvoidNeighbors`] | passes other agents without touching them |
//! | [`ClassicQueue`] | brakes behind other agents, as in the classic articles |
//! | [`Queue`] | waits in line instead of pushing in |
//!
//! To write your own behaviors and constraints, use the [`behavior_prelude`], and register them with [`SteeringAppExt`].
//!
//! # Other components and resources
//!
//! | | |
//! |---|---|
//! | [`Obstacle`] | a shape that agents avoid; it may move |
//! | [`Solid`] | a body that others cannot enter, for situations in which forces are not enough |
//! | [`BodyLimits`] | a body that has to turn and brake, such as a car or a ship |
//! | [`Knockback`] | an extra velocity, for example from a hit, that decays over time |
//! | [`FaceVelocity`] | turns an agent in the direction in which it moves |
//! | [`ExternalMovement`] | an agent that a physics engine or the player moves |
//! | [`SteeringGroups`], [`GroupWeights`] | the groups of an agent, and how much each group counts |
//! | [`SteeringBounds`] | edges of the world at which agents wrap or bounce |
//! | [`FlowField`] | directions that lead around obstacles to goals, for [`FollowField`] |
//! | [`Neighbors`], [`Obstacles`] | spatial indexes, also for the game's own queries |
//! | [`SteeringEvents`] | triggers [events] for observers: [`Arrived`], [`TargetLost`], [`Caught`], [`WaypointReached`], [`PathFinished`], [`WallLost`], [`Stuck`], [`Unstuck`], [`CollisionImminent`] |
//!
//! # The order of a tick
//!
//! The plugin's systems run in their own schedule, [`SteeringSchedule`], in these [sets](SteeringSystems):
//!
//! | set | what happens |
//! |---|---|
//! | [`Sense`](SteeringSystems::Sense) | forces are cleared, the indexes of neighbors and obstacles are updated |
//! | [`Steer`](SteeringSystems::Steer) | behaviors add their contributions: first the plugin's, then the game's own |
//! | [`Constrain`](SteeringSystems::Constrain) | constraints bend the total: first the game's own, then the plugin's |
//! | [`Integrate`](SteeringSystems::Integrate) | the total becomes velocity and movement; knockbacks; facing |
//! | [`Confine`](SteeringSystems::Confine) | the edges of the world, solid bodies |
//! | [`React`](SteeringSystems::React) | [events] are triggered |
//!
//! Nothing moves before `Integrate`: all behaviors see the same snapshot. To order your own systems against steering as a whole, use
//! the set [`RunSteeringSystems`] in the schedule of the plugin.
//!
//! # Determinism
//!
//! The same agents with the same [`SteeringSeed`] move in the same way: results are bit-identical with any number of threads, and in
//! debug and release builds. With the feature `libm` they are bit-identical across platforms. No input gives NaN, and a despawned
//! target never panics.
//!
//! # Features
//!
//! | feature | |
//! |---|---|
//! | `std` (default) | the standard library; without it, enable `libm` |
//! | `serialize` | serde for all components and resources, also through reflection |
//! | `libm` | software implementations of sine and others: the same results on every platform |
//! | `debug` | uses Bevy's gizmos to draw what agents perceive and want |
//!
//! # Modules
//!
//! Most games need only the [`prelude`]. The rest is ordered by the phases of a tick:
//!
//! | module | contents |
//! |---|---|
//! | [`math`] | vectors, and distances in a world that wraps |
//! | [`agent`] | the components of every agent, groups, limits of the body, random numbers |
//! | [`tick`] | the schedule, its sets, and threads |
//! | [`perception`] | targets, predictions, neighbors, obstacles, flow fields, regions |
//! | [`engine`] | the two traits, wishes, arbitration, traces |
//! | [`behaviors`], [`constraints`] | a module for each |
//! | [`motion`] | knockbacks and facing |
//! | [`world`] | solid bodies |
//! | [`events`] | the events |
//! | `debug` | gizmos |
//!
//! The repository has guides in `docs`: `concepts.md` for the ideas, `recipes.md` for guards, crowds and physics bodies,
//! `migration.md` for games that already have seek code, and `scenario_guide.md` for scenes as files. The scenes in `examples` run with
//! `cargo run --example NAME`.

#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(dim3, allow(dead_code, reason = "some of what planar modules share with others has no user yet"))]

extern crate alloc;

use bevy::app::{App, FixedUpdate, Plugin};
use bevy::ecs::intern::Interned;
use bevy::ecs::schedule::ScheduleLabel;
#[cfg(doc)]
use prelude::*;

pub mod agent;
#[cfg_attr(doc, macro_use)]
pub mod behaviors;
#[cfg(not(dim3))]
pub mod constraints;
#[cfg(all(feature = "debug", not(dim3)))]
pub mod debug;
pub mod engine;
pub mod events;
pub mod math;
pub mod motion;
pub mod perception;
pub mod tick;
pub mod world;

/// What a game usually needs: the plugin, components, resources and events.
///
/// To write behaviors or constraints, add the [`behavior_prelude`].
pub mod prelude {
    pub use crate::SteeringPlugin;
    pub use crate::agent::random::SteeringSeed;
    pub use crate::agent::{
        ExternalMovement, GroupMask, SteeringAgent, SteeringForce, SteeringGroups, SteeringId, Velocity,
    };
    pub use crate::behaviors::alignment::Alignment;
    pub use crate::behaviors::arrive::Arrive;
    pub use crate::behaviors::cohesion::Cohesion;
    pub use crate::behaviors::evade::Evade;
    pub use crate::behaviors::face::Face;
    pub use crate::behaviors::flee::Flee;
    pub use crate::behaviors::flock::{Flock, FlockPart};
    pub use crate::behaviors::interpose::Interpose;
    pub use crate::behaviors::match_velocity::MatchVelocity;
    pub use crate::behaviors::offset_pursuit::OffsetPursuit;
    pub use crate::behaviors::pursue::Pursue;
    pub use crate::behaviors::seek::Seek;
    pub use crate::behaviors::separation::Separation;
    pub use crate::behaviors::wander::Wander;
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
    pub use crate::perception::prediction::Prediction;
    pub use crate::perception::target::{Target, Targets};
    #[cfg(not(dim3))]
    pub use crate::planar_prelude::*;
    pub use crate::tick::schedule::{RunSteeringSystems, SteeringSchedule, SteeringSystems, SteeringThreads};
}

/// What only a game in a plane needs.
#[cfg(not(dim3))]
mod planar_prelude {
    pub use crate::agent::BodyLimits;
    pub use crate::behaviors::avoid_with_feelers::AvoidWithFeelers;
    pub use crate::behaviors::follow_field::FollowField;
    pub use crate::behaviors::follow_leader::FollowLeader;
    pub use crate::behaviors::follow_path::{FollowPath, PathEnd, PathProgress, PathVisit};
    pub use crate::behaviors::follow_wall::FollowWall;
    pub use crate::behaviors::formation::{
        Formation, FormationMembers, FormationSlot, FormationState, InFormation, Pattern, Succession,
    };
    pub use crate::behaviors::hide::Hide;
    pub use crate::behaviors::orbit::Orbit;
    pub use crate::constraints::avoid_neighbors::AvoidNeighbors;
    pub use crate::constraints::avoid_obstacles::AvoidObstacles;
    pub use crate::constraints::classic_queue::{ClassicQueue, ClassicQueueStyle};
    pub use crate::constraints::contain::Contain;
    pub use crate::constraints::queue::Queue;
    pub use crate::events::{PathFinished, WallLost, WaypointReached};
    pub use crate::math::plane::{Front, SteeringPlane};
    pub use crate::perception::flow_field::FlowField;
    pub use crate::perception::obstacles::{Obstacle, ObstacleShape, ObstacleSide, Obstacles};
    pub use crate::perception::path::SteeringPath;
    pub use crate::perception::regions::Region;
    pub use crate::world::solid::Solid;
}

/// What behaviors and constraints of your own need, in addition to the [`prelude`].
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
    #[cfg(not(dim3))]
    pub use crate::perception::obstacles::{IndexedObstacle, PlacedShape};
    pub use crate::perception::target::Kinematics;
}

/// The guides in `docs`: their code runs as doc tests.
#[cfg(all(doctest, not(dim3)))]
mod pages {
    #[doc = include_str!("../../../docs/concepts.md")]
    struct Concepts;
    #[doc = include_str!("../../../docs/recipes.md")]
    struct Recipes;
    #[doc = include_str!("../../../docs/migration.md")]
    struct Migration;
}

/// Steers agents once per run of a schedule, `FixedUpdate` by default.
///
/// The length of a tick is the delta of `Res<Time>` in that schedule. Without Bevy's `TimePlugin` (part of `DefaultPlugins` and
/// `MinimalPlugins`), time stands still and agents do not move.
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
            #[cfg(not(dim3))]
            constraints::ConstraintsPlugin,
            motion::MotionPlugin,
            world::WorldPlugin,
            events::EventsPlugin,
        ));
    }
}
