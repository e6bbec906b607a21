//! Reading a flow field at eight places at once.

use fearless_simd::prelude::{Simd, SimdMask};
use fearless_simd::{f32x8, i32x8, mask32x8};

use crate::math::lanes::{LANES, Lanes, VectorOf};
use crate::math::{Vector, vector_of};
use crate::perception::flow_field::lattice::{CORNER_COUNT, shares};
use crate::perception::flow_field::map::{Map, WHOLE};
use crate::perception::flow_field::march::GOAL;
use crate::perception::flow_field::sample::{FARTHEST_AHEAD, FlowSample, OPPOSED};

/// The cells of eight places.
#[derive(Clone, Copy)]
struct Cells<S: Simd> {
    /// The index of the lowest corner, a small integer.
    first: f32x8<S>,
    /// The place within the cell.
    within: VectorOf<f32x8<S>>,
    /// Whether the place is in the grid.
    is_inside: mask32x8<S>,
}

impl Map {
    /// [`sample`](Self::sample) for eight agents.
    #[inline(always)]
    pub fn sample_eight<S: Simd>(
        &self,
        places: VectorOf<f32x8<S>>,
        ahead: VectorOf<f32x8<S>>,
    ) -> [Option<FlowSample>; LANES] {
        let mut samples = [None; LANES];
        let leads_to_goals = !(self.nodes.is_empty() || self.goals.is_empty() || self.grid.space.wraps());
        let together = if leads_to_goals { Some(self.usual_samples(places, ahead)) } else { None };
        let (places, ahead) = (places.to_array(), ahead.to_array());
        for lane in 0..LANES {
            let usual = together.and_then(|(directions, distances, is_usual)| {
                let sample = FlowSample { direction: directions[lane], distance: distances[lane], to_goal: None };
                is_usual[lane].then_some(sample)
            });
            samples[lane] = usual.or_else(|| self.sample(places[lane], ahead[lane]));
        }
        samples
    }

    /// The directions and distances of the agents that are in the grid, not near a goal, and between nodes with similar directions.
    #[inline(always)]
    fn usual_samples<S: Simd>(
        &self,
        places: VectorOf<f32x8<S>>,
        ahead: VectorOf<f32x8<S>>,
    ) -> ([Vector; LANES], [f32; LANES], [bool; LANES]) {
        let here = self.cells(places);
        let strides = places.splat(vector_of(self.grid.strides()));
        let upper = here.within.zip(
            strides,
            #[inline(always)]
            |within, stride| stride.masked(within.simd_gt(within.splat(0.5))),
        );
        let nearest = indices(
            here.first
                + upper.fold(
                    #[inline(always)]
                    |a, b| a + b,
                ),
        );

        let (seen, is_known) = self.cells_ahead(places, ahead, here);
        let (corners, are_whole) = self.corners(&seen);
        let mut sum = places.splat(Vector::ZERO);
        for (corner, share) in corners.into_iter().zip(shares(seen.within)) {
            sum += corner * share;
        }
        let agree = sum.dot(sum).simd_gt(sum.x.splat(OPPOSED));
        let is_usual = (here.is_inside & is_known & agree).to_bitmask();

        let (mut distances, mut are_usual) = ([0.0; LANES], [false; LANES]);
        for lane in 0..LANES {
            let node = &self.nodes[nearest[lane]];
            distances[lane] = node.distance;
            are_usual[lane] = node.tag & GOAL == 0 && are_whole[lane] && is_usual >> lane & 1 != 0;
        }
        (sum.unit().to_array(), distances, are_usual)
    }

