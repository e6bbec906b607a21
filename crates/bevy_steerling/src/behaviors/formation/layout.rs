//! The slots of a formation.

use core::f32::consts::{FRAC_1_SQRT_2, PI, TAU};

use alloc::vec::Vec;

use bevy::math::ops;
use bevy::prelude::*;

use crate::math::{Vector, finite_or_zero, unit_vector};

/// The place ahead of the anchor and to its left, units, level with it.
fn level(ahead: f32, left: f32) -> Vector {
    #[cfg(not(dim3))]
    return Vector::new(ahead, left);
    #[cfg(dim3)]
    Vector::new(ahead, left, 0.0)
}

/// An arrangement of slots around the anchor, in the frame of its heading.
///
/// The place of the anchor itself stays free. Slots with low numbers are nearest to it.
#[cfg_attr(
    dim3,
    doc = "In three dimensions, all patterns except `Sphere`, `Cube` and `Places` are flat: in the frame of its heading, no slot is above or below the anchor."
)]
#[derive(Clone, Debug, Default, PartialEq, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub enum Pattern {
    /// Side by side with the anchor, alternately to its left and to its right.
    #[default]
    Line,
    /// One after the other behind the anchor.
    Column,
    /// Two straight lines from the anchor backward, at 45° to the left and to the right.
    Wedge,
    /// Rows behind the anchor: as many rows as columns, or one fewer. The last row is centered.
    Box,
    /// Evenly on a circle around the anchor. The first slot is straight ahead.
    Circle,
    /// Evenly on a sphere around the anchor, from ahead to behind.
    #[cfg(dim3)]
    Sphere,
    /// Square layers behind the anchor, as many as a layer is wide, filled row by row from the top. The last row is centered.
    #[cfg(dim3)]
    Cube,
    /// The given places: how far ahead of the anchor, how far to its left and, in three dimensions, how far above it, units. Places are
    /// filled in order. If there are more members than places, the rest line up behind the rearmost place.
    Places(Vec<Vector>),
}

impl Pattern {
    /// Writes the slots of a formation of `count` members as offsets ahead of the anchor and to its left, units. Neighbors are `pitch`
    /// apart.
    pub(super) fn lay_out(&self, count: usize, pitch: f32, slots: &mut Vec<Vector>) {
        slots.clear();
        // Two at a time, left and right.
        let pair = |number: usize| ((number / 2 + 1) as f32 * pitch, if number.is_multiple_of(2) { 1.0 } else { -1.0 });
        match self {
            Self::Line => slots.extend((0..count).map(pair).map(|(aside, side)| level(0.0, side * aside))),
            Self::Column => slots.extend((0..count).map(|number| level(-((number + 1) as f32) * pitch, 0.0))),
            Self::Wedge => {
                slots.extend((0..count).map(pair).map(|(way, side)| level(-1.0, side) * (way * FRAC_1_SQRT_2)));
            }
            Self::Box => {
                let columns = ops::ceil(ops::sqrt(count as f32)) as usize;
                slots.extend((0..count).map(|number| {
                    let (row, column) = (number / columns, number % columns);
                    let in_row = columns.min(count - row * columns);
                    let left = 0.5 * (in_row - 1) as f32 - column as f32;
                    level(-((row + 1) as f32), left) * pitch
                }));
            }
            Self::Circle => {
                let around = count.max(1) as f32;
                let radius = pitch.max(0.5 * pitch / ops::sin(PI / around).max(f32::MIN_POSITIVE));
                let places = (0..count).map(|number| unit_vector(number as f32 * (TAU / around)) * radius);
                slots.extend(places.map(|place| level(place.x, place.y)));
            }
            #[cfg(dim3)]
            Self::Sphere => super::spatial::sphere(count, pitch, slots),
            #[cfg(dim3)]
            Self::Cube => super::spatial::cube(count, pitch, slots),
            Self::Places(places) => {
                slots.extend(places.iter().copied().map(finite_or_zero).take(count));
                let hindmost = slots.iter().map(|slot| slot.x).fold(0.0, f32::min);
                let left_over = count - slots.len();
                slots.extend((1..=left_over).map(|number| level(hindmost - number as f32 * pitch, 0.0)));
            }
        }
    }

    /// Whether the formation looks the same from the front and from behind, so that it can face about instead of wheeling.
    pub(super) fn faces_about(&self) -> bool {
        matches!(self, Self::Line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slots(pattern: &Pattern, count: usize) -> Vec<Vector> {
        let mut slots = Vec::new();
        pattern.lay_out(count, 10.0, &mut slots);
        slots
    }

    #[test]
    fn neighbors_are_as_far_apart_as_they_should_be_and_nobody_is_on_the_anchor() {
        for pattern in [Pattern::Line, Pattern::Column, Pattern::Wedge, Pattern::Box, Pattern::Circle] {
            for count in 1..200 {
                let mut slots = slots(&pattern, count);
                assert_eq!(slots.len(), count);
                slots.push(Vector::ZERO);
                for (number, slot) in slots.iter().enumerate() {
                    let apart = slots[..number].iter().map(|other| other.distance(*slot)).fold(f32::INFINITY, f32::min);
                    assert!(number == 0 || apart > 9.99, "{pattern:?} of {count}: slot {number} at {slot}: {apart}");
                }
            }
        }
    }

    #[test]
    fn the_slots_are_where_the_patterns_say() {
        let at = |x: f32, y: f32| Vector::new(x, y);
        assert_eq!(slots(&Pattern::Line, 3), [at(0.0, 10.0), at(0.0, -10.0), at(0.0, 20.0)]);
        assert_eq!(slots(&Pattern::Column, 2), [at(-10.0, 0.0), at(-20.0, 0.0)]);
        assert_eq!(slots(&Pattern::Box, 3), [at(-10.0, 5.0), at(-10.0, -5.0), at(-20.0, 0.0)]);
        let wedge = slots(&Pattern::Wedge, 4);
        assert!((wedge[3] - at(-14.142, -14.142)).length() < 1e-3 && wedge[2].y > 14.0, "{wedge:?}");
        let circle = slots(&Pattern::Circle, 4);
        assert!((circle[0] - at(10.0, 0.0)).length() < 1e-5 && (circle[1] - at(0.0, 10.0)).length() < 1e-5);
        let own = Pattern::Places([at(5.0, 7.0), at(-30.0, f32::NAN), at(1.0, 1.0)].to_vec());
        assert_eq!(slots(&own, 2), [at(5.0, 7.0), Vector::ZERO]);
        assert_eq!(slots(&own, 5)[3..], [at(-10.0, 0.0), at(-20.0, 0.0)]);
    }
}
