//! Reading a flow field at eight places at once.

use wide::f32x8;

use crate::math::lanes::{LANES, Lanes, VectorOf};
use crate::math::{Vector, vector_of};
use crate::perception::flow_field::lattice::{CORNER_COUNT, shares};
use crate::perception::flow_field::map::{Map, WHOLE};
use crate::perception::flow_field::march::GOAL;
use crate::perception::flow_field::sample::{FARTHEST_AHEAD, FlowSample, OPPOSED};

/// The cells of eight places.
#[derive(Clone, Copy)]
struct Cells {
    /// The index of the lowest corner, a small integer.
    first: f32x8,
    /// The place within the cell.
    within: VectorOf<f32x8>,
    /// Whether the place is in the grid.
    is_inside: f32x8,
}

impl Map {
    /// [`sample`](Self::sample) for eight agents.
    #[inline]
    pub fn sample_eight(&self, places: VectorOf<f32x8>, ahead: VectorOf<f32x8>) -> [Option<FlowSample>; LANES] {
        let mut samples = [None; LANES];
        let leads_to_goals = !(self.nodes.is_empty() || self.goals.is_empty() || self.grid.space.wraps());
        let together = leads_to_goals.then(|| self.usual_samples(places, ahead));
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

    /// The directions and distances of those who are in the grid, not near a goal, and among nodes that lead in similar directions.
    #[inline(always)]
    fn usual_samples(
        &self,
        places: VectorOf<f32x8>,
        ahead: VectorOf<f32x8>,
    ) -> ([Vector; LANES], [f32; LANES], [bool; LANES]) {
        let here = self.cells(places);
        let upper = |within: f32x8, stride: f32x8| stride.masked(within.simd_gt(f32x8::splat(0.5)));
        let nearest = indices(here.first + here.within.zip(self.strides(), upper).fold(|a, b| a + b));

        let (seen, is_known) = self.cells_ahead(places, ahead, here);
        let (corners, are_whole) = self.corners(&seen);
        let mut sum = VectorOf::splat(Vector::ZERO);
        for (corner, share) in corners.into_iter().zip(shares(seen.within)) {
            sum += corner * share;
        }
        let agree = sum.dot(sum).simd_gt(f32x8::splat(OPPOSED));
        let is_usual = (here.is_inside & is_known & agree).to_bitmask();

        let (mut distances, mut are_usual) = ([0.0; LANES], [false; LANES]);
        for lane in 0..LANES {
            let node = &self.nodes[nearest[lane]];
            distances[lane] = node.distance;
            are_usual[lane] = node.tag & GOAL == 0 && are_whole[lane] && is_usual >> lane & 1 != 0;
        }
        (sum.unit().to_array(), distances, are_usual)
    }

    /// The cells at the farthest places toward `ahead` that whole cells lead to, or `here`; and whether this is certain.
    #[inline(always)]
    fn cells_ahead(&self, places: VectorOf<f32x8>, ahead: VectorOf<f32x8>, here: Cells) -> (Cells, f32x8) {
        let way = ahead.divided(VectorOf::splat(self.grid.spacing));
        let count = way.map(|a| a.abs()).fold(|a, b| a.fast_max(b)).fast_min(f32x8::splat(FARTHEST_AHEAD));
        let (mut farthest, mut is_known, mut step) = (here, !f32x8::ZERO, f32x8::ZERO);
        let mut goes_on = step.simd_lt(count);
        while <f32x8 as Lanes>::any(goes_on) {
            step = (step + f32x8::splat(1.0)).fast_min(count);
            let there = self.cells(places + ahead * (step / count));
            is_known &= there.is_inside | !goes_on;
            let first = indices(there.first);
            let whole = f32x8::gather(|lane| if self.nodes[first[lane]].tag & WHOLE == 0 { 0.0 } else { 1.0 });
            goes_on &= whole.simd_gt(f32x8::ZERO);
            farthest.first = f32x8::select(goes_on, there.first, farthest.first);
            farthest.within = VectorOf::select(goes_on, there.within, farthest.within);
            goes_on &= step.simd_lt(count);
        }
        (farthest, is_known)
    }

    /// The directions at the corners of cells, and whether all of them count.
    #[inline(always)]
    fn corners(&self, cells: &Cells) -> ([VectorOf<f32x8>; CORNER_COUNT], [bool; LANES]) {
        let (first, corner_of) = (indices(cells.first), self.grid.corners(0));
        let (mut corners, mut are_whole) = ([[Vector::ZERO; LANES]; CORNER_COUNT], [false; LANES]);
        for lane in 0..LANES {
            // Two corners are next to each other.
            for row in 0..CORNER_COUNT / 2 {
                let pair = &self.nodes[first[lane] + corner_of[2 * row]..][..2];
                corners[2 * row][lane] = pair[0].direction;
                corners[2 * row + 1][lane] = pair[1].direction;
            }
            are_whole[lane] = self.nodes[first[lane]].tag & WHOLE != 0;
        }
        let mut gathered = [VectorOf::splat(Vector::ZERO); CORNER_COUNT];
        for corner in 0..CORNER_COUNT {
            gathered[corner] = VectorOf::gather(|lane| corners[corner][lane]);
        }
        (gathered, are_whole)
    }

    #[inline(always)]
    fn strides(&self) -> VectorOf<f32x8> {
        VectorOf::splat(vector_of(self.grid.strides()))
    }

    /// The cells of places; where one is outside of the grid, any cell.
    #[inline(always)]
    fn cells(&self, places: VectorOf<f32x8>) -> Cells {
        let coordinates = self.grid.coordinates_of(places);
        let last = VectorOf::<f32x8>::splat(vector_of(self.grid.size - 2));
        let inside =
            |number: f32x8, last: f32x8| number.simd_ge(f32x8::ZERO) & number.simd_le(last + f32x8::splat(1.0));
        let is_inside = coordinates.zip(last, inside).fold(|a, b| a & b);
        let coordinates = coordinates.masked(is_inside);
        let lower = coordinates.zip(last, |number, last| number.fast_min(last).floor_of_positive());
        let first = lower.dot(self.strides());
        Cells { first, within: coordinates - lower, is_inside }
    }
}

#[inline(always)]
fn indices(numbers: f32x8) -> [usize; LANES] {
    let numbers = numbers.fast_trunc_int().to_array();
    let mut indices = [0; LANES];
    for lane in 0..LANES {
        indices[lane] = numbers[lane] as usize;
    }
    indices
}
