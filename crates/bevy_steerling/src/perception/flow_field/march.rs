//! The distances to the goals.
//!
//! They spread from node to node, the nearest first, as in fast marching (James Sethian, A Fast Marching Level Set Method for
//! Monotonically Advancing Fronts, 1996). Fast marching solves a difference equation, whose error is largest near goals and behind
//! corners. Here each node instead knows the origin of its distance: the goal or the corner that it sees and that is next on its way. A
//! node sees the origin of its neighbors if the line to the origin passes between two neighbors that see it. Distances are then exact
//! but for the places of corners. (Visibility from neighbors: Richard Tsai and others, Visibility and its Dynamics in a PDE Based
//! Implicit Framework, 2004.)

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::math::Vector;
use crate::perception::flow_field::grid::{Grid, STEPS};
use crate::perception::flow_field::passages::Passage;
use crate::perception::flow_field::seeds::Seed;

/// Where the distance of a node is measured from: the index of a node, or this bit and the number of a goal.
pub(super) const GOAL: u32 = 1 << 31;

/// The origin of a node that no way leads to.
pub(super) const NOWHERE: u32 = u32::MAX;

/// A detour that is shorter than this share of a cell counts as a straight line.
const STRAIGHT: f32 = 0.01;

/// A line that passes this near to a node, in cells, needs only that node.
const THROUGH: f32 = 1e-3;

/// The way from a node to the goals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Way {
    /// Its length, units; infinite if there is none.
    pub distance: f32,
    pub origin: u32,
}

impl Way {
    pub const NONE: Self = Self { distance: f32::INFINITY, origin: NOWHERE };
}

pub(super) struct March<'a> {
    pub grid: &'a Grid,
    pub passages: &'a [Passage],
    pub goals: &'a [Vector],
    pub ways: &'a mut [Way],
    /// Whether the way of a node is final.
    done: Vec<bool>,
    /// The distance and the index of nodes, the nearest first.
    queue: BinaryHeap<Reverse<u64>>,
    /// The displacement and length of each step.
    steps: [(Vector, f32); 8],
}

/// An origin: its place and its own distance.
#[derive(Clone, Copy)]
struct Origin {
    origin: u32,
    place: Vector,
    distance: f32,
}

impl<'a> March<'a> {
    pub fn new(grid: &'a Grid, passages: &'a [Passage], goals: &'a [Vector], ways: &'a mut [Way]) -> Self {
        let done = ways.iter().map(|way| way.distance < f32::INFINITY).collect();
        let steps = core::array::from_fn(|step| (grid.step(step), grid.step(step).length()));
        Self { grid, passages, goals, ways, done, queue: BinaryHeap::new(), steps }
    }

    /// Continues from the nodes that have a way, which are final, and from seeds.
    pub fn run(mut self, seeds: &[Seed]) {
        for seed in seeds {
            self.improve(seed.index, Way { distance: seed.distance, origin: GOAL | seed.goal as u32 });
        }
        for index in 0..self.done.len() {
            if self.done[index] {
                self.pass_on(index);
            }
        }
        while let Some(Reverse(entry)) = self.queue.pop() {
            let index = entry as u32 as usize;
            if !self.done[index] {
                self.done[index] = true;
                self.pass_on(index);
            }
        }
    }

    /// Offers a node's way to its neighbors.
    fn pass_on(&mut self, index: usize) {
        let clear = self.passages[index].clear;
        let (grid, node, origin) = (self.grid, self.grid.node(index), self.origin(index));
        for (step, way) in STEPS.into_iter().enumerate() {
            if clear >> step & 1 == 0 {
                continue;
            }
            let neighbor = self.grid.next(index, step);
            if self.done[neighbor] {
                continue;
            }
            // Computed from the place of the neighbor, so that it does not matter who offers it.
            let place = self.grid.place_of(node + way);
            let to = |origin: Origin| grid.space.displacement(place, origin.place);
            let back = (step + 4) % 8;
            self.offer(neighbor, index, back, origin, to(origin));
            // A neighbor with another origin may have waited for this node.
            for beside in [(back + 1) % 8, (back + 7) % 8] {
                if !self.passages[neighbor].is_clear(beside) {
                    continue;
                }
                let other = self.grid.next(neighbor, beside);
                if self.done[other] && self.ways[other].origin != origin.origin {
                    let origin = self.origin(other);
                    self.offer(neighbor, other, beside, origin, to(origin));
                }
            }
        }
    }

