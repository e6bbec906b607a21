//! Rasters: for each cell of a grid, the obstacles that may be within reach of it.

use alloc::vec::Vec;
use core::sync::atomic::{AtomicU32, Ordering};

use bevy::math::ops;

use crate::math::space::Space;
use crate::math::{DIMENSIONS, Vector};
use crate::perception::obstacles::indexed::IndexedObstacle;

/// With fewer obstacles, testing each of them is just as fast.
const FEWEST: usize = 8;

/// The maximum number of cells per obstacle.
const CELLS_PER_OBSTACLE: usize = 64;

/// The largest mean number of cells that list an obstacle. For large obstacles, the cells grow until this limit is met.
const LISTED_PER_OBSTACLE: usize = 256;

/// Rasters are not built beyond this coordinate, where rounding errors are too large, units.
const FARTHEST: f32 = 1e12;

/// A [`Raster`] for each reach that is searched for, rounded up to a power of two. Valid until an obstacle changes.
#[derive(Debug, Default)]
pub(super) struct Rasters {
    space: Space,
    /// The rasters by class of reach; `None` for a class that cannot have one.
    pub built: Vec<(u32, Option<Raster>)>,
    /// A bit for each class of reach that was searched for. It affects only the speed, not the results.
    asked: [AtomicU32; 8],
}

/// The exponent of the smallest power of two that is not less than a reach; `None` if no raster can be built for it.
#[inline]
fn class_of(reach: f32) -> Option<u32> {
    (reach > 0.0 && reach < FARTHEST).then(|| (reach.to_bits() - 1) >> 23)
}

impl Rasters {
    /// The places in the index of all obstacles that may be within reach of a position, in ascending order; `None` without a raster.
    #[inline]
    pub fn near(&self, position: Vector, reach: f32) -> Option<&[u32]> {
        let class = class_of(reach)?;
        match self.built.iter().find(|(built, _)| *built == class) {
            Some((_, raster)) => raster.as_ref()?.near(position),
            None => {
                let (asked, bit) = (&self.asked[class as usize / 32], 1 << (class % 32));
                if asked.load(Ordering::Relaxed) & bit == 0 {
                    asked.fetch_or(bit, Ordering::Relaxed);
                }
                None
            }
        }
    }

    /// Drops the rasters because an obstacle has changed.
    pub fn forget(&mut self) {
        self.built.clear();
    }

    /// Builds the rasters that were requested.
    pub fn build(&mut self, obstacles: &[IndexedObstacle], space: Space) {
        if self.space != space {
            self.forget();
            self.space = space;
        }
        if obstacles.len() < FEWEST {
            return;
        }
        for (word, asked) in self.asked.iter_mut().enumerate() {
            let mut asked = *asked.get_mut();
            while asked != 0 {
                let class = word as u32 * 32 + asked.trailing_zeros();
                asked &= asked - 1;
                if self.built.iter().all(|(built, _)| *built != class) {
                    let most = f32::from_bits((class + 1) << 23);
                    self.built.push((class, Raster::new(obstacles, space, most)));
                }
            }
        }
    }
}

/// For each cell of a rectangle or a box, the obstacles within reach of it.
#[derive(Debug)]
pub(super) struct Raster {
    axes: [Axis; DIMENSIONS],
    /// The start of the list of each cell, and the end of the last one.
    starts: Vec<u32>,
    /// The places of obstacles in the index, ascending in each list.
    near: Vec<u32>,
    /// Slightly more than the reach, because of rounding.
    reach: f32,
}

impl Raster {
    fn new(obstacles: &[IndexedObstacle], space: Space, reach: f32) -> Option<Self> {
        let (low, high) = obstacles.iter().fold((Vector::INFINITY, Vector::NEG_INFINITY), |(low, high), obstacle| {
            let reach = 1.01 * (reach + obstacle.shape.extent);
            (low.min(obstacle.shape.center - reach), high.max(obstacle.shape.center + reach))
        });
        let farthest = low.abs().max(high.abs()).max(space.size.abs()).max_element();
        if farthest.is_nan() || farthest > FARTHEST {
            return None;
        }
        let reach = 1.001 * reach + 1e-5 * farthest;
        let most = obstacles.len() * CELLS_PER_OBSTACLE;
        let mut side = (0.5 * reach).max(side_of((high - low).element_product() / most as f32));
        loop {
            let mut left = most;
            let axes = core::array::from_fn(|axis| {
                let axis = Axis::new(space.min[axis], space.size[axis], low[axis], high[axis], side, left);
                left /= axis.cells as usize;
                axis
            });
            let mut raster = Self { axes, starts: Vec::new(), near: Vec::new(), reach };
            raster.list(obstacles);
            if raster.near.len() <= obstacles.len() * LISTED_PER_OBSTACLE || raster.cell_count() == 1 {
                return Some(raster);
            }
            side *= 2.0;
        }
    }

