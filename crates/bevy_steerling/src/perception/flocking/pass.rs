//! The forces of a whole crowd: eight agents at a time, one neighbor after another.

use alloc::vec::Vec;
use core::ops::Range;

use bevy::prelude::Entity;
use fearless_simd::prelude::{Select, Simd, SimdFrom, SimdInto, SimdMask};
use fearless_simd::{f32x8, i32x8};

use crate::math::Vector;
use crate::math::lanes::{LANES, Lanes, VectorOf, bits, each_lane};
use crate::math::simd::{dispatch, level};
use crate::perception::flocking::kernel::{NeighborKernel, Perceiver, Perceiving, Sums};
use crate::perception::flocking::sums_of_eight::{
    Adding, EightPerceivers, Mark, Own, Unusual, as_integers, as_numbers,
};
use crate::perception::neighbors::{Body, Neighbors, Run, group_of_near};

/// In [`Pass::order`]: an agent without the behavior.
pub(super) const NOBODY: u32 = u32::MAX;

/// The data that one pass over the crowd reads.
pub(super) struct Pass<'a> {
    pub neighbors: &'a Neighbors,
    /// A single one if all are equal.
    pub perceivers: &'a [(Entity, Perceiver)],
    /// The index in `perceivers` of each agent in the index; empty if all are equal.
    pub order: &'a [u32],
    /// The groups and floor of each agent in the index; empty if they are not needed.
    pub marks: &'a [Mark],
    /// Agents whose heights differ by more are on different floors, units.
    pub floor_height: f32,
}

/// Lists that keep their capacity.
#[derive(Default)]
pub(super) struct Scratch {
    /// Where the neighbors of the eight agents are in the index.
    runs: Vec<Run>,
    /// Which agents of a run any of the eight may perceive.
    seen: Vec<u32>,
    squares: Vec<[f32; LANES]>,
}

