//! The schedule of steering, and the order of systems in a tick.

use bevy::ecs::archetype::Archetypes;
use bevy::ecs::component::Components;
use bevy::ecs::schedule::{ScheduleLabel, SingleThreadedExecutor};
use bevy::prelude::*;

/// The schedule of steering. Add your own systems to one of its sets: see [`SteeringSystems`].
///
/// [`SteeringPlugin`](crate::SteeringPlugin) runs it once per tick, in the set [`RunSteeringSystems`] of the plugin's schedule, which is
/// `FixedUpdate` by default. If a tick is longer than [`LongestTick`](crate::tick::longest::LongestTick), it is split and the schedule runs
/// once for each part. The schedule does not run in ticks of zero length, for example while the game is paused.
///
/// The schedule uses the single-threaded executor, because behaviors add to the same force in a fixed order, and because for few agents a
/// multi-threaded executor costs more than the steering itself. For large crowds, the systems use threads internally: see
/// [`SteeringThreads`].
#[derive(ScheduleLabel, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SteeringSchedule;

/// The set in which [`SteeringPlugin`](crate::SteeringPlugin) runs the [`SteeringSchedule`], in the plugin's schedule. Use it to order your
/// own systems before or after steering.
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

/// The phases of a tick in the [`SteeringSchedule`], in this order.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SteeringSystems {
    /// Forces are cleared, and the indexes of neighbors and obstacles are updated.
    Sense,
    /// Behaviors add their contributions to [`SteeringForce`](crate::agent::SteeringForce). Nothing moves, so all behaviors read the same
    /// snapshot.
    ///
    /// The plugin's behaviors run first, the most urgent first, as in the table of behaviors of the [crate docs](crate). The game's own
    /// behaviors follow, in the order of registration.
    Steer,
    /// Constraints bend the total, after [`Arbitration`](crate::engine::arbitration::Arbitration) has combined the contributions.
    ///
    /// The game's own constraints run first, in the order of registration. Then the plugin's run:
    /// [`Formation`](crate::behaviors::formation::Formation), [`Contain`](crate::constraints::contain::Contain),
    /// [`AvoidObstacles`](crate::constraints::avoid_obstacles::AvoidObstacles),
    #[cfg_attr(not(dim3), doc = "[`AvoidNeighbors`](crate::constraints::avoid_neighbors::AvoidNeighbors),")]
    #[cfg_attr(
        not(dim3),
        doc = "[`ClassicQueue`](crate::constraints::classic_queue::ClassicQueue), [`Queue`](crate::constraints::queue::Queue)."
    )]
    #[cfg_attr(dim3, doc = "[`AvoidNeighbors`](crate::constraints::avoid_neighbors::AvoidNeighbors).")]
    Constrain,
    /// The total becomes velocity and movement:
    #[cfg_attr(
        not(dim3),
        doc = "it is limited to what a body with [`BodyLimits`](crate::agent::BodyLimits) can do and truncated to max force."
    )]
    #[cfg_attr(dim3, doc = "it is truncated to max force.")]
    /// Then [`Knockback`](crate::motion::knockback::Knockback)s move agents, and [`FaceVelocity`](crate::motion::facing::FaceVelocity)
    /// turns them.
    Integrate,
    /// Agents wrap or bounce at the edges of the world: see [`SteeringBounds`](crate::math::space::SteeringBounds). Then
    /// [`Solid`](crate::world::solid::Solid) bodies are moved out of each other and out of obstacles.
    Confine,
    /// The result of the tick is final. [Events](crate::events) are triggered. Add systems that react to the result to this set.
    React,
}

/// Whether steering uses Bevy's compute threads. Results are bit-identical either way.
///
/// Without Bevy's feature `multi_threaded` there are no threads.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Resource, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub enum SteeringThreads {
    /// Only for loops over many agents.
    #[default]
    Auto,
    /// Never.
    Single,
    /// Always.
    Many,
}

impl SteeringThreads {
    /// Whether a loop over `agents` agents should use threads. `worthwhile` is the number of agents above which threads are faster.
    pub(crate) fn parallel(self, agents: impl FnOnce() -> usize, worthwhile: usize) -> bool {
        // Without the feature, the pool reports one thread, which is the app's own.
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

/// Whether any entity has or has had the component. Systems that serve a component not in use are skipped: most games use few of the
/// behaviors, and even a system with an empty query costs several times as much as this check.
pub(crate) fn is_in_use<C: Component>(archetypes: &Archetypes, components: &Components) -> bool {
    components.component_id::<C>().is_some_and(|component| archetypes.component_index().contains_key(&component))
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
