//! The nodes that see a goal.

use alloc::vec::Vec;

use crate::math::{Vector, normalize};
use crate::perception::flow_field::grid::Grid;
use crate::perception::flow_field::lattice::nodes;
use crate::perception::flow_field::passages::Passage;
use crate::perception::obstacles::PlacedShape;

/// A node that sees a goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Seed {
    pub index: usize,
    pub distance: f32,
    /// The number of the goal.
    pub goal: usize,
}

/// The nodes near goals that see them. A goal that no node sees, for example inside an obstacle, is moved to the nearest node with the
/// clearance.
pub(super) fn seeds<'a>(
    grid: &Grid,
    passages: &[Passage],
    goals: &mut [Vector],
    shapes: impl Iterator<Item = &'a PlacedShape> + Clone,
    clearance: f32,
) -> Vec<Seed> {
    let mut seeds = Vec::new();
    for (number, goal) in goals.iter_mut().enumerate() {
        let found = seeds.len();
        let farthest = clearance + 2.0 * grid.diagonal();
        let around = Around::new(*goal, farthest, grid, shapes.clone());
        let room = around.room();
        let reach = if room >= clearance { 1.01 * grid.diagonal() } else { farthest };
        if room > 0.0 {
            // A goal beside a wall is in sight if the line to it gets no nearer to the wall than the goal itself.
            let body = 0.999 * room.min(clearance);
            let around_it = grid.nodes_in(*goal - reach, *goal + reach);
            for (node, index) in nodes(&around_it).filter_map(|node| Some((node, grid.index(node)?))) {
                let to_node = grid.place_of(node) - *goal;
                if passages[index].free && to_node.length() <= reach && around.sees(to_node, body) {
                    seeds.push(Seed { index, distance: to_node.length(), goal: number });
                }
            }
        }
        if seeds.len() == found
            && let Some(index) = nearest_free(grid, passages, *goal)
        {
            *goal = grid.place(index);
            seeds.push(Seed { index, distance: 0.0, goal: number });
        }
    }
    seeds
}

fn nearest_free(grid: &Grid, passages: &[Passage], goal: Vector) -> Option<usize> {
    let free = passages.iter().enumerate().filter(|(_, passage)| passage.free).map(|(index, _)| index);
    let distance = |index: &usize| grid.space.displacement(goal, grid.place(*index)).length_squared();
    free.min_by(|a, b| distance(a).total_cmp(&distance(b)))
}

/// The obstacles around a goal, each with the image of the goal nearest to it.
struct Around<'a> {
    shapes: Vec<(&'a PlacedShape, Vector)>,
}

impl<'a> Around<'a> {
    fn new(goal: Vector, reach: f32, grid: &Grid, shapes: impl Iterator<Item = &'a PlacedShape>) -> Self {
        let image = |shape: &'a PlacedShape| {
            let nearest = || shape.center() - grid.space.displacement(goal, shape.center());
            (shape, if shape.is_boundless() { goal } else { nearest() })
        };
        let near = |(shape, goal): &(&PlacedShape, Vector)| {
            let (low, high) = shape.bounds();
            grid.space.wraps() || (low.cmple(*goal + reach).all() && high.cmpge(*goal - reach).all())
        };
        Self { shapes: shapes.map(image).filter(near).collect() }
    }

    /// The distance from the goal to the nearest obstacle.
    fn room(&self) -> f32 {
        self.shapes.iter().map(|(shape, goal)| shape.distance(*goal).0).fold(f32::INFINITY, f32::min)
    }

    /// Whether a body can move from the goal along a line.
    fn sees(&self, way: Vector, body: f32) -> bool {
        let touches = |(shape, goal): &(&PlacedShape, Vector)| shape.cast_distance(*goal, normalize(way), body);
        self.shapes.iter().all(|shape| touches(shape).is_none_or(|distance| distance >= way.length()))
    }
}
