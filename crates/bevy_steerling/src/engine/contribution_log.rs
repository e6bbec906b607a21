//! The log of contributions, for agents with an arbitration or a trace.

use alloc::vec::Vec;

use bevy::prelude::*;

use crate::engine::contribution::{Contribution, OUTSIDE, Outcome, ROUNDING};
use crate::engine::contributor::Contributor;
use crate::engine::name::BehaviorName;
use crate::math::{self, Vector, finite_or_zero};

/// The contributions so far to the [`SteeringForce`](crate::agent::SteeringForce) of an agent in this tick.
///
/// Required by the components that need it. It is rebuilt in every tick, so it is neither reflected nor cloned.
#[derive(Component, Debug, Default, PartialEq)]
#[component(clone_behavior = Ignore)]
pub(crate) struct ContributionLog {
    pub entries: Vec<Entry>,
    /// The force after the last contribution. Any later difference was added by the game.
    pub force: Vector,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    pub contribution: Contribution,
    /// The priority; [`GIVEN`] for entries that are always applied.
    pub rank: i64,
    /// The position in the order of the tick.
    pub place: usize,
}

/// The rank of entries that arbitration never drops.
pub(crate) const GIVEN: i64 = i64::MAX;

impl ContributionLog {
    /// Starts a tick.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.force = Vector::ZERO;
    }

    /// Adds a contribution to the force.
    pub fn add<C: Contributor>(&mut self, force: &mut Vector, priority: i32, raw: Vector, weighted: Vector) {
        self.catch_up(*force);
        let applied = finite_or_zero(weighted);
        let outcome = if !weighted.is_finite() {
            Outcome::NotFinite
        } else if applied == Vector::ZERO {
            Outcome::Idle
        } else {
            Outcome::Applied
        };
        *force += applied;
        self.force = *force;
        let behavior = BehaviorName::of::<C::Settings>();
        // Turns −0 into 0.
        let (raw, applied) = (finite_or_zero(raw) + Vector::ZERO, applied + Vector::ZERO);
        self.push(Contribution { behavior, raw, weighted: applied, applied, outcome }, priority.into());
    }

    /// Logs what the game has added to the force since the last contribution.
    pub fn catch_up(&mut self, force: Vector) {
        if force != self.force && force.is_finite() {
            self.fill(&OUTSIDE, self.force, force);
            self.force = force;
        }
    }

    /// Logs a change of the force under a name.
    #[cfg(not(dim3))]
    pub fn change(&mut self, name: &BehaviorName, force: Vector, changed: Vector) {
        self.catch_up(force);
        self.fill(name, self.force, changed);
        self.force = changed;
    }

    /// Shortens all entries by the same factor as the total, and adds an entry for the rounding error.
    pub fn close(&mut self, force: Vector, max_force: f32) -> impl Iterator<Item = Contribution> {
        self.catch_up(force);
        let total = math::truncate(force, max_force);
        let share = total.length() / math::truncate(force, f32::INFINITY).length();
        // An arbitrated total may exceed max force by a rounding error.
        if share < 1.0 - ROUGHLY {
            for Entry { contribution, .. } in &mut self.entries {
                contribution.applied = math::truncate(contribution.applied, f32::INFINITY) * share;
                if contribution.outcome == Outcome::Applied {
                    contribution.outcome = Outcome::Truncated;
                }
            }
        }
        if total.is_finite() {
            self.fill(&ROUNDING, self.sum(), total);
        }
        self.entries.iter().map(|entry| entry.contribution.clone())
    }

    /// The sum of the applied forces, in order.
    pub fn sum(&self) -> Vector {
        self.entries.iter().fold(Vector::ZERO, |sum, entry| sum + entry.contribution.applied)
    }

    /// Logs the difference between two sums, so that the new sum is bit-identical to `to`.
    fn fill(&mut self, name: &BehaviorName, mut sum: Vector, to: Vector) {
        // Two passes, in case digits cancel out.
        for _ in 0..2 {
            let missing = finite_or_zero(to - sum);
            if missing == Vector::ZERO {
                return;
            }
            sum += missing;
            let behavior = name.clone();
            let outcome = Outcome::Applied;
            let all = Contribution { behavior, raw: missing, weighted: missing, applied: missing, outcome };
            self.push(all, GIVEN);
        }
    }

    fn push(&mut self, contribution: Contribution, rank: i64) {
        self.entries.push(Entry { contribution, rank, place: self.entries.len() });
    }
}

/// Relative differences below this are rounding errors.
const ROUGHLY: f32 = 1e-5;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_filled_in_leads_to_the_last_bit() {
        let numbers = [0.0, 0.1, -0.3, 1.0, 7.7e4, -1.3e19, 16_777_216.0, 1e-30, 123_456.79, 3e18];
        for from in numbers {
            for to in numbers {
                let mut log = ContributionLog::default();
                log.fill(&OUTSIDE, Vector::ZERO, Vector::new(from, to));
                log.fill(&ROUNDING, log.sum(), Vector::new(to, from));
                assert_eq!(log.sum(), Vector::new(to, from), "{from} {to}: {log:?}");
            }
        }
    }
}
