//! Reads positions from and writes them to `Transform`s in three dimensions.

use bevy::math::ops;
use bevy::prelude::*;

use crate::math::vector::{Vector, normalize};

/// The up direction of the world, as in Bevy.
pub(crate) const UP: Vector = Vec3::Y;

/// Vectors whose angle has a smaller sine count as parallel.
const PARALLEL: f32 = 1e-4;

/// The whole space of the world. It has the role of
/// [`SteeringPlane`](https://docs.rs/bevy_steerling/latest/bevy_steerling/prelude/struct.SteeringPlane.html) in three dimensions.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct WholeSpace;

impl WholeSpace {
    /// Agents move in it as usual.
    pub const USUAL: Self = Self;

    #[inline(always)]
    pub fn point(&self, point: Vec3) -> Vector {
        point
    }

    #[inline(always)]
    pub fn position(&self, transform: &Transform) -> Vector {
        transform.translation
    }

    /// Moves `transform` to `position`.
    #[inline(always)]
    pub fn set_position(&self, transform: &mut Transform, position: Vector) {
        transform.translation = position;
    }

    /// The direction in which the front of an agent points: Bevy's `forward`.
    pub fn heading(&self, transform: &Transform) -> Vector {
        transform.rotation * Vec3::NEG_Z
    }

    /// The unit vectors to the right of and above something that faces along `heading`, a unit vector. The upper side is as near to `up` as
    /// possible. If `heading` points along `up`, the upper side stays near to where it is `now`.
    fn right_and_above(heading: Vector, up: Vector, now: Quat) -> (Vector, Vector) {
        let (above, behind) = (now * Vec3::Y, now * Vec3::Z);
        let right = [up, above, behind * heading.dot(above).signum()].into_iter().find_map(|up| {
            let right = heading.cross(up);
            (right.length_squared() > PARALLEL * PARALLEL * up.length_squared()).then(|| normalize(right))
        });
        let right = right.unwrap_or_else(|| heading.any_orthonormal_vector());
        (right, right.cross(heading))
    }

    /// The rotation of an agent that faces along `heading`, a unit vector, with its upper side as near to `up` as possible.
    pub fn rotation_to(&self, heading: Vector, up: Vector, now: Quat) -> Quat {
        let (right, above) = Self::right_and_above(heading, up, now);
        unit(Quat::from_mat3(&Mat3::from_cols(right, above, -heading)).to_array())
    }

    /// The position at an offset from something that faces along `heading`, a unit vector: ahead, to the left and above, units.
    pub fn beside(&self, heading: Vector, offset: Vector) -> Vector {
        let (right, above) = Self::right_and_above(heading, UP, Quat::IDENTITY);
        heading * offset.x - right * offset.y + above * offset.z
    }

    /// The isometry that maps vectors to the world.
    #[cfg(feature = "debug")]
    pub fn isometry(&self, _: f32) -> Isometry3d {
        Isometry3d::IDENTITY
    }

    /// Always `false`: there are no floors, and agents perceive each other at any height.
    #[inline(always)]
    pub fn has_floors(&self) -> bool {
        false
    }

    #[inline(always)]
    pub fn floor_height(&self) -> f32 {
        f32::INFINITY
    }

    #[inline(always)]
    pub fn on_one_floor(&self, _: f32, _: f32) -> bool {
        true
    }

    /// Always `true`: there is only one set of axes.
    pub fn has_axes_of(&self, _: &Self) -> bool {
        true
    }

    #[inline(always)]
    pub fn height(&self, _: Vec3) -> f32 {
        0.0
    }
}

/// The unit vector to the right of something that moves along a vector, horizontal if possible. For the opposite vector, it is the opposite
/// one.
pub(crate) fn right_of(ahead: Vector) -> Vector {
    let ahead = normalize(ahead);
    let right = ahead.cross(UP);
    if right.length_squared() > PARALLEL * PARALLEL {
        normalize(right)
    } else if ahead.y < 0.0 {
        -Vector::X
    } else {
        Vector::X
    }
}

/// The angle from one vector to another, radians, counterclockwise as seen from above.
pub(crate) fn turn_between(from: Vector, to: Vector) -> f32 {
    ops::atan2(from.cross(to).dot(UP), from.dot(to))
}

/// A vector turned to the right, radians, toward the horizontal plane if possible.
pub(crate) fn turned_right(vector: Vector, angle: f32) -> Vector {
    let (sin, cos) = ops::sin_cos(angle);
    vector * cos + right_of(vector) * (vector.length() * sin)
}

/// A rotation of any length as a unit quaternion; the identity if the length is zero.
pub(crate) fn unit_rotation(rotation: Quat) -> Quat {
    let rotation = rotation.to_array();
    if rotation == [0.0; 4] { Quat::IDENTITY } else { unit(rotation) }
}

/// A rotation of any length as a unit quaternion. The rounding of `Quat::normalize` differs between processors.
fn unit(rotation: [f32; 4]) -> Quat {
    let length = ops::sqrt(rotation.iter().map(|number| number * number).sum());
    Quat::from_array(rotation.map(|number| number / length))
}

/// The angle from one rotation to another, radians.
pub(crate) fn angle_between(from: Quat, to: Quat) -> f32 {
    2.0 * half_angle(from.to_array(), nearer(from.to_array(), to).to_array())
}

/// Of the two unit quaternions of a rotation, the one that is nearer to another quaternion.
fn nearer(from: [f32; 4], to: Quat) -> Quat {
    let cos: f32 = from.iter().zip(to.to_array()).map(|(a, b)| a * b).sum();
    if cos < 0.0 { -to } else { to }
}

/// Half of the angle between two rotations whose quaternions are no farther apart than a right angle.
fn half_angle(from: [f32; 4], to: [f32; 4]) -> f32 {
    // Computed from the chord, because the cosine of a small angle rounds to one.
    let chord = ops::sqrt([0, 1, 2, 3].map(|axis| (to[axis] - from[axis]) * (to[axis] - from[axis])).iter().sum());
    2.0 * ops::asin((0.5 * chord).min(1.0))
}

/// `from`, a rotation of any length, turned toward `to` by at most `angle`, radians. The rounding of `Quat::rotate_towards` differs between
/// processors.
pub(crate) fn rotated_toward(from: Quat, to: Quat, angle: f32) -> Quat {
    let from = unit(from.to_array()).to_array();
    let to = nearer(from, to).to_array();
    let half = half_angle(from, to);
    if 2.0 * half <= angle {
        return Quat::from_array(to);
    }
    let share = 0.5 * angle / half;
    let (before, after) = (ops::sin((1.0 - share) * half), ops::sin(share * half));
    unit([0, 1, 2, 3].map(|axis| from[axis] * before + to[axis] * after))
}
