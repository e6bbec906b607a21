//! One behavior's part of the force of an agent.

use bevy::prelude::*;

use crate::engine::name::BehaviorName;
use crate::math::Vector;

/// The force that a behavior or constraint contributed in a tick, and what became of it. All forces are in mass · units / s², and
/// finite.
#[derive(Clone, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
pub struct Contribution {
    /// The behavior or constraint, or [`OUTSIDE`], [`BODY`] or [`ROUNDING`].
    pub behavior: BehaviorName,
    /// The force that it wanted.
    pub raw: Vector,
    /// That times its weight.
    pub weighted: Vector,
    /// Its share of the [`SteeringForce`](crate::agent::SteeringForce).
    pub applied: Vector,
    /// What became of it.
    pub outcome: Outcome,
}

/// What became of a contribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Reflect)]
#[reflect(Clone, Debug, PartialEq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
pub enum Outcome {
    /// It was applied in full.
    Applied,
    /// The behavior wanted nothing, or has no weight.
    Idle,
    /// It was shortened: to what was left of max force, or with all others because the total was longer than max force.
    Truncated,
    /// It was dropped: more urgent ones had spent max force.
    Spent,
    /// It was dropped: a more urgent one won.
    Outranked,
    /// It was dropped: the total of its group was below the threshold.
    BelowThreshold,
    /// It was dropped by the dice.
    NotDrawn,
    /// It was dropped: it was not finite.
    NotFinite,
}

/// The name in traces of what the game itself added to the [`SteeringForce`](crate::agent::SteeringForce).
pub const OUTSIDE: BehaviorName = BehaviorName::special("outside");

/// The name in traces of what the limits of the agent's body changed: see [`BodyLimits`](crate::agent::BodyLimits).
pub const BODY: BehaviorName = BehaviorName::special("body");

/// The name in traces of the difference between the sum of all other contributions and the [`SteeringForce`](crate::agent::SteeringForce):
/// the last digits of shortened forces. A trace has two such entries where most digits cancel out.
pub const ROUNDING: BehaviorName = BehaviorName::special("rounding");
