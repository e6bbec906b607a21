//! Determines between which neighboring nodes a body fits.

use alloc::vec::Vec;

use crate::math::{DIMENSIONS, IVector, Vector, normalize};
use crate::perception::flow_field::grid::Grid;
use crate::perception::flow_field::lattice::{ALL_STEPS, Nodes, STEP_COUNT, STEPS, StepBits, nodes, opposite};
use crate::perception::obstacles::PlacedShape;

/// The ways from a node to its neighbors, with one bit for each of the [`STEPS`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Passage {
    /// The ways along which a body with the clearance can move.
    pub clear: StepBits,
    /// The ways without an obstacle.
    pub open: StepBits,
    /// Whether the node has the clearance.
    pub free: bool,
}

impl Passage {
    /// The passages without obstacles.
    const CLEAR: Self = Self { clear: ALL_STEPS, open: ALL_STEPS, free: true };

    #[inline]
    pub fn is_clear(self, step: usize) -> bool {
        self.clear >> step & 1 != 0
    }

    #[inline]
    pub fn is_open(self, step: usize) -> bool {
        self.open >> step & 1 != 0
    }
}

/// The passages of nodes among obstacles, from scratch.
pub(super) fn passages<'a>(grid: &Grid, shapes: impl Iterator<Item = &'a PlacedShape>, clearance: f32) -> Vec<Passage> {
    let mut passages = vec_of(grid.len(), Passage::CLEAR);
    close_borders(grid, &mut passages);
    let everywhere = grid.nodes_in(Vector::NEG_INFINITY, Vector::INFINITY);
    let mut walls = Walls { grid, clearance, passages: &mut passages, within: everywhere, distances: Vec::new() };
    shapes.for_each(|shape| walls.close(shape));
    passages
}

/// Recomputes the passages of a box of nodes, in a world without seams.
pub(super) fn renew<'a>(
    grid: &Grid,
    passages: &mut [Passage],
    within: Nodes,
    shapes: impl Iterator<Item = &'a PlacedShape>,
    clearance: f32,
) {
    let contains = |node: IVector| is_in(&within, node);
    for node in nodes(&within) {
        let Some(index) = grid.index(node) else { continue };
        passages[index] = Passage::CLEAR;
        for (step, way) in STEPS.iter().enumerate() {
            match grid.index(node + way) {
                None => shut(&mut passages[index], step),
                Some(neighbor) if !contains(node + way) => {
                    let back = 1 << opposite(step);
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

fn is_in(nodes: &Nodes, node: IVector) -> bool {
    (0..DIMENSIONS).all(|axis| nodes[axis].contains(&node[axis]))
}

/// The distance between neighbors along each axis, in the order of the nodes of a box.
fn strides(ranges: &Nodes) -> IVector {
    let mut stride = 1;
    IVector::from_array(ranges.each_ref().map(|range| {
        let apart = stride;
        stride *= range.len() as i32;
        apart
    }))
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
    let all: Nodes = grid.size.to_array().map(|count| 0..count);
    for axis in 0..DIMENSIONS {
        for end in [0, grid.size[axis] - 1] {
            let mut side = all.clone();
            side[axis] = end..end + 1;
            for node in nodes(&side) {
                for (step, way) in STEPS.iter().enumerate() {
                    if let (Some(index), None) = (grid.index(node), grid.index(node + way)) {
                        shut(&mut passages[index], step);
                    }
                }
            }
        }
    }
}

/// Closes the passages that obstacles block.
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

    /// A wall is convex, so a way is nearest to it at one of its ends, unless it approaches the wall from both ends.
    fn close_wall(&mut self, shape: &PlacedShape, wall: usize) {
        let reach = self.clearance + 1.01 * self.grid.diagonal();
        let (low, high) = shape.wall_bounds(wall);
        let mut around = self.grid.nodes_in(low - reach, high + reach);
        for (axis, (range, within)) in around.iter_mut().zip(&self.within).enumerate() {
            *range = range.start.max(within.start - 1)..range.end.min(within.end + 1);
            if shape.is_boundless() {
                // One lap, and the ways across the seams.
                *range = range.start.max(-1)..range.end.min(self.grid.size[axis] + 1);
            }
        }
        let grid = self.grid;
        // A wall without an end does not wrap with the world.
        let place_of = |node: IVector| {
            let on_this_lap = if shape.is_boundless() { grid.index(node) } else { None };
            on_this_lap.map_or_else(|| grid.place_of(node), |index| grid.place(index))
        };
        self.distances.clear();
        self.distances.extend(nodes(&around).map(|node| shape.distance_to_wall(wall, place_of(node))));
        let strides = strides(&around);
        for (place, node) in nodes(&around).enumerate() {
            let Some(index) = grid.index(node) else { continue };
            if self.distances[place].0 < self.clearance {
                self.passages[index].free = false;
            }
            // Each way is visited once: the first half of the steps, whose other ends have the second half.
            for (step, way) in STEPS.iter().enumerate().take(STEP_COUNT / 2) {
                let neighbor = node + way;
                if !is_in(&around, neighbor) {
                    continue;
                }
                let there = (place as i32 + way.dot(strides)) as usize;
                let ends = [self.distances[place], self.distances[there]];
                let Some(neighbor) = grid.index(neighbor) else { continue };
                self.close_way([index, neighbor], step, &ends, (shape, wall, place_of(node)));
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
        let back = opposite(step);
        if here.min(there) <= 0.0 || hits(0.0) {
            shut(&mut self.passages[index], step);
            shut(&mut self.passages[neighbor], back);
        } else if here.min(there) < self.clearance || hits(self.clearance) {
            self.passages[index].clear &= !(1 << step);
            self.passages[neighbor].clear &= !(1 << back);
        }
    }
}
