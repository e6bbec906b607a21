#![cfg_attr(not(dim3), doc = include_str!("overview.md"))]
#![cfg_attr(dim3, doc = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")))]
#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

use bevy::app::{App, FixedUpdate, Plugin};
use bevy::ecs::intern::Interned;
use bevy::ecs::schedule::ScheduleLabel;
#[cfg(doc)]
use prelude::*;

pub mod agent;
#[cfg_attr(doc, macro_use)]
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

/// The types that most games need: the plugin, components, resources and events.
///
/// To write your own behaviors or constraints, add the [`behavior_prelude`].
pub mod prelude {
    pub use crate::SteeringPlugin;
    pub use crate::agent::random::SteeringSeed;
    pub use crate::agent::{
        ExternalMovement, GroupMask, MovedByForce, SteeringAgent, SteeringForce, SteeringGroups, SteeringId,
        SteeringRate, Velocity,
    };
    pub use crate::behaviors::alignment::Alignment;
    pub use crate::behaviors::arrive::Arrive;
    pub use crate::behaviors::avoid_with_feelers::AvoidWithFeelers;
    pub use crate::behaviors::cohesion::Cohesion;
    pub use crate::behaviors::evade::Evade;
    pub use crate::behaviors::face::Face;
    pub use crate::behaviors::flee::Flee;
    pub use crate::behaviors::flock::{Flock, FlockPart};
    pub use crate::behaviors::follow_field::FollowField;
    pub use crate::behaviors::follow_leader::FollowLeader;
    pub use crate::behaviors::follow_path::{FollowPath, PathEnd, PathProgress, PathVisit};
    pub use crate::behaviors::formation::{
        Formation, FormationMembers, FormationSlot, FormationState, InFormation, Pattern, Succession,
    };
    pub use crate::behaviors::hide::Hide;
    pub use crate::behaviors::hold::Hold;
    pub use crate::behaviors::interpose::Interpose;
    pub use crate::behaviors::match_velocity::MatchVelocity;
    pub use crate::behaviors::offset_pursuit::OffsetPursuit;
    pub use crate::behaviors::orbit::Orbit;
    pub use crate::behaviors::pursue::Pursue;
    pub use crate::behaviors::seek::Seek;
    pub use crate::behaviors::separation::Separation;
    pub use crate::behaviors::wander::Wander;
    pub use crate::constraints::avoid_neighbors::AvoidNeighbors;
    pub use crate::constraints::avoid_obstacles::AvoidObstacles;
    pub use crate::constraints::contain::Contain;
    pub use crate::engine::arbitration::{Arbitration, ArbitrationMode};
    pub use crate::engine::contribution::Contribution;
    pub use crate::engine::name::BehaviorName;
    pub use crate::engine::registry::SteeringAppExt;
    pub use crate::engine::trace::SteeringTrace;
    pub use crate::events::{
        Arrived, Caught, CollisionImminent, PathFinished, SteeringEvents, Stuck, TargetFound, TargetLost, Unstuck,
        WaypointReached,
    };
    pub use crate::math::space::SteeringBounds;
    pub use crate::motion::facing::FaceVelocity;
    pub use crate::motion::knockback::Knockback;
    pub use crate::perception::flocking::GroupWeights;
    pub use crate::perception::flow_field::FlowField;
    pub use crate::perception::neighbors::Neighbors;
    #[cfg(dim3)]
    pub use crate::perception::obstacles::ConvexHull;
    pub use crate::perception::obstacles::{Obstacle, ObstacleFilter, ObstacleShape, ObstacleSide, Obstacles};
    pub use crate::perception::path::SteeringPath;
    pub use crate::perception::prediction::Prediction;
    pub use crate::perception::regions::Region;
    pub use crate::perception::sight::Sight;
    pub use crate::perception::target::{Target, Targets};
    #[cfg(not(dim3))]
    pub use crate::planar_prelude::*;
    pub use crate::tick::longest::LongestTick;
    pub use crate::tick::schedule::{RunSteeringSystems, SteeringSchedule, SteeringSystems, SteeringThreads};
    pub use crate::world::solid::Solid;
}

/// The items of the prelude that exist only in the plane.
#[cfg(not(dim3))]
mod planar_prelude {
    pub use crate::agent::BodyLimits;
    pub use crate::behaviors::follow_wall::FollowWall;
    pub use crate::constraints::classic_queue::{ClassicQueue, ClassicQueueStyle};
    pub use crate::constraints::queue::Queue;
    pub use crate::events::WallLost;
    pub use crate::math::plane::{Front, SteeringPlane};
}

/// The types needed to write custom behaviors and constraints, in addition to the [`prelude`].
pub mod behavior_prelude {
    pub use bevy::ecs::component::component_clone_ignore;
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

/// The guides in `docs`, included so that their code runs as doc tests.
#[cfg(all(doctest, not(dim3)))]
mod pages {
    #[doc = include_str!("../../../docs/concepts.md")]
    struct Concepts;
    #[doc = include_str!("../../../docs/recipes.md")]
    struct Recipes;
    #[doc = include_str!("../../../docs/migration.md")]
    struct Migration;
}

/// Runs steering in a schedule, [`FixedUpdate`] by default.
///
/// The length of a tick is the delta of `Res<Time>` in that schedule. Ticks longer than [`LongestTick`] are split into several. Without
/// Bevy's `TimePlugin` (part of `DefaultPlugins` and `MinimalPlugins`), time does not advance and agents do not move.
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
    /// Creates a plugin that runs steering in `schedule`.
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
