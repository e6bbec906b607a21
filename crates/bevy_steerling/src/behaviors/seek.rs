//! Seek: run to a target at full speed.

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
#[cfg_attr(not(dim3), doc = "*Seek runs to its target, past it, and turns back. The heavier agent takes wider turns.*")]
///
/// # Formula
///
/// The desired velocity is `n(target − position) · max_speed`, where `n` normalizes a vector (Craig Reynolds, Steering Behaviors for
/// Autonomous Characters, 1999). If the agent is exactly on the target, it is zero. For a [`Target::Group`], the target is the nearest
/// member.
///
/// # When to use it
///
/// To go somewhere without stopping: to a distant point, to the mouse, or to a goal that is removed once it is reached. To stop at the
/// target, use [`Arrive`](crate::behaviors::arrive::Arrive). To catch something that moves, use
/// [`Pursue`](crate::behaviors::pursue::Pursue).
///
/// # Combines with
///
/// Add [`AvoidObstacles`](crate::constraints::avoid_obstacles::AvoidObstacles) to go around obstacles, or
/// [`AvoidNeighbors`](crate::constraints::avoid_neighbors::AvoidNeighbors) to go around other agents.
#[cfg_attr(not(dim3), doc = "Add [`Queue`](crate::constraints::queue::Queue) to wait in line.")]
/// With a small weight next to [`Wander`](crate::behaviors::wander::Wander), the agent strolls toward its target.
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
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[require(SteeringAgent)]
pub struct Seek {
    /// The target. If the target no longer exists, the behavior applies no force.
    #[entities]
    pub target: Target,
    /// The factor on the force. Default: 1. A negative weight reverses the force.
    pub weight: f32,
}

impl Seek {
    /// Runs to `target`, a point or an `Entity`.
    pub fn new(target: impl Into<Target>) -> Self {
        Self { target: target.into(), weight: 1.0 }
    }

    /// Sets the [`weight`](Self::weight).
    #[must_use]
    pub fn with_weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }
}

/// The desired velocity of an agent that seeks a target at the displacement `to_target`.
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
