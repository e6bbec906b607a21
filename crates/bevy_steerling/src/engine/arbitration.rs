//! Arbitration: how the contributions of an agent's behaviors combine.

use alloc::vec::Vec;

use bevy::ecs::component::component_clone_ignore;
use bevy::prelude::*;

use crate::agent::random::{SteeringRng, SteeringSeed};
use crate::agent::{RateState, SteeringAgent, SteeringForce, SteeringId};
use crate::engine::behavior::SteeringBehavior;
use crate::engine::contribution::Outcome;
use crate::engine::contribution_log::{ContributionLog, Entry, GIVEN};
use crate::engine::name::BehaviorName;
use crate::math::{Vector, truncate};

/// How the contributions of an agent's behaviors combine into its [`SteeringForce`]. Without this component they form a weighted sum.
///
/// In a weighted sum, many small contributions can outweigh an urgent one, and opposite contributions cancel out. The other
/// [modes](ArbitrationMode) prefer behaviors with a high priority:
///
/// | priority | behaviors |
/// |---|---|
/// | 50 | `Separation` |
/// | 40 | `AvoidWithFeelers` |
/// | 30 | `Evade`, `Flee`, `Hide` |
/// | 20 | `Pursue`, `Arrive`, `Seek` and others that go to a target; custom behaviors by [default](SteeringBehavior::priority) |
/// | 10 | `Flock`, `Alignment`, `Cohesion`, `MatchVelocity` |
/// | 0 | `Wander` |
///
/// Behaviors with the same priority keep the order in which they run: see
/// [`SteeringSystems::Steer`](crate::tick::schedule::SteeringSystems::Steer). [Constraints](crate::engine::constraint::SteeringConstraint)
/// have no priority: in every mode they bend the arbitrated total. Forces that the game adds to [`SteeringForce`] come first and are
/// always applied. The total is truncated to [`SteeringAgent::max_force`] in every mode.
///
/// Agents with this component are processed one at a time, which costs more for most behaviors. To see the outcome of each contribution,
/// add a [`SteeringTrace`](crate::engine::trace::SteeringTrace).
///
/// # Example
///
/// Prey that wanders, but spends all its force on fleeing from a threat:
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// commands.spawn((
///     Wander::default(),
///     Separation::default(),
///     Flee::new(Vec2::ZERO).with_panic_distance(100.0),
///     Arbitration::new(ArbitrationMode::PrioritizedSum).with_priority::<Flee>(100),
/// ));
/// # }
/// ```
#[derive(Component, Clone, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[require(SteeringAgent, ContributionLog, ArbitrationState)]
pub struct Arbitration {
    /// How contributions combine. Default: [`ArbitrationMode::WeightedSum`].
    pub mode: ArbitrationMode,
    /// Rules for single behaviors. If a behavior has several, the first one applies. Default: none.
    pub rules: Vec<BehaviorRule>,
}

/// The random numbers of [`ArbitrationMode::Dithering`], seeded from [`SteeringSeed`] and [`SteeringId`] when first used. Cloned entities
/// start with a new state.
#[derive(Component, Clone, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[component(clone_behavior = Custom(component_clone_ignore))]
pub struct ArbitrationState {
    random: Option<SteeringRng>,
}

/// How the contributions of an agent's behaviors combine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub enum ArbitrationMode {
    /// A weighted sum. The result is bit-identical to that without [`Arbitration`].
    #[default]
    WeightedSum,
    /// Contributions are added by priority until max force is spent. Each contribution may be as long as max force minus the length of the
    /// sum so far. The first one that is longer is truncated, and all after it are dropped (Mat Buckland, Programming Game AI by Example,
    /// 2005; after Craig Reynolds, Flocks, Herds, and Schools, 1987).
    PrioritizedSum,
    /// Behaviors with the same priority form a group. The first group whose sum is longer than a threshold wins; all others are dropped
    /// (Ian Millington, Artificial Intelligence for Games, 2006).
    PriorityGroups {
        /// The length that the sum of a group must exceed, mass · units/s², ≥ 0. Negative values and NaN count as 0.
        threshold: f32,
    },
    /// A single behavior determines the force of the tick. In the order of priority, each behavior that wants something is chosen with its
    /// probability, and the first one chosen wins. If none is chosen, the agent drifts in this tick (Craig Reynolds, Steering Behaviors for
    /// Autonomous Characters, 1999).
    Dithering,
}

/// A rule for one behavior in an [`Arbitration`].
#[derive(Clone, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub struct BehaviorRule {
    /// The behavior.
    pub behavior: BehaviorName,
    /// The priority; higher priorities come first. Default: [`SteeringBehavior::priority`].
    pub priority: Option<i32>,
    /// The probability of being chosen in [`ArbitrationMode::Dithering`], 0 to 1. Default: 0.8. NaN counts as 0.
    pub probability: Option<f32>,
}

/// The probability of a behavior without a rule.
const PROBABILITY: f32 = 0.8;

/// The stream of random numbers: see [`SteeringRng::new`].
const RANDOM_STREAM: u64 = u64::MAX;

impl Arbitration {
    /// An arbitration without rules.
    pub fn new(mode: ArbitrationMode) -> Self {
        Self { mode, ..Self::default() }
    }

