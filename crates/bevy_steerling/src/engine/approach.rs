//! How fast an agent approaches a place.

use bevy::prelude::*;

use crate::agent::Agent;
use crate::math::lanes::{Lanes, VectorOf};
use crate::math::{Vector, normalize};

/// An agent that brakes straightens its path within this time, seconds, or within a tick if that is longer. In shorter ticks, the braking
/// force would depend on the slightest sideways motion, and a crowd with [`Separation`](crate::behaviors::separation::Separation) would
/// tremble.
const STRAIGHTENING_TIME: f32 = 1.0 / 64.0;

/// How an agent approaches a place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq)]
pub enum Approach {
    /// At full speed, and past the place.
    #[default]
    FullSpeed,
    /// At full speed, because the agent is too far from the place to brake. Unlike with [`FullSpeed`](Self::FullSpeed), the agent will stop
    /// there.
    NotYetBraking,
    /// At this speed, and past the place.
    AtSpeed {
        /// The speed, units/s, at most the agent's max speed.
        speed: f32,
    },
    /// In proportion to the distance within a radius: see [`linear_velocity`].
    Linear {
        /// The slowing radius, units. With 0 or less the agent does not slow down.
        radius: f32,
        /// The distance within which the agent wants to stand still, units.
        tolerance: f32,
    },
    /// As fast as max force and mass allow while still stopping at the place: see [`braking_speed`].
    Braking {
        /// The distance within which the agent wants to stand still, units.
        tolerance: f32,
    },
}

impl Approach {
    /// The distance within which the agent wants to stand still; `None` if it runs past the place.
    pub(crate) fn tolerance(self) -> Option<f32> {
        match self {
            Self::FullSpeed | Self::AtSpeed { .. } => None,
            Self::NotYetBraking => Some(0.0),
            Self::Linear { tolerance, .. } | Self::Braking { tolerance } => Some(tolerance),
        }
    }

    /// The desired speed of an agent if the place is at this displacement, units/s.
    #[cfg(not(dim3))]
    pub(crate) fn speed(self, agent: &Agent, displacement: Vector) -> f32 {
        match self {
            Self::FullSpeed | Self::NotYetBraking => agent.max_speed,
            Self::AtSpeed { speed } => speed.min(agent.max_speed),
            Self::Linear { radius, .. } => linear_velocity(displacement, agent.max_speed, radius).length(),
            Self::Braking { .. } => braking_velocity(agent, displacement).length(),
        }
    }

    /// The force toward the place at this displacement, for an agent without body limits.
    #[inline]
    pub(crate) fn force(self, agent: &Agent, displacement: Vector) -> Vector {
        match self {
            Self::FullSpeed | Self::NotYetBraking => agent.force_toward(normalize(displacement) * agent.max_speed),
            Self::AtSpeed { speed } => agent.force_toward(normalize(displacement) * speed.min(agent.max_speed)),
            Self::Linear { tolerance, .. } if displacement.length() <= tolerance => agent.force_toward(Vector::ZERO),
            Self::Linear { radius, .. } => agent.force_toward(linear_velocity(displacement, agent.max_speed, radius)),
            Self::Braking { tolerance } => {
                Body::<f32>::gather((), |_| agent).braking_force(displacement.into(), tolerance).into()
            }
        }
    }
}

/// The desired velocity of an agent that slows down linearly toward a target at the displacement `to_target`.
///
/// ```
/// # use bevy::math::Vec2;
/// # use bevy_steerling::engine::approach::linear_velocity;
/// assert_eq!(linear_velocity(Vec2::new(30.0, 40.0), 10.0, 100.0), Vec2::new(3.0, 4.0));
/// assert_eq!(linear_velocity(Vec2::new(300.0, 400.0), 10.0, 100.0), Vec2::new(6.0, 8.0));
/// ```
#[inline]
pub fn linear_velocity(to_target: Vector, max_speed: f32, slowing_radius: f32) -> Vector {
    let share = to_target.length() / slowing_radius.max(f32::MIN_POSITIVE);
    normalize(to_target) * (max_speed * share.min(1.0))
}

/// The highest speed, units/s, from which an agent stops after exactly `distance`, with a deceleration of at most `deceleration` units/s²
/// in ticks of `tick` seconds.
///
/// In continuous time this is `√(2 · deceleration · distance)`. In discrete time, the speed decreases by `q = deceleration · tick` per
/// tick, and `N` ticks cover at most `q · tick · N(N + 1)/2`. Let `N` be the number of ticks needed for the distance. Then the speed is
/// `distance/(N · tick) + q · (N − 1)/2`. In each tick it decreases by exactly `q`, and in the last one the agent lands on the target. In
/// control theory, this is the time-optimal profile of a discrete double integrator.
///
/// ```
/// # use bevy_steerling::engine::approach::braking_speed;
/// // 3 + 2 + 1 units in ticks of one second.
/// assert_eq!(braking_speed(6.0, 1.0, 1.0), 3.0);
/// assert_eq!(braking_speed(6.0 - 3.0, 1.0, 1.0), 2.0);
/// ```
#[inline]
pub fn braking_speed(distance: f32, deceleration: f32, tick: f32) -> f32 {
    braking_speeds(distance, deceleration, tick)
}

