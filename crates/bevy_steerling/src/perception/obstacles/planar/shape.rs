//! The shapes of obstacles.

use bevy::prelude::*;

use crate::math::Vector;
use crate::math::plane::SteeringPlane;
use crate::perception::obstacles::planar::placed::PlacedShape;

/// The shape of an [`Obstacle`](crate::perception::obstacles::Obstacle). Default: a default `Circle`.
#[derive(Clone, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub enum ObstacleShape {
    /// A disk.
    Circle(Circle),
    /// A rectangle.
    Rectangle(Rectangle),
    /// All points within a radius of a segment of the y axis.
    Capsule(Capsule2d),
    /// A thin wall.
    Segment(Segment2d),
    /// A convex polygon.
    Polygon(ConvexPolygon),
    /// Thin walls from vertex to vertex.
    Polyline(Polyline2d),
}

impl Default for ObstacleShape {
    fn default() -> Self {
        Self::Circle(Circle::default())
    }
}

from_shapes!(
    Circle(Circle),
    Rectangle(Rectangle),
    Capsule(Capsule2d),
    Segment(Segment2d),
    Polygon(ConvexPolygon),
    Polyline(Polyline2d)
);

impl ObstacleShape {
    /// Places the shape in a plane, with the position and rotation of `transform`.
    pub fn placed(&self, transform: &Transform, plane: SteeringPlane) -> PlacedShape {
        self.placed_with(PlacedShape::default(), transform, plane)
    }

    /// [`placed`](Self::placed), reusing the allocation of another shape.
    pub(in crate::perception::obstacles) fn placed_with(
        &self,
        PlacedShape { mut corners, .. }: PlacedShape,
        transform: &Transform,
        plane: SteeringPlane,
    ) -> PlacedShape {
        corners.clear();
        let (closed, radius) = match self {
            Self::Circle(circle) => {
                corners.push(Vec2::ZERO);
                (false, circle.radius)
            }
            Self::Rectangle(rectangle) => {
                let Vec2 { x, y } = rectangle.half_size;
                corners.extend([Vec2::new(x, y), Vec2::new(-x, y), Vec2::new(-x, -y), Vec2::new(x, -y)]);
                (true, 0.0)
            }
            Self::Capsule(capsule) => {
                let end = Vec2::new(0.0, capsule.half_length);
                corners.extend([end, -end]);
                (false, capsule.radius)
            }
            Self::Segment(segment) => {
                corners.extend(segment.vertices);
                (false, 0.0)
            }
            Self::Polygon(polygon) => {
                corners.extend(polygon.vertices());
                (true, 0.0)
            }
            Self::Polyline(polyline) => {
                corners.extend(&polyline.vertices);
                (false, 0.0)
            }
        };
        let (x_axis, origin) = (plane.x_axis(transform), plane.position(transform));
        corners.iter_mut().for_each(|corner| *corner = origin + x_axis.rotate(*corner));
        let (low, high) = corners.iter().fold((Vector::INFINITY, Vector::NEG_INFINITY), |(low, high), corner| {
            (low.min(*corner), high.max(*corner))
        });
        let center = if corners.is_empty() { origin } else { 0.5 * (low + high) };
        let extent = corners.iter().map(|corner| corner.distance(center)).fold(0.0, f32::max);
        let radius = radius.max(0.0);
        // Slightly larger, so that rounding loses nothing.
        let around = radius + 1e-6 * (extent + radius + center.abs().max_element());
        let (low, high) = (low.min(center) - around, high.max(center) + around);
        PlacedShape { corners, closed, radius, center, extent: extent + radius, low, high }
    }
}
