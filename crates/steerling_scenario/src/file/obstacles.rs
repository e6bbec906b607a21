//! What stands in the way and where to stay, as it is written, and the behaviors about them.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::json::{Object, OneKey, present, words};
use crate::number::{Finite, Layers, NonNegative, Point};

/// Something in the way of agents.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(try_from = "ObstacleFields")]
#[schemars(with = "ObstacleFields")]
pub(crate) struct Obstacle {
    pub shape: Shape,
    pub velocity: Option<Point>,
    pub layers: Option<Layers>,
}

/// Defines `Shape`, and `ObstacleFields`, where a shape is a field like others.
macro_rules! shapes {
    ($($(#[$doc:meta])* $field:ident: $shape:ident,)+) => {
        #[derive(Clone, Debug)]
        pub(crate) enum Shape {
            $($shape($shape),)+
        }

        /// Something in the way of agents: exactly one shape, and what else there is to it.
        #[derive(Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        #[schemars(rename = "Obstacle", extend("oneOf" = [$({"required": [stringify!($field)]}),+]))]
        struct ObstacleFields {
            $(
                $(#[$doc])*
                #[serde(default, deserialize_with = "present")]
                $field: Option<Object<$shape>>,
            )+
            /// It moves at this velocity, units/s. Default: it stands.
            #[serde(default, deserialize_with = "present")]
            velocity: Option<Point>,
            /// A bit for each layer it is in. Default: 1.
            #[serde(default, deserialize_with = "present")]
            layers: Option<Layers>,
        }

        impl TryFrom<ObstacleFields> for Obstacle {
            type Error = &'static str;

            fn try_from(fields: ObstacleFields) -> Result<Self, Self::Error> {
                let mut shapes = [$(fields.$field.map(|Object(shape)| Shape::$shape(shape))),+].into_iter().flatten();
                match (shapes.next(), shapes.next()) {
                    (Some(shape), None) => Ok(Self { shape, velocity: fields.velocity, layers: fields.layers }),
                    _ => Err(concat!("expected exactly one shape of" $(, " `", stringify!($field), "`")+)),
                }
            }
        }
    };
}

shapes! {
    /// A disc.
    circle: Circle,
    /// A rectangle.
    rectangle: Rectangle,
    /// A thin straight wall.
    segment: Segment,
    /// A straight wall with round ends.
    capsule: Capsule,
    /// A convex polygon.
    polygon: Polygon,
    /// Thin straight walls from point to point.
    polyline: Polyline,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Circle {
    /// Its center.
    pub center: Point,
    /// Its radius, units.
    pub radius: NonNegative,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rectangle {
    /// Its center.
    pub center: Point,
    /// Half its width and half its height, units.
    pub half_size: [NonNegative; 2],
    /// How far it is turned counterclockwise, rad. Default: 0.
    #[serde(default, deserialize_with = "present")]
    pub rotation: Option<Finite>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Segment {
    /// One end.
    pub start: Point,
    /// The other end.
    pub end: Point,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Capsule {
    /// The middle of one end.
    pub start: Point,
    /// The middle of the other end.
    pub end: Point,
    /// Half its thickness, units.
    pub radius: NonNegative,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Polygon {
    /// Its corners, one after another, either way round.
    #[schemars(length(min = 3))]
    pub points: Vec<Point>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Polyline {
    /// Its ends and corners, one after another.
    #[schemars(length(min = 2))]
    pub points: Vec<Point>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Contain {
    /// Where to stay.
    pub region: OneKey<Region>,
    /// How far ahead its rim matters, units. Default: twice the way to stop from max speed, and twice the radius more.
    #[serde(default, deserialize_with = "present")]
    pub look_ahead: Option<NonNegative>,
    /// Factor on what it contributes. Default: 1.
    #[serde(default, deserialize_with = "present")]
    pub weight: Option<Finite>,
}

/// Where an agent stays: a convex shape.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Region {
    /// A disc.
    Circle(Object<Circle>),
    /// A rectangle.
    Rectangle(Object<Rectangle>),
    /// A convex polygon.
    Polygon(Object<Polygon>),
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AvoidObstacles {
    /// How far ahead obstacles matter, units. Default: twice the way to stop from max speed, and twice the radius more.
    #[serde(default, deserialize_with = "present")]
    pub look_ahead: Option<NonNegative>,
    /// Limit of the force. Default: max force.
    #[serde(default, deserialize_with = "present")]
    pub max_avoid_force: Option<NonNegative>,
    /// Which way `"points"` pushes. Default: `"lateral"`.
    #[serde(default, deserialize_with = "present")]
    pub steer: Option<AvoidSteer>,
    /// How obstacles are noticed. Default: `"swept"`.
    #[serde(default, deserialize_with = "present")]
    pub detection: Option<Detection>,
    /// Only obstacles in one of these layers matter, a bit for each. Default: all.
    #[serde(default, deserialize_with = "present")]
    pub layers: Option<Layers>,
    /// Factor on what it contributes. Default: 1.
    #[serde(default, deserialize_with = "present")]
    pub weight: Option<Finite>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum AvoidSteer {
    Lateral,
    Radial,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Detection {
    Swept,
    Points,
}

words!(AvoidSteer: "lateral" => AvoidSteer::Lateral, "radial" => AvoidSteer::Radial);
words!(Detection: "swept" => Detection::Swept, "points" => Detection::Points);
