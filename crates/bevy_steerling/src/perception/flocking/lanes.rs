//! Sums over the neighbors of eight agents side by side.

use alloc::vec::Vec;
use core::marker::PhantomData;
use core::ops::Range;

use bevy::prelude::Entity;
use wide::{f32x8, i32x8};

use super::{Flocking, Perceiver, TINY_SQUARED};
use crate::math::Vector;
use crate::perception::field_of_view::ALL_ROUND;
use crate::perception::neighbors::{Body, Neighbors, Run};

/// How many agents are side by side.
pub(crate) const LANES: usize = 8;

/// A vector of each of eight agents.
#[derive(Clone, Copy, Default)]
pub(crate) struct Vectors {
    pub x: f32x8,
    pub y: f32x8,
}

impl Vectors {
    #[inline(always)]
    pub fn new(vector: impl Fn(usize) -> Vector) -> Self {
        // `array::map` is not always inlined.
        let v = [vector(0), vector(1), vector(2), vector(3), vector(4), vector(5), vector(6), vector(7)];
        Self {
            x: f32x8::from([v[0].x, v[1].x, v[2].x, v[3].x, v[4].x, v[5].x, v[6].x, v[7].x]),
            y: f32x8::from([v[0].y, v[1].y, v[2].y, v[3].y, v[4].y, v[5].y, v[6].y, v[7].y]),
        }
    }

    pub fn splat(vector: Vector) -> Self {
        Self { x: f32x8::splat(vector.x), y: f32x8::splat(vector.y) }
    }

    pub fn scaled(self, factor: f32x8) -> Self {
        Self { x: self.x * factor, y: self.y * factor }
    }

    pub fn minus(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y }
    }

    pub fn plus(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y }
    }

    pub fn dot(self, other: Self) -> f32x8 {
        self.x * other.x + self.y * other.y
    }

    /// To the left of this how far the other goes, times its length: see `Vec2::perp_dot`.
    pub fn perp_dot(self, other: Self) -> f32x8 {
        self.x * other.y - self.y * other.x
    }

    fn masked(self, mask: f32x8) -> Self {
        Self { x: self.x & mask, y: self.y & mask }
    }

    /// Zero where `mask` is set.
    pub fn unless(self, mask: f32x8) -> Self {
        self.masked(!mask)
    }

    /// See [`normalize`](crate::math::normalize).
    pub fn normalized(self) -> Self {
        self.scaled(f32x8::splat(1.0) / self.dot(self).fast_max(f32x8::splat(1e-30)).sqrt())
    }

    /// See [`truncate`](crate::math::truncate), with a limit that is not negative.
    pub fn truncated(self, limit: f32x8) -> Self {
        let length = self.dot(self).fast_max(f32x8::splat(f32::MIN_POSITIVE)).sqrt();
        self.scaled((limit / length).fast_min(f32x8::splat(1.0)))
    }
}

/// Sums over the neighbors of each of eight agents.
#[derive(Clone, Copy, Default)]
pub(crate) struct Sums {
    pub nearness: Vectors,
    pub places: Vectors,
    pub place_count: f32x8,
    pub motion: Vectors,
    pub motion_count: f32x8,
}

/// Eight agents.
pub(crate) struct Eight {
    pub velocity: Vectors,
    pub terms: [f32x8; 4],
}

/// In [`Pass::order`]: an agent without the behavior.
pub(super) const NOBODY: u32 = u32::MAX;

/// One look over the whole crowd.
pub(super) struct Pass<'a> {
    pub neighbors: &'a Neighbors,
    /// One when all are alike.
    pub perceivers: &'a [(Entity, Perceiver)],
    /// For each agent in the index, its place in `perceivers`; empty when all are alike.
    pub order: &'a [u32],
    /// For each agent in the index its groups; empty where they do not matter.
    pub groups: &'a [u32],
}

/// Eight agents that look.
#[derive(Clone, Copy)]
struct EightPerceivers {
    radii_squared: [f32x8; 3],
    cones: [f32x8; 3],
    groups: i32x8,
    most: f32x8,
    terms: [f32x8; 4],
    reach: f32,
    alone: [bool; LANES],
}

impl EightPerceivers {
    fn new(perceivers: [&Perceiver; LANES]) -> Self {
        let lanes = |get: &dyn Fn(&Perceiver) -> f32| f32x8::from(perceivers.map(get));
        let three = |get: fn(&Perceiver) -> [f32; 3]| [0, 1, 2].map(|part| lanes(&|perceiver| get(perceiver)[part]));
        Self {
            // The sign of a negative radius is kept: nobody is within it.
            radii_squared: three(|perceiver| perceiver.radii).map(|radius| radius * radius.abs()),
            cones: three(|perceiver| perceiver.cones),
            groups: i32x8::from(perceivers.map(|perceiver| perceiver.groups as i32)),
            most: lanes(&|perceiver| perceiver.most as f32),
            terms: [0, 1, 2, 3].map(|term| lanes(&|perceiver| perceiver.terms[term])),
            reach: perceivers.iter().map(|perceiver| perceiver.reach()).fold(0.0, f32::max),
            alone: perceivers.map(|perceiver| perceiver.alone),
        }
    }
}

