//! The shapes of obstacles.

use bevy::prelude::*;

use crate::math::Placement;
use crate::perception::obstacles::spatial::hull::ConvexHull;
use crate::perception::obstacles::spatial::placed::PlacedShape;
use crate::perception::obstacles::spatial::solid::Solid;

/// The shape of an [`Obstacle`](crate::perception::obstacles::Obstacle). Default: a default `Sphere`.
#[derive(Clone, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub enum ObstacleShape {
    /// A ball.
    Sphere(Sphere),
    /// A box.
    Cuboid(Cuboid),
    /// All points within a radius of a segment of the y axis.
    Capsule(Capsule3d),
    /// A cylinder around the y axis, such as a pillar.
    Cylinder(Cylinder),
    /// All points behind a plane through the origin, such as the ground or an endless wall.
    HalfSpace(InfinitePlane3d),
    /// The convex hull of points.
    ConvexHull(ConvexHull),
}

impl Default for ObstacleShape {
    fn default() -> Self {
        Self::Sphere(Sphere::default())
    }
}

from_shapes!(
    Sphere(Sphere),
    Cuboid(Cuboid),
    Capsule(Capsule3d),
    Cylinder(Cylinder),
    HalfSpace(InfinitePlane3d),
    ConvexHull(ConvexHull)
);

impl ObstacleShape {
    /// Places the shape with the position and rotation of `transform`.
    pub fn placed(&self, transform: &Transform) -> PlacedShape {
        self.placed_with(PlacedShape::default(), transform, Placement::USUAL)
    }

    /// [`placed`](Self::placed), reusing the allocation of another shape.
    pub(in crate::perception::obstacles) fn placed_with(
        &self,
        memory: PlacedShape,
        transform: &Transform,
        _: Placement,
    ) -> PlacedShape {
        let solid = match self {
            Self::Sphere(sphere) => Solid::capsule(0.0, sphere.radius),
            Self::Cuboid(cuboid) => Solid::Cuboid { half_size: cuboid.half_size.max(Vec3::ZERO) },
            Self::Capsule(capsule) => Solid::capsule(capsule.half_length, capsule.radius),
            Self::Cylinder(cylinder) => {
                Solid::Cylinder { radius: cylinder.radius.max(0.0), half_height: cylinder.half_height.max(0.0) }
            }
            Self::HalfSpace(plane) => Solid::HalfSpace { normal: *plane.normal },
            Self::ConvexHull(hull) => memory.solid.into_hull(hull),
        };
        PlacedShape::new(solid, transform)
    }
}
