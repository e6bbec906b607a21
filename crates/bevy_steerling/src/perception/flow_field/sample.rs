//! Reading a flow field between its nodes.

use crate::math::{Vector, integers_of, normalize, vector_of};
use crate::perception::flow_field::lattice::{CORNER_COUNT, CORNERS, STEP_COUNT, shares};
use crate::perception::flow_field::map::{FREE, Map, WHOLE};
use crate::perception::flow_field::march::GOAL;

/// The maximum number of cells that a follower looks ahead.
pub(super) const FARTHEST_AHEAD: f32 = 8.0;

/// Directions whose sum has at most this squared length lead around something on both sides.
pub(super) const OPPOSED: f32 = 0.25;

/// The number of the goal in the tag of a node.
const GOAL_NUMBER: u32 = FREE - 1;

/// A distance beyond which the exact value makes no difference, units.
const FAR: f32 = 1e9;

/// A flow field at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FlowSample {
    /// The direction to go, of length 1 at most.
    pub direction: Vector,
    /// The length of the way to the goal, units; infinite if there is none, and zero in a field of given directions.
    pub distance: f32,
    /// The displacement to the goal, if it is in sight.
    pub to_goal: Option<Vector>,
}

/// A cell.
struct Cell {
    corners: [usize; CORNER_COUNT],
    /// The place within the cell.
    within: Vector,
    /// The displacement from the requested place to the grid.
    outside: Vector,
}

impl Cell {
    fn nearest(&self) -> usize {
        self.corners[self.within.cmpgt(Vector::splat(0.5)).bitmask() as usize]
    }
}

impl Map {
    /// The sample at a place, with the direction at the place `ahead` of it, or at the farthest place before an obstacle. `None` if there
    /// are no nodes or the place is not finite.
    #[inline]
    pub fn sample(&self, place: Vector, ahead: Vector) -> Option<FlowSample> {
        let cell = self.cell(place)?;
        let nearest = &self.nodes[cell.nearest()];
        if nearest.tag & GOAL != 0 {
            let goal = self.goals[(nearest.tag & GOAL_NUMBER) as usize];
            let to_goal = self.grid.space.displacement(place, goal);
            return Some(FlowSample {
                direction: normalize(to_goal),
                distance: to_goal.length(),
                to_goal: Some(to_goal),
            });
        }
        let outside = cell.outside.length();
        let direction = if outside > 0.0 && !self.goals.is_empty() {
            // There are no obstacles outside the grid, so head for a place on the way from the nearest node.
            normalize(cell.outside + nearest.direction * nearest.distance.min(FAR))
        } else {
            self.direction_ahead(&cell, place, ahead)
        };
        Some(FlowSample { direction, distance: nearest.distance + outside, to_goal: None })
    }

    /// The length of the way from a place, if there is one.
    pub fn distance(&self, place: Vector) -> Option<f32> {
        let cell = self.cell(place)?;
        let nearest = cell.nearest();
        let known = self.nodes[nearest].distance;
        let Some(way) = self.ways.get(nearest).filter(|way| way.distance < f32::INFINITY) else {
            return (known < f32::INFINITY && !self.goals.is_empty()).then_some(known);
        };
        let (origin, distance) = self.origin(way.origin);
        let seen = if cell.outside == Vector::ZERO { 0.0 } else { way.distance - distance };
        Some(distance + self.grid.space.displacement(place, origin).length().max(seen))
    }

    /// The direction at the farthest place toward `ahead` that can be reached through whole cells.
    #[inline]
    fn direction_ahead(&self, cell: &Cell, place: Vector, ahead: Vector) -> Vector {
        let cells = (ahead / self.grid.spacing).abs().max_element().min(FARTHEST_AHEAD);
        let mut farthest = None;
        let mut step = 0.0;
        while step < cells {
            step = (step + 1.0).min(cells);
            let there =
                self.cell(place + ahead * (step / cells)).filter(|cell| self.nodes[cell.corners[0]].tag & WHOLE != 0);
            let Some(there) = there else { break };
            farthest = Some(there);
        }
        self.blend(farthest.as_ref().unwrap_or(cell))
    }

    /// The interpolated direction in a cell. Corners behind a wall are ignored.
    #[inline]
    fn blend(&self, cell: &Cell) -> Vector {
        let nodes = cell.corners.map(|corner| self.nodes[corner]);
        let mut shares = shares(cell.within.into());
        if nodes[0].tag & WHOLE == 0 {
            self.leave_out(cell, &mut shares);
        }
        let sum: Vector = nodes.iter().zip(shares).map(|(node, share)| node.direction * share).sum();
        if self.goals.is_empty() {
            return sum;
        }
        if sum.length_squared() > OPPOSED { normalize(sum) } else { self.nodes[cell.nearest()].direction }
    }

    /// Excludes the corners that cannot be seen from the nearest one.
    #[cold]
    fn leave_out(&self, cell: &Cell, shares: &mut [f32; CORNER_COUNT]) {
        let nearest = cell.nearest();
        for (share, &corner) in shares.iter_mut().zip(&cell.corners) {
            let is_open =
                |step: usize| self.passages[nearest].is_open(step) && self.grid.neighbor(nearest, step) == Some(corner);
            if corner != nearest && !(0..STEP_COUNT).any(is_open) {
                *share = 0.0;
            }
        }
    }

    /// The cell of a place, or the nearest one in the grid.
    #[inline]
    fn cell(&self, place: Vector) -> Option<Cell> {
        let coordinates = self.grid.coordinates(place);
        if self.nodes.is_empty() || !coordinates.is_finite() {
            return None;
        }
        if self.grid.space.wraps() {
            return Some(self.cell_around(coordinates));
        }
        let last = vector_of(self.grid.size - 2);
        let inside = coordinates.clamp(Vector::ZERO, last + 1.0);
        let lower = integers_of(inside.min(last));
        debug_assert!((lower + 1).cmplt(self.grid.size).all());
        Some(Cell {
            corners: self.grid.corners(lower.dot(self.grid.strides()) as usize),
            within: inside - vector_of(lower),
            outside: (inside - coordinates) * self.grid.spacing,
        })
    }

    /// [`cell`](Self::cell) in a world that wraps.
    fn cell_around(&self, coordinates: Vector) -> Cell {
        let size = vector_of(self.grid.size);
        let wraps = self.grid.space.size.cmpgt(Vector::ZERO);
        let around = coordinates - size * (coordinates / size).floor();
        let inside = Vector::select(wraps, around, coordinates.clamp(Vector::ZERO, size - 1.0));
        let last = Vector::select(wraps, size - 1.0, size - 2.0);
        let lower = integers_of(inside.min(last));
        Cell {
            corners: CORNERS.map(|corner| self.grid.index(lower + corner).unwrap_or(0)),
            within: inside - vector_of(lower),
            outside: Vector::select(wraps, Vector::ZERO, inside - coordinates) * self.grid.spacing,
        }
    }
}
