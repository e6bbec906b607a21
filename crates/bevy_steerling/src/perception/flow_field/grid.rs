//! The nodes of a flow field.

use core::ops::Range;

use bevy::math::ops;
use bevy::prelude::*;

use crate::math::Vector;
use crate::math::lanes::{Lanes, VectorOf};
use crate::math::space::Space;
use crate::perception::flow_field::error::FlowFieldError;

/// The largest number of nodes.
pub(super) const MAX_NODES: usize = 1 << 22;

/// The directions to the neighbors of a node, counterclockwise from +x.
pub(super) const STEPS: [IVec2; 8] = [
    IVec2::new(1, 0),
    IVec2::new(1, 1),
    IVec2::new(0, 1),
    IVec2::new(-1, 1),
    IVec2::new(-1, 0),
    IVec2::new(-1, -1),
    IVec2::new(0, -1),
    IVec2::new(1, -1),
];

/// A lattice of nodes, row by row. Without a seam its nodes lie at multiples of the cell size, so a larger area has the same nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Grid {
    /// The place of the node 0, 0 of the lattice.
    base: Vector,
    /// The first node of the grid.
    first: IVec2,
    pub spacing: Vector,
    pub size: IVec2,
    pub space: Space,
}

impl Grid {
    /// The grid of a field that covers a box. An axis that wraps is covered as a whole, by cells of at most this size.
    pub fn covering(low: Vector, high: Vector, cell: f32, space: Space) -> Result<Self, FlowFieldError> {
        // Beyond this, coordinates cannot tell the cells apart.
        const FARTHEST: f32 = (1 << 22) as f32;
        // With fewer, a node would be its own neighbor.
        const FEWEST: f32 = 4.0;
        if !(cell.is_finite() && cell > 0.0) {
            return Err(FlowFieldError::Cell(cell));
        }
        let wraps = space.size.cmpgt(Vector::ZERO);
        let laps = (space.size / cell).ceil().max(Vector::splat(FEWEST));
        let (first, last) = ((low / cell).floor(), (high / cell).ceil());
        let in_range = |numbers: Vector| numbers.abs().max_element() < FARTHEST;
        let straight = Vector::select(wraps, Vector::ZERO, first.abs().max(last.abs()));
        if !(in_range(Vector::select(wraps, laps, Vector::ZERO)) && in_range(straight)) {
            return Err(FlowFieldError::TooManyCells);
        }
        let size = Vector::select(wraps, laps, last - first + 1.0).as_ivec2();
        if i64::from(size.x) * i64::from(size.y) > MAX_NODES as i64 {
            return Err(FlowFieldError::TooManyCells);
        }
        Ok(Self {
            base: space.min,
            first: Vector::select(wraps, Vector::ZERO, first).as_ivec2(),
            spacing: Vector::select(wraps, space.size / laps, Vector::splat(cell)),
            size,
            space,
        })
    }

    /// A grid with a node at `low`.
    pub fn starting_at(low: Vector, spacing: Vector, size: IVec2) -> Self {
        Self { base: low, first: IVec2::ZERO, spacing, size, space: Space::default() }
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.size.x as usize * self.size.y as usize
    }

    /// The length of a diagonal step, units.
    pub fn diagonal(&self) -> f32 {
        self.spacing.length()
    }

    /// The place of a node, which may be on another lap.
    #[inline]
    pub fn place_of(&self, node: IVec2) -> Vector {
        self.base + (self.first + node).as_vec2() * self.spacing
    }

    #[inline]
    pub fn place(&self, index: usize) -> Vector {
        self.place_of(self.node(index))
    }

    #[inline]
    pub fn node(&self, index: usize) -> IVec2 {
        let columns = self.size.x as u32;
        IVec2::new((index as u32 % columns) as i32, (index as u32 / columns) as i32)
    }

    /// The index of a node; `None` outside.
    #[inline]
    pub fn index(&self, node: IVec2) -> Option<usize> {
        let node = self.on_this_lap(node);
        let inside = node.cmpge(IVec2::ZERO).all() && node.cmplt(self.size).all();
        inside.then(|| node.y as usize * self.size.x as usize + node.x as usize)
    }

    #[inline]
    fn on_this_lap(&self, mut node: IVec2) -> IVec2 {
        if self.space.wraps() {
            for axis in 0..2 {
                if self.space.size[axis] > 0.0 {
                    node[axis] = node[axis].rem_euclid(self.size[axis]);
                }
            }
        }
        node
    }

    /// The neighbor of a node in one of the [`STEPS`].
    #[inline]
    pub fn neighbor(&self, index: usize, step: usize) -> Option<usize> {
        self.index(self.node(index) + STEPS[step])
    }

    /// [`neighbor`](Self::neighbor) for one that exists.
    #[inline]
    pub fn next(&self, index: usize, step: usize) -> usize {
        if self.space.wraps() {
            return self.neighbor(index, step).unwrap_or(index);
        }
        let way = STEPS[step];
        index.wrapping_add_signed(way.y as isize * self.size.x as isize + way.x as isize)
    }

    /// The displacement of one of the [`STEPS`], units.
    #[inline]
    pub fn step(&self, step: usize) -> Vector {
        STEPS[step].as_vec2() * self.spacing
    }

    /// A place in steps from the first node.
    #[inline]
    pub fn coordinates(&self, place: Vector) -> Vector {
        self.coordinates_of::<f32>(place.into()).into()
    }

    /// [`coordinates`](Self::coordinates) of one place or of eight.
    #[inline(always)]
    pub fn coordinates_of<L: Lanes>(&self, place: VectorOf<L>) -> VectorOf<L> {
        let first = VectorOf::splat(self.first.as_vec2());
        (place - VectorOf::splat(self.base)).divided(VectorOf::splat(self.spacing)) - first
    }

    /// The nodes in a box, on at most three laps.
    pub fn nodes_in(&self, low: Vector, high: Vector) -> (Range<i32>, Range<i32>) {
        let range = |axis: usize| {
            let [low, high] = [low, high].map(|place| self.coordinates(place)[axis]);
            let (size, laps) = (self.size[axis], i32::from(self.space.size[axis] > 0.0));
            let [from, to] = [ops::ceil(low) as i32, (ops::floor(high) as i32).saturating_add(1)];
            from.max(-size * laps)..to.min(size + size * laps)
        };
        (range(0), range(1))
    }
}
