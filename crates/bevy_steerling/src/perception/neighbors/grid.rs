//! A grid of cells: maps positions to cells, and searches to the cells that they cover.

use alloc::vec::Vec;
use core::ops::Range;

use bevy::math::ops;

use crate::math::Vector;
use crate::math::space::Space;

/// The number of columns per height of a row. The agents of a row are adjacent in memory, so narrow columns cost nothing, and they exclude
/// more of the agents that are too far away.
const COLUMNS: f32 = 4.0;

/// The maximum number of cells along an axis that wraps. Positions are not exact enough for more.
const MOST_ALONG: f32 = 4e6;

/// The maximum factor by which searches consider more agents if the cells are coarse for their radius.
const COARSEST: f32 = 16.0;

/// A rectangle of cells of equal size in which each axis is a ring: the first cell follows the last one. So a world needs only as many
/// cells as there are agents, whether it is endless or wraps. Agents that are far apart may share a cell; searches
/// compare their distances.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Grid {
    columns: Axis,
    rows: Axis,
    #[cfg(dim3)]
    layers: Axis,
}

#[derive(Clone, Copy, Debug, Default)]
struct Axis {
    /// The start of the first cell and the largest coordinate of an agent, units.
    start: f32,
    end: f32,
    /// Cells per unit.
    density: f32,
    cells: u32,
    /// The number of cells along an axis that wraps, a multiple of `cells`: in a world that is much larger than the crowd, the axis goes
    /// around the ring several times. Zero for an axis that does not wrap.
    along: u32,
    /// The length of an axis that wraps, zero for one that does not.
    size: f32,
}

/// Adjacent cells, and the shift that brings the agents in them next to the searching agent in a world that wraps.
#[derive(Clone, Copy, Debug)]
struct Span {
    first: u32,
    end: u32,
    shift: f32,
}

impl Span {
    const NONE: Self = Self { first: 0, end: 0, shift: 0.0 };

    #[inline]
    fn new(first: u32, last: u32, shift: f32) -> Self {
        Self { first, end: last + 1, shift }
    }
}

/// The cells from `first` to `last` in a ring that ends with `last_cell`, in the order of the cells.
#[inline]
fn spans(first: u32, last: u32, last_cell: u32) -> [Span; 2] {
    if first <= last {
        [Span::new(first, last, 0.0), Span::NONE]
    } else {
        [Span::new(0, last, 0.0), Span::new(first, last_cell, 0.0)]
    }
}

/// Adjacent agents in the index, and the shift that brings them next to the searching agent in a world that wraps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    start: u32,
    end: u32,
    /// The first agent in the central column of the window.
    middle: u32,
    pub shift: Vector,
}

impl Run {
    #[inline]
    pub fn len(&self) -> usize {
        (self.end - self.start) as usize
    }

    #[inline]
    pub fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// A part of the run with this length. If `middle` is in the run, the part is around it and includes at least its nearest neighbors.
    pub fn trimmed(&self, length: usize, middle: Option<usize>) -> Self {
        let (middle, length) = match middle.filter(|middle| self.range().contains(middle)) {
            Some(middle) => (middle, length.max(16).min(self.len())),
            None => (self.middle as usize, length),
        };
        let start = middle.saturating_sub(length / 2).clamp(self.start as usize, self.end as usize - length) as u32;
        Self { start, end: start + length as u32, ..*self }
    }
}

/// The cells that a search covers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    columns: [Span; 2],
    rows: [Span; 2],
    #[cfg(dim3)]
    layers: [Span; 2],
    middle: u32,
    /// Whether an agent may be within reach in two directions, in a small world that wraps. The shift is then not necessarily that of the
    /// shorter one.
    pub ambiguous: bool,
}

impl Grid {
    /// A grid for agents between two corners, with rows of this height, and at most about `most` cells.
    #[cfg(not(dim3))]
    pub fn new(space: Space, low: Vector, high: Vector, height: f32, most: usize) -> Self {
        let most = (most as f32).max(64.0);
        let rows = Axis::new(space.min.y, space.size.y, low.y, high.y, height, ops::sqrt(most));
        let columns = Axis::new(space.min.x, space.size.x, low.x, high.x, height / COLUMNS, most / rows.cells as f32);
        // Cells that the columns do not need are available for rows.
        let rows = Axis::new(space.min.y, space.size.y, low.y, high.y, height, most / columns.cells as f32);
        Self { columns, rows }
    }

