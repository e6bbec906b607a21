//! The forces of a whole crowd: eight agents at a time, one neighbor after another.

use alloc::vec::Vec;
use core::ops::Range;

use bevy::prelude::Entity;
use wide::{f32x8, i32x8};

use crate::math::Vector;
use crate::math::lanes::{LANES, VectorOf};
use crate::perception::flocking::kernel::{NeighborKernel, Perceiver, Perceiving};
use crate::perception::flocking::sums_of_eight::{Adding, EightPerceivers, Mark, Own, as_integers};
use crate::perception::neighbors::{Body, Neighbors, Run, group_of_near};

/// In [`Pass::order`]: an agent without the behavior.
pub(super) const NOBODY: u32 = u32::MAX;

/// What one pass over the crowd reads.
pub(super) struct Pass<'a> {
    pub neighbors: &'a Neighbors,
    /// One when all are equal.
    pub perceivers: &'a [(Entity, Perceiver)],
    /// The place in `perceivers` of each agent in the index; empty when all are equal.
    pub order: &'a [u32],
    /// The groups and floor of each agent in the index; empty where they do not matter.
    pub marks: &'a [Mark],
    /// Agents whose heights differ by more are on different floors, units.
    pub floor_height: f32,
}

/// Lists that are kept for their memory.
#[derive(Default)]
pub(super) struct Scratch {
    /// Where the neighbors of the eight agents are in the index.
    runs: Vec<Run>,
    /// Which agents of a run any of the eight may perceive.
    seen: Vec<u32>,
    squares: Vec<f32x8>,
}

