//! The fields of a file, made from the plugin's shapes.

use bevy::math::{DVec3, ops};
use bevy::prelude::*;
use bevy_steerling::prelude::{Contain, ConvexHull, ObstacleShape};

use crate::dimension::Plane;
use crate::json::list::PerAxis;
use crate::json::number::{Finite, NonNegative, Point, within_limit};
use crate::json::strict::Object;
use crate::mapping::place::Place;
use crate::mapping::value::Value;
use crate::shapes::obstacle::Shape;
use crate::shapes::simplest::simplest;
use crate::shapes::spatial::checks::{check_region, check_shape};
use crate::shapes::spatial::fields;
use crate::shapes::spatial::fields::Region;
use crate::shapes::spatial::primitives::{centered, contain_in, placed};

/// Returns the fields of an obstacle's shape in the world. If a file cannot express it, notes that and returns `None`.
pub(crate) fn shape_of(shape: &ObstacleShape, transform: &Transform, _: Plane, place: &Place) -> Option<Shape> {
    let here = placed(shape, transform);
    let rotation = Some(transform.rotation).filter(|rotation| rotation.is_finite() && rotation.length_squared() > 0.0);
    let rotation = rotation.map_or(Quat::IDENTITY, Quat::normalize);
    let world =
        |local: Vec3| within_limit(transform.translation.as_dvec3() + rotation.as_dquat() * local.as_dvec3(), place);
    let center = Point::of(&transform.translation, place)?;
    let radius = |radius: f32| NonNegative::of(&radius, &place.field("radius"));
    let is_same = |shape: &Shape| {
        let (shape, transform) = centered(shape);
        placed(&shape, &transform) == here
    };
    let ends = |half: f32| {
        let half = NonNegative::of(&half, &place.field("length")).map_or(0.0, f32::from);
        Some([world(Vec3::new(0.0, -half, 0.0))?, world(Vec3::new(0.0, half, 0.0))?])
    };
    let shape = match shape {
        ObstacleShape::Sphere(sphere) => Shape::Sphere(fields::Sphere { center, radius: radius(sphere.radius)? }),
        ObstacleShape::Cuboid(cuboid) => {
            let half_size = half_size(cuboid.half_size, place)?;
            let rotated =
                |round: &dyn Fn(f64) -> f64| fields::Cuboid { center, half_size, rotation: turn(rotation, round) };
            simplest(|round| Shape::Cuboid(rotated(round)), is_same)
        }
        ObstacleShape::Capsule(capsule) => {
            let (radius, [start, end]) = (radius(capsule.radius)?, ends(capsule.half_length)?);
            let between = |round: &dyn Fn(f64) -> f64| {
                Shape::Capsule(fields::Capsule { start: point(start, round), end: point(end, round), radius })
            };
            simplest(between, is_same)
        }
        ObstacleShape::Cylinder(cylinder) => {
            let (radius, [start, end]) = (radius(cylinder.radius)?, ends(cylinder.half_height)?);
            let between = |round: &dyn Fn(f64) -> f64| {
                Shape::Cylinder(fields::Cylinder { start: point(start, round), end: point(end, round), radius })
            };
            simplest(between, is_same)
        }
        ObstacleShape::HalfSpace(plane) => {
            let normal = rotation.as_dquat() * Vec3::from(plane.normal).as_dvec3();
            let behind = |round: &dyn Fn(f64) -> f64| {
                let through = (transform.translation != Vec3::ZERO).then_some(center);
                Shape::HalfSpace(fields::HalfSpace { point: through, normal: point(normal, round) })
            };
            simplest(behind, is_same)
        }
        ObstacleShape::ConvexHull(hull) => {
            let corners: Vec<DVec3> = vertices(hull).into_iter().map(world).collect::<Option<_>>()?;
            let points = |round: &dyn Fn(f64) -> f64| fields::ConvexHull { points: rounded(&corners, round) };
            simplest(|round| Shape::ConvexHull(points(round)), is_same)
        }
    };
    check_shape(&shape).map_err(|problem| place.note(&problem)).ok().map(|()| shape)
}