impl Pass<'_> {
    /// Computes the forces of all agents in some rows of the index. The force is NaN for agents for which it may be wrong.
    pub fn run<K: NeighborKernel, const RINGS: bool, const CONES: bool, const MARKS: bool>(
        &self,
        rows: Range<usize>,
        scratch: &mut Scratch,
        forces: &mut [Vector],
    ) {
        dispatch!(level(), simd => self.run_with::<_, K, RINGS, CONES, MARKS>(simd, rows, scratch, forces));
    }

    #[inline(always)]
    fn run_with<S: Simd, K: NeighborKernel, const RINGS: bool, const CONES: bool, const MARKS: bool>(
        &self,
        simd: S,
        rows: Range<usize>,
        scratch: &mut Scratch,
        forces: &mut [Vector],
    ) {
        let bodies = self.neighbors.bodies();
        let first = self.neighbors.row_start(rows.start);
        let equal = self.order.is_empty().then(|| EightPerceivers::new(simd, [&self.perceivers[0].1; LANES]));
        for row in rows {
            let mut place = self.neighbors.row_start(row);
            let end = self.neighbors.row_start(row + 1);
            while place < end {
                let count = LANES.min(end - place);
                let padded;
                let own = match bodies[place..].first_chunk::<LANES>() {
                    Some(eight) => eight,
                    None => {
                        padded = each_lane(|lane| bodies[place + lane.min(count - 1)]);
                        &padded
                    }
                };
                let each;
                let perceivers = match &equal {
                    Some(equal) => equal,
                    None => {
                        each = self.perceivers_at(simd, place, count);
                        &each
                    }
                };
                let (low, high, count) = group_of_near(&own[..count], perceivers.reach);
                let these = &mut forces[place - first..][..count];
                let window = self.neighbors.grid().window(low, high, perceivers.reach);
                if window.ambiguous || perceivers.is_alone[..count].iter().all(|is_alone| *is_alone) {
                    these.fill(Vector::NAN);
                } else {
                    self.neighbors.list_runs(&window, perceivers.reach, place..place + count, &mut scratch.runs);
                    self.eight::<S, K, RINGS, CONES, MARKS>(place, own, perceivers, scratch, these);
                }
                place += count;
            }
        }
    }

    #[inline(always)]
    fn perceivers_at<S: Simd>(&self, simd: S, place: usize, count: usize) -> EightPerceivers<S> {
        let perceivers = each_lane(|lane| {
            let number = if lane < count { self.order[place + lane] } else { NOBODY };
            self.perceivers.get(number as usize).map_or(&Perceiver::BLIND, |(_, perceiver)| perceiver)
        });
        EightPerceivers::new(simd, perceivers)
    }

    #[inline(always)]
    fn eight<S: Simd, K: NeighborKernel, const RINGS: bool, const CONES: bool, const MARKS: bool>(
        &self,
        place: usize,
        bodies: &[Body; LANES],
        perceivers: &EightPerceivers<S>,
        scratch: &mut Scratch,
        forces: &mut [Vector],
    ) {
        let own = self.own::<S, MARKS>(perceivers.most.simd, place, bodies);
        let mut adding = Adding::<S, K, RINGS, CONES, MARKS>::new(&own, perceivers);
        self.add_all(&mut adding, place, bodies, scratch);
        let (sums, unusual) = adding.without_self();
        if (unusual.too_many & !unusual.coincident).any_true() {
            self.eight_nearest::<S, K, CONES, MARKS>(place, bodies, perceivers, scratch, forces);
        } else {
            set_forces::<S, K>(forces, &own, perceivers, &sums, unusual);
        }
    }

    #[inline(always)]
    fn add_all<S: Simd, K: NeighborKernel, const RINGS: bool, const CONES: bool, const MARKS: bool>(
        &self,
        adding: &mut Adding<S, K, RINGS, CONES, MARKS>,
        place: usize,
        bodies: &[Body; LANES],
        Scratch { runs, seen, .. }: &mut Scratch,
    ) {
        let position = VectorOf::gather(adding.simd(), |lane| bodies[lane].position);
        for run in runs.iter() {
            let position = position - position.splat(run.shift);
            let (others, marks) = self.others::<MARKS>(run);
            // Agents in the same place are in the same cell, and so in the same row.
            if run.range().contains(&place) {
                adding.add_all::<true>(others, marks, position, seen);
            } else {
                adding.add_all::<false>(others, marks, position, seen);
            }
        }
    }

    /// [`eight`](Self::eight) for agents that perceive more than the maximum number of neighbors.
    #[cold]
    #[inline(never)]
    fn eight_nearest<S: Simd, K: NeighborKernel, const CONES: bool, const MARKS: bool>(
        &self,
        place: usize,
        bodies: &[Body; LANES],
        perceivers: &EightPerceivers<S>,
        scratch: &mut Scratch,
        forces: &mut [Vector],
    ) {
        let simd = perceivers.most.simd;
        simd.vectorize(
            #[inline(always)]
            || {
                let own = self.own::<S, MARKS>(simd, place, bodies);
                let near = self.nearest::<S, K, CONES, MARKS>(bodies, &own, perceivers, scratch);
                let [a, b, c] = perceivers.radii_squared;
                let radii_squared = [a.fast_min(near), b.fast_min(near), c.fast_min(near)];
                let perceivers = EightPerceivers { radii_squared, ..*perceivers };
                let mut adding = Adding::<S, K, true, CONES, MARKS>::new(&own, &perceivers);
                self.add_all(&mut adding, place, bodies, scratch);
                let (sums, unusual) = adding.without_self();
                set_forces::<S, K>(forces, &own, &perceivers, &sums, unusual);
            },
        );
    }

    #[inline]
    fn others<const MARKS: bool>(&self, run: &Run) -> (&[Body], &[Mark]) {
        (&self.neighbors.bodies()[run.range()], if MARKS { &self.marks[run.range()] } else { &[] })
    }

    /// The eight agents from `place` on.
    #[inline(always)]
    fn own<S: Simd, const MARKS: bool>(&self, simd: S, place: usize, bodies: &[Body; LANES]) -> Own<S> {
        let mark =
            |lane| if MARKS { self.marks.get(place + lane).copied().unwrap_or_default() } else { Mark::default() };
        let marks = each_lane(mark);
        Own {
            velocity: VectorOf::gather(simd, |lane| bodies[lane].velocity),
            groups: each_lane(|lane| marks[lane].groups as i32).simd_into(simd),
            heights: f32x8::gather(simd, |lane| marks[lane].height),
            floor_height: self.floor_height.simd_into(simd),
        }
    }

    /// The squared distance within which each agent perceives only `most` neighbors, for agents that perceive more.
    ///
    /// All eight are searched by bisection at once. In the plane, squared distances are roughly evenly distributed, so a few steps suffice.
    /// If several agents are equally far away, there is no such distance, and too many are kept.
    #[inline(always)]
    fn nearest<S: Simd, K: NeighborKernel, const CONES: bool, const MARKS: bool>(
        &self,
        bodies: &[Body; LANES],
        own: &Own<S>,
        perceivers: &EightPerceivers<S>,
        Scratch { runs, squares, .. }: &mut Scratch,
    ) -> f32x8<S> {
        let sight = Adding::<S, K, true, CONES, MARKS>::new(own, perceivers);
        let simd = sight.simd();
        let position = VectorOf::gather(simd, |lane| bodies[lane].position);
        let most = perceivers.most + sight.myself();
        let (zero, nowhere, everywhere) = (most.splat(0.0), most.splat(f32::NAN), most.splat(f32::MAX));
        let mut within = zero;
        squares.clear();
        for run in runs.iter() {
            let position = position - position.splat(run.shift);
            let (others, marks) = self.others::<MARKS>(run);
            for (index, body) in others.iter().enumerate() {
                let to = position.splat(body.position) - position;
                let (distance_squared, [first, second, third]) =
                    sight.perceive(to, marks.get(index).copied().unwrap_or_default());
                let perceived = first | second | third;
                within = within.fast_max(distance_squared.masked(perceived));
                squares.push(*perceived.select(distance_squared, nowhere));
            }
        }
        let (mut low, mut high) = (zero, everywhere);
        let mut open = zero.simd_lt(zero);
        for _ in 0..BISECTIONS {
            let mut count = i32x8::simd_from(simd, 0);
            for square in squares.iter() {
                count -= as_integers(f32x8::simd_from(simd, *square).simd_le(within));
            }
            let count = as_numbers(count);
            let (too_many, too_few) = (count.simd_gt(most), count.simd_lt(most) & high.simd_lt(everywhere));
            open = too_many | too_few;
            if !open.any_true() {
                break;
            }
            high = too_many.select(within, high);
            low = too_few.select(within, low);
            within = open.select((low + high) * 0.5, within);
        }
        open.select(high, within)
    }
}

/// Sets the forces of eight agents; NaN where they may be wrong.
#[inline(always)]
fn set_forces<S: Simd, K: NeighborKernel>(
    forces: &mut [Vector],
    own: &Own<S>,
    perceivers: &EightPerceivers<S>,
    sums: &Sums<f32x8<S>>,
    unusual: Unusual<S>,
) {
    let force = K::force(&Perceiving { velocity: own.velocity, terms: perceivers.terms }, sums) * perceivers.weight;
    let all = force.to_array();
    let unusual = bits(unusual.too_many | unusual.coincident);
    for (lane, force) in forces.iter_mut().enumerate() {
        let usual = unusual & (1 << lane) == 0 && !perceivers.is_alone[lane];
        *force = if usual { all[lane] } else { Vector::NAN };
    }
}

/// The maximum number of steps of [`Pass::nearest`].
const BISECTIONS: usize = 24;