impl Pass<'_> {
    /// Computes the forces of all agents in some rows of the index. An agent for which they may be wrong gets NaN.
    pub fn run<K: NeighborKernel, const RINGS: bool, const CONES: bool, const MARKS: bool>(
        &self,
        rows: Range<usize>,
        scratch: &mut Scratch,
        forces: &mut [Vector],
    ) {
        let bodies = self.neighbors.bodies();
        let first = self.neighbors.row_start(rows.start);
        let equal = self.order.is_empty().then(|| EightPerceivers::new([&self.perceivers[0].1; LANES]));
        for row in rows {
            let mut place = self.neighbors.row_start(row);
            let end = self.neighbors.row_start(row + 1);
            while place < end {
                let count = LANES.min(end - place);
                let padded;
                let own = match bodies[place..].first_chunk::<LANES>() {
                    Some(eight) => eight,
                    None => {
                        padded = [0, 1, 2, 3, 4, 5, 6, 7].map(|lane| bodies[place + lane.min(count - 1)]);
                        &padded
                    }
                };
                let each;
                let perceivers = match &equal {
                    Some(equal) => equal,
                    None => {
                        each = self.perceivers_at(place, count);
                        &each
                    }
                };
                let (low, high, count) = group_of_near(&own[..count], perceivers.reach);
                let these = &mut forces[place - first..][..count];
                let window = self.neighbors.grid().window(low, high, perceivers.reach);
                if window.ambiguous || perceivers.is_alone[..count].iter().all(|is_alone| *is_alone) {
                    these.fill(Vector::NAN);
                } else {
                    self.neighbors.list_runs(&window, place..place + count, &mut scratch.runs);
                    self.eight::<K, RINGS, CONES, MARKS, false>(place, own, perceivers, scratch, these);
                }
                place += count;
            }
        }
    }

    fn perceivers_at(&self, place: usize, count: usize) -> EightPerceivers {
        EightPerceivers::new([0, 1, 2, 3, 4, 5, 6, 7].map(|lane| {
            let number = if lane < count { self.order[place + lane] } else { NOBODY };
            self.perceivers.get(number as usize).map_or(&Perceiver::BLIND, |(_, perceiver)| perceiver)
        }))
    }

    /// `LIMITED`: the radii are already so small that no more neighbors are within them than may count.
    #[inline]
    fn eight<K: NeighborKernel, const RINGS: bool, const CONES: bool, const MARKS: bool, const LIMITED: bool>(
        &self,
        place: usize,
        bodies: &[Body; LANES],
        perceivers: &EightPerceivers,
        scratch: &mut Scratch,
        forces: &mut [Vector],
    ) {
        let position = VectorOf::gather(|lane| bodies[lane].position);
        let own = self.own::<MARKS>(place, bodies);
        let mut adding = Adding::<K, RINGS, CONES, MARKS>::new(&own, perceivers);
        for run in &scratch.runs {
            let position = position - VectorOf::splat(run.shift);
            let (others, marks) = self.others::<MARKS>(run);
            // Agents in the same place are in the same cell, and so in the same row.
            if run.range().contains(&place) {
                adding.add_all::<true>(others, marks, position, &mut scratch.seen);
            } else {
                adding.add_all::<false>(others, marks, position, &mut scratch.seen);
            }
        }

        let (sums, unusual) = adding.without_self();
        if !LIMITED && (unusual.too_many & !unusual.coincident).any() {
            let most = perceivers.most + adding.myself();
            let near = self.nearest::<K, RINGS, CONES, MARKS>(position, &own, perceivers, most, scratch);
            // A radius that is NaN stays so: nobody is within it.
            let radii_squared = perceivers.radii_squared.map(|radius| radius.simd_gt(near).bitselect(near, radius));
            let perceivers = EightPerceivers { radii_squared, ..*perceivers };
            return self.eight::<K, RINGS, CONES, MARKS, true>(place, bodies, &perceivers, scratch, forces);
        }
        let force =
            K::force(&Perceiving { velocity: own.velocity, terms: perceivers.terms }, &sums) * perceivers.weight;
        let all = force.to_array();
        let unusual = (unusual.too_many | unusual.coincident).to_bitmask();
        for (lane, force) in forces.iter_mut().enumerate() {
            let usual = unusual & (1 << lane) == 0 && !perceivers.is_alone[lane];
            *force = if usual { all[lane] } else { Vector::NAN };
        }
    }

    #[inline]
    fn others<const MARKS: bool>(&self, run: &Run) -> (&[Body], &[Mark]) {
        (&self.neighbors.bodies()[run.range()], if MARKS { &self.marks[run.range()] } else { &[] })
    }

    /// The eight agents from `place` on.
    #[inline(always)]
    fn own<const MARKS: bool>(&self, place: usize, bodies: &[Body; LANES]) -> Own {
        let mark =
            |lane| if MARKS { self.marks.get(place + lane).copied().unwrap_or_default() } else { Mark::default() };
        let marks = [0, 1, 2, 3, 4, 5, 6, 7].map(mark);
        Own {
            velocity: VectorOf::gather(|lane| bodies[lane].velocity),
            groups: i32x8::from(marks.map(|mark| mark.groups as i32)),
            heights: f32x8::from(marks.map(|mark| mark.height)),
            floor_height: f32x8::splat(self.floor_height),
        }
    }

    /// The squares of the distances within which each perceives `most` agents where it perceives more.
    ///
    /// A search by bisection for all eight at once. Squares of distances are about evenly distributed in the plane, so that a
    /// few steps suffice; where several agents are equally far away there is no such distance, and too many are kept.
    #[cold]
    fn nearest<K: NeighborKernel, const RINGS: bool, const CONES: bool, const MARKS: bool>(
        &self,
        position: VectorOf<f32x8>,
        own: &Own,
        perceivers: &EightPerceivers,
        most: f32x8,
        Scratch { runs, squares, .. }: &mut Scratch,
    ) -> f32x8 {
        let sight = Adding::<K, RINGS, CONES, MARKS>::new(own, perceivers);
        squares.clear();
        for run in runs.iter() {
            let position = position - VectorOf::splat(run.shift);
            let (others, marks) = self.others::<MARKS>(run);
            for (index, body) in others.iter().enumerate() {
                let to = VectorOf::splat(body.position) - position;
                let (distance_squared, [first, second, third]) =
                    sight.perceive(to, marks.get(index).copied().unwrap_or_default());
                // NaN where it is not perceived.
                squares.push(distance_squared | !(first | second | third));
            }
        }
        let (mut low, mut high) = (f32x8::ZERO, f32x8::splat(f32::MAX));
        let perceived = |square: &f32x8| square.simd_ge(f32x8::ZERO) & *square;
        let mut within = squares.iter().map(perceived).fold(f32x8::ZERO, f32x8::fast_max);
        let mut open = f32x8::ZERO;
        for _ in 0..BISECTIONS {
            let count = squares.iter().fold(i32x8::ZERO, |count, square| count - as_integers(square.simd_le(within)));
            let count = f32x8::from_i32x8(count);
            let (too_many, too_few) = (count.simd_gt(most), count.simd_lt(most) & high.simd_lt(f32x8::splat(f32::MAX)));
            open = too_many | too_few;
            if !open.any() {
                break;
            }
            high = too_many.bitselect(within, high);
            low = too_few.bitselect(within, low);
            within = open.bitselect((low + high) * 0.5, within);
        }
        open.bitselect(high, within)
    }
}

/// The most steps of [`Pass::nearest`].
const BISECTIONS: usize = 24;