    /// A grid for agents between two corners, with rows of this height and depth, and at most about `most` cells.
    #[cfg(dim3)]
    pub fn new(space: Space, low: Vector, high: Vector, height: f32, most: usize) -> Self {
        let most = (most as f32).max(64.0);
        let axis = |axis: usize, length: f32, most: f32| {
            Axis::new(space.min[axis], space.size[axis], low[axis], high[axis], length, most)
        };
        let layers = axis(2, height, ops::cbrt(most));
        let rows = axis(1, height, ops::sqrt(most / layers.cells as f32));
        let columns = axis(0, height / COLUMNS, most / (rows.cells * layers.cells) as f32);
        // Cells that the columns do not need are available for rows, and those that the rows do not need for layers.
        let rows = axis(1, height, most / (columns.cells * layers.cells) as f32);
        let layers = axis(2, height, most / (columns.cells * rows.cells) as f32);
        Self { columns, rows, layers }
    }

    pub fn cells(&self) -> usize {
        self.rows() * self.columns()
    }

    pub fn columns(&self) -> usize {
        self.columns.cells as usize
    }

    pub fn rows(&self) -> usize {
        #[cfg(not(dim3))]
        let layers = 1;
        #[cfg(dim3)]
        let layers = self.layers.cells as usize;
        self.rows.cells as usize * layers
    }

    /// The approximate distance between neighbors among this many agents, units, at least the height of a cell.
    pub fn spacing(&self, agents: usize) -> f32 {
        let extent = |axis: &Axis| axis.end - axis.start;
        #[cfg(not(dim3))]
        let extents = Vector::new(extent(&self.columns), extent(&self.rows));
        #[cfg(dim3)]
        let extents = Vector::new(extent(&self.columns), extent(&self.rows), extent(&self.layers));
        spacing(extents, agents).max(1.0 / self.rows.density)
    }

    /// The area of the cells that a search with this radius covers, compared with the area if the cells were as high as the radius; in three
    /// dimensions the volume. At least 1, also if the cells and the radius are infinite.
    #[inline]
    pub fn coarseness(&self, reach: f32) -> usize {
        let coarse = ((1.0 / (self.rows.density * reach) + 2.0) / 3.0).max(1.0);
        #[cfg(not(dim3))]
        let coarse = coarse * coarse;
        #[cfg(dim3)]
        let coarse = coarse * coarse * coarse;
        coarse.min(COARSEST) as usize
    }

    /// The expected number of agents in the cells of a window that are elsewhere in the area, in parts that share these cells.
    #[cold]
    pub fn strangers(&self, window: &Window, agents: usize) -> usize {
        let count = |spans: [Span; 2]| spans.iter().map(|span| (span.end - span.first) as usize).sum::<usize>();
        #[cfg(not(dim3))]
        let (axes, cells) = ([&self.columns, &self.rows], count(window.columns) * count(window.rows));
        #[cfg(dim3)]
        let (axes, cells) = (
            [&self.columns, &self.rows, &self.layers],
            count(window.columns) * count(window.rows) * count(window.layers),
        );
        let is_shared = axes.into_iter().any(Axis::is_shared);
        if is_shared { (agents as f32 * (cells as f32 / self.cells() as f32)) as usize } else { 0 }
    }

    /// The cell of a position in the area.
    #[inline]
    pub fn cell(&self, position: Vector) -> u32 {
        #[cfg(not(dim3))]
        let row = self.rows.cell(position.y);
        #[cfg(dim3)]
        let row = self.layers.cell(position.z) * self.rows.cells + self.rows.cell(position.y);
        row * self.columns.cells + self.columns.cell(position.x)
    }

