//! Run to a target.

use bevy::ecs::system::SystemParamItem;
use bevy::prelude::*;

use crate::engine::behavior::{Agent, SteeringBehavior};
use crate::engine::body::BodyLimits;
use crate::engine::figure::Figure;
use crate::engine::heading::{Heading, Wish};
use crate::engine::maneuver::{self, Goal};
use crate::math::{Vector, normalize};
use crate::perception::target::{Kinematics, LastFound, Target, Targets};
use crate::prelude::SteeringAgent;

/// Runs to a target at full speed.
///
#[cfg_attr(doc, doc = figure!("seek"))]
///
/// *Seek runs to its target, past it, and turns back; the heavier agent turns wider.*
///
/// The agent does not slow down: it runs past the target and turns back, by design.
///
/// # Formula
///
/// Desired velocity: `n(target − position) · max_speed` (Craig Reynolds, Steering Behaviors for Autonomous Characters,
/// 1999). On the target itself it is zero. Of a [`Target::Group`] the nearest member is the target.
///
/// # Parameters
///
/// | parameter | unit | range | default | beyond that |
/// |---|---|---|---|---|
/// | [`target`](Self::target) | – | a place, an entity, a group | – | one that is gone gives no force |
/// | [`weight`](Self::weight) | – | ≥ 0 | 1 | below 0 it wants the opposite |
///
/// # When to use it
///
/// To get somewhere where stopping does not matter: a point far off, a mouse, a goal that is taken away when it is reached. To stop
/// there use [`Arrive`](crate::behaviors::arrive::Arrive); to catch what moves use [`Pursue`](crate::behaviors::pursue::Pursue).
///
/// # Combines with
///
/// [`AvoidObstacles`](crate::constraints::avoid_obstacles::AvoidObstacles) goes round what is in the way,
/// [`AvoidNeighbors`](crate::constraints::avoid_neighbors::AvoidNeighbors) past others, [`Queue`](crate::constraints::queue::Queue)
/// waits in line. With [`Separation`](crate::behaviors::separation::Separation) many can seek one point without becoming one
/// heap. A small weight beside [`Wander`](crate::behaviors::wander::Wander) makes a stroll with an aim.
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
        if let Some(target) = targets.find_for(agent, self.target) {
            figure.line(agent.position, agent.position + agent.to(target.position));
            figure.point(target.position);
        }
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

impl Goal for Seek {
    fn way(&self, agent: &Agent, targets: &Targets) -> Option<Vector> {
        targets.find_for(agent, self.target).map(|target| agent.to(target.position))
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
