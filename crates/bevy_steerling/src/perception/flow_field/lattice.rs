//! The nodes of a lattice: the steps between neighbors, and the corners of cells.

use core::ops::Range;

#[cfg(dim3)]
use bevy::math::UVec2;
#[cfg(dim3)]
use bevy::math::bounding::Aabb3d;
#[cfg(not(dim3))]
use bevy::prelude::Rect;

use crate::math::lanes::{Lanes, VectorOf};
use crate::math::{DIMENSIONS, IVector, Vector};

/// The area of a field: a rectangle, or a box in three dimensions.
#[cfg(not(dim3))]
pub type Area = Rect;
/// The area of a field: a rectangle, or a box in three dimensions.
#[cfg(dim3)]
pub type Area = Aabb3d;

/// The number of nodes along x, and in three dimensions those along x and y.
#[cfg(not(dim3))]
pub type Columns = u32;
/// The number of nodes along x, and in three dimensions those along x and y.
#[cfg(dim3)]
pub type Columns = UVec2;

/// A bit for each of the [`STEPS`].
#[cfg(not(dim3))]
pub(super) type StepBits = u8;
#[cfg(dim3)]
pub(super) type StepBits = u32;

/// The number of neighbors of a node.
pub(super) const STEP_COUNT: usize = 3_usize.pow(DIMENSIONS as u32) - 1;

/// The number of corners of a cell.
pub(super) const CORNER_COUNT: usize = 1 << DIMENSIONS;

/// The bits of all steps.
pub(super) const ALL_STEPS: StepBits = StepBits::MAX >> (StepBits::BITS - STEP_COUNT as u32);

/// The directions to the neighbors of a node. The second half is opposite to the first half, in the same order.
pub(super) const STEPS: [IVector; STEP_COUNT] = {
    let (mut steps, mut step) = ([IVector::ZERO; STEP_COUNT], 0);
    while step < STEP_COUNT {
        steps[step] = vector_of(code(step));
        step += 1;
    }
    steps
};

/// The corners of a cell: bit `k` of the number of a corner says whether it is the upper one along axis `k`.
pub(super) const CORNERS: [IVector; CORNER_COUNT] = {
    let (mut corners, mut corner) = ([IVector::ZERO; CORNER_COUNT], 0);
    while corner < CORNER_COUNT {
        corners[corner] = vector_of(corner_code(corner));
        corner += 1;
    }
    corners
};

/// For each corner of a cell, the steps to the corners with greater numbers.
pub(super) const TO_CORNERS: [StepBits; CORNER_COUNT] = {
    let (mut all, mut from) = ([0; CORNER_COUNT], 0);
    while from < CORNER_COUNT {
        let mut to = from + 1;
        while to < CORNER_COUNT {
            all[from] |= 1 << step_of_code(corner_code(to) - corner_code(from));
            to += 1;
        }
        from += 1;
    }
    all
};

/// For each step, the steps along some of its axes or along additional axes. Lines leave a node between such neighbors.
pub(super) const KIN: [StepBits; STEP_COUNT] = {
    let (mut kin, mut step) = ([0; STEP_COUNT], 0);
    while step < STEP_COUNT {
        let mut other = 0;
        while other < STEP_COUNT {
            if step != other && (is_part(step, other) || is_part(other, step)) {
                kin[step] |= 1 << other;
            }
            other += 1;
        }
        step += 1;
    }
    kin
};

/// The contribution of each axis to the code of a step.
const ALONG: [i32; 3] = [1, 3, 9];

/// The code of a step: its components, each -1, 0 or 1, as the digits of a base-3 number.
const fn code(step: usize) -> i32 {
    const HALF: i32 = STEP_COUNT as i32 / 2;
    let step = step as i32;
    if step < HALF { step + 1 } else { HALF - 1 - step }
}

const fn step_of_code(code: i32) -> usize {
    (if code > 0 { code - 1 } else { STEP_COUNT as i32 / 2 - 1 - code }) as usize
}

const fn component(code: i32, axis: usize) -> i32 {
    (code + STEP_COUNT as i32 / 2) / ALONG[axis] % 3 - 1
}

const fn vector_of(code: i32) -> IVector {
    #[cfg(not(dim3))]
    return IVector::new(component(code, 0), component(code, 1));
    #[cfg(dim3)]
    IVector::new(component(code, 0), component(code, 1), component(code, 2))
}

const fn corner_code(corner: usize) -> i32 {
    let (mut code, mut axis) = (0, 0);
    while axis < DIMENSIONS {
        code += ALONG[axis] * (corner as i32 >> axis & 1);
        axis += 1;
    }
    code
}

