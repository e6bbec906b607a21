//! When steering runs: one schedule of its own, and the order of one tick.

use bevy::ecs::schedule::{ScheduleLabel, SingleThreadedExecutor};
use bevy::prelude::*;

/// The schedule that steers, once per tick. Add systems of your own here, in one of the [`SteeringSystems`].
///
/// [`SteeringPlugin`](crate::SteeringPlugin) runs it within [`RunSteeringSystems`] in the schedule it was given,
/// `FixedUpdate` by default. It does not run in a tick of zero length (a paused game).
///
/// Its systems run one after another on one thread: behaviors add to the same sum and must keep their order anyway, and
/// starting threads for a small game's steering would cost more than the steering. Large crowds are spread over threads
/// inside the systems; see [`SteeringThreads`].
#[derive(ScheduleLabel, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SteeringSchedule;

/// The set that runs the whole [`SteeringSchedule`], in the schedule given to
/// [`SteeringPlugin`](crate::SteeringPlugin). Order against it what must come before or after steering.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn read_input() {}
/// # App::new()
/// .add_systems(FixedUpdate, read_input.before(RunSteeringSystems))
/// # ;
/// ```
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RunSteeringSystems;

/// The phases of one tick, in this order, in the [`SteeringSchedule`].
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SteeringSystems {
    /// Forces are cleared, and the indexes of neighbors and obstacles are brought up to date.
    Sense,
    /// Behaviors add their contributions to [`SteeringForce`](crate::agent::SteeringForce), most urgent first:
    /// Separation, Evade, Flee, Pursue, Arrive, Seek, Flock, Alignment, Cohesion, `MatchVelocity`, Wander, and then users'
    /// own in the order they were registered. Nothing moves here: all read the same snapshot.
    Steer,
    /// Behaviors that must see the sum of the others, or what [`Arbitration`](crate::engine::arbitration::Arbitration) has made of it before,
    /// in this order: users' own, [`Contain`](crate::constraints::contain::Contain),
    /// [`AvoidObstacles`](crate::constraints::avoid_obstacles::AvoidObstacles),
    /// [`AvoidNeighbors`](crate::constraints::avoid_neighbors::AvoidNeighbors) and [`Queue`](crate::constraints::queue::Queue).
    Constrain,
    /// The sum is limited to max force, and to what a body with [`BodyLimits`](crate::engine::body::BodyLimits) can do, and becomes velocity and
    /// movement; then agents are moved on by their [`Knockback`](crate::motion::knockback::Knockback)s.
    Integrate,
    /// The world's edges: see [`SteeringBounds`](crate::math::space::SteeringBounds). Then bodies that are
    /// [`Solid`](crate::world::solid::Solid) are moved out of each other and out of obstacles, within those edges.
    Confine,
    /// What a game reacts to: everything about the tick is known here. [Events](crate::events) are told, agent by agent in the order
    /// of their numbers, of each `TargetLost`, `Arrived`, `Caught`, `Unstuck`, `Stuck` and `CollisionImminent`, in this order.
    React,
}

/// Whether a tick's loops over agents are spread over Bevy's compute threads. The results are the same, bit for bit.
///
/// Threads are only there when the app turns on Bevy's `multi_threaded` feature.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Resource, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
pub enum SteeringThreads {
    /// Only where there are so many agents that it pays.
    #[default]
    Auto,
    /// Never.
    Single,
    /// Always.
    Many,
}

impl SteeringThreads {
    /// Whether a loop over `agents` agents should use threads when it pays from `worthwhile` agents on.
    pub(crate) fn parallel(self, agents: impl FnOnce() -> usize, worthwhile: usize) -> bool {
        // A pool without threads says that it has one: it is the app's own.
        let available = || {
            bevy::tasks::cfg::multi_threaded!()
                && bevy::tasks::ComputeTaskPool::try_get().is_some_and(|pool| pool.thread_num() > 0)
        };
        match self {
            Self::Auto => available() && agents() >= worthwhile,
            Self::Single => false,
            Self::Many => available(),
        }
    }
}

pub(crate) fn configure(schedule: &mut Schedule) {
    schedule.set_executor(SingleThreadedExecutor::new()).configure_sets(
        (
            SteeringSystems::Sense,
            SteeringSystems::Steer,
            SteeringSystems::Constrain,
            SteeringSystems::Integrate,
            SteeringSystems::Confine,
            SteeringSystems::React,
        )
            .chain(),
    );
}

/// Runs one tick, unless it has no length.
pub(crate) fn run_steering(world: &mut World) {
    if world.resource::<Time>().delta_secs() > 0.0 {
        world.run_schedule(SteeringSchedule);
    }
}
