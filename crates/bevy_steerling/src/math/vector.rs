//! The vector type of steering, and functions on it.

#[cfg(not(dim3))]
use bevy::math::{BVec2 as BVecOfDimension, IVec2 as IVecOfDimension, Vec2 as VecOfDimension};
#[cfg(dim3)]
use bevy::math::{BVec3 as BVecOfDimension, IVec3 as IVecOfDimension, Vec3 as VecOfDimension};
use bevy::math::{Vec2, ops};

use crate::math::sine;

/// A position, displacement, velocity or force.
///
/// Units: whatever the game measures its `Transform`s in (pixels, meters), per second for velocities,
/// and mass times units per second squared for forces.
pub type Vector = VecOfDimension;

/// The number of coordinates.
pub(crate) const DIMENSIONS: usize = if cfg!(dim3) { 3 } else { 2 };

/// A truth value for each coordinate.
pub(crate) type BVector = BVecOfDimension;

/// An integer for each coordinate.
pub(crate) type IVector = IVecOfDimension;

/// Components are clamped to this before a length is computed, so that the sum of their squares is finite. Games do not get near it, even
/// with lengths, speeds and weights of 1e9.
pub(super) const LIMIT: f32 = if cfg!(dim3) { 1e19 } else { 1.3e19 };

/// Lengths below the square root of this count as zero in [`normalize`].
pub(super) const TINY_SQUARED: f32 = 1e-30;

/// `vector` scaled to length one, or the zero vector if `vector` is zero or nearly zero.
///
/// The result is finite unless a component is NaN. For vectors shorter than 1e-15, the result is shorter than one, down to zero.
///
/// ```
/// # use bevy::math::Vec2;
/// # use bevy_steerling::math::normalize;
/// assert_eq!(normalize(Vec2::new(3.0, 4.0)), Vec2::new(0.6, 0.8));
/// assert_eq!(normalize(Vec2::ZERO), Vec2::ZERO);
/// ```
#[inline]
pub fn normalize(vector: Vector) -> Vector {
    let vector = bounded(vector);
    vector / ops::sqrt(vector.length_squared().max(TINY_SQUARED))
}

/// `vector`, shortened to `max_length` if it is longer. A `max_length` that is negative or NaN counts as zero.
///
/// ```
/// # use bevy::math::Vec2;
/// # use bevy_steerling::math::truncate;
/// assert_eq!(truncate(Vec2::new(6.0, 8.0), 5.0), Vec2::new(3.0, 4.0));
/// assert_eq!(truncate(Vec2::new(3.0, 4.0), 9.0), Vec2::new(3.0, 4.0));
/// ```
#[inline]
pub fn truncate(vector: Vector, max_length: f32) -> Vector {
    // No branch, so that loops over agents vectorize.
    let vector = bounded(vector);
    vector * (max_length.max(0.0) / ops::sqrt(vector.length_squared().max(f32::MIN_POSITIVE))).min(1.0)
}

/// `vector`, or the zero vector if a component is NaN or infinite.
#[inline]
pub(crate) fn finite_or_zero(vector: Vector) -> Vector {
    // No branch, so that loops over agents vectorize.
    #[cfg(not(dim3))]
    let is_finite = vector.x.is_finite() & vector.y.is_finite();
    #[cfg(dim3)]
    let is_finite = vector.x.is_finite() & vector.y.is_finite() & vector.z.is_finite();
    if is_finite { vector } else { Vector::ZERO }
}

/// The vector with these integers.
#[inline]
pub(crate) fn vector_of(integers: IVector) -> Vector {
    #[cfg(not(dim3))]
    return integers.as_vec2();
    #[cfg(dim3)]
    integers.as_vec3()
}

/// The vector with each component rounded toward zero.
#[inline]
pub(crate) fn integers_of(vector: Vector) -> IVector {
    #[cfg(not(dim3))]
    return vector.as_ivec2();
    #[cfg(dim3)]
    vector.as_ivec3()
}

/// The unit vector at `angle` radians, counterclockwise from +x.
#[inline]
pub(crate) fn unit_vector(angle: f32) -> Vec2 {
    let (sin, cos) = if angle.abs() <= sine::MOST { sine::sin_cos(angle) } else { ops::sin_cos(angle) };
    Vec2::new(cos, sin)
}

