//! The plugin's shapes, made from the fields of a file.

use bevy::math::{DVec2, ops};
use bevy::prelude::*;
use bevy_steerling::behavior_prelude::PlacedShape;
use bevy_steerling::math::normalize;
use bevy_steerling::prelude::{Contain, ObstacleShape, SteeringPlane};

use crate::json::number::{Point, double};
use crate::shapes::obstacle::Shape;
use crate::shapes::planar::fields;
use crate::shapes::planar::fields::Region;

/// A shape around its own center, and the transform that places it: a moving obstacle moves as a whole.
pub(crate) fn centered(shape: &Shape) -> (ObstacleShape, Transform) {
    match shape {
        Shape::Circle(fields) => {
            let (circle, center) = circle(fields);
            (circle.into(), transform(center, 0.0))
        }
        Shape::Rectangle(fields) => {
            let (rectangle, center, rotation) = rectangle(fields);
            (rectangle.into(), transform(center, rotation))
        }
        Shape::Segment(segment) => {
            let (center, ends) = relative_to_center(&[segment.start, segment.end]);
            (Segment2d::new(ends[0], ends[1]).into(), transform(center, 0.0))
        }
        Shape::Capsule(capsule) => {
            let (center, ends) = relative_to_center(&[capsule.start, capsule.end]);
            let along = ends[1] - ends[0];
            // The plugin's capsules lie along the y axis.
            let rotation = ops::atan2(-along.x, along.y);
            (Capsule2d::new(capsule.radius.into(), along.length()).into(), transform(center, rotation))
        }
        Shape::Polygon(fields) => {
            let (polygon, center) = polygon(fields);
            (polygon.into(), transform(center, 0.0))
        }
        Shape::Polyline(polyline) => {
            let (center, points) = relative_to_center(&polyline.points);
            (Polyline2d::new(points).into(), transform(center, 0.0))
        }
    }
}

/// A shape of the plugin in the world.
pub(crate) fn placed(shape: &ObstacleShape, transform: &Transform) -> PlacedShape {
    shape.placed(transform, SteeringPlane::XY)
}

/// The width and height of a shape.
pub(crate) fn size(shape: &PlacedShape) -> Option<Vec2> {
    let corners = shape.corners().iter().copied();
    let [low, high] = [corners.clone().reduce(Vec2::min)?, corners.reduce(Vec2::max)?];
    Some(high - low + 2.0 * shape.radius())
}

/// Calls `visit` with the distance to each convex part of a shape: a function that returns what [`PlacedShape::distance`] does.
pub(crate) fn for_each_convex_part(shape: &PlacedShape, mut visit: impl FnMut(&dyn Fn(Vec2) -> (f32, Vec2))) {
    let walls = shape.corners().windows(2);
    if shape.is_closed() || walls.len() < 2 {
        return visit(&|place| shape.distance(place));
    }
    for wall in walls {
        let wall = Segment2d::new(wall[0], wall[1]);
        visit(&|place| {
            let away = place - wall.closest_point(place);
            (away.length() - shape.radius(), normalize(away))
        });
    }
}

/// A region at its place in the world.
pub(crate) fn placed_region(region: &Region) -> PlacedShape {
    let (shape, transform) = centered(&match region {
        Region::Circle(circle) => Shape::Circle(circle.0.clone()),
        Region::Rectangle(rectangle) => Shape::Rectangle(rectangle.0.clone()),
        Region::Polygon(polygon) => Shape::Polygon(polygon.0.clone()),
    });
    placed(&shape, &transform)
}

/// The constraint that keeps an agent in a region.
pub(crate) fn contain_in(region: &Region) -> Contain {
    match region {
        Region::Circle(fields) => {
            let (circle, center) = circle(fields);
            Contain::new(circle).with_center(center)
        }
        Region::Rectangle(fields) => {
            let (rectangle, center, rotation) = rectangle(fields);
            Contain::new(rectangle).with_center(center).with_rotation(rotation)
        }
        Region::Polygon(fields) => {
            let (polygon, center) = polygon(fields);
            Contain::new(polygon).with_center(center)
        }
    }
}

/// A circle and its center.
fn circle(fields: &fields::Circle) -> (Circle, Vec2) {
    (Circle::new(fields.radius.into()), double(fields.center).as_vec2())
}

/// A rectangle, its center and its rotation, rad.
fn rectangle(fields: &fields::Rectangle) -> (Rectangle, Vec2, f32) {
    let half_size = Vec2::from(fields.half_size.map(f32::from));
    (Rectangle { half_size }, double(fields.center).as_vec2(), fields.rotation.map_or(0.0, f32::from))
}

/// A polygon around its center, and that center.
fn polygon(fields: &fields::Polygon) -> (ConvexPolygon, Vec2) {
    let (center, corners) = relative_to_center(&fields.points);
    // The corners are checked in the precision of the file. Bevy's own check could fail on rounded ones.
    (ConvexPolygon::new_unchecked(corners), center)
}

fn transform(center: Vec2, rotation: f32) -> Transform {
    let (sin, cos) = ops::sin_cos(0.5 * rotation);
    Transform::from_translation(center.extend(0.0)).with_rotation(Quat::from_xyzw(0.0, 0.0, sin, cos))
}

/// The center of the points' bounding box, and the points relative to it.
fn relative_to_center(points: &[Point]) -> (Vec2, Vec<Vec2>) {
    let points = points.iter().copied().map(double);
    let low = points.clone().fold(DVec2::INFINITY, DVec2::min);
    let high = points.clone().fold(DVec2::NEG_INFINITY, DVec2::max);
    let center = (0.5 * (low + high)).as_vec2();
    (center, points.map(|point| (point - center.as_dvec2()).as_vec2()).collect())
}