    /// The cells with all agents within `reach` of any point between two corners.
    #[inline]
    pub fn window(&self, low: Vector, high: Vector, reach: f32) -> Window {
        let (rows, rows_round) = self.rows.across(low.y, high.y, reach);
        let (columns, columns_round) = self.columns.across(low.x, high.x, reach);
        let middle = self.columns.cell(0.5 * (low.x + high.x));
        #[cfg(not(dim3))]
        return Window { columns, rows, middle, ambiguous: rows_round || columns_round };
        #[cfg(dim3)]
        {
            let (layers, layers_round) = self.layers.across(low.z, high.z, reach);
            Window { columns, rows, layers, middle, ambiguous: rows_round || columns_round || layers_round }
        }
    }

    /// The cells with all agents within `reach` of agents in one row, from that at `first` to that at `last`. Agents that share their cells
    /// with other parts of the area may be far apart. The world must not wrap.
    #[inline]
    pub fn window_around(&self, first: Vector, last: Vector, reach: f32) -> Window {
        let middle = self.columns.cell(first.x);
        let columns = self.columns.around(middle, self.columns.cell(last.x), reach);
        let row = self.rows.cell(first.y);
        Window {
            columns,
            rows: self.rows.around(row, row, reach),
            #[cfg(dim3)]
            layers: self.layers.around(self.layers.cell(first.z), self.layers.cell(first.z), reach),
            middle,
            ambiguous: false,
        }
    }

    /// The agents in a window, row by row. `starts` has the start of each cell.
    #[inline]
    pub fn runs(self, window: Window, starts: &[u32]) -> impl Iterator<Item = Run> + '_ {
        self.rows_in(window).flat_map(move |(row, shift)| {
            let columns = window.columns.into_iter();
            columns.map(move |columns| self.run(row, shift, columns, window.middle, starts)).filter(|run| run.len() > 0)
        })
    }

    /// Writes the [`runs`](Self::runs) to a list.
    #[inline]
    pub fn list_runs(&self, window: &Window, starts: &[u32], list: &mut Vec<Run>) {
        list.clear();
        for (row, shift) in self.rows_in(*window) {
            for columns in &window.columns {
                if columns.first < columns.end {
                    list.push(self.run(row, shift, *columns, window.middle, starts));
                }
            }
        }
    }

    /// The rows of a window, with the shift of the agents in them.
    #[cfg(not(dim3))]
    #[inline(always)]
    fn rows_in(self, window: Window) -> impl Iterator<Item = (u32, Vector)> {
        cells_in(window.rows).map(|(row, shift)| (row, Vector::new(0.0, shift)))
    }

    /// The rows of a window, layer by layer, with the shift of the agents in them.
    #[cfg(dim3)]
    #[inline(always)]
    fn rows_in(self, window: Window) -> impl Iterator<Item = (u32, Vector)> {
        cells_in(window.layers).flat_map(move |(layer, z)| {
            cells_in(window.rows).map(move |(row, y)| (layer * self.rows.cells + row, Vector::new(0.0, y, z)))
        })
    }

    #[inline]
    fn run(&self, row: u32, shift: Vector, columns: Span, middle: u32, starts: &[u32]) -> Run {
        let cell = row as usize * self.columns.cells as usize;
        let start = |column: u32| starts[cell + column as usize];
        Run {
            start: start(columns.first),
            end: start(columns.end),
            middle: start(middle),
            shift: shift.with_x(columns.shift),
        }
    }
}

/// The approximate distance between neighbors among this many agents in an area of this size, units.
pub(super) fn spacing(size: Vector, agents: usize) -> f32 {
    let agents = agents.max(1) as f32;
    #[cfg(not(dim3))]
    let apart = ops::sqrt(size.element_product() / agents);
    #[cfg(dim3)]
    let apart = ops::cbrt(size.element_product() / agents);
    apart.max(size.max_element() / agents).max(f32::MIN_POSITIVE)
}

/// The cells of two spans, with the shift of the agents in them.
#[inline(always)]
fn cells_in(spans: [Span; 2]) -> impl Iterator<Item = (u32, f32)> {
    spans.into_iter().flat_map(|span| (span.first..span.end).map(move |cell| (cell, span.shift)))
}

