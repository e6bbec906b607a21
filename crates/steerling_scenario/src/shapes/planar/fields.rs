//! The fields of shapes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::json::list::PerAxis;
use crate::json::number::{Finite, NonNegative, Point};
use crate::json::strict::{Object, present};
pub(crate) use crate::shapes::capsule::Capsule;

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Circle {
    /// Its center.
    pub center: Point,
    /// Its radius, units.
    pub radius: NonNegative,
}

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rectangle {
    /// Its center.
    pub center: Point,
    /// Half its width and half its height, units.
    pub half_size: PerAxis<NonNegative>,
    /// Its counterclockwise rotation, rad. Default: 0.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub rotation: Option<Finite>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Segment {
    /// One end.
    pub start: Point,
    /// The other end.
    pub end: Point,
}

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Polygon {
    /// Its corners in order, clockwise or counterclockwise.
    #[schemars(length(min = 3))]
    pub points: Vec<Point>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Polyline {
    /// Its points in order, from one end to the other.
    #[schemars(length(min = 2))]
    pub points: Vec<Point>,
}

/// The region that an agent stays in: a convex shape.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Region {
    /// A disc.
    Circle(Object<Circle>),
    /// A rectangle.
    Rectangle(Object<Rectangle>),
    /// A convex polygon.
    Polygon(Object<Polygon>),
}
