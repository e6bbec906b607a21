//! What a behavior aims at, and where that is.

use bevy::ecs::entity::MapEntities;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use crate::agent::Velocity;
use crate::math::{self, Vector};

/// What a behavior aims at: a place, or an entity with a `Transform`.
///
/// Behaviors take anything that turns into a `Target`, so a `Vec2` or an `Entity` will do.
///
/// An entity counts as moving at its [`Velocity`], and as standing still without one. A target that has been
/// despawned, or has lost its `Transform`, gives no force.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// fn setup(mut commands: Commands) {
///     let prey = commands.spawn(Seek::new(Vec2::new(200.0, 0.0))).id();
///     commands.spawn(Pursue::new(prey));
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Reflect, MapEntities)]
#[reflect(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
pub enum Target {
    /// A place in the world.
    Point(Vector),
    /// An agent, or anything else with a `Transform`.
    Entity(#[entities] Entity),
}

impl From<Vector> for Target {
    fn from(point: Vector) -> Self {
        Self::Point(point)
    }
}

impl From<Entity> for Target {
    fn from(entity: Entity) -> Self {
        Self::Entity(entity)
    }
}

/// Where something is and how it moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Kinematics {
    /// Position, units.
    pub position: Vector,
    /// Velocity, units per second.
    pub velocity: Vector,
}

/// Finds [`Target`]s: the system parameter of behaviors that have one.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # #[derive(Component)] struct Home(Target);
/// fn distance_home(agents: Query<(&Transform, &Home)>, targets: Targets) {
///     for (transform, home) in &agents {
///         if let Some(found) = targets.find(home.0) {
///             println!("{}", found.position.distance(transform.translation.truncate()));
///         }
///     }
/// }
/// # bevy::ecs::system::assert_is_system(distance_home);
/// ```
#[derive(SystemParam)]
pub struct Targets<'w, 's> {
    entities: Query<'w, 's, (&'static Transform, Option<&'static Velocity>, Has<ChildOf>)>,
    hierarchy: TransformHelper<'w, 's>,
}

impl Targets<'_, '_> {
    /// Where `target` is and how it moves, or `None` when it no longer exists, or it or one of its parents has no `Transform`.
    ///
    /// The place of an entity with parents is in the world, up to date, at the cost of a walk up to its root.
    #[inline]
    pub fn find(&self, target: Target) -> Option<Kinematics> {
        match target {
            Target::Point(position) => Some(Kinematics { position, velocity: Vector::ZERO }),
            Target::Entity(entity) => {
                let (transform, velocity, has_parent) = self.entities.get(entity).ok()?;
                let position = if has_parent {
                    let global = self.hierarchy.compute_global_transform(entity).ok()?;
                    math::from_translation(global.translation())
                } else {
                    math::position(transform)
                };
                Some(Kinematics { position, velocity: velocity.map_or(Vector::ZERO, |v| v.0) })
            }
        }
    }
}

/// The entity that was found last, and where: many agents often have one target.
#[derive(Default)]
pub(crate) struct LastFound(Option<(Entity, Option<Kinematics>)>);

impl LastFound {
    /// The same as [`Targets::find`], as long as nothing moves.
    #[inline]
    pub fn find(&mut self, target: Target, targets: &Targets) -> Option<Kinematics> {
        match (target, &self.0) {
            (Target::Entity(entity), Some((last, found))) if entity == *last => *found,
            (Target::Entity(entity), _) => {
                let found = targets.find(target);
                self.0 = Some((entity, found));
                found
            }
            (Target::Point(position), _) => Some(Kinematics { position, velocity: Vector::ZERO }),
        }
    }
}
