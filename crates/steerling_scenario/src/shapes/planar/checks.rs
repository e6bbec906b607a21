//! Checks of shapes that their fields alone cannot make.

use std::f64::consts::PI;

use crate::json::number::{Point, double};
use crate::shapes::obstacle::Shape;
use crate::shapes::planar::fields::{Polygon, Region};

/// Turns smaller than this angle, rad, count as straight, because points on a straight line are rounded too.
const STRAIGHT: f64 = 1e-6;

/// Checks a shape. The error is the path within the shape and what was expected there.
pub(crate) fn check_shape(shape: &Shape) -> Result<(), String> {
    match shape {
        Shape::Polygon(polygon) => check_polygon(polygon),
        Shape::Polyline(polyline) if polyline.points.len() < 2 => {
            Err("polyline.points: expected at least 2 points".to_owned())
        }
        _ => Ok(()),
    }
}

/// Checks a region. The error is the path within the region and what was expected there.
pub(crate) fn check_region(region: &Region) -> Result<(), String> {
    match region {
        Region::Polygon(polygon) => check_polygon(polygon),
        Region::Circle(_) | Region::Rectangle(_) => Ok(()),
    }
}

fn check_polygon(polygon: &Polygon) -> Result<(), String> {
    check_corners(&polygon.points).map_err(|problem| format!("polygon.points{problem}"))
}

/// A polygon is convex if it turns in the same direction at every corner, and by a single full turn in total.
fn check_corners(points: &[Point]) -> Result<(), String> {
    let count = points.len();
    if count < 3 {
        return Err(": expected at least 3 points".to_owned());
    }
    let corner = |index: usize| double(points[index % count]);
    let mut total_turn = 0.0_f64;
    for index in 0..count {
        let (before, here, after) = (corner(index + count - 1), corner(index), corner(index + 1));
        if here == before {
            return Err(format!("[{index}]: expected a point other than the one before it"));
        }
        let turn = (here - before).angle_to(after - here);
        if turn.abs() < STRAIGHT {
            continue;
        }
        if turn * total_turn < 0.0 || turn.abs() > PI - STRAIGHT {
            return Err(format!("[{index}]: expected the next corner of a convex polygon"));
        }
        total_turn += turn;
    }
    if total_turn.abs() > 3.0 * PI {
        return Err(": expected the corners of a convex polygon, but they wind around it more than once".to_owned());
    }
    Ok(())
}
