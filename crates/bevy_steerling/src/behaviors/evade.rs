//! Run away from where a moving target will be.

use bevy::ecs::system::SystemParamItem;
use bevy::prelude::*;

use crate::behaviors::flee::{draw_panic, force_away, force_away_from_group, group_perception_radius, is_calm};
use crate::behaviors::pursue::to_predicted;
use crate::engine::behavior::{Agent, SteeringBehavior};
use crate::engine::figure::Figure;
use crate::math::Vector;
use crate::perception::prediction::Prediction;
use crate::perception::target::{Kinematics, Target, Targets};
use crate::prelude::SteeringAgent;

/// Runs away from where a moving target, the pursuer, will be.
///
#[cfg_attr(doc, doc = figure!("evade"))]
///
/// *Evade runs from where the pursuer will be; Flee from where it is.*
///
/// # Formula
///
/// Flees from the point `q + w · T`, with `q` and `w` the pursuer's position and velocity and `T` how far ahead the
/// [`Prediction`] looks (Craig Reynolds, Steering Behaviors for Autonomous Characters, 1999). The panic distance is
/// measured to the pursuer where it is now.
///
/// From a [`Target::Group`] it runs away from every member within the panic distance, as [`Flee`](crate::behaviors::flee::Flee)
/// does: away from where each of them will be, and weighted by how near each is now.
///
/// # Parameters
///
/// | parameter | unit | range | default | beyond that |
/// |---|---|---|---|---|
/// | [`target`](Self::target) | – | a place, an entity, a group | – | one that is gone gives no force |
/// | [`prediction`](Self::prediction) | – | `Intercept`, `Proportional`, `Fixed` seconds | `Intercept` | `Fixed` of 0 and less: as `Flee` |
/// | [`max_prediction`](Self::max_prediction) | s | ≥ 0 | none | below 0 as 0: as `Flee` |
/// | [`panic_distance`](Self::panic_distance) | units | ≥ 0 | none; of a group `max_speed · 1 s` | below 0 it never flees |
/// | [`weight`](Self::weight) | – | ≥ 0 | 1 | below 0 it wants the opposite |
///
/// # When to use it
///
/// For prey, and for whoever should step out of the way of something fast. From what stands,
/// [`Flee`](crate::behaviors::flee::Flee) is the same and simpler.
///
/// # Combines with
///
/// [`Wander`](crate::behaviors::wander::Wander), [`Flock`](crate::behaviors::flock::Flock) or
/// [`Seek`](crate::behaviors::seek::Seek) for the time in which nobody is near, with a smaller weight; `Evade` with a panic
/// distance and a weight of about 4. [`Contain`](crate::constraints::contain::Contain) or
/// [`SteeringBounds`](crate::math::space::SteeringBounds) for the edges.
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
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
#[require(SteeringAgent)]
pub struct Evade {
    /// The pursuer.
    #[entities]
    pub target: Target,
    /// How far ahead to look. Default: [`Prediction::Intercept`], because the place where the two could meet is never
    /// behind the agent; from a place farther along the pursuer's way it would flee into its arms.
    pub prediction: Prediction,
    /// Never look farther ahead than this, seconds. Default: no limit.
    pub max_prediction: Option<f32>,
    /// A pursuer farther away than this does not matter, units. Default: it always does; of a group, those no farther than the agent
    /// runs in a second at max speed.
    pub panic_distance: Option<f32>,
    /// Factor on the contribution. Default: 1.
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
    /// By value, so that otherwise the agent stays in registers.
    #[cold]
    #[inline(never)]
    fn steer_from_group(&self, agent: Agent, targets: &Targets, groups: u32) -> Vector {
        let to_predicted = |pursuer: &Kinematics| to_predicted(&agent, pursuer, self.prediction, self.max_prediction);
        force_away_from_group(&agent, targets, groups, self.panic_distance, to_predicted)
    }
}

impl SteeringBehavior for Evade {
    type Param = Targets<'static, 'static>;

    #[inline]
    fn steer(&mut self, agent: &Agent, targets: &SystemParamItem<'_, '_, Self::Param>) -> Vector {
        if let Target::Group(groups) = self.target {
            return self.steer_from_group(*agent, targets, groups);
        }
        let Some(pursuer) = targets.find(self.target) else { return Vector::ZERO };
        if is_calm(agent.to(pursuer.position), self.panic_distance) {
            return Vector::ZERO;
        }
        force_away(agent, to_predicted(agent, &pursuer, self.prediction, self.max_prediction))
    }

    #[inline]
    fn weight(&self) -> f32 {
        self.weight
    }

    fn priority(&self) -> i32 {
        30
    }

    #[inline]
    fn perception_radius(&self, agent: &SteeringAgent) -> f32 {
        group_perception_radius(self.target, self.panic_distance, agent)
    }

    fn draw(&self, agent: &Agent, targets: &SystemParamItem<'_, '_, Self::Param>, figure: &mut Figure) {
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

    #[test]
    fn does_not_flee_into_the_arms_of_a_fast_pursuer() {
        let agent = Agent { max_speed: 100.0, ..Agent::at(Vector::ZERO) };
        let pursuer = Kinematics { position: Vector::new(50.0, 1.0), velocity: Vector::new(-300.0, 0.0) };
        let force = |prediction| force_away(&agent, to_predicted(&agent, &pursuer, prediction, None));
        assert!(force(Evade::new(Vector::ZERO).prediction).x < 0.0);
        // As the plain formula would.
        assert!(force(Prediction::Proportional).x > 0.0);
    }
}
