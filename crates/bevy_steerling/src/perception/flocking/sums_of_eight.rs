//! Sums over the neighbors of eight agents at a time.

use alloc::vec::Vec;
use core::marker::PhantomData;

use fearless_simd::prelude::{Simd, SimdFrom, SimdInt, SimdInto, SimdMask};
use fearless_simd::{f32x8, i32x8, mask32x8};

use crate::math::Vector;
use crate::math::lanes::{LANES, Lanes, VectorOf, each_lane};
use crate::perception::flocking::kernel::{NeighborKernel, Perceiver, Sums};
use crate::perception::flocking::sight::{Sight, TINY_SQUARED, intrusion, nearness, signed_square};
use crate::perception::neighbors::Body;

/// Eight [`Perceiver`]s.
#[derive(Clone, Copy)]
pub(super) struct EightPerceivers<S: Simd> {
    pub radii_squared: [f32x8<S>; 3],
    pub cones: [f32x8<S>; 3],
    pub groups: i32x8<S>,
    pub most: f32x8<S>,
    pub terms: [f32x8<S>; 4],
    pub intrusion_radius: f32x8<S>,
    pub weight: f32x8<S>,
    /// The largest reach of any, units.
    pub reach: f32,
    pub is_alone: [bool; LANES],
}

impl<S: Simd> EightPerceivers<S> {
    #[inline(always)]
    pub fn new(simd: S, perceivers: [&Perceiver; LANES]) -> Self {
        let radius = |part: usize| gather(simd, &perceivers, |perceiver| known_square(perceiver.radii[part]));
        let cone = |part: usize| gather(simd, &perceivers, |perceiver| perceiver.cones[part]);
        let term = |term: usize| gather(simd, &perceivers, |perceiver| perceiver.terms[term]);
        Self {
            radii_squared: [radius(0), radius(1), radius(2)],
            cones: [cone(0), cone(1), cone(2)],
            groups: each_lane(|lane| perceivers[lane].groups.bits() as i32).simd_into(simd),
            most: gather(simd, &perceivers, |perceiver| perceiver.most as f32),
            terms: [term(0), term(1), term(2), term(3)],
            intrusion_radius: gather(simd, &perceivers, |perceiver| perceiver.intrusion_radius),
            weight: gather(simd, &perceivers, |perceiver| perceiver.weight),
            reach: perceivers.iter().map(|perceiver| perceiver.reach()).fold(0.0, f32::max),
            is_alone: each_lane(|lane| perceivers[lane].is_alone),
        }
    }
}

/// A number of each of the perceivers.
#[inline(always)]
fn gather<S: Simd>(simd: S, perceivers: &[&Perceiver; LANES], get: impl Fn(&Perceiver) -> f32) -> f32x8<S> {
    f32x8::gather(simd, |lane| get(perceivers[lane]))
}

/// The square of a radius, with its sign. With a radius that is negative or NaN there are no neighbors.
fn known_square(radius: f32) -> f32 {
    if radius.is_nan() { -1.0 } else { signed_square(radius) }
}

/// What determines who perceives an agent, in addition to its place.
#[derive(Clone, Copy, Default)]
pub(super) struct Mark {
    pub groups: u32,
    /// The height above the plane, units.
    pub height: f32,
}

/// The eight agents themselves.
#[derive(Clone, Copy)]
pub(super) struct Own<S: Simd> {
    pub velocity: VectorOf<f32x8<S>>,
    pub groups: i32x8<S>,
    /// The heights above the plane, units.
    pub heights: f32x8<S>,
    /// Others whose heights differ by more are on another floor, units.
    pub floor_height: f32x8<S>,
}

/// The agents whose sums may be wrong.
pub(super) struct Unusual<S: Simd> {
    /// More than the maximum number of neighbors.
    pub too_many: mask32x8<S>,
    /// A neighbor in the same place.
    pub coincident: mask32x8<S>,
}

