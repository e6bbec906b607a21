//! The new totals of agents that are computed together.

use alloc::vec::Vec;

use bevy::prelude::*;

use crate::math::Vector;

/// The results of agents that avoid others, in the order of the index.
#[derive(Resource, Default)]
pub struct Outcomes(pub(super) Vec<Outcome>);

/// The result of an agent that avoids others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Outcome {
    /// The total from which it was computed.
    pub before: Vector,
    /// The new total.
    pub total: Vector,
    pub detour: f32,
}

impl Outcome {
    /// Must be computed for the agent alone.
    pub const UNKNOWN: Self = Self { before: Vector::NAN, total: Vector::NAN, detour: f32::NAN };
}

impl Outcomes {
    /// The result of the agent at a place.
    #[inline(always)]
    pub(super) fn of(&self, place: Option<usize>) -> Outcome {
        place.and_then(|place| self.0.get(place)).copied().unwrap_or(Outcome::UNKNOWN)
    }
}
