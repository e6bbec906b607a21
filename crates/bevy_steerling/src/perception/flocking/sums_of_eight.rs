//! Sums over the neighbors of eight agents at a time.

use alloc::vec::Vec;
use core::marker::PhantomData;

use wide::{f32x8, i32x8};

use crate::math::lanes::{LANES, Lanes, VectorOf};
use crate::perception::flocking::kernel::{NeighborKernel, Perceiver, Sums};
use crate::perception::flocking::sight::{Sight, TINY_SQUARED, intrusion, nearness, signed_square};
use crate::perception::neighbors::Body;

/// Eight [`Perceiver`]s.
#[derive(Clone, Copy)]
pub(super) struct EightPerceivers {
    pub radii_squared: [f32x8; 3],
    pub cones: [f32x8; 3],
    pub groups: i32x8,
    pub most: f32x8,
    pub terms: [f32x8; 4],
    pub intrusion_radius: f32x8,
    pub weight: f32x8,
    /// The largest reach of any, units.
    pub reach: f32,
    pub is_alone: [bool; LANES],
}

impl EightPerceivers {
    pub fn new(perceivers: [&Perceiver; LANES]) -> Self {
        let lanes = |get: &dyn Fn(&Perceiver) -> f32| f32x8::from(perceivers.map(get));
        let three = |get: fn(&Perceiver) -> [f32; 3]| [0, 1, 2].map(|part| lanes(&|perceiver| get(perceiver)[part]));
        Self {
            radii_squared: three(|perceiver| perceiver.radii).map(signed_square),
            cones: three(|perceiver| perceiver.cones),
            groups: i32x8::from(perceivers.map(|perceiver| perceiver.groups.bits() as i32)),
            most: lanes(&|perceiver| perceiver.most as f32),
            terms: [0, 1, 2, 3].map(|term| lanes(&|perceiver| perceiver.terms[term])),
            intrusion_radius: lanes(&|perceiver| perceiver.intrusion_radius),
            weight: lanes(&|perceiver| perceiver.weight),
            reach: perceivers.iter().map(|perceiver| perceiver.reach()).fold(0.0, f32::max),
            is_alone: perceivers.map(|perceiver| perceiver.is_alone),
        }
    }
}

/// What decides, beside its place, who perceives an agent.
#[derive(Clone, Copy, Default)]
pub(super) struct Mark {
    pub groups: u32,
    /// The height above the plane, units.
    pub height: f32,
}

/// The eight agents themselves.
#[derive(Clone, Copy)]
pub(super) struct Own {
    pub velocity: VectorOf<f32x8>,
    pub groups: i32x8,
    /// The heights above the plane, units.
    pub heights: f32x8,
    /// Others whose heights differ by more are on another floor, units.
    pub floor_height: f32x8,
}

/// The agents whose sums may be wrong.
pub(super) struct Unusual {
    /// More neighbors than may count.
    pub too_many: f32x8,
    /// A neighbor in the same place.
    pub coincident: f32x8,
}

/// Running sums. An agent itself is included until [`without_self`](Self::without_self): that saves a comparison per neighbor.
///
/// `RINGS`: the three radii differ. `CONES`: there are fields of view. `MARKS`: groups or floors matter.
pub(super) struct Adding<'a, K, const RINGS: bool, const CONES: bool, const MARKS: bool> {
    own: &'a Own,
    perceivers: &'a EightPerceivers,
    sight: Sight<f32x8>,
    nearness: VectorOf<f32x8>,
    places: VectorOf<f32x8>,
    intrusion: VectorOf<f32x8>,
    intrusions: f32x8,
    motion: VectorOf<f32x8>,
    /// How many neighbors are in `places`, negative.
    place_count: i32x8,
    /// How many neighbors are in `motion`, negative.
    motion_count: i32x8,
    /// How many neighbors are in any sum, negative.
    count: i32x8,
    /// The sum of the inverse squares of all distances: one neighbor in the same place exceeds all others together.
    crowding: f32x8,
    kernel: PhantomData<K>,
}

