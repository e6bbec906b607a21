//! Random numbers that are the same on every machine: one seed for the world, one generator per behavior and agent.

#[cfg(dim3)]
use bevy::math::ops;
use bevy::prelude::*;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use crate::agent::id::SteeringId;
use crate::math::{Vector, unit_vector};

/// The seed of all random numbers in steering. Default: 0.
///
/// Each random behavior of each agent has its own generator, seeded from this and the agent's [`SteeringId`] when it first runs. The
/// same seed gives the same motion. Set it before the agents start to move.
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
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub struct SteeringSeed(pub u64);

/// A random number generator for one behavior of one agent: xoshiro256++, which gives the same numbers on every platform.
///
/// ```
/// # use bevy_steerling::agent::SteeringId;
/// # use bevy_steerling::agent::random::{SteeringRng, SteeringSeed};
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
    /// The generator of a behavior of the agent `id` in a world with this `seed`. `stream` must differ between the random behaviors of
    /// an agent: `Wander` uses 0, `Arbitration` uses `u64::MAX`.
    pub fn new(seed: SteeringSeed, id: SteeringId, stream: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(mix(mix(mix(seed.0) ^ id.get()) ^ stream)))
    }

    /// The next number, uniformly distributed in [0, 1).
    #[inline]
    pub fn uniform(&mut self) -> f32 {
        self.0.random()
    }
}

/// Scrambles a number, so that similar inputs have unrelated results (the finalizer of `SplitMix64`).
#[inline]
pub(crate) const fn mix(number: u64) -> u64 {
    let z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A pseudorandom angle in [0, 2π), the same for the same number.
#[inline]
pub(crate) fn angle_from(number: u64) -> f32 {
    // An f32 holds 24 bits.
    (mix(number) >> 40) as f32 * (core::f32::consts::TAU / (1u32 << 24) as f32)
}

/// A pseudorandom unit vector, the same for the same number.
#[inline]
pub(crate) fn direction_from(number: u64) -> Vector {
    let around = unit_vector(angle_from(number));
    #[cfg(not(dim3))]
    return around;
    #[cfg(dim3)]
    {
        // Uniform on the sphere: Archimedes' hat-box theorem.
        let height = angle_from(!number) / core::f32::consts::PI - 1.0;
        (around * ops::sqrt(1.0 - height * height)).extend(height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Saved games and recorded hashes depend on these numbers.
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
