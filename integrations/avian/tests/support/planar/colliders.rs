//! Random colliders.

use bevy::prelude::*;
use rand::RngExt;

use crate::engine;
use crate::engine::parry::math::Pose;
use crate::engine::parry::shape::SharedShape;
pub use crate::scenes::{Random, plain_app, point, random, ticks};

pub fn at(place: Vec2, angle: f32) -> Transform {
    Transform::from_translation(place.extend(0.0)).with_rotation(Quat::from_rotation_z(angle))
}

pub fn place(app: &App, entity: Entity) -> Vec2 {
    app.world().get::<Transform>(entity).map_or(Vec2::NAN, |transform| transform.translation.truncate())
}

/// How well the distance to an obstacle agrees with that to the collider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Agreement {
    /// Everywhere.
    Exact,
    /// Outside. Inside, an obstacle of several parts is only known to be there.
    Outside,
    /// The obstacle is larger, by less than this share of the border.
    Border(f32),
}

/// A random collider of a kind.
pub fn shape(kind: usize, random: &mut Random) -> (SharedShape, Agreement) {
    let mut size = || random.random_range(0.5..3.0);
    let (a, b, c) = (size(), size(), size());
    let border = 0.3 * c;
    let mut corner = || point(random, 3.0);
    let triangle = [corner(), corner(), corner()];
    let hull: Vec<Vec2> = (0..8).map(|_| corner()).collect();
    let line: Vec<Vec2> = (0..5).map(|_| corner()).collect();
    let convex_hull = |points: &[Vec2]| SharedShape::convex_hull(points).expect("a hull");
    match kind {
        0 => (SharedShape::ball(a), Agreement::Exact),
        1 => (SharedShape::cuboid(a, b), Agreement::Exact),
        2 => (SharedShape::capsule(triangle[0], triangle[1], c), Agreement::Exact),
        3 => (SharedShape::segment(triangle[0], triangle[1]), Agreement::Exact),
        4 => (SharedShape::triangle(triangle[0], triangle[1], triangle[2]), Agreement::Exact),
        5 => (convex_hull(&hull), Agreement::Exact),
        6 => (SharedShape::round_cuboid(a, b, border), Agreement::Border(border)),
        7 => (SharedShape::round_convex_hull(&hull, border).expect("a hull"), Agreement::Border(border)),
        8 => (SharedShape::round_triangle(triangle[0], triangle[1], triangle[2], border), Agreement::Border(border)),
        9 => (SharedShape::polyline(line, None), Agreement::Exact),
        10 => (SharedShape::polyline(line, Some(vec![[0, 1], [2, 3], [3, 4]])), Agreement::Exact),
        11 => {
            let mesh = SharedShape::trimesh(line, vec![[0, 1, 2], [2, 3, 4]]).expect("a mesh");
            (mesh, Agreement::Outside)
        }
        12 => (SharedShape::heightfield(vec![a, b, c, a + 1.0, b], Vec2::new(4.0, 1.0)), Agreement::Exact),
        13 => {
            let parts = [SharedShape::ball(a), SharedShape::cuboid(b, c), convex_hull(&hull)];
            let places = triangle.map(|place| Pose::new(2.0 * place, place.x));
            (SharedShape::compound(places.into_iter().zip(parts).collect()), Agreement::Outside)
        }
        _ => {
            let cells = [[0, 0], [1, 0], [2, 1], [-3, 2]].map(engine::parry::math::IVector::from);
            (SharedShape::voxels(Vec2::new(a, b), &cells), Agreement::Outside)
        }
    }
}

/// The number of kinds of [`shape`]s.
pub const KINDS: usize = 15;