    fn cell_count(&self) -> usize {
        self.axes.iter().map(|axis| axis.cells as usize).product()
    }

    /// Fills the lists with a counting sort by cell.
    fn list(&mut self, obstacles: &[IndexedObstacle]) {
        self.starts.resize(self.cell_count() + 1, 0);
        self.for_each_cell_near(obstacles, |starts, _, cell, _| starts[cell + 1] += 1);
        for cell in 1..self.starts.len() {
            self.starts[cell] += self.starts[cell - 1];
        }
        self.near.resize(self.starts[self.starts.len() - 1] as usize, 0);
        // Filling a list moves its start to its end; the rotation restores the starts.
        self.for_each_cell_near(obstacles, |starts, near, cell, place| {
            near[starts[cell] as usize] = place;
            starts[cell] += 1;
        });
        self.starts.rotate_right(1);
        self.starts[0] = 0;
    }

    fn for_each_cell_near(
        &mut self,
        obstacles: &[IndexedObstacle],
        mut visit: impl FnMut(&mut [u32], &mut [u32], usize, u32),
    ) {
        let Self { axes, starts, near, reach } = self;
        for (place, obstacle) in obstacles.iter().enumerate() {
            let (center, reach) = (obstacle.shape.center.to_array(), *reach + obstacle.shape.extent * 1.001);
            for_each_cell(axes, &center, reach, (0, 0.0), &mut |cell| visit(starts, near, cell, place as u32));
        }
    }

    #[inline]
    fn near(&self, position: Vector) -> Option<&[u32]> {
        let place = position.to_array();
        let mut cell = 0;
        for axis in (0..DIMENSIONS).rev() {
            let Some(along) = self.axes[axis].cell(place[axis]) else {
                // In a world that wraps, a position outside the area is also inside, so the caller has to search.
                return if self.axes.iter().any(|axis| axis.wraps) { None } else { Some(&[]) };
            };
            cell = cell * self.axes[axis].cells as usize + along as usize;
        }
        Some(&self.near[self.starts[cell] as usize..self.starts[cell + 1] as usize])
    }
}

/// The length of the side of a cell with this area or volume.
fn side_of(size: f32) -> f32 {
    if DIMENSIONS == 2 { ops::sqrt(size) } else { ops::cbrt(size) }
}

/// Calls `visit` with each cell within `reach` of a center. `start` is the place along the axes that follow, and the square of its distance
/// from the center.
fn for_each_cell(
    axes: &[Axis],
    center: &[f32],
    reach: f32,
    (start, beside): (u32, f32),
    visit: &mut impl FnMut(usize),
) {
    let (Some((axis, axes)), Some((middle, center))) = (axes.split_last(), center.split_last()) else {
        visit(start as usize);
        return;
    };
    for (cell, aside) in axis.near(*middle, reach) {
        let beside = aside * aside + beside;
        if beside <= reach * reach {
            for_each_cell(axes, center, reach, (start * axis.cells + cell, beside), visit);
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Axis {
    start: f32,
    /// Cells per unit.
    density: f32,
    cells: u32,
    wraps: bool,
}

impl Axis {
    fn new(min: f32, size: f32, low: f32, high: f32, side: f32, most: usize) -> Self {
        let wraps = size > 0.0;
        let (start, length) = if wraps { (min, size) } else { (low, high - low) };
        // The number is one if an infinite extent is divided by an infinite length.
        let cells = (length / side).max(1.0).min(most.max(1) as f32) as u32;
        Self { start, density: cells as f32 / length, cells, wraps }
    }

    /// The cell of a coordinate; `None` outside.
    #[inline]
    fn cell(&self, x: f32) -> Option<u32> {
        let cell = (x - self.start) * self.density;
        (cell >= 0.0 && cell < self.cells as f32).then_some(cell as u32)
    }

    /// The cells with a part within reach of a coordinate, and their distances from it.
    fn near(self, x: f32, reach: f32) -> impl Iterator<Item = (u32, f32)> {
        let (middle, cells) = ((x - self.start) * self.density, self.cells);
        let reach = reach * self.density;
        let [low, high] = [middle - reach, middle + reach].map(|edge| ops::floor(edge) as i64);
        let (low, high) = if self.wraps {
            // Visits each cell once. If a cell is within reach in two directions, all cells count as near.
            if high.saturating_sub(low) >= i64::from(cells) { (0, i64::from(cells) - 1) } else { (low, high) }
        } else {
            (low.max(0), high.min(i64::from(cells) - 1))
        };
        let round = self.wraps && (high - low + 1) * 2 > i64::from(cells);
        (low..=high).map(move |cell| {
            let beside = middle - middle.clamp(cell as f32, cell.saturating_add(1) as f32);
            let beside = if round { 0.0 } else { beside / self.density };
            (cell.rem_euclid(i64::from(cells)) as u32, beside)
        })
    }
}
