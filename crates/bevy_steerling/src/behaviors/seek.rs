//! Run to a target.

use bevy::ecs::system::SystemParamItem;
use bevy::prelude::*;

use crate::agent::{Agent, SteeringAgent};
use crate::engine::behavior::{Aim, Arrival, Stateless, SteeringBehavior};
use crate::engine::figure::Figure;
use crate::engine::wish::Wish;
use crate::math::{Vector, normalize};
use crate::perception::target::{Target, Targets};

/// Runs to a target at full speed.
///
#[cfg_attr(doc, doc = figure!("seek"))]
///
/// *Seek runs to its target, past it, and turns back; the heavier agent turns wider.*
///
/// # Formula
///
/// Desired velocity: `n(target − position) · max_speed` (Craig Reynolds, Steering Behaviors for Autonomous Characters,
/// 1999). On the target itself it is zero. Of a [`Target::Group`] the nearest member is the target.
///
/// # When to use it
///
/// To go somewhere without stopping: to a distant point, to the mouse, to a goal that is removed when it is reached. To stop there
/// use [`Arrive`](crate::behaviors::arrive::Arrive); to catch something that moves use [`Pursue`](crate::behaviors::pursue::Pursue).
///
/// # Combines with
///
/// [`AvoidObstacles`](crate::constraints::avoid_obstacles::AvoidObstacles) goes around obstacles,
/// [`AvoidNeighbors`](crate::constraints::avoid_neighbors::AvoidNeighbors) around other agents, and
/// [`Queue`](crate::constraints::queue::Queue) waits in line. A small weight beside [`Wander`](crate::behaviors::wander::Wander) makes
/// a stroll with a destination.
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
    /// Where to run. A target that is gone gives no force.
    #[entities]
    pub target: Target,
    /// The factor on the force. Default: 1. A negative weight turns the force around.
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
    type State = Stateless;
    type Param = Targets<'static, 'static>;
    const PARALLEL_THRESHOLD: usize = 16_384;

    #[inline(always)]
    fn wish(&self, _: &mut Stateless, agent: &Agent, targets: &SystemParamItem<'_, '_, Self::Param>) -> Wish {
        targets.find_for(agent, self.target).map(|target| Wish::seek(agent.to(target.position))).into()
    }

    #[inline]
    fn weight(&self) -> f32 {
        self.weight
    }

    fn aims(&self) -> [Option<Aim>; 2] {
        [Some(Aim::at(self.target).with_arrival(Arrival::Passing).catching()), None]
    }

    #[inline]
    fn perception_radius(&self, agent: &SteeringAgent) -> f32 {
        self.target.perception_radius(agent)
    }

    fn draw(&self, _: &Stateless, agent: &Agent, targets: &SystemParamItem<'_, '_, Self::Param>, figure: &mut Figure) {
        if let Some(target) = targets.find_for(agent, self.target) {
            figure.line(agent.position, agent.position + agent.to(target.position));
            figure.point(target.position);
        }
    }
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