/// [`unit_vector`] for several angles.
#[cfg(not(dim3))]
#[inline]
pub(crate) fn unit_vectors<const COUNT: usize>(angles: &[f32; COUNT]) -> [Vector; COUNT] {
    let are_small = angles.iter().fold(true, |small, angle| small & (angle.abs() <= sine::MOST));
    // A loop vectorizes; `array::map` does not always.
    let mut vectors = [Vector::ZERO; COUNT];
    for (vector, angle) in vectors.iter_mut().zip(angles) {
        *vector = if are_small {
            let (sin, cos) = sine::sin_cos(*angle);
            Vector::new(cos, sin)
        } else {
            unit_vector(*angle)
        };
    }
    vectors
}

/// The angle from one vector to another, radians counterclockwise.
#[cfg(not(dim3))]
pub(crate) fn turn_between(from: Vector, to: Vector) -> f32 {
    ops::atan2(from.perp_dot(to), from.dot(to))
}

/// A vector turned clockwise by an angle, radians.
#[cfg(not(dim3))]
pub(crate) fn turned_right(vector: Vector, angle: f32) -> Vector {
    unit_vector(-angle).rotate(vector)
}

/// The length of the component of a vector perpendicular to a direction, which is a unit vector.
pub(crate) fn distance_across(direction: Vector, vector: Vector) -> f32 {
    #[cfg(not(dim3))]
    return direction.perp_dot(vector).abs();
    #[cfg(dim3)]
    direction.cross(vector).length()
}

/// `from` turned toward `to`, both unit vectors, by at most the angle with this cosine and sine. If `to` is opposite to `from`, the turn is
/// counterclockwise or, in three dimensions, in any direction.
#[inline]
pub(crate) fn turn_toward(from: Vector, to: Vector, cos: f32, sin: f32) -> Vector {
    if from.dot(to) >= cos {
        return to;
    }
    #[cfg(not(dim3))]
    let aside = if from.perp_dot(to) < 0.0 { -from.perp() } else { from.perp() };
    #[cfg(dim3)]
    let aside = match (to - from * from.dot(to)).try_normalize() {
        Some(aside) => aside,
        None => from.any_orthonormal_vector(),
    };
    from * cos + aside * sin
}

/// Clamps each component to ±[`LIMIT`]; NaN stays NaN.
#[inline]
pub(crate) fn bounded(vector: Vector) -> Vector {
    // Scaling the vector down instead takes a branch or a division, which makes loops over agents half as fast.
    let bounded = |number: f32| number.clamp(-LIMIT, LIMIT);
    #[cfg(not(dim3))]
    return Vector::new(bounded(vector.x), bounded(vector.y));
    #[cfg(dim3)]
    return Vector::new(bounded(vector.x), bounded(vector.y), bounded(vector.z));
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
    fn a_limit_that_is_negative_or_nan_truncates_to_zero() {
        for limit in [0.0, -1.0, f32::NAN, f32::NEG_INFINITY] {
            assert_eq!(truncate(Vector::new(3.0, 4.0), limit), Vector::ZERO);
            assert_eq!(truncate(Vector::new(0.0, 1e-24), limit), Vector::ZERO);
        }
        assert_eq!(truncate(Vector::new(3.0, 4.0), f32::INFINITY), Vector::new(3.0, 4.0));
    }

    #[test]
    fn huge_vectors_keep_a_finite_direction() {
        for vector in [Vector::splat(f32::MAX), Vector::new(f32::INFINITY, 0.0), Vector::new(1e9, -1e9)] {
            assert!((normalize(vector).length() - 1.0).abs() < 1e-6);
            assert!((truncate(vector, 7.0).length() - 7.0).abs() < 1e-5);
        }
        let steep = Vector::new(3e18, 4e18);
        assert!((normalize(steep) - Vector::new(0.6, 0.8)).length() < 1e-6);
        assert!((truncate(steep, 5.0) - Vector::new(3.0, 4.0)).length() < 1e-5);
    }

    #[test]
    fn turning_stops_at_the_limit_or_the_goal() {
        let (sin, cos) = ops::sin_cos(0.5);
        assert!((turn_toward(Vector::X, Vector::Y, cos, sin) - unit_vector(0.5)).length() < 1e-6);
        assert!((turn_toward(Vector::X, Vector::NEG_Y, cos, sin) - unit_vector(-0.5)).length() < 1e-6);
        assert!((turn_toward(Vector::X, Vector::NEG_X, cos, sin) - unit_vector(0.5)).length() < 1e-6);
        assert_eq!(turn_toward(Vector::X, unit_vector(0.4), cos, sin), unit_vector(0.4));
    }

    #[test]
    fn tiny_vectors_normalize_to_at_most_one() {
        for length in [0.0, 1e-38, 1e-20, 1e-15, 1e-10] {
            let result = normalize(Vector::new(length, 0.0));
            assert!(result.is_finite() && result.length() <= 1.0 + 1e-6);
        }
    }
}