/// Running sums. The agent itself is included until [`without_self`](Self::without_self), which saves a comparison per neighbor.
///
/// `RINGS`: the three radii may differ. `CONES`: there are fields of view. `MARKS`: groups or floors are needed.
pub(super) struct Adding<'a, S: Simd, K, const RINGS: bool, const CONES: bool, const MARKS: bool> {
    own: &'a Own<S>,
    perceivers: &'a EightPerceivers<S>,
    sight: Sight<f32x8<S>>,
    nearness: VectorOf<f32x8<S>>,
    places: VectorOf<f32x8<S>>,
    intrusion: VectorOf<f32x8<S>>,
    intrusions: f32x8<S>,
    motion: VectorOf<f32x8<S>>,
    /// The number of neighbors in `places`, negated.
    place_count: i32x8<S>,
    /// The number of neighbors in `motion`, negated.
    motion_count: i32x8<S>,
    /// The number of neighbors in any sum, negated.
    count: i32x8<S>,
    /// The sum of the inverse squares of all distances. A single neighbor in the same place exceeds all others together.
    crowding: f32x8<S>,
    kernel: PhantomData<K>,
}

impl<'a, S: Simd, K: NeighborKernel, const RINGS: bool, const CONES: bool, const MARKS: bool>
    Adding<'a, S, K, RINGS, CONES, MARKS>
{
    /// Whether an agent may perceive different neighbors for the three sums.
    const DIFFERENT: bool = RINGS && K::DIFFERENT;

    #[inline(always)]
    pub fn new(own: &'a Own<S>, perceivers: &'a EightPerceivers<S>) -> Self {
        let none = own.velocity.splat(Vector::ZERO);
        let nobody = i32x8::simd_from(none.x.simd, 0);
        Self {
            own,
            perceivers,
            sight: Sight::new(perceivers.radii_squared, perceivers.cones, own.velocity),
            nearness: none,
            places: none,
            intrusion: none,
            intrusions: none.x,
            motion: none,
            place_count: nobody,
            motion_count: nobody,
            count: nobody,
            crowding: none.x,
            kernel: PhantomData,
        }
    }

    #[inline(always)]
    pub fn simd(&self) -> S {
        self.crowding.simd
    }

    /// The square of the distance to a neighbor with this mark, and which of the eight perceive it for nearness, places and motion.
    #[inline(always)]
    pub fn perceive(&self, to: VectorOf<f32x8<S>>, mark: Mark) -> (f32x8<S>, [mask32x8<S>; 3]) {
        let distance_squared = to.dot(to);
        let squared_ahead = self.sight.squared_ahead::<CONES>(to);
        let first = self.perceive_part(0, distance_squared, squared_ahead, mark);
        let second = if Self::DIFFERENT { self.perceive_part(1, distance_squared, squared_ahead, mark) } else { first };
        let third = if Self::DIFFERENT { self.perceive_part(2, distance_squared, squared_ahead, mark) } else { first };
        (distance_squared, [first, second, third])
    }

    #[inline(always)]
    fn perceive_part(
        &self,
        part: usize,
        distance_squared: f32x8<S>,
        squared_ahead: f32x8<S>,
        mark: Mark,
    ) -> mask32x8<S> {
        let within = self.sight.is_within::<CONES>(part, distance_squared, squared_ahead);
        if !MARKS {
            return within;
        }
        let foreign = is_zero(self.perceivers.groups & mark.groups as i32);
        let elsewhere = (self.own.heights - mark.height).abs().simd_gt(self.own.floor_height);
        within & !(foreign | elsewhere)
    }

    /// Adds neighbors. `OWN_ROW`: they may include any of the eight, or agents in their places. `seen` is kept for its capacity.
    #[inline(always)]
    pub fn add_all<const OWN_ROW: bool>(
        &mut self,
        bodies: &[Body],
        marks: &[Mark],
        position: VectorOf<f32x8<S>>,
        seen: &mut Vec<u32>,
    ) {
        if cfg!(dim3) {
            // In space, two thirds of them are too far away for any of the eight. In the plane it is one third, and this would not pay off.
            for index in self.list_seen(bodies, position, seen) {
                let index = *index as usize;
                let mark = if MARKS { marks[index] } else { Mark::default() };
                self.add::<OWN_ROW>(&bodies[index], mark, position);
            }
        } else if MARKS {
            for (body, mark) in bodies.iter().zip(marks) {
                self.add::<OWN_ROW>(body, *mark, position);
            }
        } else {
            for body in bodies {
                self.add::<OWN_ROW>(body, Mark::default(), position);
            }
        }
    }

    /// The neighbors that are close enough for one of the eight to perceive them.
    #[inline(always)]
    fn list_seen<'l>(&self, bodies: &[Body], position: VectorOf<f32x8<S>>, seen: &'l mut Vec<u32>) -> &'l [u32] {
        let [first, second, third] = self.perceivers.radii_squared;
        let farthest = if Self::DIFFERENT { first.fast_max(second).fast_max(third) } else { first };
        if seen.len() < bodies.len() {
            seen.resize(bodies.len(), 0);
        }
        let mut count = 0;
        for (body, index) in bodies.iter().zip(0..) {
            let to = position.splat(body.position) - position;
            // This has no branch, because it would be unpredictable.
            seen[count] = index;
            count += usize::from(to.dot(to).simd_le(farthest).any_true());
        }
        &seen[..count]
    }

    #[inline(always)]
    fn add<const OWN_ROW: bool>(&mut self, body: &Body, mark: Mark, position: VectorOf<f32x8<S>>) {
        let to = position.splat(body.position) - position;
        let (distance_squared, [first, second, third]) = self.perceive(to, mark);
        // This order spills the fewest sums to memory: 8 % fewer instructions than the order of the fields.
        if K::PLACES {
            self.places += to.masked(second);
            self.place_count -= as_integers(second);
        }
        if K::NEARNESS || K::COINCIDENT || K::INTRUSION {
            let nearness = nearness::<f32x8<S>, OWN_ROW>(distance_squared);
            if OWN_ROW {
                self.crowding += nearness;
            }
            if K::NEARNESS {
                self.nearness += to.masked(first) * nearness;
            }
            if K::INTRUSION {
                // Excludes the agent itself. For others in the same place, only `crowding` is needed.
                let others =
                    if OWN_ROW { second & distance_squared.simd_gt(distance_squared.splat(0.0)) } else { second };
                let inverse = nearness.sqrt();
                let intrusion = intrusion(inverse, self.perceivers.intrusion_radius).masked(others);
                self.intrusion += to * (inverse * intrusion);
                self.intrusions += intrusion;
            }
        }
        if K::MOTION {
            self.motion += position.splat(body.velocity).masked(third);
            if Self::DIFFERENT || !K::PLACES {
                self.motion_count -= as_integers(third);
            }
        }
        if Self::DIFFERENT {
            self.count -= as_integers(first | second | third);
        }
    }

    /// One where an agent perceives itself for one of the sums.
    #[inline(always)]
    fn myself_in(&self, part: usize) -> f32x8<S> {
        let zero = self.crowding.splat(0.0);
        let within = self.sight.is_within::<CONES>(part, zero, zero);
        let known = if MARKS { within & !is_zero(self.perceivers.groups & self.own.groups) } else { within };
        zero.splat(1.0).masked(known)
    }

    /// One where an agent perceives itself for any of the sums.
    #[inline(always)]
    pub fn myself(&self) -> f32x8<S> {
        self.myself_in(0).fast_max(self.myself_in(1)).fast_max(self.myself_in(2))
    }

    /// The sums over all others, and where they may be wrong.
    #[inline(always)]
    pub fn without_self(&self) -> (Sums<f32x8<S>>, Unusual<S>) {
        let place_count = as_numbers(self.place_count) - self.myself_in(1);
        let motion_count =
            if Self::DIFFERENT || !K::PLACES { as_numbers(self.motion_count) - self.myself_in(2) } else { place_count };
        let sums = Sums {
            nearness: self.nearness,
            places: self.places,
            place_count,
            intrusion: self.intrusion,
            intrusions: self.intrusions,
            motion: self.motion - self.own.velocity * self.myself_in(2),
            motion_count,
        };
        let all = if Self::DIFFERENT {
            as_numbers(self.count) - self.myself()
        } else if K::PLACES {
            place_count
        } else {
            motion_count
        };
        let too_many = !all.simd_le(self.perceivers.most);
        let coincident = self.crowding.simd_ge(self.crowding.splat(1.5 / TINY_SQUARED));
        (sums, Unusual { too_many, coincident })
    }
}

#[inline(always)]
fn is_zero<S: Simd>(integers: i32x8<S>) -> mask32x8<S> {
    fearless_simd::SimdBase::simd_eq(integers, 0)
}

/// A mask as −1 or 0.
#[inline(always)]
pub(super) fn as_integers<S: Simd>(mask: mask32x8<S>) -> i32x8<S> {
    mask.to_vector()
}

#[inline(always)]
pub(super) fn as_numbers<S: Simd>(integers: i32x8<S>) -> f32x8<S> {
    integers.to_float()
}
