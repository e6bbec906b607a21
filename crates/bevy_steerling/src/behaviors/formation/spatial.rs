//! The patterns that exist only in three dimensions.

use core::f32::consts::PI;

use alloc::vec::Vec;

use bevy::math::ops;

use crate::math::{Vector, unit_vector};

/// The minimum distance between neighbors on a unit sphere with many places, times the square root of their number.
const ROOM_ON_SPHERE: f32 = 3.08;

/// Adds places on a sphere, in a spiral from front to back: a Fibonacci lattice (Richard Swinbank and James Purser, Fibonacci Grids: A
/// Novel Approach to Global Modelling, 2006).
pub(super) fn sphere(count: usize, pitch: f32, slots: &mut Vec<Vector>) {
    let golden_angle = PI * (3.0 - ops::sqrt(5.0));
    let radius = pitch * (ops::sqrt(count as f32) / ROOM_ON_SPHERE).max(1.0);
    slots.extend((0..count).map(|number| {
        let ahead = 1.0 - (2 * number + 1) as f32 / count as f32;
        let around = unit_vector(number as f32 * golden_angle) * ops::sqrt(1.0 - ahead * ahead);
        Vector::new(ahead, around.x, around.y) * radius
    }));
}

/// Adds places in layers behind the anchor, row by row from the top.
pub(super) fn cube(count: usize, pitch: f32, slots: &mut Vec<Vector>) {
    let side = ops::cbrt(count as f32 - 0.5) as usize + 1;
    let centered = |number: usize, of: usize| 0.5 * (of - 1) as f32 - number as f32;
    slots.extend((0..count).map(|number| {
        let (row, column) = (number / side, number % side);
        let (layer, row) = (row / side, row % side);
        let in_row = side.min(count - (layer * side + row) * side);
        let rows = side.min((count - layer * side * side).div_ceil(side));
        Vector::new(-((layer + 1) as f32), centered(column, in_row), centered(row, rows)) * pitch
    }));
}
