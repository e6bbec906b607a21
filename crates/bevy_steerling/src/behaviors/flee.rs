//! Run away from a target.

use bevy::ecs::system::SystemParamItem;
use bevy::prelude::*;

use crate::behavior::{Agent, SteeringBehavior};
use crate::math::{Vector, normalize, unit_vector};
use crate::prelude::SteeringAgent;
use crate::random::angle_from;
use crate::target::{Target, Targets};

/// Runs away from a target at full speed.
///
/// Desired velocity: `−n(target − position) · max_speed` (Craig Reynolds, Steering Behaviors for Autonomous Characters,
/// 1999). From the target's own place it runs in a direction that follows from its
/// [`SteeringId`](crate::agent::SteeringId). Farther away than the panic distance, where one is set, it wants nothing and
/// keeps its velocity.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// commands.spawn((Flee::new(Vec2::new(200.0, 0.0)).with_panic_distance(150.0), Transform::default()));
/// # }
/// ```
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
#[require(SteeringAgent)]
pub struct Flee {
    /// What to run away from.
    #[entities]
    pub target: Target,
    /// Targets farther away than this do not matter, units. Default: all do.
    pub panic_distance: Option<f32>,
    /// Factor on the contribution. Default: 1.
    pub weight: f32,
}

impl Flee {
    /// Runs away from `target`, a `Vec2` or an `Entity`, however far away it is.
    pub fn new(target: impl Into<Target>) -> Self {
        Self { target: target.into(), panic_distance: None, weight: 1.0 }
    }

    /// Sets the [`panic_distance`](Self::panic_distance), units.
    #[must_use]
    pub fn with_panic_distance(self, distance: f32) -> Self {
        Self { panic_distance: Some(distance), ..self }
    }

    /// Sets the [`weight`](Self::weight).
    #[must_use]
    pub fn with_weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }
}

/// The velocity with which an agent flees from a target displaced by `to_target`: zero when both are in one place.
///
/// ```
/// # use bevy::math::Vec2;
/// # use bevy_steerling::behaviors::flee::desired_velocity;
/// assert_eq!(desired_velocity(Vec2::new(30.0, 40.0), 10.0), Vec2::new(-6.0, -8.0));
/// ```
#[inline]
pub fn desired_velocity(to_target: Vector, max_speed: f32) -> Vector {
    -normalize(to_target) * max_speed
}

/// The force with which `agent` flees from what is displaced by `to_target`, also from its own place.
#[inline]
pub(crate) fn force_away(agent: &Agent, to_target: Vector) -> Vector {
    let to_target = if to_target == Vector::ZERO { unit_vector(angle_from(agent.id.get())) } else { to_target };
    agent.force_toward(desired_velocity(to_target, agent.max_speed))
}

/// Whether something displaced by `to_target` is too far away to matter.
#[inline]
pub(crate) fn is_calm(to_target: Vector, panic_distance: Option<f32>) -> bool {
    panic_distance.is_some_and(|panic_distance| to_target.length() > panic_distance)
}

impl SteeringBehavior for Flee {
    type Param = Targets<'static, 'static>;

    #[inline]
    fn steer(&mut self, agent: &Agent, targets: &SystemParamItem<'_, '_, Self::Param>) -> Vector {
        let Some(target) = targets.find(self.target) else { return Vector::ZERO };
        let to_target = agent.to(target.position);
        if is_calm(to_target, self.panic_distance) {
            return Vector::ZERO;
        }
        force_away(agent, to_target)
    }

    #[inline]
    fn weight(&self) -> f32 {
        self.weight
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_up_to_and_including_the_panic_distance() {
        let target = Vector::new(3.0, 4.0);
        assert!(!is_calm(target, None));
        assert!(!is_calm(target, Some(5.0)));
        assert!(is_calm(target, Some(4.999)));
    }
}