/// Whether a step is along some of the axes of another one, in the same directions.
const fn is_part(step: usize, whole: usize) -> bool {
    let mut axis = 0;
    while axis < DIMENSIONS {
        let along = component(code(step), axis);
        if along != 0 && along != component(code(whole), axis) {
            return false;
        }
        axis += 1;
    }
    true
}

/// The step with these components.
#[inline]
pub(super) fn step_of(components: IVector) -> usize {
    #[cfg(not(dim3))]
    return step_of_code(components.x + 3 * components.y);
    #[cfg(dim3)]
    step_of_code(components.x + 3 * components.y + 9 * components.z)
}

/// The step back.
#[inline]
pub(super) fn opposite(step: usize) -> usize {
    (step + STEP_COUNT / 2) % STEP_COUNT
}

/// The step from the neighbor at `from` to the neighbor at `to`, which is a neighbor of the first.
#[inline]
pub(super) fn turn(from: usize, to: usize) -> usize {
    step_of_code(code(to) - code(from))
}

/// The steps between which a line leaves a node, each with its weight: first the step along the axis of the largest component, then the
/// diagonal of the two largest, and so on. The weighted sum of the steps points along the line, which is given in cells.
#[inline]
pub(super) fn beside_line(line: Vector) -> [(usize, f32); DIMENSIONS] {
    let size = line.abs();
    // The axes, the one of the largest component first.
    let mut axes: [usize; DIMENSIONS] = core::array::from_fn(|axis| axis);
    for last in (1..DIMENSIONS).rev() {
        for place in 0..last {
            if size[axes[place]] < size[axes[place + 1]] {
                axes.swap(place, place + 1);
            }
        }
    }
    let largest = size[axes[0]].max(f32::MIN_POSITIVE);
    let (mut steps, mut code, mut share) = ([(0, 0.0); DIMENSIONS], 0, 1.0);
    for place in 0..DIMENSIONS {
        let axis = axes[place];
        let along = ALONG[axis];
        code += if line[axis] > 0.0 { along } else { -along };
        let rest = if place + 1 < DIMENSIONS { size[axes[place + 1]] / largest } else { 0.0 };
        steps[place] = (step_of_code(code), share - rest);
        share = rest;
    }
    steps
}

/// A box of nodes.
pub(super) type Nodes = [Range<i32>; DIMENSIONS];

/// The nodes in a box, row by row.
pub(super) fn nodes(ranges: &Nodes) -> impl Iterator<Item = IVector> {
    let [columns, rows] = [ranges[0].clone(), ranges[1].clone()];
    #[cfg(not(dim3))]
    return rows.flat_map(move |y| columns.clone().map(move |x| IVector::new(x, y)));
    #[cfg(dim3)]
    ranges[2].clone().flat_map(move |z| {
        let columns = columns.clone();
        rows.clone().flat_map(move |y| columns.clone().map(move |x| IVector::new(x, y, z)))
    })
}

/// The size of a lattice with this many nodes. `None` if an axis has fewer than two nodes, or if a row is incomplete.
pub(super) fn size_of(columns: Columns, count: usize) -> Option<IVector> {
    #[cfg(not(dim3))]
    let across = [columns];
    #[cfg(dim3)]
    let across = columns.to_array();
    let layer = across.iter().fold(1_usize, |product, count| product.saturating_mul(*count as usize));
    let is_complete = across.iter().all(|count| *count >= 2) && count / 2 >= layer && count.is_multiple_of(layer);
    let layers = count.checked_div(layer)? as i32;
    #[cfg(not(dim3))]
    let size = IVector::new(columns as i32, layers);
    #[cfg(dim3)]
    let size = columns.as_ivec2().extend(layers);
    is_complete.then_some(size)
}

/// The columns of a lattice of this size.
pub(super) fn columns_of(size: IVector) -> Columns {
    #[cfg(not(dim3))]
    return size.x as u32;
    #[cfg(dim3)]
    size.truncate().as_uvec2()
}

/// The interpolation weight of each corner of a cell, at a place in the cell.
#[inline(always)]
pub(super) fn shares<L: Lanes>(within: VectorOf<L>) -> [L; CORNER_COUNT] {
    let (one, x, y) = (within.x.splat(1.0), within.x, within.y);
    let level = [(one - x) * (one - y), x * (one - y), (one - x) * y, x * y];
    #[cfg(not(dim3))]
    return level;
    #[cfg(dim3)]
    {
        let ([a, b, c, d], above, below) = (level, within.z, one - within.z);
        [a * below, b * below, c * below, d * below, a * above, b * above, c * above, d * above]
    }
}

/// The corners of an area with the smallest and the largest coordinates.
pub(super) fn corners_of(area: &Area) -> (Vector, Vector) {
    #[cfg(not(dim3))]
    return (area.min, area.max);
    #[cfg(dim3)]
    (area.min.into(), area.max.into())
}
