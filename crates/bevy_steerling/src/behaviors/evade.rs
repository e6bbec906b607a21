//! Evade: run away from where a moving target will be.

use bevy::ecs::system::SystemParamItem;
use bevy::prelude::*;

use crate::agent::{Agent, GroupMask, SteeringAgent};
use crate::behaviors::flee::{draw_panic, flee, flee_group, group_perception_radius, is_calm};
use crate::engine::behavior::{Aim, Stateless, SteeringBehavior};
use crate::engine::figure::Figure;
use crate::engine::wish::Wish;
use crate::perception::prediction::{Prediction, to_predicted};
use crate::perception::target::{Kinematics, Target, Targets};

/// Runs away from where a moving target, the pursuer, will be.
///
#[cfg_attr(doc, doc = figure!("evade"))]
///
#[cfg_attr(not(dim3), doc = "*Evade runs away from where the pursuer will be, Flee from where it is.*")]
///
/// # Formula
///
/// The agent flees from the point `q + w · T`, where `q` and `w` are the pursuer's position and velocity, and `T` is the time of the
/// [`Prediction`] (Craig Reynolds, Steering Behaviors for Autonomous Characters, 1999). The panic distance is measured to the current
/// position of the pursuer.
///
/// With a [`Target::Group`], the agent flees from every member within the panic distance, as [`Flee`](crate::behaviors::flee::Flee) does:
/// away from the predicted positions, weighted by the current distances.
///
/// # When to use it
///
/// For prey, and for agents that should get out of the way of something fast. If the pursuer stands still,
/// [`Flee`](crate::behaviors::flee::Flee) does the same and is simpler.
///
/// # Combines with
///
/// [`Wander`](crate::behaviors::wander::Wander), [`Flock`](crate::behaviors::flock::Flock) or [`Seek`](crate::behaviors::seek::Seek) while
/// no pursuer is near: give `Evade` a panic distance and a weight of about 4. [`Contain`](crate::constraints::contain::Contain) or
/// [`SteeringBounds`](crate::math::space::SteeringBounds) keeps the agent in the world.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// let wolf = commands.spawn((Wander::default(), Transform::from_xyz(300.0, 0.0, 0.0))).id();
/// commands.spawn((Evade::new(wolf).with_panic_distance(150.0), Transform::default()));
/// # }
/// ```
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[require(SteeringAgent)]
pub struct Evade {
    /// The pursuer. If the target no longer exists, the behavior applies no force.
    #[entities]
    pub target: Target,
    /// How far ahead to predict. Default: [`Prediction::Intercept`]. A longer prediction may put the pursuer behind the agent, which then
    /// flees toward it.
    pub prediction: Prediction,
    /// The longest prediction, seconds. Default: no limit. With 0 or less the agent flees from the current position, like
    /// [`Flee`](crate::behaviors::flee::Flee).
    pub max_prediction: Option<f32>,
    /// The distance within which the agent flees, units, ≥ 0. Default: no limit; for a group, the distance that the agent covers in one
    /// second at max speed. With a negative distance it never flees.
    pub panic_distance: Option<f32>,
    /// The factor on the force. Default: 1. A negative weight reverses the force.
    pub weight: f32,
}

impl Evade {
    /// Evades `target`, usually an `Entity`, however far away it is.
    pub fn new(target: impl Into<Target>) -> Self {
        Self {
            target: target.into(),
            prediction: Prediction::default(),
            max_prediction: None,
            panic_distance: None,
            weight: 1.0,
        }
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

impl Evade {
    /// Takes the agent by value, so that it stays in registers in the common case.
    #[cold]
    #[inline(never)]
    fn wish_from_group(&self, agent: Agent, targets: &Targets, groups: GroupMask) -> Wish {
        let to_predicted = |pursuer: &Kinematics| to_predicted(&agent, pursuer, self.prediction, self.max_prediction);
        flee_group(&agent, targets, groups, self.panic_distance, to_predicted)
    }
}

impl SteeringBehavior for Evade {
    type State = Stateless;
    type Param = Targets<'static, 'static>;

    #[inline]
    fn wish(&self, _: &mut Stateless, agent: &Agent, targets: &SystemParamItem<'_, '_, Self::Param>) -> Wish {
        if let Target::Group(groups) = self.target {
            return self.wish_from_group(*agent, targets, groups);
        }
        let Some(pursuer) = targets.find_for(agent, self.target) else { return Wish::Nothing };
        if is_calm(agent.to(pursuer.position), self.panic_distance) {
            return Wish::Nothing;
        }
        flee(agent, to_predicted(agent, &pursuer, self.prediction, self.max_prediction))
    }

    #[inline]
    fn weight(&self) -> f32 {
        self.weight
    }

    fn priority(&self) -> i32 {
        30
    }

    fn aims(&self) -> [Option<Aim>; 2] {
        [Some(Aim::at(self.target)), None]
    }

    #[inline]
    fn perception_radius(&self, agent: &SteeringAgent) -> f32 {
        group_perception_radius(self.target, self.panic_distance, agent)
    }

    fn draw(&self, _: &Stateless, agent: &Agent, targets: &SystemParamItem<'_, '_, Self::Param>, figure: &mut Figure) {
        let pursuer = targets.find_for(agent, self.target);
        draw_panic(agent, pursuer, self.panic_distance, figure);
        if let Some(pursuer) = pursuer
            && !is_calm(agent.to(pursuer.position), self.panic_distance)
        {
            let predicted = agent.position + to_predicted(agent, &pursuer, self.prediction, self.max_prediction);
            figure.line(agent.position + agent.to(pursuer.position), predicted);
            figure.point(predicted);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vector;

    #[test]
    fn does_not_flee_into_the_arms_of_a_fast_pursuer() {
        let agent = Agent { max_speed: 100.0, ..Agent::at(Vector::ZERO) };
        let pursuer = Kinematics { position: Vector::new(50.0, 1.0), velocity: Vector::new(-300.0, 0.0) };
        let force = |prediction| flee(&agent, to_predicted(&agent, &pursuer, prediction, None)).force(&agent);
        assert!(force(Evade::new(Vector::ZERO).prediction).x < 0.0);
        // The proportional prediction does.
        assert!(force(Prediction::Proportional).x > 0.0);
    }
}
