//! Finds the watched agents that may soon touch another agent, eight agents at a time. Only these need a search of their own.

use alloc::vec::Vec;
use core::ops::Range;

use bevy::prelude::Entity;
use fearless_simd::f32x8;
use fearless_simd::prelude::Simd;

use crate::agent::Agent;
use crate::events::bodies::Body;
use crate::math::lanes::{LANES, Lanes, VectorOf, bits, each_lane};
use crate::math::simd::{dispatch, level};
use crate::perception::neighbors::{MOST_CANDIDATES, Neighbors, PARALLEL_PASS, Run, by_rows};
use crate::tick::schedule::SteeringThreads;

/// How an agent looks out for others.
#[derive(Clone, Copy)]
pub(super) struct Lookout {
    /// The warning time, seconds; zero if the agent does not look out.
    pub time: f32,
    /// How far the agent and another one can approach each other within that time, units.
    pub far: f32,
}

impl Lookout {
    const NONE: Self = Self { time: 0.0, far: 0.0 };
}

/// The watched agents that may touch another agent within their warning times. The lists keep their capacity between ticks.
#[derive(Default)]
pub(super) struct Encounters {
    /// How each agent in the index looks out.
    lookouts: Vec<Lookout>,
    /// Whether each agent in the index may touch another one. Empty if this is not known.
    expected: Vec<bool>,
    runs: Vec<Run>,
}

impl Encounters {
    /// Finds the agents that may touch another one, unless the world wraps. `watched` are those that look out, and `bodies` are all agents
    /// in the order of the index, as they are now.
    pub fn find(
        &mut self,
        watched: impl Iterator<Item = (Entity, Lookout)>,
        bodies: &[Body],
        neighbors: &Neighbors,
        threads: SteeringThreads,
    ) {
        let Self { lookouts, expected, runs } = self;
        expected.clear();
        if bodies.is_empty() || neighbors.wraps() {
            return;
        }
        lookouts.clear();
        lookouts.resize(bodies.len(), Lookout::NONE);
        for (agent, lookout) in watched {
            if let Some(place) = neighbors.place_of(agent) {
                lookouts[place] = lookout;
            }
        }
        expected.resize(bodies.len(), false);
        let pass = Pass { bodies, lookouts, neighbors };
        if threads.parallel(|| bodies.len(), PARALLEL_PASS) {
            by_rows(neighbors, expected, |rows, expected| pass.run(rows, expected, &mut Vec::new()));
        } else {
            pass.run(0..neighbors.rows(), expected, runs);
        }
    }

    /// Whether the agent may touch another one within its warning time.
    pub fn are_expected(&self, agent: &Agent, neighbors: &Neighbors) -> bool {
        let expected = || self.expected.get(neighbors.place_of(agent.entity)?).copied();
        self.expected.is_empty() || expected().unwrap_or(true)
    }
}

/// The data that is read.
struct Pass<'a> {
    bodies: &'a [Body],
    lookouts: &'a [Lookout],
    neighbors: &'a Neighbors,
}

impl Pass<'_> {
    fn run(&self, rows: Range<usize>, expected: &mut [bool], runs: &mut Vec<Run>) {
        dispatch!(level(), simd => self.run_with(simd, rows, expected, runs));
    }

    #[inline(always)]
    fn run_with<S: Simd>(&self, simd: S, rows: Range<usize>, expected: &mut [bool], runs: &mut Vec<Run>) {
        let first = self.neighbors.row_start(rows.start);
        for row in rows {
            let end = self.neighbors.row_start(row + 1);
            let mut place = self.neighbors.row_start(row);
            while place < end {
                let places = place..end.min(place + LANES);
                place = places.end;
                let candidates = self.list_runs(places.clone(), runs);
                let expected = &mut expected[places.start - first..places.end - first];
                if candidates > MOST_CANDIDATES {
                    expected.fill(true);
                } else if candidates > 0 {
                    self.eight(simd, places, runs, expected);
                }
            }
        }
    }

    /// Lists the agents that these may touch, and returns their number.
    #[inline(always)]
    fn list_runs(&self, places: Range<usize>, runs: &mut Vec<Run>) -> usize {
        let mut reach = 0.0_f32;
        for place in places.clone() {
            let (lookout, body) = (self.lookouts[place], self.bodies[place]);
            // The agent has moved since it was indexed.
            let moved = (body.position - self.neighbors.bodies()[place].position).abs().max_element();
            if lookout.time > 0.0 && moved.is_finite() {
                reach = reach.max(lookout.far + moved);
            }
        }
        if reach <= 0.0 {
            return 0;
        }
        self.neighbors.list_runs_around(places, reach + self.neighbors.largest_radius(), runs);
        runs.iter().map(Run::len).sum()
    }

    /// Finds out which of up to eight agents touch any of the agents in `runs`.
    #[inline(always)]
    fn eight<S: Simd>(&self, simd: S, places: Range<usize>, runs: &[Run], expected: &mut [bool]) {
        let place = each_lane(|lane| (places.start + lane).min(places.end - 1));
        let body = |lane: usize| &self.bodies[place[lane]];
        let position = VectorOf::<f32x8<S>>::gather(simd, |lane| body(lane).position);
        let velocity = VectorOf::gather(simd, |lane| body(lane).velocity);
        let radius = f32x8::gather(simd, |lane| body(lane).radius);
        let time = f32x8::gather(simd, |lane| self.lookouts[place[lane]].time);
        // Slightly more, because of rounding.
        let twice = time * time.splat(2.0001);
        let zero = f32x8::new(simd, 0.0);
        let mut found = zero.simd_lt(zero);
        for other in runs.iter().flat_map(|run| &self.bodies[run.range()]) {
            let (to, relative) = (position.splat(other.position) - position, velocity.splat(other.velocity) - velocity);
            let touch = radius + radius.splat(other.radius);
            // As in `time_to_touch`, but without the square root and the division: unless the bodies overlap, the root is at most
            // `closing`.
            let closing = -to.dot(relative);
            let gap = to.dot(to) - touch * touch;
            let root = closing * closing - relative.dot(relative) * gap;
            found |= closing.simd_gt(zero) & root.simd_ge(zero) & gap.simd_le(closing * twice);
        }
        let found = bits(found & time.simd_gt(zero));
        for (lane, expected) in expected.iter_mut().enumerate() {
            *expected = found & (1 << lane) != 0;
        }
    }
}
