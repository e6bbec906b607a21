//! Turns the wishes of many agents into forces in vectorized loops. Square roots and divisions are most of the cost of a simple wish.

use fearless_simd::f32x8;
use fearless_simd::prelude::Simd;

use crate::agent::view::{Rows, TickFrame};
use crate::agent::{SteeringAgent, SteeringForce, Velocity};
use crate::engine::approach::{Approach, Body};
use crate::engine::wish::Wish;
use crate::math::lanes::{LANES, Lanes, VectorOf, each_lane};
use crate::math::simd::{dispatch, level};
use crate::math::{self, Vector, normalize};
use crate::tick::non_finite::Mender;

/// The number of agents in a batch.
pub(crate) const BATCH: usize = 64;

/// The wishes of a batch for full speed in some direction, or to stop at a place. Their forces are bit-identical to those of
/// [`Wish::force`].
pub(super) struct Directions {
    /// The direction, of any length. NaN gives no force.
    ways: [Vector; BATCH],
    /// The circles of [`Wish::CircleAhead`].
    #[cfg(not(dim3))]
    circles: Circles,
    brakes: Brakes,
    weights: [f32; BATCH],
    any: bool,
}

/// The circles of wishes. Wishes without a circle have a radius and a distance of zero.
#[cfg(not(dim3))]
struct Circles {
    distances: [f32; BATCH],
    radii: [f32; BATCH],
    angles: [f32; BATCH],
    any: bool,
}

impl Directions {
    #[inline(always)]
    pub fn new() -> Self {
        Self {
            ways: [Vector::NAN; BATCH],
            #[cfg(not(dim3))]
            circles: Circles { distances: [0.0; BATCH], radii: [0.0; BATCH], angles: [0.0; BATCH], any: false },
            brakes: Brakes::new(),
            weights: [0.0; BATCH],
            any: false,
        }
    }

    /// Takes the wish of an agent if it is for full speed or to brake; otherwise returns it.
    #[inline(always)]
    pub fn take(&mut self, row: usize, wish: Wish, weight: f32) -> Option<Wish> {
        match wish {
            Wish::Place { displacement, approach: Approach::FullSpeed | Approach::NotYetBraking } => {
                self.ways[row] = displacement;
                self.any = true;
            }
            Wish::Place { displacement, approach: Approach::Braking { tolerance } } => {
                self.brakes.push(row, displacement, tolerance);
            }
            #[cfg(not(dim3))]
            Wish::CircleAhead { distance, radius, angle } => {
                self.ways[row] = Vector::ZERO;
                self.circles.distances[row] = distance;
                self.circles.radii[row] = radius;
                self.circles.angles[row] = angle;
                self.circles.any = true;
            }
            Wish::Nothing => {}
            other => return Some(other),
        }
        self.weights[row] = weight;
        None
    }

    /// Adds the forces. Reports weights that are not finite.
    #[inline(always)]
    pub fn add_to(
        &self,
        forces: &mut [SteeringForce],
        agents: Rows,
        frame: TickFrame,
        mender: &Mender,
        name: fn() -> &'static str,
    ) {
        #[cfg(not(dim3))]
        let any_circle = self.circles.any;
        #[cfg(dim3)]
        let any_circle = false;
        if any_circle {
            self.add_forces::<true>(forces, agents.bodies, agents.velocities, frame.length);
        } else if self.any {
            self.add_forces::<false>(forces, agents.bodies, agents.velocities, frame.length);
        }
        if !self.brakes.is_empty() {
            self.brakes.for_each_force(agents, frame, |row, wish, force| {
                let (weight, agent) = (self.weights[row], || agents.get(row).agent(forces[row].0, frame));
                // Lanes and single numbers treat NaN differently, so a force that is not finite is computed again for the agent alone.
                let force = if force.is_finite() { force } else { wish.force(&agent()) };
                let counted = mender.counted(force * weight, agent, name);
                forces[row].0 += counted;
            });
        }
        let weights = &self.weights[..forces.len()];
        if !weights.iter().fold(true, |finite, weight| finite & (weight * 0.0 == 0.0)) {
            for (row, (weight, force)) in weights.iter().zip(forces).enumerate() {
                let agent = || agents.get(row).agent(force.0, frame);
                mender.counted(Vector::splat(*weight), agent, name);
            }
        }
    }

    /// Like [`Agent::force_toward`](crate::agent::Agent::force_toward), but without branches. It is not inlined, so that the compiler knows
    /// that the slices do not overlap.
    #[inline(never)]
    fn add_forces<const CIRCLES: bool>(
        &self,
        forces: &mut [SteeringForce],
        bodies: &[SteeringAgent],
        velocities: &[Velocity],
        tick: f32,
    ) {
        #[cfg_attr(dim3, expect(unused_mut, reason = "there are no circles"))]
        let mut ways = self.ways;
        #[cfg(not(dim3))]
        if CIRCLES {
            let Circles { distances, radii, angles, .. } = &self.circles;
            let circle = math::unit_vectors(angles);
            let circle = circle.iter().zip(radii).zip(distances);
            for ((way, velocity), ((unit, radius), distance)) in ways.iter_mut().zip(velocities).zip(circle) {
                // Adds zero for wishes without a circle.
                *way += normalize(velocity.0) * *distance + *unit * *radius;
            }
        }
        let agents = forces.iter_mut().zip(bodies).zip(velocities);
        for (((force, body), velocity), (way, weight)) in agents.zip(ways.iter().zip(&self.weights)) {
            let desired = normalize(*way) * body.max_speed.max(0.0);
            let answer = (desired - velocity.0) / body.response_time.max(tick) * body.effective_mass().min(1.0);
            force.0 += math::finite_or_zero(answer * *weight);
        }
    }
}

/// The wishes of a batch for [`Approach::Braking`].
struct Brakes {
    displacements: [Vector; BATCH],
    tolerances: [f32; BATCH],
    /// The rows with such a wish, one bit each.
    rows: u64,
}

impl Brakes {
    #[inline(always)]
    fn new() -> Self {
        Self { displacements: [Vector::ZERO; BATCH], tolerances: [0.0; BATCH], rows: 0 }
    }

    #[inline(always)]
    fn push(&mut self, row: usize, displacement: Vector, tolerance: f32) {
        self.displacements[row] = displacement;
        self.tolerances[row] = tolerance;
        self.rows |= 1 << row;
    }

    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Calls `visit` with each row that has such a wish, the wish, and the force.
    fn for_each_force(&self, agents: Rows, frame: TickFrame, mut visit: impl FnMut(usize, Wish, Vector)) {
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
