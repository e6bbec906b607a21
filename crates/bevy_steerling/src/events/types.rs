//! The events.

use bevy::prelude::*;

use crate::engine::name::BehaviorName;
use crate::math::Vector;
use crate::perception::target::Target;

/// An agent is at the target of a behavior.
///
/// With [`Arrive`](crate::behaviors::arrive::Arrive) the agent is slow by then: its speed relative to the target is at most a tenth of its
/// max speed. With [`Seek`](crate::behaviors::seek::Seek) it runs past the target, and arrives each time it comes back. For other
/// behaviors, see [`Arrival`](crate::engine::behavior::Arrival).
///
/// The event is triggered again after the agent was away, and after the game has set the behavior again, by inserting the component or
/// changing it in place. This also holds for a new target near the old one, and even for the same target. Change detection cannot tell
/// which fields of a component have changed, so a game that writes to the behavior in every tick gets the event in every tick.
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

/// The target of a behavior is gone: it was despawned, lost its `Transform`, is a group without other members, is out of
/// [sight](crate::perception::sight::Sight), or never existed. The behavior applies no force until there is a target.
#[cfg_attr(
    not(dim3),
    doc = "Targets on another [floor](crate::math::plane::SteeringPlane::with_floor_height) count as gone."
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

/// A [lost](TargetLost) target is there again, or a target comes into [sight](crate::perception::sight::Sight) for the first time.
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

/// A pursuer has its quarry within reach. The quarry is an entity, or the nearest member of a group, that the agent pursues with
/// [`Pursue`](crate::behaviors::pursue::Pursue) or [`Seek`](crate::behaviors::seek::Seek). Each member of a group is caught separately.
///
/// The event targets the pursuer. The observer decides what happens to the quarry:
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
/// Each point is reached once per lap, in the order of the path. If an agent joins the path farther ahead, it skips the points before.
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
/// [others](crate::constraints::settling::Settling) allow.
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

/// An agent with [`FollowWall`](crate::behaviors::follow_wall::FollowWall) has no wall within its reach: all walls are gone or too far
/// away, or there never was one. The behavior applies no force until there is a wall.
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

/// An agent wants to move but does not. For its [`patience`](crate::events::SteeringEvents::patience), it has wanted to move at a tenth of
/// its max speed or more, and has moved less than a tenth of the distance that it wanted to cover.
///
/// The velocity that the agent wants is that of the total of its behaviors, before constraints bend it. So an agent gets stuck in a place
/// without a way out, in a crowd that lets nobody through, or on its way to a target beyond the edge of the world.
///
/// An agent at rest at its target is not stuck, because it does not want to move. Neither is one that runs back and forth past its target,
/// because it keeps moving. Neither is one that touches its target, as in a melee: it is within its
/// [`reach`](crate::events::SteeringEvents::reach) of what it pursues or seeks, or it has arrived.
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
    /// The mean velocity that it wanted, units/s. This is the velocity that its force would have given it within a response time.
    pub wish: Vector,
}

/// An agent that was [`Stuck`] is no longer stuck: it has moved twice as far as is required of an agent that is not stuck, it touches its
/// target, or it has not wanted to move for half its [`patience`](crate::events::SteeringEvents::patience).
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

/// An agent is about to run into another agent or an obstacle. Their bodies will touch within the agent's
/// [`warning_time`](crate::events::SteeringEvents::warning_time) if both keep their velocities.
///
/// If both agents are watched, both get the event. Only obstacles in the layers of the agent's
/// [`AvoidObstacles`](crate::constraints::avoid_obstacles::AvoidObstacles) and [`Solid`](crate::world::solid::Solid) count; if it has
/// neither, all obstacles count. The agent perceives bodies as far away as two agents like itself can approach each other in the warning
/// time. It therefore notices much faster bodies later.
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
