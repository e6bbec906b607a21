//! The distances to the goals.
//!
//! Distances spread from node to node, the nearest first, as in fast marching (James Sethian, A Fast Marching Level Set Method for
//! Monotonically Advancing Fronts, 1996). Fast marching solves a difference equation, whose error is largest near goals and behind corners.
//! Here each node instead stores the origin of its distance: the next goal or corner that it sees on its way. A node sees the origin of its
//! neighbors if the line to the origin passes between neighbors that see it: two in a plane, three in space. Distances are then exact,
//! except for the positions of corners. (Visibility from neighbors: Richard Tsai and others, Visibility and its Dynamics in a PDE Based
//! Implicit Framework, 2004.)

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::math::{DIMENSIONS, Vector};
use crate::perception::flow_field::grid::Grid;
use crate::perception::flow_field::lattice::{KIN, STEP_COUNT, STEPS, beside_line, opposite, turn};
use crate::perception::flow_field::passages::Passage;
use crate::perception::flow_field::seeds::Seed;

/// The origin of a node's distance: the index of a node, or this bit and the number of a goal.
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
    steps: [(Vector, f32); STEP_COUNT],
}

/// An origin: its place and its own distance.
#[derive(Clone, Copy)]
struct Origin {
    origin: u32,
    place: Vector,
    distance: f32,
}

/// Whether a node sees the origin of a neighbor.
enum Sight {
    /// It does. The value is a lower limit of its way: the longest way of the neighbors between which the line to the origin leaves it. So
    /// nodes become final in the order of their distances.
    Clear(f32),
    Blocked,
    /// One of these neighbors is not final yet. It will make the same offer later.
    Unknown,
}

impl<'a> March<'a> {
    pub fn new(grid: &'a Grid, passages: &'a [Passage], goals: &'a [Vector], ways: &'a mut [Way]) -> Self {
        let done = ways.iter().map(|way| way.distance < f32::INFINITY).collect();
        let steps = core::array::from_fn(|step| (grid.step(step), grid.step(step).length()));
        Self { grid, passages, goals, ways, done, queue: BinaryHeap::new(), steps }
    }

    /// Continues from the nodes that have a final way, and from seeds.
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
            // Computed from the place of the neighbor, so that the result does not depend on which node makes the offer.
            let place = self.grid.place_of(node + way);
            let to = |origin: Origin| grid.space.displacement(place, origin.place);
            let back = opposite(step);
            let is_seen = self.offer(neighbor, index, back, origin, to(origin));
            // A neighbor with another origin may have waited for this node. So may one with the same origin if a third one does not see it.
            let all = DIMENSIONS > 2 && !is_seen;
            let mut kin = KIN[back] & self.passages[neighbor].clear;
            while kin != 0 {
                let beside = kin.trailing_zeros() as usize;
                kin &= kin - 1;
                let other = self.grid.next(neighbor, beside);
                if self.done[other] && (all || self.ways[other].origin != origin.origin) {
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

    /// Offers `node` the way of its neighbor `from`, which is final and `step` away. Returns whether `node` sees the origin.
    fn offer(&mut self, node: usize, from: usize, step: usize, seen: Origin, to_origin: Vector) -> bool {
        let (distance, origin, is_seen) = match self.sight(node, from, step, seen, to_origin) {
            Sight::Clear(least) => ((seen.distance + to_origin.length()).max(least), seen.origin, true),
            Sight::Blocked => (self.ways[from].distance + self.steps[step].1, from as u32, false),
            Sight::Unknown => return false,
        };
        self.improve(node, Way { distance, origin });
        is_seen
    }

    /// Whether `node` sees the origin of its neighbor `from`.
    fn sight(&self, node: usize, from: usize, step: usize, seen: Origin, to_origin: Vector) -> Sight {
        let line = beside_line(to_origin / self.grid.spacing);
        if line.iter().all(|(between, _)| *between != step) {
            return Sight::Blocked;
        }
        let counts = |(between, weight): (usize, f32)| between == step || weight > THROUGH;
        for place in 0..DIMENSIONS {
            let between = line[place].0;
            if !counts(line[place]) {
                continue;
            }
            if !self.passages[node].is_clear(between) {
                return Sight::Blocked;
            }
            let passage = self.passages[self.grid.next(node, between)];
            for other in &line[place + 1..] {
                if counts(*other) && !passage.is_clear(turn(between, other.0)) {
                    return Sight::Blocked;
                }
            }
        }
        let (mut is_seen, mut least) = (true, self.ways[from].distance);
        for (between, weight) in line {
            if between == step || !counts((between, weight)) {
                continue;
            }
            let other = self.grid.next(node, between);
            if !self.done[other] {
                return Sight::Unknown;
            }
            let way = self.ways[other];
            let direct = seen.distance + (to_origin - self.steps[between].0).length();
            is_seen &= way.origin == seen.origin || way.distance <= direct + STRAIGHT * self.steps[0].1;
            least = least.max(way.distance);
        }
        if is_seen { Sight::Clear(least) } else { Sight::Blocked }
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
