//! What each behavior of an agent contributes in a tick, for agents of which more than the sum matters.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::any::{TypeId, type_name};

use bevy::ecs::system::SystemParamItem;
use bevy::prelude::*;

use crate::agent::SteeringForce;
use crate::engine::arbitration::Arbitration;
use crate::engine::behavior::{AgentData, AgentDataItem, PARALLEL_THRESHOLD, SteeringBehavior, TickParam};
use crate::engine::body::BodyLimits;
use crate::engine::trace::{Contribution, OUTSIDE, Outcome, ROUNDING, SteeringTrace};
use crate::math::{self, Vector, finite_or_zero};

/// Agents of which only the sum matters, and whose bodies have no limits: nearly all.
pub(crate) type Unlogged = (Without<Arbitration>, Without<SteeringTrace>, Without<BodyLimits>);

/// The others.
pub(crate) type Logged = Or<(With<Arbitration>, With<SteeringTrace>, With<BodyLimits>)>;

pub(crate) type LoggedData<B> = (
    &'static mut B,
    &'static mut SteeringForce,
    AgentData,
    Option<&'static mut ContributionLog>,
    Option<&'static mut BodyLimits>,
);

/// Those with a behavior.
pub(crate) type LoggedCrowd<'w, 's, B> = Query<'w, 's, LoggedData<B>, Logged>;

type LoggedItem<'w, 's, B> = (
    Mut<'w, B>,
    Mut<'w, SteeringForce>,
    AgentDataItem<'w, 's>,
    Option<Mut<'w, ContributionLog>>,
    Option<Mut<'w, BodyLimits>>,
);

/// The contributions to an agent's [`SteeringForce`] so far in this tick.
///
/// It lasts no longer than a tick, and comes with the components that need it: so it is not reflected.
#[derive(Component, Clone, Debug, Default, PartialEq)]
pub(crate) struct ContributionLog {
    pub entries: Vec<Entry>,
    /// The [`SteeringForce`] as it was last left: what is different now comes from outside.
    pub force: Vector,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    /// The type of the behavior, if it is one.
    behavior: Option<TypeId>,
    pub contribution: Contribution,
    /// The more urgent the higher.
    pub rank: i64,
    /// When it was noted.
    pub place: usize,
}

/// The rank of what is above all priorities.
pub(crate) const GIVEN: i64 = i64::MAX;

/// The name of a type without its path.
pub(crate) fn short_name<T>() -> &'static str {
    let name = type_name::<T>();
    // Whatever its parameters are called.
    let path = name.split('<').next().unwrap_or(name);
    &name[path.rfind("::").map_or(0, |colons| colons + 2)..]
}

impl ContributionLog {
    /// Adds a behavior's contribution to the force.
    pub fn add<B: SteeringBehavior>(&mut self, force: &mut Vector, behavior: &B, raw: Vector, weighted: Vector) {
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
        let name = Cow::Borrowed(short_name::<B>());
        // Zeros without a sign.
        let (raw, applied) = (finite_or_zero(raw) + Vector::ZERO, applied + Vector::ZERO);
        let contribution = Contribution { behavior: name, raw, weighted: applied, applied, outcome };
        self.push(Some(TypeId::of::<B>()), contribution, behavior.priority().into());
    }

    /// Whether a behavior has contributed already.
    fn has<B: 'static>(&self) -> bool {
        self.entries.iter().any(|entry| entry.behavior == Some(TypeId::of::<B>()))
    }

    /// Notes what the game has added to the force.
    pub fn catch_up(&mut self, force: Vector) {
        if force != self.force && force.is_finite() {
            self.fill(OUTSIDE, self.force, force);
            self.force = force;
        }
    }

    /// Notes what else changes the force.
    pub fn change(&mut self, name: &'static str, force: Vector, changed: Vector) {
        self.catch_up(force);
        self.fill(name, self.force, changed);
        self.force = changed;
    }

    /// Shortens everything as the sum will be, and accounts for the last digit of it.
    pub fn close(&mut self, force: Vector, max_force: f32) -> impl Iterator<Item = Contribution> {
        self.catch_up(force);
        let total = math::truncate(force, max_force);
        let share = total.length() / math::truncate(force, f32::INFINITY).length();
        // What was arbitrated may be longer by a digit: that is not worth a word.
        if share < 1.0 - ROUGHLY {
            for Entry { contribution, .. } in &mut self.entries {
                contribution.applied = math::truncate(contribution.applied, f32::INFINITY) * share;
                if contribution.outcome == Outcome::Applied {
                    contribution.outcome = Outcome::Truncated;
                }
            }
        }
        if total.is_finite() {
            self.fill(ROUNDING, self.sum(), total);
        }
        self.entries.iter().map(|entry| entry.contribution.clone())
    }

    /// The sum of what is applied, in order.
    pub fn sum(&self) -> Vector {
        self.entries.iter().fold(Vector::ZERO, |sum, entry| sum + entry.contribution.applied)
    }

    /// Notes what leads from one sum to another, to the bit.
    fn fill(&mut self, name: &'static str, mut sum: Vector, to: Vector) {
        // Once, or where digits cancel out twice.
        for _ in 0..2 {
            let missing = finite_or_zero(to - sum);
            if missing == Vector::ZERO {
                return;
            }
            sum += missing;
            let behavior = Cow::Borrowed(name);
            let outcome = Outcome::Applied;
            let all = Contribution { behavior, raw: missing, weighted: missing, applied: missing, outcome };
            self.push(None, all, GIVEN);
        }
    }

    fn push(&mut self, behavior: Option<TypeId>, contribution: Contribution, rank: i64) {
        self.entries.push(Entry { behavior, contribution, rank, place: self.entries.len() });
    }
}

