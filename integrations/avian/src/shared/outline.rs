//! The outlines of colliders in the plane, and the obstacles made from them.

use core::f32::consts::PI;

use bevy::math::ops;
use bevy::prelude::*;
use bevy_steerling::prelude::ObstacleShape;

/// A part of a collider, seen in the plane.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Outline {
    /// All points within the distance `border` of the convex hull of `points`.
    Convex {
        /// Points whose convex hull counts, in any order.
        points: Vec<Vec2>,
        /// Units.
        border: f32,
    },
    /// Thin walls from point to point.
    Chain(Vec<Vec2>),
}

/// A shape around the origin, and the place and the rotation that put it where it belongs.
pub(crate) type Placed = (ObstacleShape, Isometry2d);

/// Rounded corners are replaced by polygons with at most this angle between their sides, radians. They lie outside of the rounded corner,
/// by less than 1 % of its radius.
const LARGEST_TURN: f32 = PI / 12.0;

impl Outline {
    /// The shape of an obstacle. `None` for what is a point or not finite.
    pub fn obstacle(&self) -> Option<Placed> {
        let (points, border) = match self {
            Self::Convex { points, border } => (points, *border),
            Self::Chain(points) => {
                let is_sound = points.len() > 1 && points.iter().all(|point| point.is_finite());
                return is_sound.then(|| (Polyline2d::new(points.iter().copied()).into(), Isometry2d::IDENTITY));
            }
        };
        if !border.is_finite() || points.iter().any(|point| !point.is_finite()) {
            return None;
        }
        let hull = convex_hull(points);
        Some(match hull[..] {
            [center] if border > 0.0 => (Circle::new(border).into(), Isometry2d::from_translation(center)),
            [] | [_] => return None,
            [start, end] if border > 0.0 => {
                let (direction, length) = (end - start).normalize_and_length();
                // The axis of a capsule is its y axis.
                let rotation = Rot2::from_sin_cos(-direction.x, direction.y);
                (Capsule2d::new(border, length).into(), Isometry2d::new(0.5 * (start + end), rotation))
            }
            [start, end] => (Segment2d::new(start, end).into(), Isometry2d::IDENTITY),
            _ => {
                let corners = if border > 0.0 { grown(&hull, border) } else { hull };
                (ConvexPolygon::new_unchecked(corners).into(), Isometry2d::IDENTITY)
            }
        })
    }

    /// The largest distance of one of its points from a point, units.
    pub fn reach(&self, from: Vec2) -> f32 {
        let (points, border) = match self {
            Self::Convex { points, border } => (points, *border),
            Self::Chain(points) => (points, 0.0),
        };
        points.iter().map(|point| point.distance(from) + border).fold(0.0, f32::max)
    }

    /// The outline, with all its points moved.
    pub fn mapped(mut self, map: impl Fn(Vec2) -> Vec2) -> Self {
        let (Self::Convex { points, .. } | Self::Chain(points)) = &mut self;
        points.iter_mut().for_each(|point| *point = map(*point));
        self
    }
}

/// The corners of the convex hull, counterclockwise. Corners within the rounding error of the line between others are left out.
fn convex_hull(points: &[Vec2]) -> Vec<Vec2> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let (Some(first), Some(last)) = (sorted.first().copied(), sorted.last().copied()) else { return Vec::new() };
    let size = sorted.iter().map(|point| (point - first).abs().max_element()).fold(0.0, f32::max);
    let rounding = 1e-6 * (size + first.abs().max_element());
    sorted.dedup_by(|a, b| a.distance(*b) <= rounding);
    if sorted.len() < 2 {
        return vec![0.5 * (first + last)];
    }
    // The lower side from left to right, then the upper side back.
    let mut hull: Vec<Vec2> = Vec::with_capacity(sorted.len());
    let mut side = |points: &mut dyn Iterator<Item = Vec2>| {
        let start = hull.len();
        for point in points {
            while let [.., a, b] = hull[start..]
                && (b - a).perp_dot(point - a) <= rounding * (point - a).length()
            {
                hull.pop();
            }
            hull.push(point);
        }
        hull.pop();
    };
    side(&mut sorted.iter().copied());
    side(&mut sorted.iter().rev().copied());
    hull
}

/// A polygon around all points within the distance `border` of a convex polygon, counterclockwise.
fn grown(hull: &[Vec2], border: f32) -> Vec<Vec2> {
    let direction = |index: usize| hull[(index + 1) % hull.len()] - hull[index % hull.len()];
    let mut corners = Vec::new();
    for (index, corner) in hull.iter().enumerate() {
        let (before, after) = (direction(index + hull.len() - 1), direction(index));
        let turn = before.angle_to(after);
        let sides = ops::floor(turn.abs() / LARGEST_TURN) as usize + 1;
        let step = turn / sides as f32;
        let first = -before.normalize_or_zero().perp() * border / ops::cos(0.5 * step);
        corners.extend((0..sides).map(|side| corner + Vec2::from_angle((side as f32 + 0.5) * step).rotate(first)));
    }
    corners
}