/// Returns the fields of the region of a constraint. If a file cannot express it, notes that and returns `None`.
pub(crate) fn region_of(contain: &Contain, place: &Place) -> Option<Region> {
    let walls: Vec<(Vec3, f32)> = contain.region.straight_walls().collect();
    let center = Point::of(&contain.center, place)?;
    let is_same = |region: &Region| {
        let candidate = contain_in(region);
        (&candidate.region, candidate.center, candidate.rotation) == (&contain.region, contain.center, contain.rotation)
    };
    let normals = [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z];
    let is_box =
        walls.iter().map(|(normal, _)| *normal).eq(normals) && walls.chunks(2).all(|pair| pair[0].1 == pair[1].1);
    let region = if walls.is_empty() {
        let radius = NonNegative::of(&contain.region.inradius(), &place.field("radius"))?;
        Region::Sphere(Object(fields::Sphere { center, radius }))
    } else if is_box {
        let half_size = half_size(Vec3::new(walls[0].1, walls[2].1, walls[4].1), place)?;
        let rotated = |round: &dyn Fn(f64) -> f64| {
            Region::Cuboid(Object(fields::Cuboid { center, half_size, rotation: turn(contain.rotation, round) }))
        };
        simplest(rotated, is_same)
    } else {
        let world =
            |corner: DVec3| within_limit(contain.center.as_dvec3() + contain.rotation.as_dquat() * corner, place);
        let corners: Vec<DVec3> =
            corners(&walls, contain.region.incenter()).into_iter().map(world).collect::<Option<_>>()?;
        let hull = |round: &dyn Fn(f64) -> f64| {
            Region::ConvexHull(Object(fields::ConvexHull { points: rounded(&corners, round) }))
        };
        simplest(hull, is_same)
    };
    check_region(&region).map_err(|problem| place.note(&problem)).ok().map(|()| region)
}

fn half_size(half_size: Vec3, place: &Place) -> Option<PerAxis<NonNegative>> {
    let place = &place.field("half_size");
    let [x, y, z] = half_size.abs().to_array().map(|half| NonNegative::of(&half, place));
    Some(PerAxis([x?, y?, z?]))
}

/// A rotation vector; `None` for no rotation.
fn turn(rotation: Quat, round: &dyn Fn(f64) -> f64) -> Option<Point> {
    let rotation = if rotation.w < 0.0 { -rotation } else { rotation };
    let axis = rotation.xyz();
    let angle = 2.0 * ops::atan2(axis.length(), rotation.w);
    (angle != 0.0).then(|| point(axis.as_dvec3().normalize_or_zero() * f64::from(angle), round))
}

/// The corners of a convex hull, each once.
fn vertices(hull: &ConvexHull) -> Vec<Vec3> {
    let mut vertices: Vec<Vec3> = Vec::new();
    for corner in hull.triangles().flatten() {
        if !vertices.contains(&corner) {
            vertices.push(corner);
        }
    }
    vertices
}

/// The corners of a region with these walls around `inside`: each face of the dual polyhedron is one.
fn corners(walls: &[(Vec3, f32)], inside: Vec3) -> Vec<DVec3> {
    let dual = walls.iter().map(|(normal, distance)| *normal / (distance - normal.dot(inside)));
    let mut corners: Vec<DVec3> = Vec::new();
    for [a, b, c] in ConvexHull::new(dual).iter().flat_map(ConvexHull::triangles) {
        let [a, b, c] = [a, b, c].map(|point| point.as_dvec3());
        let normal = (b - a).cross(c - a);
        let corner = inside.as_dvec3() + normal / normal.dot(a);
        let is_new = corners.iter().all(|other| other.distance(corner) > 1e-5 * corner.abs().max_element());
        if corner.is_finite() && is_new {
            corners.push(corner);
        }
    }
    corners
}

fn point(point: DVec3, round: &dyn Fn(f64) -> f64) -> Point {
    PerAxis(point.to_array().map(|coordinate| Finite(round(coordinate))))
}

fn rounded(points: &[DVec3], round: &dyn Fn(f64) -> f64) -> Vec<Point> {
    points.iter().map(|corner| point(*corner, round)).collect()
}
