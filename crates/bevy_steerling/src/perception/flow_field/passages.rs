//! Between which neighboring nodes a body fits.

use alloc::vec::Vec;
use core::ops::Range;

use bevy::prelude::*;

use crate::math::{Vector, normalize};
use crate::perception::flow_field::grid::{Grid, STEPS};
use crate::perception::obstacles::PlacedShape;

/// The ways from a node to its neighbors, a bit for each of the [`STEPS`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Passage {
    /// A body with the clearance can move along these.
    pub clear: u8,
    /// No obstacle is on these.
    pub open: u8,
    /// Whether the node has the clearance.
    pub free: bool,
}

impl Passage {
    #[inline]
    pub fn is_clear(self, step: usize) -> bool {
        self.clear >> step & 1 != 0
    }

    #[inline]
    pub fn is_open(self, step: usize) -> bool {
        self.open >> step & 1 != 0
    }
}

/// A rectangle of nodes.
pub(super) type Nodes = (Range<i32>, Range<i32>);

/// The passages of nodes among obstacles, from scratch.
pub(super) fn passages<'a>(grid: &Grid, shapes: impl Iterator<Item = &'a PlacedShape>, clearance: f32) -> Vec<Passage> {
    let mut passages = vec_of(grid.len(), Passage { clear: 0xff, open: 0xff, free: true });
    close_borders(grid, &mut passages);
    let everywhere = grid.nodes_in(Vector::NEG_INFINITY, Vector::INFINITY);
    let mut walls = Walls { grid, clearance, passages: &mut passages, within: everywhere, distances: Vec::new() };
    shapes.for_each(|shape| walls.close(shape));
    passages
}

/// Computes the passages of a rectangle of nodes anew, in a world without seams.
pub(super) fn renew<'a>(
    grid: &Grid,
    passages: &mut [Passage],
    within: Nodes,
    shapes: impl Iterator<Item = &'a PlacedShape>,
    clearance: f32,
) {
    let contains = |node: IVec2| within.0.contains(&node.x) && within.1.contains(&node.y);
    for node in nodes(&within) {
        let Some(index) = grid.index(node) else { continue };
        passages[index] = Passage { clear: 0xff, open: 0xff, free: true };
        for (step, way) in STEPS.iter().enumerate() {
            match grid.index(node + way) {
                None => shut(&mut passages[index], step),
                Some(neighbor) if !contains(node + way) => {
                    let back = 1 << ((step + 4) % 8);
                    passages[neighbor].open |= back;
                    if passages[neighbor].free {
                        passages[neighbor].clear |= back;
                    } else {
                        passages[index].clear &= !(1 << step);
                    }
                }
                Some(_) => {}
            }
        }
    }
    let mut walls = Walls { grid, clearance, passages, within, distances: Vec::new() };
    shapes.for_each(|shape| walls.close(shape));
}

fn nodes((columns, rows): &Nodes) -> impl Iterator<Item = IVec2> {
    rows.clone().flat_map(|y| columns.clone().map(move |x| IVec2::new(x, y)))
}

fn shut(passage: &mut Passage, step: usize) {
    passage.clear &= !(1 << step);
    passage.open &= !(1 << step);
}

fn vec_of(count: usize, passage: Passage) -> Vec<Passage> {
    core::iter::repeat_n(passage, count).collect()
}

/// Closes the ways that lead out of the grid.
fn close_borders(grid: &Grid, passages: &mut [Passage]) {
    let IVec2 { x: columns, y: rows } = grid.size;
    let ends = |count: i32| [0, count - 1];
    let border = (0..columns)
        .flat_map(|x| ends(rows).map(|y| IVec2::new(x, y)))
        .chain((0..rows).flat_map(|y| ends(columns).map(|x| IVec2::new(x, y))));
    for node in border {
        for (step, way) in STEPS.iter().enumerate() {
            if let (Some(index), None) = (grid.index(node), grid.index(node + way)) {
                shut(&mut passages[index], step);
            }
        }
    }
}

/// Closes the passages in which obstacles are.
struct Walls<'a> {
    grid: &'a Grid,
    clearance: f32,
    passages: &'a mut [Passage],
    /// Only passages from or to these nodes are closed.
    within: Nodes,
    /// The distances of the nodes around a wall.
    distances: Vec<(f32, Vector)>,
}

impl Walls<'_> {
    fn close(&mut self, shape: &PlacedShape) {
        (0..shape.wall_count()).for_each(|wall| self.close_wall(shape, wall));
    }

    /// A wall is convex, so a way gets no nearer to it than at its ends unless it approaches the wall at both.
    fn close_wall(&mut self, shape: &PlacedShape, wall: usize) {
        let reach = self.clearance + 1.01 * self.grid.diagonal();
        let (low, high) = shape.wall_bounds(wall);
        let (columns, rows) = self.grid.nodes_in(low - reach, high + reach);
        let clip =
            |range: Range<i32>, within: &Range<i32>| range.start.max(within.start - 1)..range.end.min(within.end + 1);
        let around = (clip(columns, &self.within.0), clip(rows, &self.within.1));
        let grid = self.grid;
        self.distances.clear();
        self.distances.extend(nodes(&around).map(|node| shape.distance_to_wall(wall, grid.place_of(node))));
        let width = around.0.len();
        for (place, node) in nodes(&around).enumerate() {
            let Some(index) = grid.index(node) else { continue };
            if self.distances[place].0 < self.clearance {
                self.passages[index].free = false;
            }
            // Each way once: these four, and from the other end the other four.
            for (step, way) in STEPS.iter().enumerate().take(4) {
                let neighbor = node + way;
                if !(around.0.contains(&neighbor.x) && around.1.contains(&neighbor.y)) {
                    continue;
                }
                let there = (place as i32 + way.y * width as i32 + way.x) as usize;
                let ends = [self.distances[place], self.distances[there]];
                let Some(neighbor) = grid.index(neighbor) else { continue };
                self.close_way([index, neighbor], step, &ends, (shape, wall, grid.place_of(node)));
            }
        }
    }

    fn close_way(
        &mut self,
        [index, neighbor]: [usize; 2],
        step: usize,
        ends: &[(f32, Vector); 2],
        (shape, wall, from): (&PlacedShape, usize, Vector),
    ) {
        let [(here, away), (there, away_there)] = *ends;
        let way = self.grid.step(step);
        let passes_between = away.dot(way) < 0.0 && away_there.dot(way) > 0.0;
        let nearest = 0.5 * (here + there - self.grid.diagonal());
        let hits = |radius: f32| {
            let touches = || shape.cast_distance_to_wall(wall, from, normalize(way), radius);
            passes_between && nearest < radius && touches().is_some_and(|distance| distance < way.length())
        };
        let back = (step + 4) % 8;
        if here.min(there) <= 0.0 || hits(0.0) {
            shut(&mut self.passages[index], step);
            shut(&mut self.passages[neighbor], back);
        } else if here.min(there) < self.clearance || hits(self.clearance) {
            self.passages[index].clear &= !(1 << step);
            self.passages[neighbor].clear &= !(1 << back);
        }
    }
}
