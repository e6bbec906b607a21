//! The contribution of one behavior to the force of an agent.

use bevy::prelude::*;

use crate::engine::name::BehaviorName;
use crate::math::Vector;

/// The force that a behavior or constraint contributed in a tick, and the outcome. All forces are in mass · units/s² and finite.
#[derive(Clone, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub struct Contribution {
    #[cfg_attr(not(dim3), doc = "The behavior or constraint, or [`OUTSIDE`], [`BODY`] or [`ROUNDING`].")]
    #[cfg_attr(dim3, doc = "The behavior or constraint, or [`OUTSIDE`] or [`ROUNDING`].")]
    pub behavior: BehaviorName,
    /// The force for the wish.
    pub raw: Vector,
    /// The raw force times the weight.
    pub weighted: Vector,
    /// The part of the [`SteeringForce`](crate::agent::SteeringForce) that comes from this contribution.
    pub applied: Vector,
    /// What happened to the contribution.
    pub outcome: Outcome,
}

/// What happened to a contribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Reflect)]
#[reflect(Clone, Debug, PartialEq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub enum Outcome {
    /// It was applied in full.
    Applied,
    /// It was zero: the behavior wanted nothing or has weight zero.
    Idle,
    /// It was shortened: to the rest of max force, or together with all others because the total exceeded max force.
    Truncated,
    /// It was dropped: contributions of higher priority had spent max force.
    Spent,
    /// It was dropped: a contribution of higher priority won.
    Outranked,
    /// It was dropped: the sum of its priority group was below the threshold.
    BelowThreshold,
    /// It was dropped: it was not chosen in [`ArbitrationMode::Dithering`](crate::engine::arbitration::ArbitrationMode::Dithering).
    NotDrawn,
    /// It was dropped: it was not finite.
    NotFinite,
}

/// The name of forces that the game added to the [`SteeringForce`](crate::agent::SteeringForce), in traces.
pub const OUTSIDE: BehaviorName = BehaviorName::special("outside");

/// The name of changes due to the limits of the agent's body, in traces: see [`BodyLimits`](crate::agent::BodyLimits).
#[cfg(not(dim3))]
pub const BODY: BehaviorName = BehaviorName::special("body");

/// The name of the rounding error in traces. This is the difference between the [`SteeringForce`](crate::agent::SteeringForce) and the sum
/// of all other contributions. If most digits cancel out, a trace has two such entries.
pub const ROUNDING: BehaviorName = BehaviorName::special("rounding");
