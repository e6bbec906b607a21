//! The position and heading of a `Transform` in the plane of steering.

use bevy::math::{Quat, Vec3, ops};
use bevy::transform::components::Transform;

use crate::math::vector::{Vector, normalize};

#[inline]
pub(crate) fn position(transform: &Transform) -> Vector {
    from_translation(transform.translation)
}

/// The x and y of a translation.
#[inline]
pub(crate) fn from_translation(translation: Vec3) -> Vector {
    translation.truncate()
}

/// Moves `transform` to `position`; z stays the same.
#[inline]
pub(crate) fn set_position(transform: &mut Transform, position: Vector) {
    transform.translation = Vec3::new(position.x, position.y, transform.translation.z);
}

/// The direction of `transform`'s x axis, a unit vector.
#[inline]
pub(crate) fn heading(transform: &Transform) -> Vector {
    let x = transform.rotation * Vec3::X;
    normalize(Vector::new(x.x, x.y))
}

/// The rotation that turns the x axis to the unit vector `heading`.
#[inline]
pub(crate) fn rotation_to(heading: Vector) -> Quat {
    // Half-angle formulas: a square root and a division instead of trigonometric functions. The root gives the larger of the two, so
    // that no digits cancel.
    let larger = ops::sqrt((1.0 + heading.x.abs()) * 0.5);
    let smaller = heading.y.abs() * 0.5 / larger;
    let (sin, cos) = if heading.x < 0.0 { (larger, smaller) } else { (smaller, larger) };
    Quat::from_xyzw(0.0, 0.0, sin.copysign(heading.y), cos)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::vector::unit_vector;

    #[test]
    fn rotations_point_where_they_should() {
        for k in 0..100_u8 {
            let direction = unit_vector(f32::from(k) * 0.0628 - 3.0);
            let transform = Transform::from_rotation(rotation_to(direction));
            assert!((heading(&transform) - direction).length() < 1e-6, "{direction}");
            assert!((transform.rotation.length() - 1.0).abs() < 1e-6);
        }
        for direction in [Vector::X, Vector::Y, Vector::NEG_X, Vector::NEG_Y] {
            assert!((heading(&Transform::from_rotation(rotation_to(direction))) - direction).length() < 1e-6);
        }
    }
}