/// [`braking_speed`] for one agent or for eight.
#[inline(always)]
fn braking_speeds<L: Lanes>(distance: L, deceleration: L, tick: L) -> L {
    let (half, one) = (tick.splat(0.5), tick.splat(1.0));
    let per_tick = (deceleration * tick).fast_max(tick.splat(1e-30));
    let steps = (distance / (per_tick * tick)).fast_min(tick.splat(1e18));
    let ticks = (((one + tick.splat(8.0) * steps).sqrt() - one) * half).ceil_of_positive().fast_max(one);
    distance / (ticks * tick) + per_tick * (ticks - one) * half
}

/// The values of an agent, or of eight, that braking depends on.
#[derive(Clone, Copy)]
pub(crate) struct Body<L> {
    pub velocity: VectorOf<L>,
    pub mass: L,
    pub max_force: L,
    pub max_speed: L,
    pub response_time: L,
    pub tick: L,
}

impl<L: Lanes> Body<L> {
    #[inline(always)]
    pub fn gather<'a>(simd: L::Simd, agent: impl Fn(usize) -> &'a Agent) -> Self {
        Self {
            velocity: VectorOf::gather(simd, |lane| agent(lane).velocity),
            mass: L::gather(simd, |lane| agent(lane).mass),
            max_force: L::gather(simd, |lane| agent(lane).max_force),
            max_speed: L::gather(simd, |lane| agent(lane).max_speed),
            response_time: L::gather(simd, |lane| agent(lane).response_time),
            tick: L::new(simd, agent(0).tick),
        }
    }

    /// The desired velocity of [`Approach::Braking`].
    #[inline(always)]
    pub fn braking_velocity(&self, to_target: VectorOf<L>) -> VectorOf<L> {
        let (zero, one) = (self.tick.splat(0.0), self.tick.splat(1.0));
        let (direction, distance) = to_target.unit_and_length();
        let approach = self.velocity.dot(direction);
        let sideways = (self.velocity - direction * approach).length();

        // The force that stops the sideways motion is not available for braking. So an agent that approaches at an angle brakes early and
        // straightens its path first. At least a tenth of the force is assumed for braking.
        let force = self.max_force / self.mass;
        let straightened = self.tick.fast_max(zero.splat(STRAIGHTENING_TIME));
        let share =
            (sideways / (force * straightened).fast_max(zero.splat(f32::MIN_POSITIVE))).fast_min(zero.splat(0.995));
        let deceleration = force * (one - share * share).sqrt();

        // An agent with a long response time brakes early, and approaches slowly enough not to oscillate.
        let delay = self.response_time - self.tick;
        let room = (distance - approach.fast_max(zero) * delay).fast_max(zero);
        let swing_limit = L::select(
            delay.simd_gt(zero),
            distance / (zero.splat(4.0) * self.response_time),
            zero.splat(f32::INFINITY),
        );

        let speed = braking_speeds(room, deceleration, self.tick);
        direction * speed.fast_min(swing_limit).fast_min(self.max_speed)
    }

    /// The force of [`Approach::Braking`].
    #[inline(always)]
    pub fn braking_force(&self, to_target: VectorOf<L>, tolerance: L) -> VectorOf<L> {
        let (zero, one) = (self.tick.splat(0.0), self.tick.splat(1.0));
        let arrived = to_target.dot(to_target).sqrt().simd_le(tolerance);
        let velocity =
            VectorOf::select(arrived, VectorOf::new(zero.simd(), Vector::ZERO), self.braking_velocity(to_target));
        // As in `Agent::force_toward`.
        let force = (velocity - self.velocity) / self.response_time * self.mass.fast_min(one);
        // The braking profile assumes that even a heavy agent follows within one response time.
        force * self.mass.fast_max(one)
    }
}

/// The desired velocity of [`Approach::Braking`].
#[inline]
pub(crate) fn braking_velocity(agent: &Agent, to_target: Vector) -> Vector {
    Body::<f32>::gather((), |_| agent).braking_velocity(to_target.into()).into()
}

#[cfg(test)]
mod tests {
    use bevy::math::ops;

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
