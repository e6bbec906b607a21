//! Run to where a moving target will be.

use bevy::ecs::system::SystemParamItem;
use bevy::prelude::*;

use crate::behavior::{Agent, SteeringBehavior};
use crate::behaviors::seek;
use crate::math::Vector;
use crate::prediction::Prediction;
use crate::prelude::SteeringAgent;
use crate::target::{Kinematics, Target, Targets};

/// Runs to where a moving target, the quarry, will be.
///
/// Seeks the point `q + w · T`, with `q` and `w` the quarry's position and velocity and `T` how far ahead the
/// [`Prediction`] looks (Craig Reynolds, Steering Behaviors for Autonomous Characters, 1999). By default that is where the
/// agent can meet the quarry.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// let prey = commands.spawn((Wander::default(), Transform::from_xyz(300.0, 0.0, 0.0))).id();
/// commands.spawn((Pursue::new(prey), Transform::default()));
/// # }
/// ```
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
#[require(SteeringAgent)]
pub struct Pursue {
    /// The quarry.
    #[entities]
    pub target: Target,
    /// How far ahead to look. Default: [`Prediction::Intercept`].
    pub prediction: Prediction,
    /// Never look farther ahead than this, seconds: a quarry that turns often is not worth a long guess. Default: no limit.
    pub max_prediction: Option<f32>,
    /// Factor on the contribution. Default: 1.
    pub weight: f32,
}

impl Pursue {
    /// Pursues `target`, usually an `Entity`.
    pub fn new(target: impl Into<Target>) -> Self {
        Self { target: target.into(), prediction: Prediction::default(), max_prediction: None, weight: 1.0 }
    }

    /// Sets the [`prediction`](Self::prediction).
    #[must_use]
    pub fn with_prediction(self, prediction: Prediction) -> Self {
        Self { prediction, ..self }
    }

    /// Sets [`max_prediction`](Self::max_prediction), seconds.
    #[must_use]
    pub fn with_max_prediction(self, seconds: f32) -> Self {
        Self { max_prediction: Some(seconds), ..self }
    }

    /// Sets the [`weight`](Self::weight).
    #[must_use]
    pub fn with_weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }
}

/// The displacement from `agent` to where `quarry` will be.
#[inline]
pub(crate) fn to_predicted(
    agent: &Agent,
    quarry: &Kinematics,
    prediction: Prediction,
    max_prediction: Option<f32>,
) -> Vector {
    let to_quarry = agent.to(quarry.position);
    let time = prediction.time(to_quarry, quarry.velocity, agent.max_speed);
    to_quarry + quarry.velocity * max_prediction.map_or(time, |longest| time.min(longest.max(0.0)))
}

impl SteeringBehavior for Pursue {
    type Param = Targets<'static, 'static>;

    #[inline]
    fn steer(&mut self, agent: &Agent, targets: &SystemParamItem<'_, '_, Self::Param>) -> Vector {
        targets.find(self.target).map_or(Vector::ZERO, |quarry| {
            let to_predicted = to_predicted(agent, &quarry, self.prediction, self.max_prediction);
            agent.force_toward(seek::desired_velocity(to_predicted, agent.max_speed))
        })
    }

    #[inline]
    fn weight(&self) -> f32 {
        self.weight
    }
}
