//! Being knocked back.

use bevy::math::ops;
use bevy::prelude::*;

use crate::agent::{ExternalMovement, SteeringAgent};
use crate::math::space::SteeringBounds;
use crate::math::{self, Vector, finite_or_zero, truncate};
use crate::tick::TickParam;

/// A velocity that an agent did not choose: a knock-back, a blast, a gust.
///
/// It is added to the agent's movement after everything else, and fades: `i' = i · e^(−h/τ)` in a tick of `h` seconds, with the
/// time constant `τ`. The agent's own [`Velocity`](crate::agent::Velocity) knows nothing of it and stays within max speed, and so does
/// [`BodyLimits`](crate::engine::body::BodyLimits): whoever is knocked back goes on steering, and slides all the same. Each tick moves by
/// the exact integral, `i · τ · (1 − e^(−h/τ))`, so the whole way is `i · τ`, at any tick rate. When what is left of it is less than a
/// ten-thousandth of what the agent goes in a second at max speed, it is gone at once, and the agent is at rest, to the bit.
///
/// Edges of the world that bounce turn it round as they do the velocity. A [`Solid`](crate::world::solid::Solid) body is not knocked through
/// walls, however hard, but slides along them. What others predict is where the agent goes by itself: an impulse is a surprise.
/// Agents that something else moves ([`ExternalMovement`]) are not moved by it, nor does it fade.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// fn hit(mut walkers: Query<&mut Knockback>) {
///     for mut impulse in &mut walkers {
///         impulse.add(Vec2::new(300.0, 0.0));
///     }
/// }
///
/// fn setup(mut commands: Commands) {
///     commands.spawn((Wander::default(), Knockback::default()));
///     // Or as it happens: this one flies 60 units far.
///     commands.spawn((Wander::default(), Knockback::new(Vec2::new(0.0, 120.0)).with_time_constant(0.5)));
/// }
/// # bevy::ecs::system::assert_is_system(hit);
/// ```
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
#[require(SteeringAgent)]
pub struct Knockback {
    /// How fast it moves the agent, units/s. What is not finite counts as zero. Default: zero.
    pub velocity: Vector,
    /// How long it takes to fade to 37 %, seconds. Zero, less or NaN: it is gone at once; infinite: never. Default: 0.2.
    pub time_constant: f32,
    /// How far it moved the agent in this tick, units.
    way: Vector,
}

impl Default for Knockback {
    fn default() -> Self {
        Self::new(Vector::ZERO)
    }
}

/// It comes to an end when its way is shorter than what the agent goes at max speed in so many seconds.
const ENDING: f32 = 1e-4;

impl Knockback {
    /// Knocks with `velocity`, units/s.
    pub const fn new(velocity: Vector) -> Self {
        Self { velocity, time_constant: 0.2, way: Vector::ZERO }
    }

    /// Sets the [`time_constant`](Self::time_constant), seconds.
    #[must_use]
    pub fn with_time_constant(self, seconds: f32) -> Self {
        Self { time_constant: seconds, ..self }
    }

    /// Knocks again, with `velocity`, units/s: both add up.
    pub fn add(&mut self, velocity: Vector) {
        self.velocity += velocity;
    }

    /// How far it moved the agent in the last tick, units.
    #[inline]
    pub fn way(&self) -> Vector {
        self.way
    }

    /// Loses what leads against the unit vector `away` from a wall.
    pub(crate) fn stop_at_wall(&mut self, away: Vector) {
        self.velocity -= away * self.velocity.dot(away).min(0.0);
    }
}

/// The way that an impulse moves an agent in a tick, units, and what is left of it, units/s. A way of up to `ending` units is gone at
/// once.
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
    // As long as a length can be, so that all that follows is finite.
    let velocity = truncate(finite_or_zero(velocity), f32::MAX);
    if time_constant.is_nan() || time_constant <= 0.0 {
        return (Vector::ZERO, Vector::ZERO);
    }
    // The share that fades in the tick, with all its digits however small it is.
    let ticks = tick / time_constant;
    let faded = -ops::exp_m1(-ticks);
    let left = velocity - velocity * faded;
    if left.length() * time_constant <= ending || left.length() < f32::MIN_POSITIVE {
        return (finite_or_zero(velocity * time_constant), Vector::ZERO);
    }
    let way = velocity * (tick * if ticks > 1e-6 { faded / ticks } else { 1.0 });
    (finite_or_zero(way), left)
}

/// Moves agents on by their impulses, which fade.
pub(crate) fn apply_knockbacks(
    mut agents: Query<(&mut Knockback, &SteeringAgent, &mut Transform), Without<ExternalMovement>>,
    tick: TickParam,
) {
    let length = tick.length();
    agents.iter_mut().for_each(|(mut impulse, agent, mut transform)| {
        if impulse.velocity == Vector::ZERO {
            impulse.bypass_change_detection().way = Vector::ZERO;
            return;
        }
        let (way, left) = fade(impulse.velocity, impulse.time_constant, length, ENDING * agent.max_speed.max(0.0));
        impulse.velocity = left;
        impulse.way = way;
        let position = math::position(&transform);
        let moved = position + way;
        if moved != position && moved.is_finite() {
            math::set_position(&mut transform, moved);
        }
    });
}

/// Turns round what leads out of the world, before the agents are put back within its edges.
pub(crate) fn bounce_knockbacks(
    mut agents: Query<(&Transform, &mut Knockback), Without<ExternalMovement>>,
    bounds: Res<SteeringBounds>,
) {
    agents.iter_mut().for_each(|(transform, mut impulse)| {
        let (below, above) = bounds.beyond(math::position(transform));
        let i = impulse.velocity;
        let bounced = Vector::select(below, i.abs(), Vector::select(above, -i.abs(), i));
        if bounced != i {
            impulse.velocity = bounced;
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
