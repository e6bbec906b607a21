//! Convex solids: the signed distance to each, in its own coordinates.

use bevy::math::ops;
use bevy::prelude::*;

use crate::math::{Vector, normalize};
use crate::perception::obstacles::spatial::hull::ConvexHull;

/// A convex solid around the origin.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Solid {
    /// All points within a radius of a segment of the y axis.
    Capsule {
        half_length: f32,
        radius: f32,
    },
    Cuboid {
        half_size: Vector,
    },
    /// A cylinder around the y axis.
    Cylinder {
        radius: f32,
        half_height: f32,
    },
    /// All points behind the plane through the origin with this normal.
    HalfSpace {
        normal: Vector,
    },
    Hull(ConvexHull),
}

impl Default for Solid {
    fn default() -> Self {
        Self::capsule(0.0, 0.0)
    }
}

impl Solid {
    /// A capsule, or a ball if `half_length` is zero. Negative lengths count as 0.
    pub fn capsule(half_length: f32, radius: f32) -> Self {
        Self::Capsule { half_length: half_length.max(0.0), radius: radius.max(0.0) }
    }

    /// A hull that reuses the allocation of another solid.
    pub fn into_hull(self, hull: &ConvexHull) -> Self {
        let Self::Hull(mut memory) = self else { return Self::Hull(hull.clone()) };
        memory.clone_from(hull);
        Self::Hull(memory)
    }

    /// The center, and half the size of a box around it.
    pub fn bounds(&self) -> (Vector, Vector) {
        match self {
            Self::Capsule { half_length, radius } => {
                (Vector::ZERO, Vector::new(*radius, half_length + radius, *radius))
            }
            Self::Cuboid { half_size } => (Vector::ZERO, *half_size),
            Self::Cylinder { radius, half_height } => (Vector::ZERO, Vector::new(*radius, *half_height, *radius)),
            Self::HalfSpace { .. } => (Vector::ZERO, Vector::INFINITY),
            Self::Hull(hull) => hull.bounds(),
        }
    }

    /// The largest distance of a part from the center, units.
    pub fn extent(&self) -> f32 {
        match self {
            Self::Capsule { half_length, radius } => half_length + radius,
            Self::Cuboid { half_size } => half_size.length(),
            Self::Cylinder { radius, half_height } => ops::hypot(*radius, *half_height),
            Self::HalfSpace { .. } => f32::INFINITY,
            Self::Hull(hull) => hull.extent(),
        }
    }

    /// The radius of a ball around the center that is inside, units; negative if there may be none.
    pub fn inner_radius(&self) -> f32 {
        match self {
            Self::Capsule { radius, .. } => *radius,
            Self::Cuboid { half_size } => half_size.min_element(),
            Self::Cylinder { radius, half_height } => radius.min(*half_height),
            Self::HalfSpace { .. } | Self::Hull(_) => f32::NEG_INFINITY,
        }
    }

    /// Numbers that distinguish solids with the same bounds.
    pub fn numbers(&self) -> impl Iterator<Item = f32> {
        let (kind, normal, hull) = match self {
            Self::Capsule { .. } => (0.0, Vector::ZERO, None),
            Self::Cuboid { .. } => (1.0, Vector::ZERO, None),
            Self::Cylinder { .. } => (2.0, Vector::ZERO, None),
            Self::HalfSpace { normal } => (3.0, *normal, None),
            Self::Hull(hull) => (4.0, Vector::ZERO, Some(hull)),
        };
        let corners = hull.into_iter().flat_map(ConvexHull::corners).flat_map(|corner| corner.to_array());
        [kind].into_iter().chain(normal.to_array()).chain(corners)
    }

    /// The radius of a ball or a capsule, units; zero for other solids.
    pub fn radius(&self) -> f32 {
        if let Self::Capsule { radius, .. } = self { *radius } else { 0.0 }
    }

    /// The point that is farthest along a direction; `None` for a half-space.
    pub fn farthest(&self, direction: Vector) -> Option<Vector> {
        match self {
            Self::Capsule { half_length, radius } => {
                Some(Vector::Y * half_length.copysign(direction.y) + normalize(direction) * *radius)
            }
            Self::Cuboid { half_size } => Some(half_size * signs(direction)),
            Self::Cylinder { radius, half_height } => {
                let outward = normalize(direction.with_y(0.0)) * *radius;
                Some(outward.with_y(half_height.copysign(direction.y)))
            }
            Self::HalfSpace { .. } => None,
            Self::Hull(hull) => hull.farthest(direction),
        }
    }

    /// The signed distance from `point`, units, and its gradient: a unit vector, or zero at the center of a ball and on the axis of a
    /// capsule.
    pub fn distance(&self, point: Vector) -> (f32, Vector) {
        match self {
            Self::Capsule { half_length, radius } => {
                let from_axis = Vector::new(point.x, point.y - point.y.clamp(-half_length, *half_length), point.z);
                (from_axis.length() - radius, normalize(from_axis))
            }
            Self::Cuboid { half_size } => {
                let (distance, away) = distance_to_box(point.abs() - half_size);
                (distance, away * signs(point))
            }
            Self::Cylinder { radius, half_height } => {
                let around = Vec2::new(point.x, point.z);
                let beyond = Vector::new(around.length() - radius, point.y.abs() - half_height, f32::NEG_INFINITY);
                let (distance, away) = distance_to_box(beyond);
                let outward = around.try_normalize().unwrap_or(Vec2::X) * away.x;
                (distance, Vector::new(outward.x, away.y * 1.0_f32.copysign(point.y), outward.y))
            }
            Self::HalfSpace { normal } => (point.dot(*normal), *normal),
            Self::Hull(hull) => hull.distance(point),
        }
    }
}

/// The distance to a box, and its gradient, for a point that is this far beyond its sides along each axis.
fn distance_to_box(beyond: Vector) -> (f32, Vector) {
    let outside = beyond.max(Vector::ZERO);
    if outside != Vector::ZERO {
        return (outside.length(), normalize(outside));
    }
    let nearest = beyond.max_element();
    let axis = if beyond.x == nearest {
        Vector::X
    } else if beyond.y == nearest {
        Vector::Y
    } else {
        Vector::Z
    };
    (nearest, axis)
}

fn signs(vector: Vector) -> Vector {
    Vector::ONE.copysign(vector)
}
