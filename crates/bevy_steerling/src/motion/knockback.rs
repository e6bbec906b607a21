//! Knockbacks.

use bevy::math::ops;
use bevy::prelude::*;

use crate::agent::{ExternalMovement, SteeringAgent};
use crate::math::Placement;
use crate::math::space::SteeringBounds;
use crate::math::{Vector, finite_or_zero, truncate};
use crate::tick::TickParam;

/// An additional velocity that does not come from steering, such as from a hit, a blast or a gust.
///
/// The knockback moves the agent after integration and fades exponentially: `k' = k · e^(−h/τ)` in a tick of `h` seconds, where `τ` is
/// the time constant. Each tick applies the exact integral, `k · τ · (1 − e^(−h/τ))`, so the total distance is `k · τ` at every tick
/// rate. Once the remaining distance is less than the agent covers in 0.1 ms at max speed, the knockback ends.
///
/// Meanwhile the agent steers as usual. Its [`Velocity`](crate::agent::Velocity) does not include the knockback;
#[cfg_attr(
    not(dim3),
    doc = "max speed and [`BodyLimits`](crate::agent::BodyLimits) do not limit it, and other agents do not predict it."
)]
#[cfg_attr(dim3, doc = "max speed does not limit it, and other agents do not predict it.")]
/// Edges of the world that bounce reverse it. A [`Solid`](crate::world::solid::Solid) body slides along walls instead of passing through
/// them. On an agent with [`ExternalMovement`], the knockback neither acts nor fades.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// fn hit(mut walkers: Query<&mut Knockback>) {
///     for mut knockback in &mut walkers {
///         knockback.add(Vec2::new(300.0, 0.0));
///     }
/// }
///
/// fn setup(mut commands: Commands) {
///     commands.spawn((Wander::default(), Knockback::default()));
///     // Spawned with a knockback of 60 units in all.
///     commands.spawn((Wander::default(), Knockback::new(Vec2::new(0.0, 120.0)).with_time_constant(0.5)));
/// }
/// # bevy::ecs::system::assert_is_system(hit);
/// ```
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[require(SteeringAgent)]
pub struct Knockback {
    /// The additional velocity, units/s. Default: zero. Values that are not finite count as zero.
    pub velocity: Vector,
    /// The time in which the knockback fades to 37 %, seconds, > 0. Default: 0.2. With 0, negative values and NaN, it ends at once. With
    /// infinity, it never fades.
    pub time_constant: f32,
    /// The displacement of the agent in this tick, units.
    way: Vector,
}

impl Default for Knockback {
    fn default() -> Self {
        Self::new(Vector::ZERO)
    }
}

/// A knockback ends when its remaining distance is shorter than the agent covers at max speed in this time, seconds.
const ENDING: f32 = 1e-4;

impl Knockback {
    /// Knocks the agent back with `velocity`, units/s.
    pub const fn new(velocity: Vector) -> Self {
        Self { velocity, time_constant: 0.2, way: Vector::ZERO }
    }

    /// Sets the [`time_constant`](Self::time_constant), seconds.
    #[must_use]
    pub fn with_time_constant(self, seconds: f32) -> Self {
        Self { time_constant: seconds, ..self }
    }

    /// Adds another knockback with `velocity`, units/s.
    pub fn add(&mut self, velocity: Vector) {
        self.velocity += velocity;
    }

    /// The displacement of the agent in the last tick, units.
    #[inline]
    pub fn way(&self) -> Vector {
        self.way
    }

    /// Removes the component toward a wall. `away` is the unit vector away from the wall.
    pub(crate) fn stop_at_wall(&mut self, away: Vector) {
        self.velocity -= away * self.velocity.dot(away).min(0.0);
    }
}

