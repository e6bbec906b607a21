//! Randomness that is the same on every machine: one seed for the world, one generator for each agent.

use bevy::prelude::*;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use crate::agent::id::SteeringId;

/// The seed of everything random in steering. Default: 0.
///
/// Each random behavior of each agent has a generator of its own, seeded from this and the agent's
/// [`SteeringId`] when it first runs: the same seed gives the same motion. Change it before the agents start moving.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # App::new()
/// .insert_resource(SteeringSeed(2026))
/// # ;
/// ```
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Resource, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
pub struct SteeringSeed(pub u64);

/// A behavior's own source of random numbers: xoshiro256++, portable, part of the reflected state.
///
/// ```
/// # use bevy_steerling::prelude::*;
/// let mut random = SteeringRng::new(SteeringSeed(1), SteeringId::new(7), 1);
/// let u = random.uniform();
/// assert!((0.0..1.0).contains(&u));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Reflect)]
#[reflect(opaque)]
#[reflect(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
pub struct SteeringRng(Xoshiro256PlusPlus);

impl SteeringRng {
    /// The generator of a behavior of the agent `id` in a world with this `seed`. `stream` tells an agent's behaviors apart:
    /// any number that no other random behavior uses (Wander uses 0, Arbitration `u64::MAX`).
    pub fn new(seed: SteeringSeed, id: SteeringId, stream: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(mix(mix(mix(seed.0) ^ id.get()) ^ stream)))
    }

    /// The next number, evenly distributed in [0, 1).
    #[inline]
    pub fn uniform(&mut self) -> f32 {
        self.0.random()
    }
}

/// Scrambles a number so that neighboring inputs have nothing in common (the finalizer of `SplitMix64`).
#[inline]
pub(crate) const fn mix(number: u64) -> u64 {
    let z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// An angle in [0, 2π) that follows from a number and from nothing else.
#[inline]
pub(crate) fn angle_from(number: u64) -> f32 {
    // The upper 24 bits are as many as an f32 holds.
    (mix(number) >> 40) as f32 * (core::f32::consts::TAU / (1u32 << 24) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers must never change: saved games and recorded hashes depend on them.
    #[test]
    fn the_generator_is_portable() {
        let drawn = |seed, id, stream| {
            let mut random = SteeringRng::new(SteeringSeed(seed), SteeringId::new(id), stream);
            [(); 3].map(|()| random.uniform())
        };
        assert_eq!(drawn(0, 0, 0), [0.7294229, 0.16837662, 0.15839165]);
        for other in [drawn(1, 0, 0), drawn(0, 1, 0), drawn(0, 0, 1)] {
            assert!(other.iter().all(|u| !drawn(0, 0, 0).contains(u)));
        }
    }
}
