//! The plugin's shapes, made from the fields of a file.

use bevy::math::{DVec3, DVec4, ops};
use bevy::prelude::*;
use bevy_steerling::behavior_prelude::PlacedShape;
use bevy_steerling::math::normalize;
use bevy_steerling::perception::obstacles::ConvexHullError;
use bevy_steerling::prelude::{Contain, ConvexHull, ObstacleShape};

use crate::json::number::{Point, double, vector};
use crate::shapes::obstacle::Shape;
use crate::shapes::spatial::fields;
use crate::shapes::spatial::fields::Region;

/// A shape around its own center, and the transform that places it: a moving obstacle moves as a whole.
pub(crate) fn centered(shape: &Shape) -> (ObstacleShape, Transform) {
    match shape {
        Shape::Sphere(fields) => {
            let (sphere, center) = sphere(fields);
            (sphere.into(), Transform::from_translation(center))
        }
        Shape::Cuboid(fields) => {
            let (cuboid, transform) = cuboid(fields);
            (cuboid.into(), transform)
        }
        Shape::Capsule(capsule) => {
            let (length, transform) = along_y(capsule.start, capsule.end);
            (Capsule3d::new(capsule.radius.into(), length).into(), transform)
        }
        Shape::Cylinder(cylinder) => {
            let (length, transform) = along_y(cylinder.start, cylinder.end);
            (Cylinder::new(cylinder.radius.into(), length).into(), transform)
        }
        Shape::HalfSpace(half_space) => {
            let point = half_space.point.map_or(Vec3::ZERO, |point| double(point).as_vec3());
            let normal = double(half_space.normal).normalize_or(DVec3::Y).as_vec3();
            (InfinitePlane3d::new(normal).into(), Transform::from_translation(point))
        }
        Shape::ConvexHull(fields) => match convex_hull(fields) {
            Ok((hull, center)) => (hull.into(), Transform::from_translation(center)),
            // It was refused when the file was read.
            Err(ConvexHullError) => (Sphere::new(0.0).into(), Transform::default()),
        },
    }
}

/// A shape of the plugin in the world.
pub(crate) fn placed(shape: &ObstacleShape, transform: &Transform) -> PlacedShape {
    shape.placed(transform)
}

/// The extents of a shape along the axes; `None` for a half-space.
pub(crate) fn size(shape: &PlacedShape) -> Option<Vec3> {
    let along = |axis: Vec3| Some((shape.farthest(axis)? - shape.farthest(-axis)?).dot(axis));
    Some(Vec3::new(along(Vec3::X)?, along(Vec3::Y)?, along(Vec3::Z)?))
}

/// Calls `visit` with the distance to each convex part of a shape: a function that returns what [`PlacedShape::distance`] does.
pub(crate) fn for_each_convex_part(shape: &PlacedShape, mut visit: impl FnMut(&dyn Fn(Vec3) -> (f32, Vec3))) {
    visit(&|place| shape.distance(place));
}

/// A region at its place in the world.
pub(crate) fn placed_region(region: &Region) -> PlacedShape {
    let (shape, transform) = centered(&match region {
        Region::Sphere(sphere) => Shape::Sphere(sphere.0.clone()),
        Region::Cuboid(cuboid) => Shape::Cuboid(cuboid.0.clone()),
        Region::ConvexHull(hull) => Shape::ConvexHull(hull.0.clone()),
    });
    placed(&shape, &transform)
}

/// The constraint that keeps an agent in a region.
pub(crate) fn contain_in(region: &Region) -> Contain {
    match region {
        Region::Sphere(fields) => {
            let (sphere, center) = sphere(fields);
            Contain::new(sphere).with_center(center)
        }
        Region::Cuboid(fields) => {
            let (cuboid, transform) = cuboid(fields);
            Contain::new(cuboid).with_center(transform.translation).with_rotation(transform.rotation)
        }
        // It was checked when the file was read.
        Region::ConvexHull(fields) => convex_hull(fields)
            .map_or_else(|_| Contain::default(), |(hull, center)| Contain::new(hull).with_center(center)),
    }
}

/// A convex hull around its center, and that center.
pub(crate) fn convex_hull(fields: &fields::ConvexHull) -> Result<(ConvexHull, Vec3), ConvexHullError> {
    let points = fields.points.iter().copied().map(double);
    let low = points.clone().fold(DVec3::INFINITY, DVec3::min);
    let high = points.clone().fold(DVec3::NEG_INFINITY, DVec3::max);
    let center = (0.5 * (low + high)).as_vec3();
    let hull = ConvexHull::new(points.map(|point| (point - center.as_dvec3()).as_vec3()))?;
    Ok((hull, center))
}

/// A ball and its center.
fn sphere(fields: &fields::Sphere) -> (Sphere, Vec3) {
    (Sphere::new(fields.radius.into()), double(fields.center).as_vec3())
}

/// A box and its place.
fn cuboid(fields: &fields::Cuboid) -> (Cuboid, Transform) {
    let rotation = fields.rotation.map_or(Vec3::ZERO, vector);
    let (sin, cos) = ops::sin_cos(0.5 * rotation.length());
    let rotation = Quat::from_vec4((normalize(rotation) * sin).extend(cos));
    let transform = Transform::from_translation(double(fields.center).as_vec3()).with_rotation(rotation);
    (Cuboid { half_size: Vec3::from(fields.half_size.map(f32::from)) }, transform)
}

/// The distance between two points, and the transform that takes the y axis to the line through them, and the origin to their middle.
fn along_y(start: Point, end: Point) -> (f32, Transform) {
    let (start, end) = (double(start), double(end));
    let along = (end - start).normalize_or(DVec3::Y);
    // Half of the turn from y: the quaternion between both.
    let halfway = DVec3::Y.cross(along).extend(1.0 + along.y);
    let rotation = halfway.try_normalize().unwrap_or(DVec4::X);
    let middle = Transform::from_translation((0.5 * (start + end)).as_vec3());
    (start.distance(end) as f32, middle.with_rotation(Quat::from_vec4(rotation.as_vec4())))
}
