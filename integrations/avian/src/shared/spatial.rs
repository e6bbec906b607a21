//! The outlines of 3D colliders, seen from above the plane of steering.

use bevy::math::ops;
use bevy::prelude::*;
use bevy::utils::once;
use bevy_steerling::prelude::SteeringPlane;

use super::engine::{self, Collider};
use super::parry::math::Pose;
use super::parry::shape::{Shape, TypedShape};
use crate::ObstacleHeights;
use crate::outline::Outline;

/// All points within the distance `border` of the convex hull of `points`, and all that are at most `rim` beside those at the same height.
/// The x and y of a point are those of the plane, and the z is its height.
struct Solid {
    points: Vec<Vec3>,
    border: f32,
    rim: f32,
}

/// The number of points that stand for a circle.
const CIRCLE: usize = 24;
/// An axis with a larger cosine of the angle to the vertical is upright.
const UPRIGHT: f32 = 0.999_99;

/// The outlines of the part of a collider that is between two heights, around the position of its entity, and the direction of their x axis.
pub(crate) fn footprint(
    collider: &Collider,
    transform: &Transform,
    plane: SteeringPlane,
    heights: ObstacleHeights,
) -> (Vec<Outline>, Vec2) {
    let axis = |axis: Vec3| plane.to_plane(axis).extend(plane.height(axis));
    let to_plane = Mat3::from_cols(axis(Vec3::X), axis(Vec3::Y), axis(Vec3::Z));
    let rotation = Quat::from_mat3(&to_plane) * transform.rotation;
    let height = plane.height(transform.translation);
    let mut view = View { low: heights.low - height, high: heights.high - height, outlines: Vec::new() };
    view.add(engine::shape(collider), &Pose::from_parts(Vec3::ZERO, rotation.normalize()));
    (view.outlines, Vec2::X)
}

/// What is seen between two heights, relative to the position of the entity.
struct View {
    low: f32,
    high: f32,
    outlines: Vec<Outline>,
}

impl View {
    /// Adds the parts of a shape.
    fn add(&mut self, shape: &dyn Shape, pose: &Pose) {
        let solid = |points: &[Vec3], border: f32| Solid {
            points: points.iter().map(|point| pose.transform_point(*point)).collect(),
            border,
            rim: 0.0,
        };
        let solid = match shape.as_typed_shape() {
            TypedShape::Ball(ball) => solid(&[Vec3::ZERO], ball.radius),
            TypedShape::Cuboid(shape) => solid(&box_corners(shape.half_extents), 0.0),
            TypedShape::RoundCuboid(round) => solid(&box_corners(round.inner_shape.half_extents), round.border_radius),
            TypedShape::Capsule(capsule) => solid(&[capsule.segment.a, capsule.segment.b], capsule.radius),
            TypedShape::Segment(segment) => solid(&[segment.a, segment.b], 0.0),
            TypedShape::Triangle(triangle) => solid(triangle.vertices(), 0.0),
            TypedShape::RoundTriangle(round) => solid(round.inner_shape.vertices(), round.border_radius),
            TypedShape::ConvexPolyhedron(hull) => solid(hull.points(), 0.0),
            TypedShape::RoundConvexPolyhedron(round) => solid(round.inner_shape.points(), round.border_radius),
            TypedShape::Cylinder(cylinder) => cylinder_solid(cylinder.half_height, cylinder.radius, 0.0, pose),
            TypedShape::RoundCylinder(round) => {
                let inner = &round.inner_shape;
                cylinder_solid(inner.half_height, inner.radius, round.border_radius, pose)
            }
            TypedShape::Cone(cone) => solid(&cone_points(cone.half_height, cone.radius), 0.0),
            TypedShape::RoundCone(round) => {
                let inner = &round.inner_shape;
                solid(&cone_points(inner.half_height, inner.radius), round.border_radius)
            }
            TypedShape::TriMesh(mesh) => return mesh.triangles().for_each(|triangle| self.add(&triangle, pose)),
            TypedShape::HeightField(field) => return field.triangles().for_each(|triangle| self.add(&triangle, pose)),
            TypedShape::Polyline(line) => return line.segments().for_each(|segment| self.add(&segment, pose)),
            TypedShape::Compound(compound) => {
                return compound.shapes().iter().for_each(|(place, part)| self.add(&*part.0, &(*pose * *place)));
            }
            TypedShape::Voxels(voxels) => {
                let corners = box_corners(0.5 * voxels.voxel_size());
                for voxel in voxels.voxels().filter(|voxel| !voxel.state.is_empty()) {
                    self.see(solid(&corners.map(|corner| voxel.center + corner), 0.0));
                }
                return;
            }
            TypedShape::HalfSpace(half_space) => {
                let normal = pose.rotation * half_space.normal;
                if normal.z < UPRIGHT || pose.translation.z > self.low {
                    once!(log::error!("a half-space has no end, so it cannot be an obstacle: use a large box"));
                }
                return;
            }
            TypedShape::Custom(_) => {
                once!(log::error!("a shape of the game's own cannot be an obstacle: add an `Obstacle` to its entity"));
                return;
            }
        };
        self.see(solid);
    }

