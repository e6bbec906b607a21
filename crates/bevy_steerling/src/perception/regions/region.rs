//! A convex region.

use alloc::vec::Vec;

use bevy::prelude::*;

use crate::math::{Vector, normalize};
use crate::perception::regions::wall::{Wall, nearest_on_walls};

/// A convex region in which [`Contain`](crate::constraints::contain::Contain) keeps an agent.
///
#[cfg_attr(
    not(dim3),
    doc = "Created from a `Circle`, a `Rectangle` or a `ConvexPolygon`. Default: the region of a default `Circle`."
)]
#[cfg_attr(
    dim3,
    doc = "Created from a `Sphere`, a `Cuboid` or a `ConvexHull`. Default: the region of a default `Sphere`."
)]
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// let room = Region::from(Rectangle::new(80.0, 40.0));
/// assert_eq!(room.nearest(Vec2::new(70.0, 10.0), 5.0), Vec2::new(35.0, 10.0));
/// assert_eq!((room.incenter(), room.inradius()), (Vec2::ZERO, 20.0));
/// ```
#[derive(Clone, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub struct Region {
    pub(super) rim: Rim,
    middle: Vector,
    depth: f32,
}

/// The boundary of a region.
#[derive(Clone, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Rim {
    /// A circle or a sphere of this radius.
    Round(f32),
    Walls(Vec<Wall>),
}

impl Default for Region {
    fn default() -> Self {
        Self::round(0.5)
    }
}

impl Region {
    /// A round region.
    pub(super) fn round(radius: f32) -> Self {
        Self { rim: Rim::Round(radius), middle: Vector::ZERO, depth: radius }
    }

    /// A region between walls around the origin. `depth`, the distance from the origin to the nearest wall, is the inradius.
    pub(super) fn between(walls: Vec<Wall>, depth: f32) -> Self {
        Self { rim: Rim::Walls(walls), middle: Vector::ZERO, depth }
    }

    /// A region between walls around a point `inner`, in which no point is farther away than `extent`. The incenter is found by bisection,
    /// up to rounding errors.
    pub(super) fn around(inner: Vector, walls: Vec<Wall>, extent: f32) -> Self {
        let mut region = Self { rim: Rim::Walls(walls), middle: inner, depth: 0.0 };
        let mut too_deep = extent;
        for _ in 0..32 {
            let depth = 0.5 * (region.depth + too_deep);
            match region.find_nearest(region.middle, depth) {
                Some(middle) => (region.middle, region.depth) = (middle, depth),
                None => too_deep = depth,
            }
        }
        region
    }

    /// A point in the region at the largest distance from its boundary, units: the center of the largest circle or sphere inside.
    pub fn incenter(&self) -> Vector {
        self.middle
    }

    /// The distance from the [`incenter`](Self::incenter) to the boundary, units: the radius of the largest circle or sphere inside.
    pub fn inradius(&self) -> f32 {
        self.depth
    }

    /// The straight walls: for each, the unit vector out of the region, and the distance of the wall from the origin along it, units. A
    /// round region has none.
    pub fn straight_walls(&self) -> impl Iterator<Item = (Vector, f32)> + '_ {
        let walls = match &self.rim {
            Rim::Round(_) => &[],
            Rim::Walls(walls) => &walls[..],
        };
        walls.iter().map(|wall| (wall.outward, wall.distance))
    }

    /// The point nearest to `point` that is in the region and at least `margin` from its boundary, units; the [`incenter`](Self::incenter)
    /// if there is none.
    pub fn nearest(&self, point: Vector, margin: f32) -> Vector {
        self.find_nearest(point, margin).unwrap_or(self.middle)
    }

    /// The distance from `point` to each wall, units, negative outside, and the unit vector to it. A round boundary is a single wall.
    pub(crate) fn walls(&self, point: Vector) -> impl Iterator<Item = (f32, Vector)> + Clone + '_ {
        let (round, walls) = match &self.rim {
            Rim::Round(radius) => (Some((radius - point.length(), normalize(point))), &[][..]),
            Rim::Walls(walls) => (None, &walls[..]),
        };
        round.into_iter().chain(walls.iter().map(move |wall| (wall.gap(point), wall.outward)))
    }

    fn find_nearest(&self, point: Vector, margin: f32) -> Option<Vector> {
        if self.walls(point).all(|(gap, _)| gap >= margin) {
            return Some(point);
        }
        match &self.rim {
            Rim::Round(radius) => (*radius >= margin).then(|| normalize(point) * (radius - margin)),
            Rim::Walls(walls) => nearest_on_walls(walls, point, margin),
        }
    }
}
