//! Run to where a moving target will be.

use bevy::ecs::system::SystemParamItem;
use bevy::prelude::*;

use crate::behaviors::seek;
use crate::engine::behavior::{Agent, SteeringBehavior};
use crate::engine::body::BodyLimits;
use crate::engine::figure::Figure;
use crate::engine::maneuver::{self, Goal};
use crate::math::{Vector, normalize};
use crate::perception::interception::Interceptor;
use crate::perception::prediction::{Prediction, farthest};
use crate::perception::target::{Kinematics, Target, Targets};
use crate::prelude::SteeringAgent;

/// Runs to where a moving target, the quarry, will be.
///
#[cfg_attr(doc, doc = figure!("pursue"))]
///
/// *Pursue heads for the meeting; Seek, just as fast, for where the quarry is, and ends behind it.*
///
/// # Formula
///
/// Seeks the point `q + w · T`, with `q` and `w` the quarry's position and velocity and `T` how far ahead the
/// [`Prediction`] looks (Craig Reynolds, Steering Behaviors for Autonomous Characters, 1999). By default that is where the
/// agent can meet the quarry; an agent that has to turn first takes the turn into account
/// ([`Interceptor::intercept`]), but one with [`BodyLimits`] seeks the plain meeting point, as its maneuver
/// knows how. Of a [`Target::Group`] it pursues the nearest member, whoever that is at the moment.
///
/// # Parameters
///
/// | parameter | unit | range | default | beyond that |
/// |---|---|---|---|---|
/// | [`target`](Self::target) | – | a place, an entity, a group | – | one that is gone gives no force |
/// | [`prediction`](Self::prediction) | – | `Intercept`, `Proportional`, `Fixed` seconds | `Intercept` | `Fixed` of 0 and less: where the quarry is now |
/// | [`max_prediction`](Self::max_prediction) | s | ≥ 0 | none | below 0 as 0: where the quarry is now |
/// | [`weight`](Self::weight) | – | ≥ 0 | 1 | below 0 it wants the opposite |
///
/// # When to use it
///
/// To catch what moves, or to meet it. A quarry that turns all the time is not worth a long guess: limit it with `max_prediction`
/// (1 s or 2). It runs past the quarry like [`Seek`](crate::behaviors::seek::Seek). A quarry that is no agent needs a
/// [`Velocity`](crate::agent::Velocity) that the game writes; without one it counts as standing still.
///
/// # Combines with
///
/// [`Evade`](crate::behaviors::evade::Evade) on the quarry. Several hunters of one quarry need
/// [`Separation`](crate::behaviors::separation::Separation), or they end as one.
/// [`AvoidObstacles`](crate::constraints::avoid_obstacles::AvoidObstacles) bends the way round what is between.
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

/// The velocity that `agent` desires in order to meet `quarry`.
#[inline]
fn desired_velocity(agent: &Agent, quarry: &Kinematics, prediction: Prediction, max_prediction: Option<f32>) -> Vector {
    let straight = seek::desired_velocity(to_predicted(agent, quarry, prediction, max_prediction), agent.max_speed);
    let max_acceleration = agent.max_force / agent.mass;
    if prediction != Prediction::Intercept || agent.velocity.distance(straight) <= max_acceleration * agent.tick {
        straight
    } else {
        turning_velocity(agent, quarry, max_prediction).unwrap_or(straight)
    }
}

/// The velocity to desire while it takes time to turn; `None` where that is no help.
fn turning_velocity(agent: &Agent, quarry: &Kinematics, max_prediction: Option<f32>) -> Option<Vector> {
    let Agent { velocity, max_speed, .. } = *agent;
    let interceptor = Interceptor { velocity, max_speed, max_acceleration: agent.max_force / agent.mass };
    let to_quarry = agent.to(quarry.position);
    let farthest = farthest(to_quarry, quarry.velocity, max_speed).min(max_prediction.unwrap_or(f32::INFINITY));
    let heading = interceptor.intercept(to_quarry, quarry.velocity, farthest)?.heading;
    // As urgent as the whole turn, in the direction of the next tick's part of it.
    let next = interceptor.velocity_after(heading, agent.tick);
    Some(velocity + normalize(next - velocity) * velocity.distance(heading * max_speed))
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
        targets.find_for(agent, self.target).map_or(Vector::ZERO, |quarry| {
            agent.force_toward(desired_velocity(agent, &quarry, self.prediction, self.max_prediction))
        })
    }

    fn steer_limited(
        &mut self,
        agent: &Agent,
        limits: &mut BodyLimits,
        targets: &SystemParamItem<'_, '_, Self::Param>,
    ) -> Vector {
        maneuver::force_to(self, agent, limits, targets)
    }

    #[inline]
    fn weight(&self) -> f32 {
        self.weight
    }

    #[inline]
    fn perception_radius(&self, agent: &SteeringAgent) -> f32 {
        self.target.perception_radius(agent)
    }

    fn draw(&self, agent: &Agent, targets: &SystemParamItem<'_, '_, Self::Param>, figure: &mut Figure) {
        if let Some(quarry) = targets.find_for(agent, self.target) {
            let predicted = agent.position + to_predicted(agent, &quarry, self.prediction, self.max_prediction);
            figure.line(agent.position + agent.to(quarry.position), predicted);
            figure.line(agent.position, predicted);
            figure.point(predicted);
        }
    }
}

impl Goal for Pursue {
    fn way(&self, agent: &Agent, targets: &Targets) -> Option<Vector> {
        let quarry = targets.find_for(agent, self.target)?;
        Some(to_predicted(agent, &quarry, self.prediction, self.max_prediction))
    }
}