    /// Adds the outline of what is between the two heights.
    fn see(&mut self, solid: Solid) {
        let Solid { points, border, rim } = solid;
        let below = clipped(points, Vec3::Z, self.high + border);
        let between = clipped(below, Vec3::NEG_Z, border - self.low);
        let (lowest, highest) = between.iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(lowest, highest), point| {
            (lowest.min(point.z), highest.max(point.z))
        });
        if between.is_empty() {
            return;
        }
        // What is only within the border is narrower there.
        let gap = (self.low - highest).max(lowest - self.high).max(0.0);
        let border = ops::sqrt((border * border - gap * gap).max(0.0)) + rim;
        self.outlines.push(Outline::Convex { points: between.iter().map(|point| point.truncate()).collect(), border });
    }
}

/// Points whose convex hull is the part of the hull of `points` that is at most `limit` along `direction`.
fn clipped(points: Vec<Vec3>, direction: Vec3, limit: f32) -> Vec<Vec3> {
    let (inside, outside): (Vec<Vec3>, Vec<Vec3>) = points.into_iter().partition(|point| point.dot(direction) <= limit);
    let mut kept = inside.clone();
    for from in &inside {
        for to in &outside {
            let (start, end) = (from.dot(direction), to.dot(direction));
            kept.push(from.lerp(*to, ((limit - start) / (end - start)).clamp(0.0, 1.0)));
        }
    }
    kept
}

fn box_corners(half: Vec3) -> [Vec3; 8] {
    core::array::from_fn(|corner| {
        let sign = |bit: usize| if corner & bit == 0 { 1.0 } else { -1.0 };
        half * Vec3::new(sign(1), sign(2), sign(4))
    })
}

/// The corners of a polygon around a circle whose axis is y.
fn circle(height: f32, radius: f32) -> impl Iterator<Item = Vec3> {
    let step = core::f32::consts::TAU / CIRCLE as f32;
    let corner = Vec2::new(radius / ops::cos(0.5 * step), 0.0);
    (0..CIRCLE).map(move |index| {
        let Vec2 { x, y } = Vec2::from_angle(index as f32 * step).rotate(corner);
        Vec3::new(x, height, y)
    })
}

fn cone_points(half_height: f32, radius: f32) -> Vec<Vec3> {
    circle(-half_height, radius).chain([Vec3::Y * half_height]).collect()
}

fn cylinder_solid(half_height: f32, radius: f32, border: f32, pose: &Pose) -> Solid {
    let ends = [half_height, -half_height];
    let is_upright = (pose.rotation * Vec3::Y).z.abs() > UPRIGHT;
    let (points, rim): (Vec<Vec3>, f32) = if is_upright {
        (ends.map(|height| Vec3::Y * height).to_vec(), radius)
    } else {
        (ends.into_iter().flat_map(|height| circle(height, radius)).collect(), 0.0)
    };
    Solid { points: points.into_iter().map(|point| pose.transform_point(point)).collect(), border, rim }
}
