//! The events.

use bevy::prelude::*;

use crate::engine::name::BehaviorName;
use crate::math::Vector;
use crate::perception::target::Target;

/// An agent is at the target of a behavior. With [`Arrive`](crate::behaviors::arrive::Arrive) it is slow by then: relative to the target
/// at most a tenth of its max speed. With [`Seek`](crate::behaviors::seek::Seek) it runs past, and arrives each time it comes back. See
/// [`Arrival`](crate::engine::behavior::Arrival) for other behaviors.
///
/// The event is triggered again after the agent was away, and after the game has set the behavior anew: inserted its component, or
/// changed it in place. This holds for a new target near the old one, too, and even for the same target. Change detection does not tell
/// the fields of a component apart, so a game that writes to the behavior in each tick is told in each tick.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// commands
///     .spawn((Arrive::new(Vec2::new(200.0, 0.0)), SteeringEvents::default()))
///     .observe(|arrived: On<Arrived>| println!("{} is at {:?}", arrived.entity, arrived.target));
/// # }
/// ```
#[derive(EntityEvent, Clone, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
pub struct Arrived {
    /// The agent.
    pub entity: Entity,
    /// The behavior that brought it there.
    pub behavior: BehaviorName,
    /// The target of the behavior.
    pub target: Target,
}

/// The target of a behavior is gone: despawned, without its `Transform`, a group without other members, out of
/// [sight](crate::perception::sight::Sight), or not there to begin with. The behavior does nothing until there is a target.
#[cfg_attr(
    not(dim3),
    doc = "Whatever is on another [floor](crate::math::plane::SteeringPlane::with_floor_height) counts as gone."
)]
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// fn give_up(lost: On<TargetLost>, mut commands: Commands) {
///     if lost.behavior.is::<Pursue>() {
///         commands.entity(lost.entity).remove::<Pursue>().insert(Wander::default());
///     }
/// }
/// # App::new().add_observer(give_up);
/// ```
#[derive(EntityEvent, Clone, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
pub struct TargetLost {
    /// The agent.
    pub entity: Entity,
    /// The behavior whose target it was.
    pub behavior: BehaviorName,
    /// The target.
    pub target: Target,
}

/// A target that was [lost](TargetLost) is there again, or comes into [sight](crate::perception::sight::Sight) for the first time.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// fn raise_the_alarm(found: On<TargetFound>, mut commands: Commands) {
///     commands.entity(found.entity).remove::<FollowPath>();
/// }
/// # App::new().add_observer(raise_the_alarm);
/// ```
#[derive(EntityEvent, Clone, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
pub struct TargetFound {
    /// The agent.
    pub entity: Entity,
    /// The behavior whose target it is.
    pub behavior: BehaviorName,
    /// The target.
    pub target: Target,
}

/// A pursuer has its quarry within reach: an entity, or the nearest member of a group, that it pursues with
/// [`Pursue`](crate::behaviors::pursue::Pursue) or [`Seek`](crate::behaviors::seek::Seek). Each member of a group is caught on its own.
///
/// The event targets the pursuer. What happens to the quarry is up to the observer:
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # #[derive(Component)] struct Health(f32);
/// fn bite(caught: On<Caught>, mut victims: Query<&mut Health>) {
///     if let Ok(mut health) = victims.get_mut(caught.quarry) {
///         health.0 -= 10.0;
///     }
/// }
/// # App::new().add_observer(bite);
/// ```
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
pub struct Caught {
    /// The pursuer.
    pub entity: Entity,
    /// The quarry.
    pub quarry: Entity,
}

/// An agent with [`FollowPath`](crate::behaviors::follow_path::FollowPath) passes a point of its path.
///
/// Each point is reached once per lap, in the order of the path. An agent that gets on the path further ahead does not reach the points
/// before.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// fn report(reached: On<WaypointReached>) {
///     println!("{} has passed point {}", reached.entity, reached.index);
/// }
/// # App::new().add_observer(report);
/// ```
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
pub struct WaypointReached {
    /// The agent.
    pub entity: Entity,
    /// The index of the point.
    pub index: usize,
}

