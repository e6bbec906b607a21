//! The outlines of 2D colliders.

use bevy::prelude::*;
use bevy::utils::once;
use bevy_steerling::prelude::SteeringPlane;

use super::engine::Collider;
use super::parry::math::Pose;
use super::parry::shape::{Segment, Shape, TypedShape};
use crate::ObstacleHeights;
use crate::outline::Outline;

/// The outlines of a collider around the position of its entity, and the direction of their x axis.
pub(crate) fn footprint(
    collider: &Collider,
    transform: &Transform,
    _: SteeringPlane,
    _: ObstacleHeights,
) -> (Vec<Outline>, Vec2) {
    let mut outlines = Vec::new();
    add(collider_shape(collider), &Pose::identity(), &mut outlines);
    (outlines, (transform.rotation * Vec3::X).truncate().normalize_or(Vec2::X))
}

fn collider_shape(collider: &Collider) -> &dyn Shape {
    super::engine::shape(collider)
}

/// Adds the parts of a shape.
fn add(shape: &dyn Shape, pose: &Pose, outlines: &mut Vec<Outline>) {
    let convex = |points: &[Vec2], border: f32| Outline::Convex {
        points: points.iter().map(|point| pose.transform_point(*point)).collect(),
        border,
    };
    let cuboid = |Vec2 { x, y }, border| {
        convex(&[Vec2::new(x, y), Vec2::new(-x, y), Vec2::new(-x, -y), Vec2::new(x, -y)], border)
    };
    outlines.push(match shape.as_typed_shape() {
        TypedShape::Ball(ball) => convex(&[Vec2::ZERO], ball.radius),
        TypedShape::Cuboid(shape) => cuboid(shape.half_extents, 0.0),
        TypedShape::RoundCuboid(round) => cuboid(round.inner_shape.half_extents, round.border_radius),
        TypedShape::Capsule(capsule) => convex(&[capsule.segment.a, capsule.segment.b], capsule.radius),
        TypedShape::Segment(segment) => convex(&[segment.a, segment.b], 0.0),
        TypedShape::Triangle(triangle) => convex(triangle.vertices(), 0.0),
        TypedShape::RoundTriangle(round) => convex(round.inner_shape.vertices(), round.border_radius),
        TypedShape::ConvexPolygon(polygon) => convex(polygon.points(), 0.0),
        TypedShape::RoundConvexPolygon(round) => convex(round.inner_shape.points(), round.border_radius),
        TypedShape::TriMesh(mesh) => {
            outlines.extend(mesh.triangles().map(|triangle| convex(triangle.vertices(), 0.0)));
            return;
        }
        TypedShape::Voxels(voxels) => {
            let half = 0.5 * voxels.voxel_size();
            for voxel in voxels.voxels().filter(|voxel| !voxel.state.is_empty()) {
                add(&super::parry::shape::Cuboid::new(half), &(*pose * Pose::from_translation(voxel.center)), outlines);
            }
            return;
        }
        TypedShape::Polyline(polyline) => return add_chains(polyline.segments(), pose, outlines),
        TypedShape::HeightField(field) => return add_chains(field.segments(), pose, outlines),
        TypedShape::Compound(compound) => {
            return compound.shapes().iter().for_each(|(place, part)| add(&*part.0, &(*pose * *place), outlines));
        }
        TypedShape::HalfSpace(_) => {
            once!(log::error!("a half-space has no end, so it cannot be an obstacle: use a large box"));
            return;
        }
        TypedShape::Custom(_) => {
            once!(log::error!("a shape of the game's own cannot be an obstacle: add an `Obstacle`"));
            return;
        }
    });
}

/// Adds segments as chains, each as long as the next segment starts where the last one ended.
fn add_chains(segments: impl Iterator<Item = Segment>, pose: &Pose, outlines: &mut Vec<Outline>) {
    let mut chain: Vec<Vec2> = Vec::new();
    let mut last = None;
    for segment in segments {
        if last != Some(segment.a) {
            outlines.extend((!chain.is_empty()).then(|| Outline::Chain(core::mem::take(&mut chain))));
            chain.push(pose.transform_point(segment.a));
        }
        chain.push(pose.transform_point(segment.b));
        last = Some(segment.b);
    }
    outlines.extend((!chain.is_empty()).then_some(Outline::Chain(chain)));
}