/// The share of a force that does not matter: more than some roundings.
const ROUGHLY: f32 = 1e-5;

/// Begins a tick.
pub(crate) fn clear_logs(mut ledgers: Query<&mut ContributionLog>) {
    ledgers.iter_mut().for_each(|mut log| {
        let log = log.bypass_change_detection();
        log.entries.clear();
        log.force = Vector::ZERO;
    });
}

/// Runs one behavior on the agents whose contributions are noted, one by one. To the bit this is what the faster loops do.
pub(crate) fn steer<B: SteeringBehavior>(agents: LoggedCrowd<B>, param: &SystemParamItem<B::Param>, tick: &TickParam)
where
    for<'w, 's> SystemParamItem<'w, 's, B::Param>: Sync,
{
    steer_unless_known(agents, param, tick, |_, _| None);
}

/// The same, where the contribution of an agent may be known already: as it is, and with its weight.
pub(crate) fn steer_unless_known<B: SteeringBehavior>(
    mut agents: LoggedCrowd<B>,
    param: &SystemParamItem<B::Param>,
    tick: &TickParam,
    known: impl Fn(&mut B, Entity) -> Option<(Vector, Vector)> + Sync,
) where
    for<'w, 's> SystemParamItem<'w, 's, B::Param>: Sync,
{
    let steer_one = |agent: LoggedItem<B>| steer_one(agent, param, tick, &known);
    if tick.threads.parallel(|| agents.iter().len(), PARALLEL_THRESHOLD) {
        agents.par_iter_mut().for_each(steer_one);
    } else {
        agents.iter_mut().for_each(steer_one);
    }
}

/// The same for one agent, unless that was done already.
pub(crate) fn steer_one<B: SteeringBehavior>(
    (mut behavior, mut force, data, mut log, mut limits): LoggedItem<B>,
    param: &SystemParamItem<B::Param>,
    tick: &TickParam,
    known: &impl Fn(&mut B, Entity) -> Option<(Vector, Vector)>,
) {
    let (behavior, force) = (behavior.bypass_change_detection(), &mut force.bypass_change_detection().0);
    let mut log = log.as_mut().map(|log| log.bypass_change_detection());
    if log.as_ref().is_some_and(|log| log.has::<B>()) {
        return;
    }
    let agent = data.agent(*force, tick.length(), tick.space());
    let (raw, weighted) = known(behavior, data.entity).unwrap_or_else(|| {
        let raw = match limits.as_mut().map(|limits| limits.bypass_change_detection()) {
            Some(limits) => {
                limits.know_heading(&agent, data.transform());
                behavior.steer_limited(&agent, limits, param)
            }
            None => behavior.steer(&agent, param),
        };
        (raw, raw * behavior.weight())
    });
    let counted = tick.mender.counted::<B>(&agent, weighted);
    match &mut log {
        Some(log) => log.add(force, behavior, raw, weighted),
        None => *force += counted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Follow<T>(T);

    #[test]
    fn names_are_without_their_paths() {
        assert_eq!(short_name::<crate::behaviors::seek::Seek>(), "Seek");
        assert!(short_name::<Follow<ContributionLog>>().starts_with("Follow<"));
        assert_eq!(short_name::<u8>(), "u8");
    }

    #[test]
    fn what_is_filled_in_leads_to_the_last_bit() {
        let numbers = [0.0, 0.1, -0.3, 1.0, 7.7e4, -1.3e19, 16_777_216.0, 1e-30, 123_456.79, 3e18];
        for from in numbers {
            for to in numbers {
                let mut log = ContributionLog::default();
                log.fill(OUTSIDE, Vector::ZERO, Vector::new(from, to));
                log.fill(ROUNDING, log.sum(), Vector::new(to, from));
                assert_eq!(log.sum(), Vector::new(to, from), "{from} {to}: {log:?}");
            }
        }
    }
}
