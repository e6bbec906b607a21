//! Half-spaces, and the vector within several of them that is nearest to another vector.
//!
//! The nearest vector is found by incremental linear programming, as in ORCA (van den Berg et al., Reciprocal n-Body Collision Avoidance,
//! 2011). If a half-space does not contain the result for the half-spaces before it, the new result is on its boundary.

use bevy::math::ops;

use crate::math::vector::Vector;
#[cfg(dim3)]
use crate::math::vector::{normalize, truncate};

/// The vectors `x` with `x · normal ≥ least`. The normal is a unit vector.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HalfSpace {
    pub normal: Vector,
    pub least: f32,
}

/// Several half-spaces.
pub(crate) trait HalfSpaces: Iterator<Item = HalfSpace> + Clone {}

impl<I: Iterator<Item = HalfSpace> + Clone> HalfSpaces for I {}

/// The size of rounding errors of directions.
const ROUNDING: f32 = 1e-6;

impl HalfSpace {
    pub fn contains(&self, vector: Vector) -> bool {
        vector.dot(self.normal) >= self.least
    }

    /// The vector nearest to `wanted` that is within all half-spaces and at most `length` long; `None` if there is none. `wanted` must be
    /// at most `length` long.
    pub fn nearest_in_all(all: impl HalfSpaces, wanted: Vector, length: f32) -> Option<Vector> {
        let mut nearest = wanted;
        for (index, half_space) in all.clone().enumerate() {
            if !half_space.contains(nearest) {
                nearest = half_space.nearest_on_boundary(all.clone().take(index), wanted, length)?;
            }
        }
        Some(nearest)
    }

    /// The vector on the boundary nearest to `wanted` that is within `others` and at most `length` long; `None` if there is none.
    #[cfg(not(dim3))]
    pub fn nearest_on_boundary(&self, others: impl HalfSpaces, wanted: Vector, length: f32) -> Option<Vector> {
        let along = self.normal.perp();
        let half_chord = ops::sqrt(((length - self.least) * (length + self.least)).max(0.0));
        let missing = |other: &Self| other.least - self.least * self.normal.dot(other.normal);
        let (low, high) = part_of_line(others, along, half_chord, length, missing)?;
        Some(self.normal * self.least + along * wanted.dot(along).clamp(low, high))
    }

    /// The vector on the boundary nearest to `wanted` that is within `others` and at most `length` long; `None` if there is none.
    #[cfg(dim3)]
    pub fn nearest_on_boundary(&self, others: impl HalfSpaces, wanted: Vector, length: f32) -> Option<Vector> {
        let across = |vector: Vector| vector - self.normal * vector.dot(self.normal);
        // The vectors on the boundary that are at most `length` long form a disk.
        let center = self.normal * self.least;
        let radius_squared = ((length - self.least) * (length + self.least)).max(0.0);
        let mut nearest = center + truncate(across(wanted), ops::sqrt(radius_squared));
        for (index, other) in others.clone().enumerate() {
            let (slope, missing) = (across(other.normal), other.least - center.dot(other.normal));
            let steepness = slope.length();
            if steepness < ROUNDING {
                if missing > ROUNDING * length {
                    return None;
                }
            } else if !other.contains(nearest) {
                // On the line where the boundaries meet.
                let distance = missing / steepness;
                let half_chord_squared = radius_squared - distance * distance;
                if half_chord_squared < -ROUNDING * length * length {
                    return None;
                }
                let start = center + slope * (distance / steepness);
                let along = normalize(self.normal.cross(slope));
                let missing = |other: &Self| other.least - start.dot(other.normal);
                let half_chord = ops::sqrt(half_chord_squared.max(0.0));
                let (low, high) = part_of_line(others.clone().take(index), along, half_chord, length, missing)?;
                nearest = start + along * wanted.dot(along).clamp(low, high);
            }
        }
        Some(nearest)
    }
}

/// The part of a line within half-spaces, as distances along it from its start, at most `half_chord`; `None` if there is none. `missing`
/// returns how far the start is outside a half-space.
pub(crate) fn part_of_line(
    half_spaces: impl HalfSpaces,
    along: Vector,
    half_chord: f32,
    length: f32,
    missing: impl Fn(&HalfSpace) -> f32,
) -> Option<(f32, f32)> {
    let (mut low, mut high) = (-half_chord, half_chord);
    for half_space in half_spaces {
        let (slope, missing) = (along.dot(half_space.normal), missing(&half_space));
        if slope.abs() < ROUNDING {
            if missing > ROUNDING * length {
                return None;
            }
        } else if slope > 0.0 {
            low = low.max(missing / slope);
        } else {
            high = high.min(missing / slope);
        }
    }
    (low <= high).then_some((low, high))
}
