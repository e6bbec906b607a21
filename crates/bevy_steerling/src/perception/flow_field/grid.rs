//! The nodes of a flow field.

use bevy::math::ops;

use crate::math::lanes::{Lanes, VectorOf};
use crate::math::space::Space;
use crate::math::{DIMENSIONS, IVector, Vector, integers_of, vector_of};
use crate::perception::flow_field::error::FlowFieldError;
use crate::perception::flow_field::lattice::{CORNER_COUNT, CORNERS, Nodes, STEPS};

/// The maximum number of nodes.
pub(super) const MAX_NODES: usize = 1 << 22;

/// A lattice of nodes, row by row. Without a seam, its nodes are at multiples of the cell size, so a larger area has the same nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Grid {
    /// The place of the node at zero of the lattice.
    base: Vector,
    /// The first node of the grid.
    first: IVector,
    pub spacing: Vector,
    pub size: IVector,
    pub space: Space,
}

impl Grid {
    /// The grid of a field that covers a box. An axis that wraps is covered as a whole, by cells of at most this size.
    pub fn covering(low: Vector, high: Vector, cell: f32, space: Space) -> Result<Self, FlowFieldError> {
        // Beyond this, coordinates cannot distinguish the cells.
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
        let size = integers_of(Vector::select(wraps, laps, last - first + 1.0));
        // The product of integers may overflow.
        if size.to_array().into_iter().map(f64::from).product::<f64>() > MAX_NODES as f64 {
            return Err(FlowFieldError::TooManyCells);
        }
        Ok(Self {
            base: space.min,
            first: integers_of(Vector::select(wraps, Vector::ZERO, first)),
            spacing: Vector::select(wraps, space.size / laps, Vector::splat(cell)),
            size,
            space,
        })
    }

    /// A grid with a node at `low`.
    pub fn starting_at(low: Vector, spacing: Vector, size: IVector) -> Self {
        Self { base: low, first: IVector::ZERO, spacing, size, space: Space::default() }
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.size.element_product() as usize
    }

    /// The difference of the indices of neighbors along each axis.
    #[inline]
    pub fn strides(&self) -> IVector {
        #[cfg(not(dim3))]
        return IVector::new(1, self.size.x);
        #[cfg(dim3)]
        IVector::new(1, self.size.x, self.size.x * self.size.y)
    }

    /// The length of a diagonal step, units.
    pub fn diagonal(&self) -> f32 {
        self.spacing.length()
    }

    /// The place of a node, which may be on another lap.
    #[inline]
    pub fn place_of(&self, node: IVector) -> Vector {
        self.base + vector_of(self.first + node) * self.spacing
    }

    #[inline]
    pub fn place(&self, index: usize) -> Vector {
        self.place_of(self.node(index))
    }

    #[inline]
    pub fn node(&self, index: usize) -> IVector {
        let columns = self.size.x as u32;
        let (x, y) = (index as u32 % columns, index as u32 / columns);
        #[cfg(not(dim3))]
        return IVector::new(x as i32, y as i32);
        #[cfg(dim3)]
        IVector::new(x as i32, y as i32 % self.size.y, y as i32 / self.size.y)
    }

    /// The index of a node; `None` outside.
    #[inline]
    pub fn index(&self, node: IVector) -> Option<usize> {
        let node = self.on_this_lap(node);
        let inside = node.cmpge(IVector::ZERO).all() && node.cmplt(self.size).all();
        inside.then(|| node.dot(self.strides()) as usize)
    }

    #[inline]
    fn on_this_lap(&self, mut node: IVector) -> IVector {
        if self.space.wraps() {
            for axis in 0..DIMENSIONS {
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
        index.wrapping_add_signed(STEPS[step].dot(self.strides()) as isize)
    }

    /// The corners of the cell whose lowest corner is `first`, in a grid where they are adjacent.
    #[inline]
    pub fn corners(&self, first: usize) -> [usize; CORNER_COUNT] {
        let (strides, mut corners) = (self.strides(), [first; CORNER_COUNT]);
        for corner in 1..CORNER_COUNT {
            corners[corner] += CORNERS[corner].dot(strides) as usize;
        }
        corners
    }

    /// The displacement of one of the [`STEPS`], units.
    #[inline]
    pub fn step(&self, step: usize) -> Vector {
        vector_of(STEPS[step]) * self.spacing
    }

    /// A place in steps from the first node.
    #[inline]
    pub fn coordinates(&self, place: Vector) -> Vector {
        self.coordinates_of::<f32>(place.into()).into()
    }

    /// [`coordinates`](Self::coordinates) of one place or of eight.
    #[inline(always)]
    pub fn coordinates_of<L: Lanes>(&self, place: VectorOf<L>) -> VectorOf<L> {
        let first = place.splat(vector_of(self.first));
        (place - place.splat(self.base)).divided(place.splat(self.spacing)) - first
    }

    /// The nodes in a box, on at most three laps.
    pub fn nodes_in(&self, low: Vector, high: Vector) -> Nodes {
        let [low, high] = [low, high].map(|place| self.coordinates(place));
        core::array::from_fn(|axis| {
            let (size, laps) = (self.size[axis], i32::from(self.space.size[axis] > 0.0));
            let [from, to] = [ops::ceil(low[axis]) as i32, (ops::floor(high[axis]) as i32).saturating_add(1)];
            from.max(-size * laps)..to.min(size + size * laps)
        })
    }
}
