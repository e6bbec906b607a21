//! Match velocity: move at the velocity of a target.

use bevy::ecs::system::SystemParamItem;
use bevy::prelude::*;

use crate::agent::{Agent, SteeringAgent};
use crate::engine::behavior::{Aim, Stateless, SteeringBehavior};
use crate::engine::figure::Figure;
use crate::engine::wish::Wish;
use crate::math::{Vector, truncate};
use crate::perception::target::{Target, Targets};

/// Moves at the velocity of a target, regardless of its position.
///
#[cfg_attr(doc, doc = figure!("match_velocity"))]
///
#[cfg_attr(not(dim3), doc = "*`MatchVelocity`: two escorts move at the velocity of their leader, wherever they are.*")]
///
/// # Formula
///
/// The desired velocity is the target's velocity, truncated to max speed (*velocity matching*; Ian Millington, Artificial Intelligence for
/// Games, 2006). A point, or an entity without [`Velocity`](crate::agent::Velocity), has velocity zero.
///
/// # When to use it
///
/// For escorts, convoys and drifting things. With a point as its target, it is a brake. The behavior ignores positions, so an agent that
/// accelerates too slowly falls behind. To move like all nearby agents, use [`Alignment`](crate::behaviors::alignment::Alignment).
///
/// # Combines with
///
/// [`Arrive`](crate::behaviors::arrive::Arrive) at the target with a small weight closes the distance.
/// [`Separation`](crate::behaviors::separation::Separation) keeps the members of a convoy apart.
///
/// # Example
///
/// An escort that stays near its ship:
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
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[require(SteeringAgent)]
pub struct MatchVelocity {
    /// The target; for a group, its nearest member. If the target no longer exists, the behavior applies no force.
    #[entities]
    pub target: Target,
    /// The factor on the force. Default: 1. A negative weight reverses the force.
    pub weight: f32,
}

impl MatchVelocity {
    /// Matches the velocity of `target`, usually an `Entity`.
    pub fn new(target: impl Into<Target>) -> Self {
        Self { target: target.into(), weight: 1.0 }
    }

    /// Sets the [`weight`](Self::weight).
    #[must_use]
    pub fn with_weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }
}

/// The desired velocity of an agent that matches a target: the target's velocity, truncated to max speed.
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
    type State = Stateless;
    type Param = Targets<'static, 'static>;

    #[inline]
    fn wish(&self, _: &mut Stateless, agent: &Agent, targets: &SystemParamItem<'_, '_, Self::Param>) -> Wish {
        let target = targets.find_for(agent, self.target);
        target.map(|target| Wish::Velocity(desired_velocity(target.velocity, agent.max_speed))).into()
    }

    #[inline]
    fn weight(&self) -> f32 {
        self.weight
    }

    fn priority(&self) -> i32 {
        10
    }

    fn aims(&self) -> [Option<Aim>; 2] {
        [Some(Aim::at(self.target)), None]
    }

    #[inline]
    fn perception_radius(&self, agent: &SteeringAgent) -> f32 {
        self.target.perception_radius(agent)
    }

    fn draw(&self, _: &Stateless, agent: &Agent, targets: &SystemParamItem<'_, '_, Self::Param>, figure: &mut Figure) {
        if let Some(target) = targets.find_for(agent, self.target) {
            let place = agent.position + agent.to(target.position);
            figure.line(place, place + 0.5 * target.velocity);
            figure.point(place);
        }
    }
}
