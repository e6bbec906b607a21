//! The computed part of a flow field.

use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::agent::GroupMask;
use crate::math::{Vector, normalize};
use crate::perception::flow_field::error::FlowFieldError;
use crate::perception::flow_field::grid::Grid;
use crate::perception::flow_field::lattice::{CORNER_COUNT, CORNERS, STEP_COUNT, StepBits, TO_CORNERS, nodes, step_of};
use crate::perception::flow_field::march::{GOAL, March, Way};
use crate::perception::flow_field::margin::{Exit, exits};
use crate::perception::flow_field::passages::{Passage, passages, renew};
use crate::perception::flow_field::seeds::{Seed, seeds};
use crate::perception::obstacles::{Obstacles, PlacedShape};

/// The bit in a node's tag for the cell that has the node at its lowest corner. It is set if all corners of the cell have directions and
/// there is no obstacle between them.
pub(super) const WHOLE: u32 = 1 << 30;

/// The bit in a node's tag that says that the node has the clearance.
pub(super) const FREE: u32 = 1 << 29;

/// A node as agents read it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Node {
    pub direction: Vector,
    /// The length of the way to the goal, units; infinite if there is none.
    pub distance: f32,
    /// [`WHOLE`], [`FREE`] and, if the node sees a goal, [`GOAL`] and its number.
    pub tag: u32,
}

/// The settings of a field toward goals.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recipe<'a> {
    pub goals: &'a [Vector],
    pub cell: f32,
    pub clearance: f32,
    pub layers: GroupMask,
}

/// Directions, and what is needed to update them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Map {
    pub grid: Grid,
    pub nodes: Vec<Node>,
    /// The goals, each at a place that can be reached.
    pub goals: Vec<Vector>,
    pub passages: Vec<Passage>,
    pub ways: Vec<Way>,
    seeds: Vec<Seed>,
    shapes: Vec<PlacedShape>,
}

impl Map {
    /// Leads to goals around obstacles. If the map was computed for earlier obstacles, only what has changed is recomputed.
    pub fn update(&mut self, recipe: &Recipe, obstacles: &Obstacles) -> Result<(), FlowFieldError> {
        let standing = || obstacles.standing(recipe.layers).map(|obstacle| &obstacle.shape);
        let is_known = !self.passages.is_empty() && self.grid.space == obstacles.space;
        if is_known && self.shapes.iter().eq(standing()) {
            return Ok(());
        }
        let shapes: Vec<&PlacedShape> = standing().collect();
        let grid = grid(recipe, &shapes, obstacles)?;
        let clearance = recipe.clearance.max(0.5 * grid.diagonal());
        let is_same_grid = self.grid == grid && !self.passages.is_empty();
        // In a world that wraps, an obstacle may be in several places.
        if is_same_grid && !grid.space.wraps() {
            self.change_shapes(recipe, &shapes, clearance);
        } else {
            let passages = passages(&grid, shapes.iter().copied(), clearance);
            let mut goals = recipe.goals.to_vec();
            let seeds = seeds(&grid, &passages, &mut goals, shapes.iter().copied(), clearance);
            let ways = core::iter::repeat_n(Way::NONE, grid.len()).collect();
            *self = Self { grid, nodes: Vec::new(), goals, passages, ways, seeds, shapes: Vec::new() };
        }
        self.shapes = shapes.into_iter().cloned().collect();
        March::new(&self.grid, &self.passages, &self.goals, &mut self.ways).run(&self.seeds);
        self.finish(clearance);
        Ok(())
    }

    /// A map of given directions, row by row.
    pub fn given(grid: Grid, directions: &[Vector]) -> Self {
        let node = |direction: &Vector| Node { direction: *direction, distance: 0.0, tag: WHOLE | FREE };
        Self { grid, nodes: directions.iter().map(node).collect(), ..Self::default() }
    }

    /// Removes the ways that may change because of the differences between the map's obstacles and `shapes`.
    fn change_shapes(&mut self, recipe: &Recipe, shapes: &[&PlacedShape], clearance: f32) {
        let changed = differences(&self.shapes, shapes);
        let mut nearest_change = f32::INFINITY;
        let reach = clearance + 2.0 * self.grid.diagonal();
        for (low, high) in changed {
            let changed = self.grid.nodes_in(low - reach, high + reach);
            let near = shapes.iter().copied().filter(|shape| {
                let (from, to) = shape.bounds();
                from.cmple(high + 2.0 * reach).all() && to.cmpge(low - 2.0 * reach).all()
            });
            let around = changed.each_ref().map(|range| range.start - 1..range.end + 1);
            let indices: Vec<usize> = nodes(&around).filter_map(|node| self.grid.index(node)).collect();
            let before: Vec<Passage> = indices.iter().map(|index| self.passages[*index]).collect();
            renew(&self.grid, &mut self.passages, changed, near, clearance);
            for (&index, before) in indices.iter().zip(before) {
                if self.passages[index] != before {
                    let neighbors = (0..STEP_COUNT).filter_map(|step| self.grid.neighbor(index, step));
                    let around = neighbors.chain([index]).map(|index| self.ways[index].distance);
                    nearest_change = around.fold(nearest_change, f32::min);
                }
            }
        }
        let mut goals = recipe.goals.to_vec();
        let seeds = seeds(&self.grid, &self.passages, &mut goals, shapes.iter().copied(), clearance);
        if (&goals, &seeds) != (&self.goals, &self.seeds) {
            nearest_change = 0.0;
        }
        (self.goals, self.seeds) = (goals, seeds);
        for way in self.ways.iter_mut().filter(|way| way.distance >= nearest_change) {
            *way = Way::NONE;
        }
    }

