//! The field of view of an agent: all around, or a sector centered on its velocity.

use core::f32::consts::TAU;

use bevy::math::ops;

use crate::math::lanes::{Lanes, VectorOf};

/// The [`cone`] of an agent that sees all around.
pub(crate) const ALL_ROUND: f32 = -4.0;

/// A field of view of `angle` radians as `c·|c|`, where `c` is the cosine of half the angle. It can be compared with squares, which avoids
/// square roots.
pub(crate) fn cone(angle: f32) -> f32 {
    if angle >= TAU {
        return ALL_ROUND;
    }
    let cos = ops::cos(0.5 * angle.max(0.0));
    cos * cos.abs()
}

/// The component of a displacement along the velocity, times the speed, squared with its sign. It can be compared with cones.
#[inline(always)]
pub(crate) fn squared_ahead<L: Lanes>(velocity: VectorOf<L>, displacement: VectorOf<L>) -> L {
    let ahead = velocity.dot(displacement);
    ahead * ahead.abs()
}

/// Whether a displacement with this [`squared_ahead`] and squared length is within a [`cone`], which is given times the square of the
/// speed. An agent at rest sees all around, and every agent sees what is exactly at its own position.
#[inline(always)]
pub(crate) fn sees<L: Lanes>(scaled_cone: L, squared_ahead: L, distance_squared: L) -> L::Mask {
    squared_ahead.simd_ge(scaled_cone * distance_squared)
}

/// Caches the last cone of each role, so that a crowd of identical agents needs few cosines.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cones([(f32, f32); 3]);

impl Default for Cones {
    fn default() -> Self {
        Self([(TAU, ALL_ROUND); 3])
    }
}

impl Cones {
    /// The [`cone`] of an angle, in one of three roles.
    #[inline]
    pub fn get(&mut self, role: usize, angle: f32) -> f32 {
        let known = &mut self.0[role];
        if known.0 != angle {
            *known = (angle, cone(angle));
        }
        known.1
    }
}

#[cfg(test)]
mod tests {
    use core::f32::consts::{FRAC_PI_2, PI};

    use super::*;
    use crate::math::Vector;

    fn sees_one(angle: f32, velocity: Vector, displacement: Vector) -> bool {
        let ahead = squared_ahead::<f32>(velocity.into(), displacement.into());
        sees(cone(angle) * velocity.length_squared(), ahead, displacement.length_squared())
    }

    #[test]
    fn an_agent_sees_what_is_within_half_the_angle_of_its_velocity() {
        let right = Vector::new(3.0, 0.0);
        for (angle, seen, unseen) in [
            (FRAC_PI_2, Vector::new(2.0, 1.9), Vector::new(2.0, 2.1)),
            (PI, Vector::new(0.01, -5.0), Vector::new(-0.01, 5.0)),
            (1.5 * PI, Vector::new(-2.0, 2.1), Vector::new(-2.0, 1.9)),
        ] {
            assert!(sees_one(angle, right, seen), "{angle}");
            assert!(!sees_one(angle, right, unseen), "{angle}");
            assert!(sees_one(angle, Vector::ZERO, unseen), "at rest");
            assert!(sees_one(angle, right, Vector::ZERO));
        }
        assert!(sees_one(TAU, right, Vector::new(-1.0, 0.0)));
        assert!(sees_one(f32::INFINITY, right, Vector::new(-1.0, 0.0)));
    }

    #[test]
    fn cached_cones_are_the_same() {
        let mut cones = Cones::default();
        for angle in [1.0, 1.0, 2.0, TAU, 1.0] {
            assert_eq!(cones.get(1, angle), cone(angle));
        }
    }
}
