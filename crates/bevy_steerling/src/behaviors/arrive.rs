//! Go to a target and stop there.

use bevy::ecs::system::SystemParamItem;
use bevy::math::ops;
use bevy::prelude::*;

use crate::engine::behavior::{Agent, SteeringBehavior};
use crate::engine::body::BodyLimits;
use crate::engine::figure::Figure;
use crate::engine::maneuver::{self, Goal};
use crate::math::{Vector, normalize};
use crate::perception::target::{Target, Targets};
use crate::prelude::SteeringAgent;

/// Goes to a target and stops there.
///
#[cfg_attr(doc, doc = figure!("arrive"))]
///
/// *Arrive stops on the target; Seek, from the same start, runs past it.*
///
/// How it slows down is set by [`SlowingRadius`]: by default as late as the agent's own force allows, without running past
/// the target. Alone, an agent that is not already too fast to stop ends exactly on the target, at rest. Of a
/// [`Target::Group`] the nearest member is the target.
///
/// # Formula
///
/// Desired velocity: toward the target, at most max speed, and no more than [`braking_speed`] ([`SlowingRadius::Auto`]) or
/// `max_speed · distance / radius` ([`SlowingRadius::Linear`]; Craig Reynolds, Steering Behaviors for Autonomous Characters, 1999).
///
/// # Parameters
///
/// | parameter | unit | range | default | beyond that |
/// |---|---|---|---|---|
/// | [`target`](Self::target) | – | a place, an entity, a group | – | one that is gone gives no force |
/// | [`slowing_radius`](Self::slowing_radius) | units | `Auto`, or `Linear` above 0 | `Auto` | `Linear` of 0 and less does not slow down |
/// | [`arrival_tolerance`](Self::arrival_tolerance) | units | ≥ 0 | 0: the very place | below 0 as 0 |
/// | [`weight`](Self::weight) | – | ≥ 0 | 1 | below 0 it wants the opposite |
///
/// # When to use it
///
/// Whenever an agent should come to rest: a click, a place in a formation, a seat. `Linear` looks softer, and pulls like a spring
/// when the radius is large; it runs past the target when the agent is too weak or too heavy for the radius. Use
/// [`Seek`](crate::behaviors::seek::Seek) where stopping is not wanted.
///
/// # Combines with
///
/// [`AvoidObstacles`](crate::constraints::avoid_obstacles::AvoidObstacles) and
/// [`AvoidNeighbors`](crate::constraints::avoid_neighbors::AvoidNeighbors), which let it stop right beside walls and others. With
/// [`MatchVelocity`](crate::behaviors::match_velocity::MatchVelocity) it keeps up with a target that moves. Other behaviors that
/// always want something, such as [`Wander`](crate::behaviors::wander::Wander), keep it from coming to rest.
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
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
#[require(SteeringAgent)]
pub struct Arrive {
    /// Where to go.
    #[entities]
    pub target: Target,
    /// How to slow down. Default: [`SlowingRadius::Auto`].
    pub slowing_radius: SlowingRadius,
    /// Near enough, units: within this distance the agent wants nothing but to stand still. Default: 0.
    pub arrival_tolerance: f32,
    /// Factor on the contribution. Default: 1.
    pub weight: f32,
}

/// How [`Arrive`] slows down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
pub enum SlowingRadius {
    /// Brakes as late as the agent's max force and mass allow, and comes to rest on the target.
    ///
    /// Desired velocity: toward the target at [`braking_speed`], at most max speed. The contribution is
    /// `mass · (desired velocity − velocity) / response time`, so that heavy agents brake as well as they can and light
    /// ones do not overdo it.
    #[default]
    Auto,
    /// Slows down in proportion to the distance within this radius, units:
    /// `n(target − position) · max_speed · min(1, distance / radius)` (Craig Reynolds, Steering Behaviors for Autonomous
    /// Characters, 1999). An agent too weak or too heavy for a small radius runs past the target.
    Linear(f32),
}

