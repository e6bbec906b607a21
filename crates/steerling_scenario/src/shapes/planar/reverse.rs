//! The fields of a file, made from the plugin's shapes.

use bevy::math::{DVec2, ops};
use bevy::prelude::*;
use bevy_steerling::math::normalize;
use bevy_steerling::prelude::{Contain, ObstacleShape, SteeringPlane};

use crate::json::list::PerAxis;
use crate::json::number::{Finite, NonNegative, Point, within_limit};
use crate::json::strict::Object;
use crate::mapping::place::Place;
use crate::mapping::value::Value;
use crate::shapes::obstacle::Shape;
use crate::shapes::planar::checks::{check_region, check_shape};
use crate::shapes::planar::fields;
use crate::shapes::planar::fields::Region;
use crate::shapes::planar::primitives::{centered, contain_in, placed};
use crate::shapes::simplest::simplest;

/// Returns the fields of an obstacle's shape in the world. If a file cannot express it, notes that and returns `None`.
pub(crate) fn shape_of(
    shape: &ObstacleShape,
    transform: &Transform,
    plane: SteeringPlane,
    place: &Place,
) -> Option<Shape> {
    let here = shape.placed(transform, plane);
    let origin = plane.to_plane(transform.translation);
    let x_axis = match normalize(plane.to_plane(transform.rotation * Vec3::X)) {
        Vec2::ZERO => Vec2::X,
        x_axis => x_axis,
    };
    let world = |local: Vec2| within_limit(origin.as_dvec2() + x_axis.as_dvec2().rotate(local.as_dvec2()), place);
    let center = Point::of(&origin, place)?;
    let radius = |radius: f32| NonNegative::of(&radius, &place.field("radius"));
    let is_same = |shape: &Shape| {
        let (shape, transform) = centered(shape);
        placed(&shape, &transform) == here
    };
    let points = |local: &[Vec2]| local.iter().copied().map(world).collect::<Option<Vec<DVec2>>>();
    let shape = match shape {
        ObstacleShape::Circle(circle) => Shape::Circle(fields::Circle { center, radius: radius(circle.radius)? }),
        ObstacleShape::Rectangle(rectangle) => {
            let half_size = half_size(rectangle.half_size, place)?;
            let angle = (x_axis != Vec2::X).then(|| f64::from(ops::atan2(x_axis.y, x_axis.x)));
            let rotated = |round: &dyn Fn(f64) -> f64| {
                let rotation = angle.map(|angle| Finite(round(angle)));
                Shape::Rectangle(fields::Rectangle { center, half_size, rotation })
            };
            simplest(rotated, is_same)
        }
        ObstacleShape::Segment(segment) => {
            let [start, end] = segment.vertices.map(world);
            let (start, end) = (start?, end?);
            let between =
                |round: &dyn Fn(f64) -> f64| fields::Segment { start: point(start, round), end: point(end, round) };
            simplest(|round| Shape::Segment(between(round)), is_same)
        }
        ObstacleShape::Capsule(capsule) => {
            let radius = radius(capsule.radius)?;
            let [start, end] = [-capsule.half_length, capsule.half_length].map(|y| world(Vec2::new(0.0, y)));
            let (start, end) = (start?, end?);
            let between = |round: &dyn Fn(f64) -> f64| fields::Capsule {
                start: point(start, round),
                end: point(end, round),
                radius,
            };
            simplest(|round| Shape::Capsule(between(round)), is_same)
        }
        ObstacleShape::Polygon(polygon) => {
            let corners = points(polygon.vertices())?;
            simplest(|round| Shape::Polygon(fields::Polygon { points: rounded(&corners, round) }), is_same)
        }
        ObstacleShape::Polyline(polyline) => {
            let corners = points(&polyline.vertices)?;
            simplest(|round| Shape::Polyline(fields::Polyline { points: rounded(&corners, round) }), is_same)
        }
    };
    check_shape(&shape).map_err(|problem| place.note(&problem)).ok().map(|()| shape)
}

/// Returns the fields of the region of a constraint. If a file cannot express it, notes that and returns `None`.
pub(crate) fn region_of(contain: &Contain, place: &Place) -> Option<Region> {
    let walls: Vec<(Vec2, f32)> = contain.region.straight_walls().collect();
    let center = Point::of(&contain.center, place)?;
    let region = if walls.is_empty() {
        let radius = NonNegative::of(&contain.region.inradius(), &place.field("radius"))?;
        Region::Circle(Object(fields::Circle { center, radius }))
    } else if let [(Vec2::X, x), (Vec2::Y, y), (Vec2::NEG_X, left), (Vec2::NEG_Y, below)] = walls[..]
        && (x, y) == (left, below)
    {
        let rotation = &place.field("rotation");
        let rotation = if contain.rotation == 0.0 { None } else { Some(Finite::of(&contain.rotation, rotation)?) };
        let half_size = half_size(Vec2::new(x, y), place)?;
        Region::Rectangle(Object(fields::Rectangle { center, half_size, rotation }))
    } else {
        let (sin, cos) = ops::sin_cos(contain.rotation);
        let turn = DVec2::new(cos.into(), sin.into());
        let world = |corner: DVec2| within_limit(contain.center.as_dvec2() + turn.rotate(corner), place);
        let corners: Vec<DVec2> = corners(&walls).into_iter().map(world).collect::<Option<_>>()?;
        let polygon =
            |round: &dyn Fn(f64) -> f64| Region::Polygon(Object(fields::Polygon { points: rounded(&corners, round) }));
        simplest(polygon, |region| {
            let candidate = contain_in(region);
            (&candidate.region, candidate.center, candidate.rotation)
                == (&contain.region, contain.center, contain.rotation)
        })
    };
    check_region(&region).map_err(|problem| place.note(&problem)).ok().map(|()| region)
}

fn half_size(half_size: Vec2, place: &Place) -> Option<PerAxis<NonNegative>> {
    let place = &place.field("half_size");
    let [x, y] = half_size.abs().to_array().map(|half| NonNegative::of(&half, place));
    Some(PerAxis([x?, y?]))
}

/// Where each wall meets the one before it.
fn corners(walls: &[(Vec2, f32)]) -> Vec<DVec2> {
    let before = walls.iter().cycle().skip(walls.len() - 1);
    let corner = |((a, a_distance), (b, b_distance)): (&(Vec2, f32), &(Vec2, f32))| {
        let (a, b) = (a.as_dvec2(), b.as_dvec2());
        let (a_distance, b_distance) = (f64::from(*a_distance), f64::from(*b_distance));
        let across = a.perp_dot(b);
        let point = DVec2::new(a_distance * b.y - b_distance * a.y, b_distance * a.x - a_distance * b.x) / across;
        // Two walls in a line have no corner between them.
        (across.abs() > 1e-6 && point.is_finite()).then_some(point)
    };
    before.zip(walls).filter_map(corner).collect()
}

fn point(point: DVec2, round: &dyn Fn(f64) -> f64) -> Point {
    PerAxis(point.to_array().map(|coordinate| Finite(round(coordinate))))
}

fn rounded(points: &[DVec2], round: &dyn Fn(f64) -> f64) -> Vec<Point> {
    points.iter().map(|corner| point(*corner, round)).collect()
}
