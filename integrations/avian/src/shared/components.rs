//! The components and resources that both dimensions share.

use bevy::prelude::*;
use bevy_steerling::prelude::GroupMask;

/// Sets whether a collider is an obstacle, and in which layers. Insert it on the collider's entity, or on that of its body, where it holds
/// for all colliders of the body that have none of their own.
///
/// Without it, the colliders of static and kinematic bodies are obstacles in the default layer, and others are not.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Reflect)]
#[reflect(Component, Clone, Debug, PartialEq)]
pub struct ColliderObstacle {
    /// The layers of the obstacle. A collider in no layer is not an obstacle.
    pub layers: GroupMask,
}

impl ColliderObstacle {
    /// An obstacle in the default layer, also if the body is dynamic, such as a crate.
    pub const DEFAULT: Self = Self { layers: GroupMask::DEFAULT };
    /// Not an obstacle.
    pub const NONE: Self = Self { layers: GroupMask::NONE };
}

/// The collider that an obstacle was made of. The plugin spawns the obstacles as entities of their own, because a collider may have several
/// parts. It despawns them together with the collider.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
#[cfg_attr(doc, doc = concat!("use ", env!("CARGO_CRATE_NAME"), "::ObstacleOf;"))]
/// fn shot_at(hit: Entity, obstacles: Query<&ObstacleOf>) -> Option<Entity> {
///     obstacles.get(hit).ok().map(|obstacle| obstacle.0)
/// }
/// ```
#[derive(Component, Clone, Debug, PartialEq, Eq)]
#[relationship(relationship_target = ColliderObstacles)]
pub struct ObstacleOf(pub Entity);

/// The obstacles that were made of a collider.
#[derive(Component, Clone, Debug, Default, PartialEq, Eq, Deref)]
#[relationship_target(relationship = ObstacleOf, linked_spawn)]
pub struct ColliderObstacles(Vec<Entity>);

/// Marks an agent whose [`radius`](bevy_steerling::prelude::SteeringAgent::radius) is that of its colliders: the largest distance of one of
/// their points from the position of the body.
///
/// A body that becomes an agent gets it if its radius is the default one, so that a game has to set the radius only where it should differ
/// from the collider.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
pub struct RadiusFromCollider;

/// In 3D, the heights above the plane of steering between which colliders are in the way of agents, units. An obstacle is the outline of the
/// part of a collider between them, so that neither floors nor ceilings are obstacles. Default: 0.3 to 1.8, for people in meters.
///
/// When it changes, all obstacles are made again. In 2D it has no effect.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Resource, Clone, Debug, Default, PartialEq)]
pub struct ObstacleHeights {
    /// Just above what agents step over.
    pub low: f32,
    /// The height of the tallest agent.
    pub high: f32,
}

impl ObstacleHeights {
    /// All heights: whole colliders are obstacles, floors as well.
    pub const ALL: Self = Self { low: f32::NEG_INFINITY, high: f32::INFINITY };
}

impl Default for ObstacleHeights {
    fn default() -> Self {
        Self { low: 0.3, high: 1.8 }
    }
}
