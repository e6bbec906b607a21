//! What an agent sees: all round, or a sector about the way it moves.

use core::f32::consts::TAU;

use bevy::math::ops;

use crate::math::Vector;

/// The [`cone`] of an agent that sees all round.
pub(crate) const ALL_ROUND: f32 = -4.0;

/// A field of view of `angle` radians, as the cosine of half of it, times the absolute value of that: what can be compared with
/// squares, so that nobody needs a root.
pub(crate) fn cone(angle: f32) -> f32 {
    if angle >= TAU {
        return ALL_ROUND;
    }
    let cos = ops::cos(0.5 * angle.max(0.0));
    cos * cos.abs()
}

/// Whether an agent that moves at `velocity` sees what is in the direction of `displacement`. At rest it sees all round, and
/// everybody sees what is in their own place.
#[inline]
pub(crate) fn sees(cone: f32, velocity: Vector, displacement: Vector) -> bool {
    let ahead = velocity.dot(displacement);
    ahead * ahead.abs() >= cone * velocity.length_squared() * displacement.length_squared()
}

/// Remembers the last few cones, so that a crowd of equals needs few cosines.
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
    use super::*;
    use core::f32::consts::{FRAC_PI_2, PI};

    #[test]
    fn one_sees_what_is_within_half_the_angle_of_the_way_one_moves() {
        let right = Vector::new(3.0, 0.0);
        for (angle, seen, unseen) in [
            (FRAC_PI_2, Vector::new(2.0, 1.9), Vector::new(2.0, 2.1)),
            (PI, Vector::new(0.01, -5.0), Vector::new(-0.01, 5.0)),
            (1.5 * PI, Vector::new(-2.0, 2.1), Vector::new(-2.0, 1.9)),
        ] {
            assert!(sees(cone(angle), right, seen), "{angle}");
            assert!(!sees(cone(angle), right, unseen), "{angle}");
            assert!(sees(cone(angle), Vector::ZERO, unseen), "at rest");
            assert!(sees(cone(angle), right, Vector::ZERO));
        }
        assert!(sees(cone(TAU), right, Vector::new(-1.0, 0.0)));
        assert!(sees(cone(f32::INFINITY), right, Vector::new(-1.0, 0.0)));
    }

    #[test]
    fn remembered_cones_are_the_same() {
        let mut cones = Cones::default();
        for angle in [1.0, 1.0, 2.0, TAU, 1.0] {
            assert_eq!(cones.get(1, angle), cone(angle));
        }
    }
}
