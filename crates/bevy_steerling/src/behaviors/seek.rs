//! Run to a target.

use bevy::ecs::system::SystemParamItem;
use bevy::prelude::*;

use crate::behavior::{Agent, SteeringBehavior};
use crate::heading::{Heading, Wish};
use crate::math::{Vector, normalize};
use crate::prelude::SteeringAgent;
use crate::target::{Kinematics, LastFound, Target, Targets};

/// Runs to a target at full speed.
///
/// The agent does not slow down: it runs past the target and turns back, by design. To stop there use
/// [`Arrive`](crate::behaviors::arrive::Arrive).
///
/// Desired velocity: `n(target − position) · max_speed` (Craig Reynolds, Steering Behaviors for Autonomous Characters,
/// 1999). On the target itself it is zero. Of a [`Target::Group`] the nearest member is the target.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// commands.spawn((Seek::new(Vec2::new(200.0, 0.0)), Transform::default()));
/// # }
/// ```
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
#[require(SteeringAgent)]
pub struct Seek {
    /// Where to run.
    #[entities]
    pub target: Target,
    /// Factor on the contribution. Default: 1.
    pub weight: f32,
}

impl Seek {
    /// Runs to `target`, a `Vec2` or an `Entity`.
    pub fn new(target: impl Into<Target>) -> Self {
        Self { target: target.into(), weight: 1.0 }
    }

    /// Sets the [`weight`](Self::weight).
    #[must_use]
    pub fn with_weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }
}

/// The velocity with which an agent seeks a target displaced by `to_target`.
///
/// ```
/// # use bevy::math::Vec2;
/// # use bevy_steerling::behaviors::seek::desired_velocity;
/// assert_eq!(desired_velocity(Vec2::new(30.0, 40.0), 10.0), Vec2::new(6.0, 8.0));
/// ```
#[inline]
pub fn desired_velocity(to_target: Vector, max_speed: f32) -> Vector {
    normalize(to_target) * max_speed
}

impl SteeringBehavior for Seek {
    type Param = Targets<'static, 'static>;

    #[inline]
    fn steer(&mut self, agent: &Agent, targets: &SystemParamItem<'_, '_, Self::Param>) -> Vector {
        seek(targets.find_for(agent, self.target), agent).force(agent)
    }

    #[inline]
    fn weight(&self) -> f32 {
        self.weight
    }

    #[inline]
    fn sight(&self, agent: &SteeringAgent) -> f32 {
        self.target.sight(agent)
    }
}

impl Heading for Seek {
    const LOOKS_AHEAD: bool = false;
    type Memo = LastFound;

    #[inline(always)]
    fn wish(&mut self, agent: &Agent, last: &mut LastFound, targets: &SystemParamItem<'_, '_, Self::Param>) -> Wish {
        seek(last.find_for(agent, self.target, targets), agent)
    }
}

#[inline]
fn seek(target: Option<Kinematics>, agent: &Agent) -> Wish {
    target.map_or(Wish::Force(Vector::ZERO), |target| Wish::Along(agent.to(target.position)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn desires_full_speed_toward_the_target_however_near() {
        for distance in [1e-6, 1.0, 1e9] {
            let u = desired_velocity(Vector::new(-distance, 0.0), 5.0);
            assert!((u - Vector::new(-5.0, 0.0)).length() < 1e-5, "{distance}: {u}");
        }
    }

    #[test]
    fn desires_rest_on_the_target() {
        assert_eq!(desired_velocity(Vector::ZERO, 5.0), Vector::ZERO);
    }
}
