//! Move as a target does.

use bevy::ecs::system::SystemParamItem;
use bevy::prelude::*;

use crate::engine::behavior::{Agent, SteeringBehavior};
use crate::engine::figure::Figure;
use crate::math::{Vector, truncate};
use crate::perception::target::{Target, Targets};
use crate::prelude::SteeringAgent;

/// Moves as a target does, wherever that is: in the same direction and at the same speed.
///
#[cfg_attr(doc, doc = figure!("match_velocity"))]
///
/// *`MatchVelocity`: two escorts move as their leader does, wherever they are.*
///
/// # Formula
///
/// Desired velocity: the target's, shortened to max speed. So it contributes
/// `weight · (target's velocity − velocity) / response time` (*velocity matching*; Ian Millington, Artificial Intelligence for
/// Games, 2006). A target that has no [`Velocity`](crate::agent::Velocity) stands still, as every point does: to match it
/// is to come to rest.
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
/// For escorts, convoys, things carried by a stream; and, with any point as its target, as a brake. It knows nothing of places:
/// who starts a little too slow falls behind. To move as *many* do use [`Alignment`](crate::behaviors::alignment::Alignment).
///
/// # Combines with
///
/// [`Arrive`](crate::behaviors::arrive::Arrive) with a small weight, at the target or a place near it, makes up for the distance.
/// [`Separation`](crate::behaviors::separation::Separation) keeps a convoy apart.
///
/// # Example
///
/// An escort that keeps up with its ship, and near it:
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// let ship = commands.spawn(Seek::new(Vec2::new(900.0, 0.0))).id();
/// commands.spawn((
///     MatchVelocity::new(ship),
///     Arrive::new(ship).with_weight(0.2),
///     Transform::from_xyz(0.0, 60.0, 0.0),
/// ));
/// # }
/// ```
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
#[require(SteeringAgent)]
pub struct MatchVelocity {
    /// Who moves as the agent wants to. Of a group, the nearest member.
    #[entities]
    pub target: Target,
    /// Factor on the contribution. Default: 1.
    pub weight: f32,
}

impl MatchVelocity {
    /// Moves as `target` does, usually an `Entity`.
    pub fn new(target: impl Into<Target>) -> Self {
        Self { target: target.into(), weight: 1.0 }
    }

    /// Sets the [`weight`](Self::weight).
    #[must_use]
    pub fn with_weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }
}

/// The velocity with which an agent matches a target: the target's own, as far as the agent can go so fast.
///
/// ```
/// # use bevy::math::Vec2;
/// # use bevy_steerling::behaviors::match_velocity::desired_velocity;
/// assert_eq!(desired_velocity(Vec2::new(3.0, 4.0), 10.0), Vec2::new(3.0, 4.0));
/// assert_eq!(desired_velocity(Vec2::new(30.0, 40.0), 10.0), Vec2::new(6.0, 8.0));
/// ```
#[inline]
pub fn desired_velocity(target_velocity: Vector, max_speed: f32) -> Vector {
    truncate(target_velocity, max_speed)
}

impl SteeringBehavior for MatchVelocity {
    type Param = Targets<'static, 'static>;

    #[inline]
    fn steer(&mut self, agent: &Agent, targets: &SystemParamItem<'_, '_, Self::Param>) -> Vector {
        targets
            .find_for(agent, self.target)
            .map_or(Vector::ZERO, |target| agent.force_toward(desired_velocity(target.velocity, agent.max_speed)))
    }

    #[inline]
    fn weight(&self) -> f32 {
        self.weight
    }

    fn priority(&self) -> i32 {
        10
    }

    #[inline]
    fn perception_radius(&self, agent: &SteeringAgent) -> f32 {
        self.target.perception_radius(agent)
    }

    fn draw(&self, agent: &Agent, targets: &SystemParamItem<'_, '_, Self::Param>, figure: &mut Figure) {
        if let Some(target) = targets.find_for(agent, self.target) {
            let place = agent.position + agent.to(target.position);
            figure.line(place, place + 0.5 * target.velocity);
            figure.point(place);
        }
    }
}