/// Does not look at anybody.
const BLIND: Perceiver =
    Perceiver { radii: [-1.0; 3], cones: [ALL_ROUND; 3], groups: 0, most: 0, terms: [0.0; 4], alone: true };

impl Pass<'_> {
    /// The forces of all agents in some rows of the index.
    pub fn run<B: Flocking, const RINGS: bool, const CONES: bool, const GROUPS: bool>(
        &self,
        rows: Range<usize>,
        scratch: &mut Scratch,
        forces: &mut [Vector],
    ) {
        let bodies = self.neighbors.bodies();
        let first = self.neighbors.row_start(rows.start);
        let alike = self.order.is_empty().then(|| EightPerceivers::new([&self.perceivers[0].1; LANES]));
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
                let perceivers = match &alike {
                    Some(alike) => alike,
                    None => {
                        each = self.lookers_at(place, count);
                        &each
                    }
                };
                let (low, high, count) = together(&own[..count], perceivers.reach);
                let these = &mut forces[place - first..][..count];
                let look = self.neighbors.grid().look(low, high, perceivers.reach);
                if look.round || perceivers.alone[..count].iter().all(|alone| *alone) {
                    these.fill(Vector::NAN);
                } else {
                    self.neighbors.list_runs(&look, place..place + count, &mut scratch.runs);
                    self.eight::<B, RINGS, CONES, GROUPS, false>(place, own, perceivers, scratch, these);
                }
                place += count;
            }
        }
    }

    fn lookers_at(&self, place: usize, count: usize) -> EightPerceivers {
        EightPerceivers::new([0, 1, 2, 3, 4, 5, 6, 7].map(|lane| {
            let number = if lane < count { self.order[place + lane] } else { NOBODY };
            self.perceivers.get(number as usize).map_or(&BLIND, |(_, perceiver)| perceiver)
        }))
    }

    /// `LIMITED`: that no more are looked at than may count has been seen to.
    #[inline]
    fn eight<B: Flocking, const RINGS: bool, const CONES: bool, const GROUPS: bool, const LIMITED: bool>(
        &self,
        place: usize,
        own: &[Body; LANES],
        perceivers: &EightPerceivers,
        scratch: &mut Scratch,
        forces: &mut [Vector],
    ) {
        let position = Vectors::new(|lane| own[lane].position);
        let velocity = Vectors::new(|lane| own[lane].velocity);
        let mut adding = Adding::<B, RINGS, CONES, GROUPS>::new(velocity, perceivers);
        for run in &scratch.runs {
            let position = position.minus(Vectors::splat(run.shift));
            let (others, groups) = self.others::<GROUPS>(run);
            // Who is in the same place is in the same cell.
            if run.range().contains(&place) {
                adding.add_all::<true>(others, groups, position);
            } else {
                adding.add_all::<false>(others, groups, position);
            }
        }

        let own_groups = if GROUPS {
            i32x8::from(
                [0, 1, 2, 3, 4, 5, 6, 7].map(|lane| self.groups.get(place + lane).map_or(0, |groups| *groups as i32)),
            )
        } else {
            i32x8::splat(-1)
        };
        let (sums, unusual) = adding.without_self(own_groups);
        if !LIMITED && (unusual.too_many & !unusual.too_near).any() {
            let most = perceivers.most + adding.myself(own_groups);
            let near = self.nearest::<B, RINGS, CONES, GROUPS>(position, velocity, perceivers, most, scratch);
            // A radius that is NaN stays so: nobody is within it.
            let radii_squared = perceivers.radii_squared.map(|radius| radius.simd_gt(near).bitselect(near, radius));
            let perceivers = EightPerceivers { radii_squared, ..*perceivers };
            return self.eight::<B, RINGS, CONES, GROUPS, true>(place, own, &perceivers, scratch, forces);
        }
        let force = B::force(&Eight { velocity, terms: perceivers.terms }, &sums);
        let (x, y) = (force.x.to_array(), force.y.to_array());
        let unusual = (unusual.too_many | unusual.too_near).to_bitmask();
        for (lane, force) in forces.iter_mut().enumerate() {
            let usual = unusual & (1 << lane) == 0 && !perceivers.alone[lane];
            *force = if usual { Vector::new(x[lane], y[lane]) } else { Vector::NAN };
        }
    }

    #[inline]
    fn others<const GROUPS: bool>(&self, run: &Run) -> (&[Body], &[u32]) {
        (&self.neighbors.bodies()[run.range()], if GROUPS { &self.groups[run.range()] } else { &[] })
    }

    /// The squares of the distances within which each sees just `most`, where it sees more.
    #[cold]
    fn nearest<B: Flocking, const RINGS: bool, const CONES: bool, const GROUPS: bool>(
        &self,
        position: Vectors,
        velocity: Vectors,
        perceivers: &EightPerceivers,
        most: f32x8,
        Scratch { runs, squares }: &mut Scratch,
    ) -> f32x8 {
        let looking = Adding::<B, RINGS, CONES, GROUPS>::new(velocity, perceivers);
        squares.clear();
        for run in runs.iter() {
            let position = position.minus(Vectors::splat(run.shift));
            let (others, groups) = self.others::<GROUPS>(run);
            for (index, body) in others.iter().enumerate() {
                let to = Vectors::splat(body.position).minus(position);
                let (distance_squared, first, second, third) =
                    looking.look(to, groups.get(index).copied().unwrap_or_default());
                // NaN where it is not seen.
                squares.push(distance_squared | !(first | second | third));
            }
        }
        // Squares of distances are about evenly spread: halve until there is just one number of them too few and too many.
        let (mut low, mut high) = (f32x8::ZERO, f32x8::splat(f32::MAX));
        let seen = |square: &f32x8| square.simd_ge(f32x8::ZERO) & *square;
        let mut within = squares.iter().map(seen).fold(f32x8::ZERO, f32x8::fast_max);
        let mut open = f32x8::ZERO;
        for _ in 0..HALVINGS {
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

/// How often to halve what is looked for. Who then still has several at the rim keeps too many, and is left to `steer`.
const HALVINGS: usize = 24;

/// Lists that are kept for their memory.
#[derive(Default)]
pub(super) struct Scratch {
    /// What is looked at, one look after another.
    runs: Vec<Run>,
    squares: Vec<f32x8>,
}

/// Whose sums may be wrong.
struct Unusual {
    /// More than may count.
    too_many: f32x8,
    /// Somebody in the same place.
    too_near: f32x8,
}

/// The corners around the first of these agents that are near enough to each other to look at the same neighbors, and how many
/// they are.
#[inline]
pub(crate) fn together(bodies: &[Body], reach: f32) -> (Vector, Vector, usize) {
    let corners = |bodies: &[Body]| {
        let first = bodies[0].position;
        bodies.iter().fold((first, first), |(low, high), body| (low.min(body.position), high.max(body.position)))
    };
    let (low, high) = corners(bodies);
    if (high - low).max_element() <= 4.0 * reach {
        return (low, high, bodies.len());
    }
    let first = bodies[0].position;
    let near = |body: &&Body| (body.position - first).abs().max_element() <= 2.0 * reach;
    let count = bodies.iter().take_while(near).count().max(1);
    let (low, high) = corners(&bodies[..count]);
    (low, high, count)
}

/// Sums that grow: everybody counts, also oneself.
struct Adding<'a, B, const RINGS: bool, const CONES: bool, const GROUPS: bool> {
    velocity: Vectors,
    perceivers: &'a EightPerceivers,
    /// The cones, times the square of the speed.
    cones: [f32x8; 3],
    nearness: Vectors,
    places: Vectors,
    motion: Vectors,
    /// How many count, negative.
    place_count: i32x8,
    motion_count: i32x8,
    /// How many count for anything, negative.
    count: i32x8,
    /// How near all are: one in the same place is more than the rest together.
    crowding: f32x8,
    behavior: PhantomData<B>,
}

impl<'a, B: Flocking, const RINGS: bool, const CONES: bool, const GROUPS: bool> Adding<'a, B, RINGS, CONES, GROUPS> {
    fn new(velocity: Vectors, perceivers: &'a EightPerceivers) -> Self {
        let speed_squared = velocity.dot(velocity);
        Self {
            velocity,
            perceivers,
            cones: perceivers.cones.map(|cone| cone * speed_squared),
            nearness: Vectors::default(),
            places: Vectors::default(),
            motion: Vectors::default(),
            place_count: i32x8::ZERO,
            motion_count: i32x8::ZERO,
            count: i32x8::ZERO,
            crowding: f32x8::ZERO,
            behavior: PhantomData,
        }
    }

    /// Which of the three looks of each agent see what is in this direction.
    #[inline(always)]
    fn seen(&self, part: usize, distance_squared: f32x8, ahead: f32x8) -> f32x8 {
        let near = distance_squared.simd_le(self.perceivers.radii_squared[part]);
        if CONES { near & ahead.simd_ge(self.cones[part] * distance_squared) } else { near }
    }

    /// The square of the distance to somebody in these groups, and who of the eight sees it with each look.
    #[inline(always)]
    fn look(&self, to: Vectors, groups: u32) -> (f32x8, f32x8, f32x8, f32x8) {
        let distance_squared = to.dot(to);
        let ahead = if CONES {
            let ahead = self.velocity.dot(to);
            ahead * ahead.abs()
        } else {
            f32x8::ZERO
        };
        let counts = |part| {
            let seen = self.seen(part, distance_squared, ahead);
            if !GROUPS {
                return seen;
            }
            let strange: f32x8 =
                bytemuck::cast((self.perceivers.groups & i32x8::splat(groups as i32)).simd_eq(i32x8::ZERO));
            // Neither seen nor strange.
            (seen | strange) ^ strange
        };
        let first = counts(0);
        let second = if RINGS { counts(1) } else { first };
        let third = if RINGS { counts(2) } else { first };
        (distance_squared, first, second, third)
    }

    #[inline(always)]
    fn add_all<const OWN_ROW: bool>(&mut self, bodies: &[Body], groups: &[u32], position: Vectors) {
        if GROUPS {
            for (body, groups) in bodies.iter().zip(groups) {
                self.add::<OWN_ROW>(body, *groups, position);
            }
        } else {
            for body in bodies {
                self.add::<OWN_ROW>(body, 0, position);
            }
        }
    }

    #[inline(always)]
    fn add<const OWN_ROW: bool>(&mut self, body: &Body, groups: u32, position: Vectors) {
        let to = Vectors::splat(body.position).minus(position);
        let (distance_squared, first, second, third) = self.look(to, groups);
        if B::NEARNESS || B::COINCIDENT {
            let nearness = if OWN_ROW {
                let nearness = f32x8::ONE / distance_squared.fast_max(f32x8::splat(TINY_SQUARED));
                self.crowding += nearness;
                nearness
            } else {
                f32x8::ONE / distance_squared
            };
            if B::NEARNESS {
                let seen = to.masked(first);
                self.nearness.x += seen.x * nearness;
                self.nearness.y += seen.y * nearness;
            }
        }
        if B::PLACES {
            let seen = to.masked(second);
            self.places.x += seen.x;
            self.places.y += seen.y;
            self.place_count -= as_integers(second);
        }
        if B::MOTION {
            let seen = Vectors::splat(body.velocity).masked(third);
            self.motion.x += seen.x;
            self.motion.y += seen.y;
            if RINGS || !B::PLACES {
                self.motion_count -= as_integers(third);
            }
        }
        if RINGS {
            self.count -= as_integers(first | second | third);
        }
    }

    /// One where each look of an agent in these groups sees the agent itself.
    #[inline(always)]
    fn myself_with(&self, part: usize, own_groups: i32x8) -> f32x8 {
        let known: f32x8 = if GROUPS {
            bytemuck::cast(!(self.perceivers.groups & own_groups).simd_eq(i32x8::ZERO))
        } else {
            bytemuck::cast(i32x8::splat(-1))
        };
        f32x8::splat(1.0) & known & self.seen(part, f32x8::ZERO, f32x8::ZERO)
    }

    /// The same for any look.
    #[inline(always)]
    fn myself(&self, own_groups: i32x8) -> f32x8 {
        [1, 2]
            .into_iter()
            .fold(self.myself_with(0, own_groups), |myself, part| myself.fast_max(self.myself_with(part, own_groups)))
    }

    /// The sums over everybody else, and for whom they may be wrong.
    fn without_self(&self, own_groups: i32x8) -> (Sums, Unusual) {
        let myself = |part| self.myself_with(part, own_groups);
        let count = |count: i32x8, part| f32x8::from_i32x8(count) - myself(part);
        let place_count = count(self.place_count, 1);
        let motion_count = if RINGS || !B::PLACES { count(self.motion_count, 2) } else { place_count };
        let sums = Sums {
            nearness: self.nearness,
            places: self.places,
            place_count,
            motion: self.motion.minus(self.velocity.scaled(myself(2))),
            motion_count,
        };
        let all = if RINGS {
            f32x8::from_i32x8(self.count) - self.myself(own_groups)
        } else if B::PLACES {
            place_count
        } else {
            motion_count
        };
        let too_many = !all.simd_le(self.perceivers.most);
        let too_near = self.crowding.simd_ge(f32x8::splat(1.5 / TINY_SQUARED));
        (sums, Unusual { too_many, too_near })
    }
}

fn as_integers(mask: f32x8) -> i32x8 {
    bytemuck::cast(mask)
}
