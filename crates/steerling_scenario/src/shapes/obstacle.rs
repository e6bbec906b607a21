//! Obstacles: one shape each, with a velocity, a turn rate and layers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::json::number::{Layers, Point};
use crate::json::strict::{Object, present};
#[cfg(not(dim3))]
use crate::shapes::planar::fields::{Capsule, Circle, Polygon, Polyline, Rectangle, Segment};
#[cfg(dim3)]
use crate::shapes::spatial::fields::{Capsule, ConvexHull, Cuboid, Cylinder, HalfSpace, Sphere};
use crate::shapes::turning::FileTurnRate;

/// An obstacle.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(try_from = "ObstacleFields", into = "ObstacleFields")]
#[schemars(with = "ObstacleFields")]
pub(crate) struct Obstacle {
    pub shape: Shape,
    pub velocity: Option<Point>,
    pub turn_rate: Option<FileTurnRate>,
    pub pivot: Option<Point>,
    pub layers: Option<Layers>,
}

/// Defines `Shape` and `ObstacleFields`, which has an optional field for each shape.
macro_rules! shapes {
    ($($(#[$doc:meta])* $field:ident: $shape:ident,)+) => {
        #[derive(Clone, Debug)]
        pub(crate) enum Shape {
            $($shape($shape),)+
        }

        /// An obstacle: exactly one shape, and optional properties.
        #[derive(Default, Deserialize, JsonSchema, Serialize)]
        #[serde(deny_unknown_fields)]
        #[schemars(rename = "Obstacle", extend("oneOf" = [$({"required": [stringify!($field)]}),+]))]
        struct ObstacleFields {
            $(
                $(#[$doc])*
                #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
                $field: Option<Object<$shape>>,
            )+
            /// Its constant velocity, units/s. Default: it does not move.
            #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
            velocity: Option<Point>,
            #[cfg_attr(not(dim3), doc = "Its constant turn rate about the pivot, rad/s counterclockwise. Default: it does not turn.")]
            #[cfg_attr(dim3, doc = "The axis about which it turns, through the pivot, times its constant turn rate, rad/s. Default: it does not turn.")]
            #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
            turn_rate: Option<FileTurnRate>,
            /// The place about which it turns, at the start; it moves with the obstacle. Default: the center of its shape.
            #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
            pivot: Option<Point>,
            /// The layers that it belongs to, one bit each. Default: 1.
            #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
            layers: Option<Layers>,
        }

        impl From<Obstacle> for ObstacleFields {
            fn from(Obstacle { shape, velocity, turn_rate, pivot, layers }: Obstacle) -> Self {
                let mut fields = Self { velocity, turn_rate, pivot, layers, ..Self::default() };
                match shape {
                    $(Shape::$shape(shape) => fields.$field = Some(Object(shape)),)+
                }
                fields
            }
        }

        impl TryFrom<ObstacleFields> for Obstacle {
            type Error = &'static str;

            fn try_from(mut fields: ObstacleFields) -> Result<Self, Self::Error> {
                let mut shapes = [$(fields.$field.take().map(|Object(shape)| Shape::$shape(shape))),+].into_iter().flatten();
                match (shapes.next(), shapes.next()) {
                    (Some(shape), None) => {
                        let ObstacleFields { velocity, turn_rate, pivot, layers, .. } = fields;
                        if pivot.is_some() && turn_rate.is_none() {
                            return Err("expected a `turn_rate` beside the `pivot`");
                        }
                        Ok(Self { shape, velocity, turn_rate, pivot, layers })
                    }
                    _ => Err(concat!("expected exactly one shape of" $(, " `", stringify!($field), "`")+)),
                }
            }
        }
    };
}

#[cfg(not(dim3))]
shapes! {
    /// A disc.
    circle: Circle,
    /// A rectangle.
    rectangle: Rectangle,
    /// A thin straight wall.
    segment: Segment,
    /// A straight wall with rounded ends.
    capsule: Capsule,
    /// A convex polygon.
    polygon: Polygon,
    /// Thin straight walls that connect points.
    polyline: Polyline,
}

#[cfg(dim3)]
shapes! {
    /// A ball.
    sphere: Sphere,
    /// A box.
    cuboid: Cuboid,
    /// All points within a radius of a segment.
    capsule: Capsule,
    /// A cylinder.
    cylinder: Cylinder,
    /// All points behind a plane.
    half_space: HalfSpace,
    /// The convex hull of points.
    convex_hull: ConvexHull,
}
