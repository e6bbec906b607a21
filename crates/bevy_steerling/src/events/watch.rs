//! The components of watched agents.

use bevy::ecs::component::component_clone_ignore;
use bevy::ecs::entity::MapEntities;
use bevy::prelude::*;

use crate::agent::SteeringAgent;
use crate::agent::list::List;
use crate::math::Vector;

/// Triggers [events](crate::events) for an agent. Watching an agent does not change its motion.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// fn setup(mut commands: Commands) {
///     let prey = commands.spawn((Wander::default(), Transform::from_xyz(300.0, 0.0, 0.0))).id();
///     commands.spawn((Pursue::new(prey), SteeringEvents::default(), Transform::default())).observe(eat);
/// }
///
/// fn eat(caught: On<Caught>, mut commands: Commands) {
///     commands.entity(caught.quarry).despawn();
/// }
/// ```
#[derive(Component, Clone, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[require(SteeringAgent, EventState)]
pub struct SteeringEvents {
    /// For [`Arrived`](crate::events::Arrived): the largest distance at which the agent has arrived, units, ≥ 0. It is measured from the
    /// agent's center to the target or, if the target is an agent, to its body. Default: 1.1 times the agent's radius. A larger tolerance
    /// of the behavior overrides it.
    pub arrival_distance: Option<f32>,
    /// For [`Caught`](crate::events::Caught): the largest distance from the agent's center to the body of its quarry, units, ≥ 0. Default:
    /// 1.1 times the agent's radius, so that touching is enough.
    pub reach: Option<f32>,
    /// For [`Stuck`](crate::events::Stuck): the time for which the agent must not have moved, seconds. With 0 or less the event is never
    /// triggered. Default: one second plus the time in which the agent can reverse its velocity at max speed.
    pub patience: Option<f32>,
    /// For [`CollisionImminent`](crate::events::CollisionImminent): the longest time until the bodies touch, seconds. With 0 or less the
    /// event is never triggered. Default: the time in which the agent can stop from max speed. This is twice the time before impact at
    /// which it must begin to brake in front of a wall.
    pub warning_time: Option<f32>,
}

impl SteeringEvents {
    /// Sets the [`arrival_distance`](Self::arrival_distance), units.
    #[must_use]
    pub fn with_arrival_distance(self, distance: f32) -> Self {
        Self { arrival_distance: Some(distance), ..self }
    }

    /// Sets the [`reach`](Self::reach), units.
    #[must_use]
    pub fn with_reach(self, distance: f32) -> Self {
        Self { reach: Some(distance), ..self }
    }

    /// Sets the [`patience`](Self::patience), seconds.
    #[must_use]
    pub fn with_patience(self, time: f32) -> Self {
        Self { patience: Some(time), ..self }
    }

    /// Sets the [`warning_time`](Self::warning_time), seconds.
    #[must_use]
    pub fn with_warning_time(self, time: f32) -> Self {
        Self { warning_time: Some(time), ..self }
    }
}

/// The state of [`SteeringEvents`]: the events whose conditions are not over. Updated every tick. Cloned entities start with a new state.
#[derive(Component, Clone, Debug, Default, PartialEq, Reflect, MapEntities)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[component(clone_behavior = Custom(component_clone_ignore))]
pub struct EventState {
    /// The velocity that the behaviors want, units/s; zero while the agent waits in a queue.
    pub(super) wish: Vector,
    /// The speed that the agent would want without its queue, units/s.
    pub(super) open: f32,
    /// The aims at which the agent has arrived, and those whose target is gone.
    pub(super) arrived: List<u32>,
    pub(super) lost: List<u32>,
    #[entities]
    pub(super) caught: List<Entity>,
    #[entities]
    pub(super) warned: List<Entity>,
    pub(super) progress: Progress,
    pub(super) path: PathNews,
    /// Whether an agent with `FollowWall` has no wall.
    pub(super) wall_lost: bool,
}

/// The progress of an agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Progress {
    /// Where the agent was when it last made progress.
    pub anchor: Vector,
    /// The displacement that it has wanted since then; for a stuck agent, the mean velocity that it wanted.
    pub wished: Vector,
    /// The time since then, seconds; for a stuck agent, the time for which it has not wanted to move.
    pub time: f32,
    pub stuck: bool,
}

/// The events that were triggered for an agent on a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct PathNews {
    /// How many times the agent had joined a path.
    pub start: u32,
    /// The number of the next point.
    pub next: u32,
    pub finished: bool,
}
