//! The dimension of space, and the only operations that know it.

use bevy::math::{Vec2, Vec3, ops};
use bevy::transform::components::Transform;

/// A position, displacement, velocity or force.
///
/// Units: whatever the game measures its `Transform`s in (pixels, meters), per second for velocities,
/// and mass times units per second squared for forces.
pub type Vector = Vec2;

/// Components beyond this are clamped before a length is taken, so that squares stay finite.
const LIMIT: f32 = 1e18;

/// Lengths below the square root of this count as zero in [`normalize`].
const TINY_SQUARED: f32 = 1e-30;

/// `vector` scaled to length one, or the zero vector when `vector` is (nearly) zero.
///
/// The result is finite for every input without NaN. Vectors shorter than 1e-15 shrink towards zero
/// instead of being blown up to length one.
///
/// ```
/// # use bevy::math::Vec2;
/// # use bevy_steerling::math::normalize;
/// assert_eq!(normalize(Vec2::new(3.0, 4.0)), Vec2::new(0.6, 0.8));
/// assert_eq!(normalize(Vec2::ZERO), Vec2::ZERO);
/// ```
#[inline]
pub fn normalize(vector: Vector) -> Vector {
    let vector = clamp_components(vector);
    vector / ops::sqrt(vector.length_squared().max(TINY_SQUARED))
}

/// `vector`, shortened to `max_length` when it is longer. A negative or NaN `max_length` counts as zero.
///
/// ```
/// # use bevy::math::Vec2;
/// # use bevy_steerling::math::truncate;
/// assert_eq!(truncate(Vec2::new(6.0, 8.0), 5.0), Vec2::new(3.0, 4.0));
/// assert_eq!(truncate(Vec2::new(3.0, 4.0), 9.0), Vec2::new(3.0, 4.0));
/// ```
#[inline]
pub fn truncate(vector: Vector, max_length: f32) -> Vector {
    // No branch, so that loops over agents vectorize: a zero vector gives min(∞ or NaN, 1) = 1.
    let vector = clamp_components(vector);
    vector * (max_length.max(0.0) / ops::sqrt(vector.length_squared())).min(1.0)
}

/// `vector`, or the zero vector when a component is NaN or infinite.
#[inline]
pub(crate) fn finite_or_zero(vector: Vector) -> Vector {
    if vector.is_finite() { vector } else { Vector::ZERO }
}

/// The unit vector at `angle` radians, counterclockwise from +x.
#[inline]
pub(crate) fn unit_vector(angle: f32) -> Vector {
    let (sin, cos) = ops::sin_cos(angle);
    Vector::new(cos, sin)
}

/// Where `transform` is.
#[inline]
pub(crate) fn position(transform: &Transform) -> Vector {
    transform.translation.truncate()
}

/// Moves `transform` to `position` and leaves what steering does not know (z) alone.
#[inline]
pub(crate) fn set_position(transform: &mut Transform, position: Vector) {
    transform.translation = Vec3::new(position.x, position.y, transform.translation.z);
}

/// Clamps each component to ±[`LIMIT`]; NaN stays NaN.
#[inline]
fn clamp_components(vector: Vector) -> Vector {
    Vector::new(vector.x.clamp(-LIMIT, LIMIT), vector.y.clamp(-LIMIT, LIMIT))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truncation_keeps_short_vectors_and_zero() {
        assert_eq!(truncate(Vector::new(1.0, 0.0), 2.0), Vector::new(1.0, 0.0));
        assert_eq!(truncate(Vector::ZERO, 2.0), Vector::ZERO);
        assert_eq!(truncate(Vector::ZERO, 0.0), Vector::ZERO);
    }

    #[test]
    fn a_useless_limit_truncates_to_zero() {
        for limit in [0.0, -1.0, f32::NAN, f32::NEG_INFINITY] {
            assert_eq!(truncate(Vector::new(3.0, 4.0), limit), Vector::ZERO);
        }
        assert_eq!(truncate(Vector::new(3.0, 4.0), f32::INFINITY), Vector::new(3.0, 4.0));
    }

    #[test]
    fn huge_vectors_keep_a_finite_direction() {
        for vector in [Vector::splat(f32::MAX), Vector::new(f32::INFINITY, 0.0), Vector::new(1e9, -1e9)] {
            assert!((normalize(vector).length() - 1.0).abs() < 1e-6);
            assert!((truncate(vector, 7.0).length() - 7.0).abs() < 1e-5);
        }
    }

    #[test]
    fn tiny_vectors_normalize_to_at_most_one() {
        for length in [0.0, 1e-38, 1e-20, 1e-15, 1e-10] {
            let result = normalize(Vector::new(length, 0.0));
            assert!(result.is_finite() && result.length() <= 1.0 + 1e-6);
        }
    }
}
