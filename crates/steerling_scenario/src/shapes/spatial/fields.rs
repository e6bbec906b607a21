//! The fields of shapes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::json::list::PerAxis;
use crate::json::number::{NonNegative, Point};
use crate::json::strict::{Object, present};
pub(crate) use crate::shapes::capsule::Capsule;

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sphere {
    /// Its center.
    pub center: Point,
    /// Its radius, units.
    pub radius: NonNegative,
}

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Cuboid {
    /// Its center.
    pub center: Point,
    /// Half its size along each axis, units.
    pub half_size: PerAxis<NonNegative>,
    /// Its rotation about its center, as a rotation vector: the direction is the axis, and the length is the angle, rad. Default: none.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub rotation: Option<Point>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Cylinder {
    /// The center of one end.
    pub start: Point,
    /// The center of the other end.
    pub end: Point,
    /// Its radius, units.
    pub radius: NonNegative,
}

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HalfSpace {
    /// A point of the plane. Default: the origin.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub point: Option<Point>,
    /// The direction out of the half-space, at a right angle to the plane, of any length.
    pub normal: Point,
}

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ConvexHull {
    /// The points, which do not lie in one plane.
    #[schemars(length(min = 4))]
    pub points: Vec<Point>,
}

/// The region that an agent stays in: a convex shape.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Region {
    /// A ball.
    Sphere(Object<Sphere>),
    /// A box.
    Cuboid(Object<Cuboid>),
    /// The convex hull of points.
    ConvexHull(Object<ConvexHull>),
}