impl<'a, K: NeighborKernel, const RINGS: bool, const CONES: bool, const MARKS: bool>
    Adding<'a, K, RINGS, CONES, MARKS>
{
    #[inline(always)]
    pub fn new(own: &'a Own, perceivers: &'a EightPerceivers) -> Self {
        Self {
            own,
            perceivers,
            sight: Sight::new(perceivers.radii_squared, perceivers.cones, own.velocity),
            nearness: VectorOf::default(),
            places: VectorOf::default(),
            intrusion: VectorOf::default(),
            intrusions: f32x8::ZERO,
            motion: VectorOf::default(),
            place_count: i32x8::ZERO,
            motion_count: i32x8::ZERO,
            count: i32x8::ZERO,
            crowding: f32x8::ZERO,
            kernel: PhantomData,
        }
    }

    /// The square of the distance to a neighbor with this mark, and which of the eight perceive it for nearness, places and motion.
    #[inline(always)]
    pub fn perceive(&self, to: VectorOf<f32x8>, mark: Mark) -> (f32x8, [f32x8; 3]) {
        let distance_squared = to.dot(to);
        let squared_ahead = self.sight.squared_ahead::<CONES>(to);
        let perceived = |part| {
            let within = self.sight.is_within::<CONES>(part, distance_squared, squared_ahead);
            if !MARKS {
                return within;
            }
            let foreign: f32x8 =
                bytemuck::cast((self.perceivers.groups & i32x8::splat(mark.groups as i32)).simd_eq(i32x8::ZERO));
            let elsewhere = (self.own.heights - f32x8::splat(mark.height)).abs().simd_gt(self.own.floor_height);
            let strange = foreign | elsewhere;
            // Within, and not strange.
            (within | strange) ^ strange
        };
        let first = perceived(0);
        let second = if RINGS { perceived(1) } else { first };
        let third = if RINGS { perceived(2) } else { first };
        (distance_squared, [first, second, third])
    }

    /// Adds neighbors. `OWN_ROW`: any of the eight, or of those in their places, may be among them. `seen` is kept for its memory.
    #[inline(always)]
    pub fn add_all<const OWN_ROW: bool>(
        &mut self,
        bodies: &[Body],
        marks: &[Mark],
        position: VectorOf<f32x8>,
        seen: &mut Vec<u32>,
    ) {
        if cfg!(dim3) {
            // In space, two thirds of them are too far away for any of the eight. In the plane it is one third, and this would not pay.
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

    /// Those of the neighbors that are near enough for one of the eight to perceive them.
    #[inline(always)]
    fn list_seen<'l>(&self, bodies: &[Body], position: VectorOf<f32x8>, seen: &'l mut Vec<u32>) -> &'l [u32] {
        let [first, second, third] = self.perceivers.radii_squared;
        let farthest = if RINGS { first.max(second).max(third) } else { first };
        if seen.len() < bodies.len() {
            seen.resize(bodies.len(), 0);
        }
        let mut count = 0;
        for (body, index) in bodies.iter().zip(0..) {
            let to = VectorOf::splat(body.position) - position;
            // Without a branch, because nothing predicts it.
            seen[count] = index;
            count += usize::from(<f32x8 as Lanes>::any(to.dot(to).simd_le(farthest)));
        }
        &seen[..count]
    }

    #[inline(always)]
    fn add<const OWN_ROW: bool>(&mut self, body: &Body, mark: Mark, position: VectorOf<f32x8>) {
        let to = VectorOf::splat(body.position) - position;
        let (distance_squared, [first, second, third]) = self.perceive(to, mark);
        // This order spills the fewest sums to memory: 8 % fewer instructions than the order of the fields.
        if K::PLACES {
            self.places += to.masked(second);
            self.place_count -= as_integers(second);
        }
        if K::NEARNESS || K::COINCIDENT || K::INTRUSION {
            let nearness = nearness::<f32x8, OWN_ROW>(distance_squared);
            if OWN_ROW {
                self.crowding += nearness;
            }
            if K::NEARNESS {
                self.nearness += to.masked(first) * nearness;
            }
            if K::INTRUSION {
                // Not the agent itself. Of others in its place, only `crowding` is needed.
                let others = if OWN_ROW { second & distance_squared.simd_gt(f32x8::ZERO) } else { second };
                let inverse = nearness.sqrt();
                let intrusion = intrusion(inverse, self.perceivers.intrusion_radius) & others;
                self.intrusion += to * (inverse * intrusion);
                self.intrusions += intrusion;
            }
        }
        if K::MOTION {
            self.motion += VectorOf::splat(body.velocity).masked(third);
            if RINGS || !K::PLACES {
                self.motion_count -= as_integers(third);
            }
        }
        if RINGS {
            self.count -= as_integers(first | second | third);
        }
    }

    /// One where an agent perceives itself for one of the sums.
    #[inline(always)]
    fn myself_in(&self, part: usize) -> f32x8 {
        let known: f32x8 = if MARKS {
            bytemuck::cast(!(self.perceivers.groups & self.own.groups).simd_eq(i32x8::ZERO))
        } else {
            bytemuck::cast(i32x8::splat(-1))
        };
        f32x8::splat(1.0) & known & self.sight.is_within::<CONES>(part, f32x8::ZERO, f32x8::ZERO)
    }

    /// One where an agent perceives itself for any of the sums.
    #[inline(always)]
    pub fn myself(&self) -> f32x8 {
        [1, 2].into_iter().fold(self.myself_in(0), |myself, part| myself.fast_max(self.myself_in(part)))
    }

    /// The sums over all others, and where they may be wrong.
    #[inline(always)]
    pub fn without_self(&self) -> (Sums<f32x8>, Unusual) {
        let count = |count: i32x8, part| f32x8::from_i32x8(count) - self.myself_in(part);
        let place_count = count(self.place_count, 1);
        let motion_count = if RINGS || !K::PLACES { count(self.motion_count, 2) } else { place_count };
        let sums = Sums {
            nearness: self.nearness,
            places: self.places,
            place_count,
            intrusion: self.intrusion,
            intrusions: self.intrusions,
            motion: self.motion - self.own.velocity * self.myself_in(2),
            motion_count,
        };
        let all = if RINGS {
            f32x8::from_i32x8(self.count) - self.myself()
        } else if K::PLACES {
            place_count
        } else {
            motion_count
        };
        let too_many = !all.simd_le(self.perceivers.most);
        let coincident = self.crowding.simd_ge(f32x8::splat(1.5 / TINY_SQUARED));
        (sums, Unusual { too_many, coincident })
    }
}

/// A mask as −1 or 0.
#[inline(always)]
pub(super) fn as_integers(mask: f32x8) -> i32x8 {
    bytemuck::cast(mask)
}