impl Arrive {
    /// Stops on `target`, a `Vec2` or an `Entity`.
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

/// The velocity with which an agent arrives at a target displaced by `to_target`, slowing down linearly.
///
/// ```
/// # use bevy::math::Vec2;
/// # use bevy_steerling::behaviors::arrive::linear_velocity;
/// assert_eq!(linear_velocity(Vec2::new(30.0, 40.0), 10.0, 100.0), Vec2::new(3.0, 4.0));
/// assert_eq!(linear_velocity(Vec2::new(300.0, 400.0), 10.0, 100.0), Vec2::new(6.0, 8.0));
/// ```
#[inline]
pub fn linear_velocity(to_target: Vector, max_speed: f32, slowing_radius: f32) -> Vector {
    let share = to_target.length() / slowing_radius.max(f32::MIN_POSITIVE);
    normalize(to_target) * (max_speed * share.min(1.0))
}

/// The greatest speed, units/s, from which an agent comes to rest after exactly `distance`, when it can lose `deceleration`
/// units/s² in ticks of `tick` seconds.
///
/// In continuous time that is `√(2 · deceleration · distance)`. In ticks, speed falls by `q = deceleration · tick` each,
/// and `N` of them cover at most `q · tick · N(N + 1)/2`. So with `N` the number of ticks that the distance takes, the
/// speed is `distance/(N · tick) + q · (N − 1)/2`: next tick it will be less by exactly `q`, and in the last one the
/// agent lands on the target. (The same profile is known in control theory as the time-optimal one of a discrete
/// double integrator.)
///
/// ```
/// # use bevy_steerling::behaviors::arrive::braking_speed;
/// // 3 + 2 + 1 units in ticks of one second.
/// assert_eq!(braking_speed(6.0, 1.0, 1.0), 3.0);
/// assert_eq!(braking_speed(6.0 - 3.0, 1.0, 1.0), 2.0);
/// ```
#[inline]
pub fn braking_speed(distance: f32, deceleration: f32, tick: f32) -> f32 {
    let per_tick = (deceleration * tick).max(1e-30);
    let ticks = ops::ceil((ops::sqrt(1.0 + 8.0 * (distance / (per_tick * tick)).min(1e18)) - 1.0) * 0.5).max(1.0);
    distance / (ticks * tick) + per_tick * (ticks - 1.0) * 0.5
}

/// The velocity of [`SlowingRadius::Auto`].
#[inline]
pub(crate) fn braking_velocity(agent: &Agent, to_target: Vector) -> Vector {
    let direction = normalize(to_target);
    let distance = to_target.length();
    let approach = agent.velocity.dot(direction);
    let sideways = (agent.velocity - direction * approach).length();

    // What it takes to stop moving sideways is not there to brake with: who approaches at an angle brakes early, and goes
    // straight first. With all of it gone, a tenth of the force is reckoned with.
    let force = agent.max_force / agent.mass;
    let share = (sideways / (force * agent.tick).max(f32::MIN_POSITIVE)).min(0.995);
    let deceleration = force * ops::sqrt(1.0 - share * share);

    // An agent that answers late brakes early, and closes in slowly enough not to swing.
    let delay = agent.response_time - agent.tick;
    let room = (distance - approach.max(0.0) * delay).max(0.0);
    let swing_limit = if delay > 0.0 { distance / (4.0 * agent.response_time) } else { f32::INFINITY };

    direction * braking_speed(room, deceleration, agent.tick).min(swing_limit).min(agent.max_speed)
}

impl SteeringBehavior for Arrive {
    type Param = Targets<'static, 'static>;

    #[inline]
    fn steer(&mut self, agent: &Agent, targets: &SystemParamItem<'_, '_, Self::Param>) -> Vector {
        let Some(target) = targets.find_for(agent, self.target) else { return Vector::ZERO };
        let to_target = agent.to(target.position);
        let arrived = to_target.length() <= self.arrival_tolerance;
        match self.slowing_radius {
            SlowingRadius::Linear(_) if arrived => agent.force_toward(Vector::ZERO),
            SlowingRadius::Linear(radius) => agent.force_toward(linear_velocity(to_target, agent.max_speed, radius)),
            SlowingRadius::Auto if arrived => agent.force_toward(Vector::ZERO) * agent.mass,
            SlowingRadius::Auto => agent.force_toward(braking_velocity(agent, to_target)) * agent.mass,
        }
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

impl Goal for Arrive {
    fn way(&self, agent: &Agent, targets: &Targets) -> Option<Vector> {
        targets.find_for(agent, self.target).map(|target| agent.to(target.position))
    }

    fn speed(&self, agent: &Agent, way: Vector) -> f32 {
        match self.slowing_radius {
            SlowingRadius::Linear(radius) => linear_velocity(way, agent.max_speed, radius).length(),
            SlowingRadius::Auto => braking_velocity(agent, way).length(),
        }
    }

    fn stops_within(&self) -> Option<f32> {
        Some(self.arrival_tolerance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braking_speed_falls_by_the_same_amount_each_tick_and_lands_on_the_target() {
        for (mut distance, deceleration, tick) in [(100.0, 7.0, 1.0 / 60.0), (3.7, 90.0, 0.1), (1.0, 0.01, 1.0)] {
            let mut speed = braking_speed(distance, deceleration, tick);
            for _ in 0..100_000 {
                distance -= speed * tick;
                let next = braking_speed(distance.max(0.0), deceleration, tick);
                assert!(speed - next <= deceleration * tick * 1.01, "{speed} to {next}");
                speed = next;
            }
            assert!(distance.abs() < 1e-4, "ends {distance} away");
        }
    }

    #[test]
    fn braking_speed_approaches_the_continuous_one() {
        let speed = braking_speed(50.0, 10.0, 1e-4);
        assert!((speed / ops::sqrt(2.0 * 10.0 * 50.0) - 1.0).abs() < 1e-3, "{speed}");
    }

    #[test]
    fn a_radius_of_zero_does_not_slow() {
        assert_eq!(linear_velocity(Vector::new(2.0, 0.0), 5.0, 0.0), Vector::new(5.0, 0.0));
        assert_eq!(linear_velocity(Vector::ZERO, 5.0, 0.0), Vector::ZERO);
    }
}
