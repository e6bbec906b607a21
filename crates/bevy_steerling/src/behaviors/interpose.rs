//! Get between two targets.

use bevy::ecs::system::SystemParamItem;
use bevy::prelude::*;

use crate::agent::{Agent, SteeringAgent};
use crate::behaviors::arrive::SlowingRadius;
use crate::engine::behavior::{Aim, Stateless, SteeringBehavior};
use crate::engine::figure::Figure;
use crate::engine::wish::Wish;
use crate::perception::prediction::{Prediction, to_predicted};
use crate::perception::target::{Kinematics, Target, Targets};

/// Moves between two targets, and stays there while they move.
///
#[cfg_attr(doc, doc = figure!("interpose"))]
///
#[cfg_attr(not(dim3), doc = "*Interpose: a guard gets between the one it protects and a pursuer.*")]
///
/// # Formula
///
/// The agent arrives at the midpoint of `a + v·T` and `b + w·T`, where `a` and `b` are the positions and `v` and `w` the velocities of the
/// two targets. `T` is the time that the [`Prediction`] gives for their midpoint: by default the distance to it, divided by max speed
/// (Craig Reynolds, Steering Behaviors for Autonomous Characters, 1999; Mat Buckland, Programming Game AI by Example, 2005). For a
/// [`Target::Group`], the target is the nearest member.
///
/// # When to use it
///
/// For bodyguards, goalkeepers, and players who block a pass.
///
/// # Combines with
///
/// [`AvoidObstacles`](crate::constraints::avoid_obstacles::AvoidObstacles) and
/// [`AvoidNeighbors`](crate::constraints::avoid_neighbors::AvoidNeighbors), which let the agent stop right beside walls and other agents.
/// [`Separation`](crate::behaviors::separation::Separation) keeps several guards of the same pair apart.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// let king = commands.spawn((Wander::default(), Transform::from_xyz(-200.0, 0.0, 0.0))).id();
/// let thief = commands.spawn((Pursue::new(king), Transform::from_xyz(300.0, 100.0, 0.0))).id();
/// commands.spawn((Interpose::new(king, thief), Transform::default()));
/// # }
/// ```
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[require(SteeringAgent)]
pub struct Interpose {
    /// The two targets. If either no longer exists, the behavior applies no force.
    #[entities]
    pub between: [Target; 2],
    /// How to slow down: see [`SlowingRadius`]. Default: [`SlowingRadius::Auto`].
    pub slowing_radius: SlowingRadius,
    /// How far ahead to predict the midpoint. Default: [`Prediction::Proportional`].
    pub prediction: Prediction,
    /// The factor on the force. Default: 1. A negative weight reverses the force.
    pub weight: f32,
}

impl Interpose {
    /// Moves between two targets, usually entities.
    pub fn new(one: impl Into<Target>, other: impl Into<Target>) -> Self {
        Self {
            between: [one.into(), other.into()],
            slowing_radius: SlowingRadius::Auto,
            prediction: Prediction::Proportional,
            weight: 1.0,
        }
    }

    /// Slows down linearly within `radius`, units: [`SlowingRadius::Linear`].
    #[must_use]
    pub fn with_slowing_radius(self, radius: f32) -> Self {
        Self { slowing_radius: SlowingRadius::Linear(radius), ..self }
    }

    /// Sets the [`prediction`](Self::prediction).
    #[must_use]
    pub fn with_prediction(self, prediction: Prediction) -> Self {
        Self { prediction, ..self }
    }

    /// Sets the [`weight`](Self::weight).
    #[must_use]
    pub fn with_weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }

    /// The two targets, if both exist.
    fn find(&self, agent: &Agent, targets: &Targets) -> Option<[Kinematics; 2]> {
        let [one, other] = self.between.map(|target| targets.find_for(agent, target));
        Some([one?, other?])
    }
}

/// The midpoint of two targets as `agent` sees them, and its velocity.
fn middle(agent: &Agent, [one, other]: [Kinematics; 2]) -> Kinematics {
    let to_middle = agent.to(one.position).midpoint(agent.to(other.position));
    Kinematics { position: agent.position + to_middle, velocity: one.velocity.midpoint(other.velocity) }
}

impl SteeringBehavior for Interpose {
    type State = Stateless;
    type Param = Targets<'static, 'static>;

    #[inline]
    fn wish(&self, _: &mut Stateless, agent: &Agent, targets: &SystemParamItem<'_, '_, Self::Param>) -> Wish {
        let Some(between) = self.find(agent, targets) else { return Wish::Nothing };
        let displacement = to_predicted(agent, &middle(agent, between), self.prediction, None);
        Wish::Place { displacement, approach: self.slowing_radius.approach(0.0) }
    }

    #[inline]
    fn weight(&self) -> f32 {
        self.weight
    }

    fn aims(&self) -> [Option<Aim>; 2] {
        self.between.map(|target| Some(Aim::at(target)))
    }

    #[inline]
    fn perception_radius(&self, agent: &SteeringAgent) -> f32 {
        let [one, other] = self.between.map(|target| target.perception_radius(agent));
        one.max(other)
    }

    fn draw(&self, _: &Stateless, agent: &Agent, targets: &SystemParamItem<'_, '_, Self::Param>, figure: &mut Figure) {
        let Some(between) = self.find(agent, targets) else { return };
        let [one, other] = between.map(|target| agent.position + agent.to(target.position));
        figure.line(one, other);
        figure.point(agent.position + to_predicted(agent, &middle(agent, between), self.prediction, None));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vector;

    #[test]
    fn it_aims_at_where_the_middle_will_be() {
        let agent = Agent { max_speed: 5.0, ..Agent::at(Vector::new(10.0, 0.0)) };
        let at = |x, y, v| Kinematics { position: Vector::new(x, y), velocity: Vector::new(v, 0.0) };
        let middle = middle(&agent, [at(30.0, 40.0, 2.0), at(50.0, -40.0, -6.0)]);
        assert_eq!(middle, at(40.0, 0.0, -2.0));
        // 30 units at 5 units/s take six seconds.
        assert_eq!(to_predicted(&agent, &middle, Prediction::Proportional, None), Vector::new(18.0, 0.0));
    }
}