/// The displacement by a knockback in a tick, units, and the remaining velocity, units/s. If the remaining distance is at most `ending`,
/// units, the knockback ends and this distance is included.
///
/// ```
/// # use bevy::math::Vec2;
/// # use bevy_steerling::motion::knockback::fade;
/// let (way, left) = fade(Vec2::new(100.0, 0.0), 0.5, 0.1, 0.0);
/// let (half, after_half) = fade(Vec2::new(100.0, 0.0), 0.5, 0.05, 0.0);
/// let (other_half, _) = fade(after_half, 0.5, 0.05, 0.0);
/// assert!(way.distance(half + other_half) < 1e-5);
/// assert!((left.x - 81.87).abs() < 0.01);
/// ```
pub fn fade(velocity: Vector, time_constant: f32, tick: f32, ending: f32) -> (Vector, Vector) {
    // Truncated so that all results are finite.
    let velocity = truncate(finite_or_zero(velocity), f32::MAX);
    if time_constant.is_nan() || time_constant <= 0.0 {
        return (Vector::ZERO, Vector::ZERO);
    }
    // The share that fades in the tick, accurate even if it is small.
    let ticks = tick / time_constant;
    let faded = -ops::exp_m1(-ticks);
    let left = velocity - velocity * faded;
    if left.length() * time_constant <= ending || left.length() < f32::MIN_POSITIVE {
        return (finite_or_zero(velocity * time_constant), Vector::ZERO);
    }
    let way = velocity * (tick * if ticks > 1e-6 { faded / ticks } else { 1.0 });
    (finite_or_zero(way), left)
}

/// Moves agents by their knockbacks, and fades the knockbacks.
pub(crate) fn apply_knockbacks(
    mut agents: Query<(&mut Knockback, &SteeringAgent, &mut Transform), Without<ExternalMovement>>,
    tick: TickParam,
) {
    let (length, plane) = (tick.length(), tick.plane());
    agents.iter_mut().for_each(|(mut knockback, agent, mut transform)| {
        if knockback.velocity == Vector::ZERO {
            knockback.bypass_change_detection().way = Vector::ZERO;
            return;
        }
        let (way, left) = fade(knockback.velocity, knockback.time_constant, length, ENDING * agent.max_speed.max(0.0));
        knockback.velocity = left;
        knockback.way = way;
        let position = plane.position(&transform);
        let moved = position + way;
        if moved != position && moved.is_finite() {
            plane.set_position(&mut transform, moved);
        }
    });
}

/// Reverses knockbacks that lead out of the world, before agents are put back within its edges.
pub(crate) fn bounce_knockbacks(
    mut agents: Query<(&Transform, &mut Knockback), Without<ExternalMovement>>,
    bounds: Res<SteeringBounds>,
    plane: Res<Placement>,
) {
    agents.iter_mut().for_each(|(transform, mut knockback)| {
        let beyond = bounds.beyond(plane.position(transform));
        let bounced = bounds.bounced(beyond, knockback.velocity);
        if bounced != knockback.velocity {
            knockback.velocity = bounced;
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_way_is_that_of_the_integral() {
        for (time_constant, tick) in [(0.2, 0.001), (0.2, 1.0 / 60.0), (0.2, 0.5), (5.0, 1e-4), (1e-3, 1.0)] {
            let (mut way, mut velocity, mut ticks) = (0.0, Vector::new(0.0, -80.0), 0);
            while velocity != Vector::ZERO {
                let (moved, left) = fade(velocity, time_constant, tick, 0.01);
                (way, velocity) = (way + f64::from(moved.y), left);
                ticks += 1;
                assert!(ticks < 1_000_000);
            }
            let expected = -80.0 * f64::from(time_constant);
            assert!((way / expected - 1.0).abs() < 1e-4, "{way} instead of {expected}");
        }
    }

    #[test]
    fn odd_numbers_end_it_or_count_as_nothing() {
        let fast = Vector::new(3.0, 4.0);
        for time_constant in [0.0, -1.0, f32::NAN, f32::NEG_INFINITY] {
            assert_eq!(fade(fast, time_constant, 0.1, 0.0), (Vector::ZERO, Vector::ZERO));
        }
        assert_eq!(fade(fast, f32::INFINITY, 0.5, 100.0), (fast * 0.5, fast));
        for velocity in [Vector::NAN, Vector::INFINITY, Vector::new(f32::NAN, 1.0)] {
            assert_eq!(fade(velocity, 0.2, 0.1, 0.0), (Vector::ZERO, Vector::ZERO));
        }
        for time_constant in [1e-30, 1.0, 1e30, f32::MAX] {
            let (way, left) = fade(Vector::splat(f32::MAX), time_constant, 0.1, 0.0);
            assert!(way.is_finite() && left.is_finite(), "{way} {left}");
        }
    }
}
