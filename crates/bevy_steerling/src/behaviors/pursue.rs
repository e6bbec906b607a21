//! Pursue: run to where a moving target will be.

use bevy::ecs::system::SystemParamItem;
use bevy::prelude::*;

use crate::agent::{Agent, SteeringAgent};
use crate::behaviors::seek;
use crate::engine::behavior::{Aim, Stateless, SteeringBehavior};
use crate::engine::figure::Figure;
use crate::engine::wish::Wish;
use crate::math::{Vector, normalize};
use crate::perception::interception::Interceptor;
use crate::perception::prediction::{Prediction, farthest, to_predicted};
use crate::perception::target::{Kinematics, Target, Targets};

/// Runs to where a moving target, the quarry, will be.
///
#[cfg_attr(doc, doc = figure!("pursue"))]
///
#[cfg_attr(
    not(dim3),
    doc = "*Pursue heads for the meeting point. Seek, just as fast, heads for the quarry and ends up behind it.*"
)]
///
/// # Formula
///
/// The agent seeks the point `q + w · T`, where `q` and `w` are the quarry's position and velocity, and `T` is the time of the
/// [`Prediction`] (Craig Reynolds, Steering Behaviors for Autonomous Characters, 1999). By default this is the point where the agent can
/// meet the quarry. If the agent has to turn first, the prediction takes the turn into account
#[cfg_attr(
    not(dim3),
    doc = "([`Interceptor::intercept`]); a body with [`BodyLimits`](crate::agent::BodyLimits) maneuvers to the meeting point instead."
)]
#[cfg_attr(dim3, doc = "([`Interceptor::intercept`]).")]
/// For a [`Target::Group`], the quarry is the member that is currently nearest.
///
/// # When to use it
///
/// To catch or meet something that moves. If the quarry keeps turning, a long prediction does not help: set `max_prediction` to one or two
/// seconds. Like [`Seek`](crate::behaviors::seek::Seek), the agent runs past the quarry. A quarry that is not an agent needs a
/// [`Velocity`](crate::agent::Velocity) that the game writes; without one it counts as standing still.
///
/// # Combines with
///
/// [`Evade`](crate::behaviors::evade::Evade) on the quarry. Several pursuers of the same quarry need
/// [`Separation`](crate::behaviors::separation::Separation), or else they end up in one place.
/// [`AvoidObstacles`](crate::constraints::avoid_obstacles::AvoidObstacles) leads them around obstacles.
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
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[require(SteeringAgent)]
pub struct Pursue {
    /// The quarry. If the target no longer exists, the behavior applies no force.
    #[entities]
    pub target: Target,
    /// How far ahead to predict. Default: [`Prediction::Intercept`].
    pub prediction: Prediction,
    /// The longest prediction, seconds. Default: no limit. With 0 or less the agent runs to the current position of the quarry.
    pub max_prediction: Option<f32>,
    /// The factor on the force. Default: 1. A negative weight reverses the force.
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

/// The desired velocity of an agent that pursues `quarry`.
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

/// The desired velocity while the agent turns; `None` if taking the turn into account gains nothing.
fn turning_velocity(agent: &Agent, quarry: &Kinematics, max_prediction: Option<f32>) -> Option<Vector> {
    let Agent { velocity, max_speed, .. } = *agent;
    let interceptor = Interceptor { velocity, max_speed, max_acceleration: agent.max_force / agent.mass };
    let to_quarry = agent.to(quarry.position);
    let farthest = farthest(to_quarry, quarry.velocity, max_speed).min(max_prediction.unwrap_or(f32::INFINITY));
    let heading = interceptor.intercept(to_quarry, quarry.velocity, farthest)?.heading;
    // The direction is that of the turn in the next tick, and the strength is that of the whole turn.
    let next = interceptor.velocity_after(heading, agent.tick);
    Some(velocity + normalize(next - velocity) * velocity.distance(heading * max_speed))
}

impl SteeringBehavior for Pursue {
    type State = Stateless;
    type Param = Targets<'static, 'static>;

    #[inline]
    fn wish(&self, _: &mut Stateless, agent: &Agent, targets: &SystemParamItem<'_, '_, Self::Param>) -> Wish {
        let Some(quarry) = targets.find_for(agent, self.target) else { return Wish::Nothing };
        if agent.is_vehicle {
            Wish::seek(to_predicted(agent, &quarry, self.prediction, self.max_prediction))
        } else {
            Wish::Velocity(desired_velocity(agent, &quarry, self.prediction, self.max_prediction))
        }
    }

    #[inline]
    fn weight(&self) -> f32 {
        self.weight
    }

    fn aims(&self) -> [Option<Aim>; 2] {
        [Some(Aim::at(self.target).catching()), None]
    }

    #[inline]
    fn perception_radius(&self, agent: &SteeringAgent) -> f32 {
        self.target.perception_radius(agent)
    }

    fn draw(&self, _: &Stateless, agent: &Agent, targets: &SystemParamItem<'_, '_, Self::Param>, figure: &mut Figure) {
        if let Some(quarry) = targets.find_for(agent, self.target) {
            let predicted = agent.position + to_predicted(agent, &quarry, self.prediction, self.max_prediction);
            figure.line(agent.position + agent.to(quarry.position), predicted);
            figure.line(agent.position, predicted);
            figure.point(predicted);
        }
    }
}