impl Axis {
    fn new(min: f32, size: f32, low: f32, high: f32, length: f32, most: f32) -> Self {
        let wraps = size > 0.0;
        let (start, end) = if wraps { (min, min + size) } else { (low, high) };
        let wanted = (end - start) / length;
        // The number is one if an infinite extent is divided by an infinite length.
        let cells = if wraps { wanted } else { wanted + 1.0 }.max(1.0).min(most.max(1.0)) as u32;
        // An axis that wraps is divided evenly. Another one has cells of the given length.
        // An axis goes around the ring as often as no two parts of the crowd meet there.
        let most_turns = size / (high - low + 2.0 * length);
        let turns = (wanted.min(MOST_ALONG) / cells as f32).min(most_turns).max(1.0) as u32;
        let along = if wraps { turns * cells } else { 0 };
        let density = if wraps { along as f32 / size } else { 1.0 / length };
        Self { start, end, density, cells, along, size }
    }

    /// Whether several parts of the area share the cells.
    fn is_shared(&self) -> bool {
        self.size == 0.0 && (self.end - self.start) * self.density > self.cells as f32
    }

    /// The number of a cell, continued around the ring. The cast saturates, so all coordinates before the start give the first cell.
    #[inline]
    fn number(&self, x: f32) -> u32 {
        ((x - self.start) * self.density) as u32
    }

    #[inline]
    fn fold(&self, number: u32) -> u32 {
        if number < self.cells {
            number
        } else if self.size > 0.0 {
            number.min(self.along - 1) % self.cells
        } else {
            number % self.cells
        }
    }

    #[inline]
    fn cell(&self, x: f32) -> u32 {
        self.fold(self.number(x))
    }

    /// The cells within `reach` of those from `first` to `last`, along an axis that does not wrap.
    #[inline]
    fn around(&self, first: u32, last: u32, reach: f32) -> [Span; 2] {
        // Slightly farther, as in `across`.
        let reach = reach + (reach + self.start.abs() + self.end.abs()) * 1e-6;
        let more = ((reach * self.density) as u32).min(self.cells) + 1;
        if last - first + 2 * more >= self.cells - 1 {
            return spans(0, self.cells - 1, self.cells - 1);
        }
        spans((first + self.cells - more) % self.cells, (last + more) % self.cells, self.cells - 1)
    }

    /// The cells within `reach` of an interval: two spans if they cross the end of the ring. Also returns whether they may be ambiguous.
    #[inline]
    fn across(&self, low: f32, high: f32, reach: f32) -> ([Span; 2], bool) {
        let all = Span::new(0, self.cells - 1, 0.0);
        // Slightly farther, so that rounding loses no agent.
        let reach = reach + (reach + low.abs().max(high.abs()) + self.start.abs() + self.size) * 1e-6;
        let (low, high) = (low - reach, high + reach);
        let last_cell = self.cells - 1;
        if self.size == 0.0 {
            if low > self.end || high < self.start {
                return ([Span::NONE; 2], false);
            }
            let (first, last) = (self.number(low), self.number(high.min(self.end)));
            if last - first >= last_cell {
                return ([all, Span::NONE], false);
            }
            return (spans(self.fold(first), self.fold(last), last_cell), false);
        }
        let leaves = low < self.start || high >= self.end;
        if self.along > self.cells {
            let number = |x: f32| ops::floor((x - self.start) * self.density) as i64;
            let (first, last) = (number(low), number(high));
            if last.saturating_sub(first) >= i64::from(last_cell) || high - low >= self.size {
                return ([all, Span::NONE], leaves);
            }
            let fold = |number: i64| number.rem_euclid(i64::from(self.cells)) as u32;
            // Agents of several turns share these cells, so their shifts are not known.
            return (spans(fold(first), fold(last), last_cell), leaves);
        }
        let (first, last, shifts) = match (low < self.start, high >= self.end) {
            _ if high - low >= self.size => return ([all, Span::NONE], true),
            (false, false) => return ([Span::new(self.cell(low), self.cell(high), 0.0), Span::NONE], false),
            (true, true) => return ([all, Span::NONE], true),
            (true, false) => (self.cell(low + self.size), self.cell(high), [0.0, -self.size]),
            (false, true) => (self.cell(low), self.cell(high - self.size), [self.size, 0.0]),
        };
        if first <= last {
            return ([all, Span::NONE], true);
        }
        ([Span::new(0, last, shifts[0]), Span::new(first, last_cell, shifts[1])], false)
    }
}