    /// The origin of a node's way.
    fn origin(&self, index: usize) -> Origin {
        let origin = self.ways[index].origin;
        let (place, distance) = if origin & GOAL != 0 {
            (self.goals[(origin & !GOAL) as usize], 0.0)
        } else {
            (self.grid.place(origin as usize), self.ways[origin as usize].distance)
        };
        Origin { origin, place, distance }
    }

    /// Offers `node` the way of its neighbor `from`, which is final and `step` away.
    fn offer(&mut self, node: usize, from: usize, step: usize, seen: Origin, to_origin: Vector) {
        let (straight, diagonal, share) = beside_line(to_origin / self.grid.spacing);
        let through = if step == straight { share } else { 1.0 - share };
        let mut is_seen = false;
        let mut least = self.ways[from].distance;
        if step == straight || step == diagonal {
            let beside = if step == straight { diagonal } else { straight };
            // From one of the two neighbors to the other is a step along an axis.
            let between = if step == straight { self.turn(straight, diagonal) } else { self.turn(diagonal, straight) };
            if through <= THROUGH {
                is_seen = true;
            } else if self.passages[node].is_clear(beside) && self.passages[from].is_clear(between) {
                let other = self.grid.next(node, beside);
                if !self.done[other] {
                    // It will offer the same.
                    return;
                }
                let way = self.ways[other];
                let direct = seen.distance + (to_origin - self.steps[beside].0).length();
                is_seen = way.origin == seen.origin || way.distance <= direct + STRAIGHT * self.steps[0].1;
                least = least.max(way.distance);
            }
        }
        let way = if is_seen {
            // Not less than the neighbors, so that nodes are final in the order of their distances.
            Way { distance: (seen.distance + to_origin.length()).max(least), origin: seen.origin }
        } else {
            Way { distance: self.ways[from].distance + self.steps[step].1, origin: from as u32 }
        };
        self.improve(node, way);
    }

    /// The step from the neighbor at `from` to the neighbor at `to`.
    fn turn(&self, from: usize, to: usize) -> usize {
        let way = STEPS[to] - STEPS[from];
        match (way.x, way.y) {
            (1, 0) => 0,
            (0, 1) => 2,
            (-1, 0) => 4,
            _ => 6,
        }
    }

    fn improve(&mut self, index: usize, way: Way) {
        let known = &mut self.ways[index];
        if !self.done[index] && (way.distance, way.origin) < (known.distance, known.origin) {
            let nearer = way.distance < known.distance;
            *known = way;
            if nearer {
                self.queue.push(Reverse(u64::from(way.distance.to_bits()) << 32 | index as u64));
            }
        }
    }
}

/// The steps along an axis and along a diagonal between which a line leaves a node, and the share of the diagonal. The displacement is in
/// cells.
#[inline]
fn beside_line(to: Vector) -> (usize, usize, f32) {
    let size = to.abs();
    let diagonal = match (to.x > 0.0, to.y > 0.0) {
        (true, true) => 1,
        (false, true) => 3,
        (false, false) => 5,
        (true, false) => 7,
    };
    let (straight, share) = if size.x >= size.y {
        (if to.x > 0.0 { 0 } else { 4 }, size.y / size.x.max(f32::MIN_POSITIVE))
    } else {
        (if to.y > 0.0 { 2 } else { 6 }, size.x / size.y)
    };
    (straight, diagonal, share)
}
