//! Regions in three dimensions.

use alloc::vec::Vec;
use core::f32::consts::TAU;

use bevy::prelude::*;

use crate::math::half_space::{HalfSpace, part_of_line};
use crate::math::{Vector, normalize, unit_vector};
use crate::perception::obstacles::ConvexHull;
use crate::perception::regions::region::{Region, Rim};
use crate::perception::regions::wall::Wall;

impl From<Sphere> for Region {
    fn from(sphere: Sphere) -> Self {
        Self::round(sphere.radius)
    }
}

impl From<Cuboid> for Region {
    fn from(Cuboid { half_size }: Cuboid) -> Self {
        let sides = Vector::AXES.into_iter().zip(half_size.to_array());
        let walls = sides.flat_map(|(axis, distance)| [axis, -axis].map(|outward| Wall { outward, distance }));
        Self::between(walls.collect(), half_size.min_element())
    }
}

impl From<ConvexHull> for Region {
    fn from(hull: ConvexHull) -> Self {
        let walls = hull.planes().map(|(outward, distance)| Wall { outward, distance });
        Self::around(hull.inner_point(), walls.collect(), 2.0 * hull.extent())
    }
}

impl Region {
    /// Lines along its boundary: the edges between walls, or circles.
    pub(crate) fn edges(&self) -> Vec<(Vector, Vector)> {
        let walls = match &self.rim {
            Rim::Round(radius) => return circles(*radius),
            Rim::Walls(walls) => walls,
        };
        let inside = walls.iter().map(|wall| HalfSpace { normal: -wall.outward, least: -wall.distance });
        let size = walls.iter().map(|wall| wall.distance.abs()).fold(0.0, f32::max);
        let edge = |one: &Wall, other: &Wall| {
            // On the line where both meet.
            let along = normalize(one.outward.cross(other.outward));
            let across = along.cross(one.outward);
            let beside = (other.distance - one.distance * one.outward.dot(other.outward)) / across.dot(other.outward);
            let start = one.outward * one.distance + across * beside;
            let missing = |wall: &HalfSpace| wall.least - start.dot(wall.normal) - ROUNDING * size;
            let (low, high) = part_of_line(inside.clone(), along, f32::MAX, size, missing)?;
            let (low, high) = (start + along * low, start + along * high);
            (low.is_finite() && high.is_finite() && low.distance(high) > SHORTEST * size).then_some((low, high))
        };
        let pairs =
            walls.iter().enumerate().flat_map(|(index, one)| walls[index + 1..].iter().map(move |other| (one, other)));
        pairs.filter_map(|(one, other)| edge(one, other)).collect()
    }
}

/// Rounding errors, as a share of the size of a region.
const ROUNDING: f32 = 1e-4;

/// Edges shorter than this share of the size of a region are not drawn.
const SHORTEST: f32 = 1e-2;

/// Circles around each axis.
fn circles(radius: f32) -> Vec<(Vector, Vector)> {
    let axes = [(Vector::X, Vector::Y), (Vector::Y, Vector::Z), (Vector::Z, Vector::X)];
    let point = move |(one, other): (Vector, Vector), k: u8| {
        let turn = unit_vector(f32::from(k) * (TAU / 64.0)) * radius;
        one * turn.x + other * turn.y
    };
    axes.into_iter().flat_map(|axes| (0..64).map(move |k| (point(axes, k), point(axes, k + 1)))).collect()
}
