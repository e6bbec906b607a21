//! Where agents can walk, and the ways there.

use std::sync::Arc;

use bevy::prelude::*;
use vleue_navigator::prelude::*;

/// The walkable ground: a navigation mesh, and the parts of it that are not connected.
///
/// The mesh alone has no path to a place outside of it, and none to a place behind a closed door. The ground knows the nearest place that
/// can be reached instead.
#[derive(Resource)]
pub struct Ground {
    /// The mesh as it was built, to recognize a new one.
    built: NavMesh,
    /// The same with an index of its polygons.
    mesh: NavMesh,
    polygons: Vec<Piece>,
}

/// A polygon of the mesh.
struct Piece {
    corners: Vec<Vec2>,
    middle: Vec2,
    /// The number of the connected part.
    part: usize,
}

/// A way on the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct Way {
    /// The points, from the start to the end, units.
    pub points: Vec<Vec2>,
    /// Whether the way ends at the goal. Otherwise, it ends at the place nearest to the goal that can be reached.
    pub is_complete: bool,
}

impl Way {
    /// The length, units.
    pub fn length(&self) -> f32 {
        self.points.windows(2).map(|ends| ends[0].distance(ends[1])).sum()
    }
}

/// A place this near to the mesh counts as on it, units.
const NEAR: f32 = 0.01;

impl Ground {
    /// The ground of a mesh. It takes the first layer.
    pub fn new(built: &NavMesh) -> Self {
        let mut mesh = (*built.get()).clone();
        mesh.bake();
        let layer = &mesh.layers[0];
        let corners = |polygon: usize| -> Vec<Vec2> {
            layer.polygons[polygon].vertices.iter().map(|vertex| layer.vertices[*vertex as usize].coords).collect()
        };
        let neighbors = |polygon: usize| {
            let vertices = &layer.polygons[polygon].vertices;
            let edges = (0..vertices.len()).map(|k| [vertices[k], vertices[(k + 1) % vertices.len()]]);
            let around = |vertex: u32| &layer.vertices[vertex as usize].polygons;
            edges.flat_map(move |[a, b]| around(a).iter().filter(move |other| around(b).contains(other)))
        };
        let mut parts = vec![usize::MAX; layer.polygons.len()];
        for first in 0..parts.len() {
            let mut open = vec![first];
            while let Some(polygon) = open.pop() {
                // The outside of the mesh is a neighbor, too.
                if parts.get(polygon) == Some(&usize::MAX) {
                    parts[polygon] = first;
                    open.extend(neighbors(polygon).map(|other| *other as usize));
                }
            }
        }
        let piece = |(polygon, part)| {
            let corners = corners(polygon);
            let middle = corners.iter().sum::<Vec2>() / corners.len().max(1) as f32;
            Piece { corners, middle, part }
        };
        let polygons = parts.into_iter().enumerate().map(piece).collect();
        Self { built: built.clone(), polygons, mesh: NavMesh::from_polyanya_mesh(mesh) }
    }

    /// Whether this is the ground of the mesh, and not of an earlier one.
    pub fn is_of(&self, mesh: &NavMesh) -> bool {
        Arc::ptr_eq(&self.built.get(), &mesh.get())
    }

    /// The ground of the same mesh, computed again.
    #[must_use]
    pub fn again(&self) -> Self {
        Self::new(&self.built)
    }

    /// The number of polygons.
    pub fn polygon_count(&self) -> usize {
        self.polygons.len()
    }

    /// The place on the mesh that is nearest to `place`, units. `None` if the mesh is empty, or `place` is not finite.
    pub fn nearest(&self, place: Vec2) -> Option<Vec2> {
        self.nearest_in(place, None).map(|(nearest, _)| nearest)
    }

    /// The shortest way from a place to another. If it cannot be reached, the way ends where it is nearest to it. A start that is not on
    /// the mesh, such as one close to a wall, is connected to it by a straight line. `None` if the mesh is empty, or a place is not
    /// finite.
    pub fn way(&self, from: Vec2, to: Vec2) -> Option<Way> {
        let (start, part) = self.nearest_in(from, None)?;
        let (end, _) = self.nearest_in(to, Some(part))?;
        let path = self.mesh.path(start, end)?;
        let mut points = vec![from];
        if start.distance(from) > NEAR {
            points.push(start);
        }
        points.extend(path.path);
        Some(Way { points, is_complete: end.distance(to) <= NEAR })
    }

    /// The nearest place on a part of the mesh, or on any, and the part.
    fn nearest_in(&self, place: Vec2, part: Option<usize>) -> Option<(Vec2, usize)> {
        let mut nearest: Option<(f32, Vec2, &Piece)> = None;
        for piece in self.polygons.iter().filter(|piece| part.is_none_or(|part| part == piece.part)) {
            let there = piece.nearest(place);
            let distance = there.distance_squared(place);
            if nearest.map_or(distance.is_finite(), |(least, ..)| distance < least) {
                nearest = Some((distance, there, piece));
            }
        }
        let (distance, there, piece) = nearest?;
        // A little inside, so that rounding does not put it on another part.
        let there = if distance > 0.0 { there.move_towards(piece.middle, 0.5 * NEAR) } else { there };
        Some((there, piece.part))
    }
}

impl Piece {
    /// The place in the polygon, which is convex and counterclockwise, that is nearest to `place`.
    fn nearest(&self, place: Vec2) -> Vec2 {
        let corners = &self.corners;
        let mut nearest = (f32::INFINITY, place);
        for (k, &from) in corners.iter().enumerate() {
            let along = corners[(k + 1) % corners.len()] - from;
            if along.perp_dot(place - from) >= 0.0 {
                continue;
            }
            let share = (place - from).dot(along) / along.length_squared().max(f32::MIN_POSITIVE);
            let there = from + along * share.clamp(0.0, 1.0);
            let distance = there.distance_squared(place);
            if distance < nearest.0 {
                nearest = (distance, there);
            }
        }
        nearest.1
    }
}
