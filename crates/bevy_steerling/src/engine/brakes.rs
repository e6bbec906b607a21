//! Turns wishes to stop at a place into forces, eight agents at a time.

use fearless_simd::f32x8;
use fearless_simd::prelude::Simd;

use crate::agent::view::{Rows, TickFrame};
use crate::engine::approach::{Approach, Body};
use crate::engine::batch::BATCH;
use crate::engine::wish::Wish;
use crate::math::Vector;
use crate::math::lanes::{LANES, Lanes, VectorOf, each_lane};
use crate::math::simd::{dispatch, level};

/// The wishes of a batch for [`Approach::Braking`]. The forces are bit-identical to those of
/// [`Wish::force`].
pub(super) struct Brakes {
    displacements: [Vector; BATCH],
    tolerances: [f32; BATCH],
    /// The rows with such a wish, one bit each.
    rows: u64,
}

impl Brakes {
    #[inline(always)]
    pub fn new() -> Self {
        Self { displacements: [Vector::ZERO; BATCH], tolerances: [0.0; BATCH], rows: 0 }
    }

    #[inline(always)]
    pub fn push(&mut self, row: usize, displacement: Vector, tolerance: f32) {
        self.displacements[row] = displacement;
        self.tolerances[row] = tolerance;
        self.rows |= 1 << row;
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Calls `visit` with each row that has such a wish, the wish, and the force.
    pub fn for_each_force(&self, agents: Rows, frame: TickFrame, mut visit: impl FnMut(usize, Wish, Vector)) {
        let mut forces = [Vector::ZERO; BATCH];
        self.write_forces(agents, frame, &mut forces);
        let mut left = self.rows;
        while left != 0 {
            let row = left.trailing_zeros() as usize;
            left &= left - 1;
            let approach = Approach::Braking { tolerance: self.tolerances[row] };
            visit(row, Wish::Place { displacement: self.displacements[row], approach }, forces[row]);
        }
    }

    #[inline(never)]
    fn write_forces(&self, agents: Rows, frame: TickFrame, forces: &mut [Vector; BATCH]) {
        dispatch!(level(), simd => for (number, forces) in forces.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
            let first = number * LANES;
            if (self.rows >> first) & 0xFF != 0 {
                *forces = self.eight(simd, first, agents, frame);
            }
        });
    }

    #[inline(always)]
    fn eight<S: Simd>(&self, simd: S, first: usize, agents: Rows, frame: TickFrame) -> [Vector; LANES] {
        let last = agents.bodies.len() - 1;
        let row = each_lane(|lane| (first + lane).min(last));
        let body = |lane: usize| &agents.bodies[row[lane]];
        let tick = frame.length;
        let body = Body {
            velocity: VectorOf::gather(simd, |lane| agents.velocities[row[lane]].0),
            mass: f32x8::gather(simd, |lane| body(lane).effective_mass()),
            max_force: f32x8::gather(simd, |lane| body(lane).max_force.max(0.0)),
            max_speed: f32x8::gather(simd, |lane| body(lane).max_speed.max(0.0)),
            response_time: f32x8::gather(simd, |lane| body(lane).response_time.max(tick)),
            tick: f32x8::new(simd, tick),
        };
        let to = VectorOf::gather(simd, |lane| self.displacements[first + lane]);
        let tolerance = f32x8::gather(simd, |lane| self.tolerances[first + lane]);
        body.braking_force(to, tolerance).to_array()
    }
}
