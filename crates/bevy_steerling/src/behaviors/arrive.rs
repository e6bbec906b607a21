//! Arrive: go to a target and stop there.

use bevy::ecs::system::SystemParamItem;
use bevy::prelude::*;

use crate::agent::{Agent, SteeringAgent};
use crate::engine::approach::Approach;
use crate::engine::behavior::{Aim, Arrival, Stateless, SteeringBehavior};
use crate::engine::figure::Figure;
use crate::engine::wish::Wish;
use crate::perception::target::{Target, Targets};

/// Goes to a target and stops there.
///
#[cfg_attr(doc, doc = figure!("arrive"))]
///
#[cfg_attr(not(dim3), doc = "*Arrive stops on the target; Seek, from the same start, runs past it.*")]
///
/// [`SlowingRadius`] sets how the agent slows down. By default it brakes as late as its max force allows. Without other behaviors it comes
/// to rest exactly on the target, unless it starts too fast to stop in time. For a [`Target::Group`], the target is the nearest member.
///
/// # Formula
///
/// The desired velocity points to the target. Its length is at most max speed. It is also at most
/// [`braking_speed`](crate::engine::approach::braking_speed) with [`SlowingRadius::Auto`], or `max_speed · distance / radius` with
/// [`SlowingRadius::Linear`] (Craig Reynolds, Steering Behaviors for Autonomous Characters, 1999).
///
/// # When to use it
///
/// Whenever an agent should come to rest: at a mouse click, in a formation, at a seat. `Linear` looks softer; with a large radius it acts
/// like a spring. To run past the target on purpose, use [`Seek`](crate::behaviors::seek::Seek).
///
/// # Combines with
///
/// [`AvoidObstacles`](crate::constraints::avoid_obstacles::AvoidObstacles) and
/// [`AvoidNeighbors`](crate::constraints::avoid_neighbors::AvoidNeighbors) let the agent stop right beside walls and other agents. With
/// `AvoidNeighbors`, agents with the same target come to rest around it, side by side. With
/// [`MatchVelocity`](crate::behaviors::match_velocity::MatchVelocity) the agent keeps up with a moving target. A behavior that never stops,
/// such as [`Wander`](crate::behaviors::wander::Wander), prevents it from coming to rest.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// commands.spawn((Arrive::new(Vec2::new(200.0, 0.0)), Transform::default()));
/// # }
/// ```
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[require(SteeringAgent)]
pub struct Arrive {
    /// The target. If the target no longer exists, the behavior applies no force.
    #[entities]
    pub target: Target,
    /// How to slow down. Default: [`SlowingRadius::Auto`].
    pub slowing_radius: SlowingRadius,
    /// The distance from the target within which the desired velocity is zero, units, ≥ 0. Default: 0. Negative values count as 0.
    pub arrival_tolerance: f32,
    /// The factor on the force. Default: 1. A negative weight reverses the force.
    pub weight: f32,
}

/// How [`Arrive`] slows down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub enum SlowingRadius {
    /// Brakes as late as the agent's max force and mass allow, and comes to rest on the target.
    ///
    /// The force is `mass · (desired velocity − velocity) / response time`. So even a heavy agent reaches the desired velocity within one
    /// response time, which it does not with other behaviors.
    #[default]
    Auto,
    /// Slows down in proportion to the distance within this radius, units, > 0. An agent that is too weak or too heavy for the radius
    /// runs past the target. With a radius of 0 or less the agent does not slow down.
    Linear(f32),
}

impl SlowingRadius {
    /// The approach to the place where the agent stops.
    #[inline]
    pub(crate) fn approach(self, tolerance: f32) -> Approach {
        match self {
            Self::Linear(radius) => Approach::Linear { radius, tolerance },
            Self::Auto => Approach::Braking { tolerance },
        }
    }
}

impl Arrive {
    /// Stops on `target`, a point or an `Entity`.
    pub fn new(target: impl Into<Target>) -> Self {
        Self { target: target.into(), slowing_radius: SlowingRadius::Auto, arrival_tolerance: 0.0, weight: 1.0 }
    }

    /// Slows down linearly within `radius`, units: [`SlowingRadius::Linear`].
    #[must_use]
    pub fn with_slowing_radius(self, radius: f32) -> Self {
        Self { slowing_radius: SlowingRadius::Linear(radius), ..self }
    }

    /// Sets the [`arrival_tolerance`](Self::arrival_tolerance), units.
    #[must_use]
    pub fn with_arrival_tolerance(self, tolerance: f32) -> Self {
        Self { arrival_tolerance: tolerance, ..self }
    }

    /// Sets the [`weight`](Self::weight).
    #[must_use]
    pub fn with_weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }
}

impl SteeringBehavior for Arrive {
    type State = Stateless;
    type Param = Targets<'static, 'static>;

    #[inline]
    fn wish(&self, _: &mut Stateless, agent: &Agent, targets: &SystemParamItem<'_, '_, Self::Param>) -> Wish {
        let approach = self.slowing_radius.approach(self.arrival_tolerance);
        let target = targets.find_for(agent, self.target);
        target.map(|target| Wish::Place { displacement: agent.to(target.position), approach }).into()
    }

    #[inline]
    fn weight(&self) -> f32 {
        self.weight
    }

    fn aims(&self) -> [Option<Aim>; 2] {
        [Some(Aim::at(self.target).with_arrival(Arrival::AtRest { tolerance: self.arrival_tolerance })), None]
    }

    #[inline]
    fn perception_radius(&self, agent: &SteeringAgent) -> f32 {
        self.target.perception_radius(agent)
    }

    fn draw(&self, _: &Stateless, agent: &Agent, targets: &SystemParamItem<'_, '_, Self::Param>, figure: &mut Figure) {
        if let Some(target) = targets.find_for(agent, self.target) {
            let slowing_radius = match self.slowing_radius {
                SlowingRadius::Linear(radius) => radius,
                SlowingRadius::Auto => agent.stopping_distance(),
            };
            figure.line(agent.position, agent.position + agent.to(target.position));
            figure.point(target.position);
            figure.circle(target.position, slowing_radius);
        }
    }
}