    /// Computes the directions.
    fn finish(&mut self, clearance: f32) {
        let exits = exits(&self.grid, &self.passages, &self.ways, clearance + 2.0 * self.grid.diagonal());
        let mut nodes: Vec<Node> = (0..self.ways.len()).map(|index| self.node(index)).collect();
        for (index, exit) in exits.iter().enumerate() {
            if let Some(Exit { distance, index: exit }) = *exit {
                let to_exit = self.displacement(index, self.grid.place(exit as usize));
                let beyond = nodes[exit as usize].direction * self.grid.spacing;
                let length = distance + self.ways[exit as usize].distance;
                nodes[index] = Node { direction: normalize(to_exit + beyond), distance: length, tag: 0 };
            }
        }
        for index in 0..nodes.len() {
            if self.is_whole(index, &nodes) {
                nodes[index].tag |= WHOLE;
            }
        }
        self.nodes = nodes;
    }

    fn node(&self, index: usize) -> Node {
        let Way { distance, origin } = self.ways[index];
        let free = if self.passages[index].free { FREE } else { 0 };
        if distance == f32::INFINITY {
            return Node { direction: Vector::ZERO, distance, tag: free };
        }
        let tag = if origin & GOAL == 0 { free } else { free | origin };
        Node { direction: normalize(self.displacement(index, self.origin(origin).0)), distance, tag }
    }

    /// The place of an origin, and its distance.
    pub fn origin(&self, origin: u32) -> (Vector, f32) {
        match origin & !GOAL {
            goal if goal != origin => (self.goals[goal as usize], 0.0),
            node => (self.grid.place(node as usize), self.ways[node as usize].distance),
        }
    }

    /// Whether the cell with this node at its lowest corner can be crossed, and all its corners have a way.
    fn is_whole(&self, index: usize, nodes: &[Node]) -> bool {
        let is_open = |index: usize, steps: StepBits| self.passages[index].open & steps == steps;
        let has_way = |index: usize| nodes[index].distance < f32::INFINITY;
        // Otherwise, corners may be missing.
        is_open(index, TO_CORNERS[0])
            && has_way(index)
            && (1..CORNER_COUNT).all(|number| {
                let corner = self.grid.next(index, step_of(CORNERS[number]));
                is_open(corner, TO_CORNERS[number]) && has_way(corner)
            })
    }

    fn displacement(&self, index: usize, place: Vector) -> Vector {
        self.grid.space.displacement(self.grid.place(index), place)
    }
}

fn grid(recipe: &Recipe, shapes: &[&PlacedShape], obstacles: &Obstacles) -> Result<Grid, FlowFieldError> {
    // Leaves room for one step around all obstacles.
    let margin = recipe.clearance + 2.0 * recipe.cell;
    let ending = shapes.iter().filter(|shape| !shape.is_boundless());
    let boxes = ending.map(|shape| shape.bounds()).chain(recipe.goals.iter().map(|goal| (*goal, *goal)));
    let (low, high) =
        boxes.fold((Vector::INFINITY, Vector::NEG_INFINITY), |(low, high), (from, to)| (low.min(from), high.max(to)));
    Grid::covering(low - margin, high + margin, recipe.cell, obstacles.space)
}

/// The bounding boxes of the shapes that are in only one of two lists. Both lists have the same order.
fn differences(before: &[PlacedShape], after: &[&PlacedShape]) -> Vec<(Vector, Vector)> {
    let (mut before, mut after) = (before.iter().peekable(), after.iter().copied().peekable());
    let mut boxes = Vec::new();
    loop {
        let gone = match (before.peek(), after.peek()) {
            (None, None) => return boxes,
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (Some(old), Some(new)) if old == new => {
                before.next();
                after.next();
                continue;
            }
            (Some(old), Some(new)) => old.order(new) != Ordering::Greater,
        };
        let only = if gone { before.next() } else { after.next() };
        boxes.extend(only.map(PlacedShape::bounds));
    }
}
