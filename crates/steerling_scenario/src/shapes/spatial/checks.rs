//! Checks of shapes that their fields alone cannot make.

use bevy::math::DVec3;

use crate::json::number::double;
use crate::shapes::obstacle::Shape;
use crate::shapes::spatial::fields::{ConvexHull, Region};
use crate::shapes::spatial::primitives::convex_hull;

/// Checks a shape. The error is the path within the shape and what was expected there.
pub(crate) fn check_shape(shape: &Shape) -> Result<(), String> {
    match shape {
        Shape::ConvexHull(hull) => check_hull(hull),
        Shape::HalfSpace(half_space) if double(half_space.normal) == DVec3::ZERO => {
            Err("half_space.normal: expected a vector other than zero".to_owned())
        }
        _ => Ok(()),
    }
}

/// Checks a region. The error is the path within the region and what was expected there.
pub(crate) fn check_region(region: &Region) -> Result<(), String> {
    match region {
        Region::ConvexHull(hull) => check_hull(hull),
        Region::Sphere(_) | Region::Cuboid(_) => Ok(()),
    }
}

fn check_hull(hull: &ConvexHull) -> Result<(), String> {
    convex_hull(hull).map(|_| ()).map_err(|error| format!("convex_hull.points: {error}"))
}