    /// The cells at the farthest places toward `ahead` that can be reached through whole cells, or `here`, and whether this is certain.
    #[inline(always)]
    fn cells_ahead<S: Simd>(
        &self,
        places: VectorOf<f32x8<S>>,
        ahead: VectorOf<f32x8<S>>,
        here: Cells<S>,
    ) -> (Cells<S>, mask32x8<S>) {
        let way = ahead.divided(ahead.splat(self.grid.spacing));
        let far = way.map(
            #[inline(always)]
            |a: f32x8<S>| a.abs(),
        );
        let count = far.fold(
            #[inline(always)]
            |a, b| a.fast_max(b),
        );
        let count = count.fast_min(count.splat(FARTHEST_AHEAD));
        let mut step = count.splat(0.0);
        let (mut farthest, mut is_known) = (here, step.simd_le(step));
        let mut goes_on = step.simd_lt(count);
        while goes_on.any_true() {
            step = (step + 1.0).fast_min(count);
            let there = self.cells(places + ahead * (step / count));
            is_known &= there.is_inside | !goes_on;
            let first = indices(there.first);
            let whole = |lane: usize| if self.nodes[first[lane]].tag & WHOLE == 0 { 0.0 } else { 1.0 };
            goes_on &= f32x8::gather(step.simd, whole).simd_gt(step.splat(0.0));
            farthest.first = Lanes::select(goes_on, there.first, farthest.first);
            farthest.within = VectorOf::select(goes_on, there.within, farthest.within);
            goes_on &= step.simd_lt(count);
        }
        (farthest, is_known)
    }

    /// The directions at the corners of cells, and whether all of them are used.
    #[inline(always)]
    fn corners<S: Simd>(&self, cells: &Cells<S>) -> ([VectorOf<f32x8<S>>; CORNER_COUNT], [bool; LANES]) {
        let (first, corner_of) = (indices(cells.first), self.grid.corners(0));
        let (mut corners, mut are_whole) = ([[Vector::ZERO; LANES]; CORNER_COUNT], [false; LANES]);
        for lane in 0..LANES {
            // Two corners are adjacent.
            for row in 0..CORNER_COUNT / 2 {
                let pair = &self.nodes[first[lane] + corner_of[2 * row]..][..2];
                corners[2 * row][lane] = pair[0].direction;
                corners[2 * row + 1][lane] = pair[1].direction;
            }
            are_whole[lane] = self.nodes[first[lane]].tag & WHOLE != 0;
        }
        let mut gathered = [cells.within; CORNER_COUNT];
        for corner in 0..CORNER_COUNT {
            gathered[corner] = VectorOf::gather(cells.first.simd, |lane| corners[corner][lane]);
        }
        (gathered, are_whole)
    }

    /// The cells of places. For a place outside the grid, this is any cell.
    #[inline(always)]
    fn cells<S: Simd>(&self, places: VectorOf<f32x8<S>>) -> Cells<S> {
        let coordinates = self.grid.coordinates_of(places);
        let last = places.splat(vector_of(self.grid.size - 2));
        let is_inside = is_within(coordinates.x, last.x) & is_within(coordinates.y, last.y);
        #[cfg(dim3)]
        let is_inside = is_inside & is_within(coordinates.z, last.z);
        let coordinates = coordinates.masked(is_inside);
        let lower = coordinates.zip(
            last,
            #[inline(always)]
            |number, last| number.fast_min(last).floor_of_positive(),
        );
        let first = lower.dot(places.splat(vector_of(self.grid.strides())));
        Cells { first, within: coordinates - lower, is_inside }
    }
}

/// Whether a coordinate is in the grid, whose last cell begins at `last`.
#[inline(always)]
fn is_within<S: Simd>(number: f32x8<S>, last: f32x8<S>) -> mask32x8<S> {
    number.simd_ge(number.splat(0.0)) & number.simd_le(last + 1.0)
}

#[inline(always)]
fn indices<S: Simd>(numbers: f32x8<S>) -> [usize; LANES] {
    let numbers = fearless_simd::SimdFloat::to_int::<i32x8<S>>(numbers);
    let mut indices = [0; LANES];
    for lane in 0..LANES {
        indices[lane] = numbers[lane] as usize;
    }
    indices
}