/// An agent with [`FollowPath`](crate::behaviors::follow_path::FollowPath) is at rest at the end of its path, or as near to it as
/// [others](crate::constraints::settling::Settling) let it.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// fn go_back(finished: On<PathFinished>, mut paths: Query<&mut FollowPath>) {
///     if let Ok(mut follow) = paths.get_mut(finished.entity) {
///         follow.path = SteeringPath::new(follow.path.points().iter().rev().copied());
///     }
/// }
/// # App::new().add_observer(go_back);
/// ```
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
pub struct PathFinished {
    /// The agent.
    pub entity: Entity,
}

/// An agent with [`FollowWall`](crate::behaviors::follow_wall::FollowWall) has no wall within its reach: all are gone or too far away, or
/// there was none to begin with. The behavior does nothing until there is a wall.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// fn look_for_a_wall(lost: On<WallLost>, mut commands: Commands) {
///     commands.entity(lost.entity).insert(Wander::default());
/// }
/// # App::new().add_observer(look_for_a_wall);
/// ```
#[cfg(not(dim3))]
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq, Eq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
pub struct WallLost {
    /// The agent.
    pub entity: Entity,
}

/// An agent wants to move and does not: for its [`patience`](crate::events::SteeringEvents::patience) it has wanted at least a tenth of
/// its max speed, and has not moved a tenth of that distance.
///
/// What the agent wants is the total of its behaviors before constraints bend it: a place without a way out, a crowd that lets nobody
/// through, and a target behind the edge of the world make it stuck. An agent at rest at its target wants nothing, and one that runs to and
/// fro about its target keeps moving; neither is stuck. Neither is an agent that touches what it goes to, as in a melee: it is within its
/// [`reach`](crate::events::SteeringEvents::reach) of what it pursues or seeks, or near enough to have arrived.
#[cfg_attr(
    not(dim3),
    doc = "An agent that waits its turn because of [`Queue`](crate::constraints::queue::Queue) is not stuck, however long it waits, unless it is first in line and something else holds it up."
)]
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// fn look_for_another_way(stuck: On<Stuck>, mut commands: Commands) {
///     commands.entity(stuck.entity).insert(Wander::default().with_weight(5.0));
/// }
/// # App::new().add_observer(look_for_another_way);
/// ```
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
pub struct Stuck {
    /// The agent.
    pub entity: Entity,
    /// The mean velocity that it wanted, units/s: what its force would have given it within a response time.
    pub wish: Vector,
}

/// An agent that was [`Stuck`] has moved twice as far as it takes not to be stuck, touches what it goes to, or has not wanted to move for
/// half its [`patience`](crate::events::SteeringEvents::patience).
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// fn go_on(unstuck: On<Unstuck>, mut commands: Commands) {
///     commands.entity(unstuck.entity).remove::<Wander>();
/// }
/// # App::new().add_observer(go_on);
/// ```
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq, Eq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
pub struct Unstuck {
    /// The agent.
    pub entity: Entity,
}

/// An agent is about to run into another agent or an obstacle: their bodies will touch within its
/// [`warning_time`](crate::events::SteeringEvents::warning_time), if both keep their velocities.
///
/// Each of two watched agents gets the event. Obstacles count in the layers of the agent's
/// [`AvoidObstacles`](crate::constraints::avoid_obstacles::AvoidObstacles) and [`Solid`](crate::world::solid::Solid), and all if it has
/// neither. The agent perceives as far as two agents like itself approach each other in that time: it notices something much faster
/// later.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// fn honk(collision: On<CollisionImminent>) {
///     println!("{}: {} in {:.1} s!", collision.entity, collision.other, collision.time);
/// }
/// # App::new().add_observer(honk);
/// ```
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
pub struct CollisionImminent {
    /// The agent.
    pub entity: Entity,
    /// The agent or obstacle that it is about to run into.
    pub other: Entity,
    /// The time until they touch, seconds.
    pub time: f32,
}