    /// Sets the priority of the behavior `B`.
    #[must_use]
    pub fn with_priority<B: SteeringBehavior>(mut self, priority: i32) -> Self {
        self.rule::<B>().priority = Some(priority);
        self
    }

    /// Sets the probability, 0 to 1, of the behavior `B` in [`ArbitrationMode::Dithering`].
    #[must_use]
    pub fn with_probability<B: SteeringBehavior>(mut self, probability: f32) -> Self {
        self.rule::<B>().probability = Some(probability);
        self
    }

    /// The rule for `B`; adds an empty rule if there is none.
    fn rule<B: SteeringBehavior>(&mut self) -> &mut BehaviorRule {
        let index = self.rules.iter().position(|rule| rule.behavior.is::<B>()).unwrap_or_else(|| {
            self.rules.push(BehaviorRule { behavior: BehaviorName::of::<B>(), priority: None, probability: None });
            self.rules.len() - 1
        });
        &mut self.rules[index]
    }
}

/// The first rule for an entry.
fn rule_for<'a>(rules: &'a [BehaviorRule], entry: &Entry) -> Option<&'a BehaviorRule> {
    rules.iter().find(|rule| rule.behavior == entry.contribution.behavior)
}

/// Arbitrates the contributions so far.
pub(crate) fn arbitrate(
    mut agents: Query<(
        &Arbitration,
        &mut ArbitrationState,
        &mut ContributionLog,
        &mut SteeringForce,
        (&SteeringAgent, &SteeringId, Option<&RateState>),
    )>,
    seed: Res<SteeringSeed>,
) {
    agents.iter_mut().for_each(|(Arbitration { mode, rules }, mut state, mut log, mut force, (agent, id, rate))| {
        if *mode == ArbitrationMode::WeightedSum || !rate.is_none_or(RateState::is_thinking) {
            return;
        }
        let (log, force) = (log.bypass_change_detection(), &mut force.bypass_change_detection().0);
        log.catch_up(*force);
        let entries = &mut log.entries;
        for entry in &mut *entries {
            let priority = rule_for(rules, entry).and_then(|rule| rule.priority);
            entry.rank = priority.filter(|_| entry.rank != GIVEN).map_or(entry.rank, i64::from);
        }
        entries.sort_unstable_by_key(|entry| (-entry.rank, entry.place));
        // Forces of the game are always applied.
        let given = entries.partition_point(|entry| entry.rank == GIVEN);
        let (given, entries) = entries.split_at_mut(given);
        match *mode {
            ArbitrationMode::WeightedSum => {}
            ArbitrationMode::PrioritizedSum => {
                let given = given.iter().map(|entry| entry.contribution.applied).fold(Vector::ZERO, |sum, x| sum + x);
                spend(entries, given, agent.max_force.max(0.0));
            }
            ArbitrationMode::PriorityGroups { threshold } => first_group(entries, threshold.max(0.0)),
            ArbitrationMode::Dithering => {
                let random = &mut state.bypass_change_detection().random;
                let random = random.get_or_insert_with(|| SteeringRng::new(*seed, *id, RANDOM_STREAM));
                roll(entries, |entry| {
                    let probability = rule_for(rules, entry).and_then(|rule| rule.probability).unwrap_or(PROBABILITY);
                    random.uniform() < probability
                });
            }
        }
        *force = log.sum();
        log.force = *force;
    });
}

/// The entries that want a force.
fn wanting(entries: &mut [Entry]) -> impl Iterator<Item = &mut Entry> {
    entries.iter_mut().filter(|entry| entry.contribution.outcome == Outcome::Applied)
}

fn drop_entry(entry: &mut Entry, why: Outcome) {
    entry.contribution.applied = Vector::ZERO;
    entry.contribution.outcome = why;
}

/// Adds contributions until `max_force` is spent.
fn spend(entries: &mut [Entry], mut sum: Vector, max_force: f32) {
    let mut spent = false;
    for entry in wanting(entries) {
        let left = max_force - sum.length();
        if spent || left.is_nan() || left <= 0.0 {
            drop_entry(entry, Outcome::Spent);
            continue;
        }
        let contribution = &mut entry.contribution;
        contribution.applied = truncate(contribution.weighted, left);
        if contribution.applied != contribution.weighted {
            contribution.outcome = Outcome::Truncated;
            spent = true;
        }
        sum += contribution.applied;
    }
}

/// Drops all groups except the first one whose sum is longer than `threshold`.
fn first_group(entries: &mut [Entry], threshold: f32) {
    let mut is_won = false;
    for group in entries.chunk_by_mut(|a, b| a.rank == b.rank) {
        let sum = group.iter().fold(Vector::ZERO, |sum, entry| sum + entry.contribution.applied);
        let outcome = if is_won { Outcome::Outranked } else { Outcome::BelowThreshold };
        if !is_won && sum.length() > threshold {
            is_won = true;
        } else {
            wanting(group).for_each(|entry| drop_entry(entry, outcome));
        }
    }
}

/// Drops all entries except the first one that is drawn.
fn roll(entries: &mut [Entry], mut is_drawn: impl FnMut(&Entry) -> bool) {
    let mut is_won = false;
    for entry in wanting(entries) {
        if is_won {
            drop_entry(entry, Outcome::Outranked);
        } else if is_drawn(entry) {
            is_won = true;
        } else {
            drop_entry(entry, Outcome::NotDrawn);
        }
    }
}
