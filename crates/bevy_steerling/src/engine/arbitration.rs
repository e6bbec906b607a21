//! How the contributions of an agent's behaviors combine.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use bevy::prelude::*;

use crate::agent::random::{SteeringRng, SteeringSeed};
use crate::agent::{SteeringAgent, SteeringForce, SteeringId};
use crate::engine::behavior::SteeringBehavior;
use crate::engine::contribution_log::{ContributionLog, Entry, GIVEN, short_name};
use crate::engine::trace::Outcome;
use crate::math::{Vector, truncate};

/// How the contributions of an agent's behaviors combine into its [`SteeringForce`]: an agent without this component adds them up,
/// each with its weight.
///
/// In a weighted sum many lesser wishes drown an urgent one, and opposite ones cancel out. The other [modes](ArbitrationMode) take
/// the most urgent first:
///
/// | priority | behaviors |
/// |---|---|
/// | 50 | `Separation` |
/// | 40 | `AvoidObstacles` with [`Detection::Points`](crate::constraints::avoid_obstacles::Detection::Points) |
/// | 30 | `Evade`, `Flee` |
/// | 20 | `Pursue`, `Arrive`, `Seek`, and your own that [say nothing else](SteeringBehavior::priority) |
/// | 10 | `Flock`, `Alignment`, `Cohesion`, `MatchVelocity` |
/// | 0 | `Wander` |
///
/// Those with the same priority come in the order in which they run (see
/// [`SteeringSystems::Steer`](crate::tick::schedule::SteeringSystems::Steer)). That push of `AvoidObstacles` has the same strength however far
/// the obstacle is, so it comes after those who are near.
///
/// Behaviors that [act on the sum](SteeringBehavior::ACTS_ON_SUM) (`Contain`, `AvoidObstacles` otherwise, `AvoidNeighbors`, `Queue`)
/// have no priority: in every mode they bend what comes of the others, and are never left out. What the game itself adds to
/// [`SteeringForce`] before is not left out either, and comes before everything else. In the end the force is limited to
/// [`SteeringAgent::max_force`], as always.
///
/// Agents with this component are steered one by one, which for most behaviors takes longer. A
/// [`SteeringTrace`](crate::engine::trace::SteeringTrace) tells what became of each contribution.
///
/// # Example
///
/// Prey that goes on with what it does unless it must flee, but then with all its force:
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
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
#[require(SteeringAgent, ContributionLog)]
pub struct Arbitration {
    /// How contributions combine. Default: [`ArbitrationMode::WeightedSum`].
    pub mode: ArbitrationMode,
    /// What is special about some behaviors. The first rule for a behavior counts. Default: nothing.
    pub rules: Vec<BehaviorRule>,
    /// The dice of [`ArbitrationMode::Dithering`]. Default: seeded from [`SteeringSeed`] and [`SteeringId`] when they are first used.
    /// Clear it in a clone of an agent that already uses them, or both draw the same numbers.
    pub random: Option<SteeringRng>,
}

/// How the contributions of an agent's behaviors combine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
pub enum ArbitrationMode {
    /// All are added up, each with its weight: as without [`Arbitration`], to the bit.
    #[default]
    WeightedSum,
    /// They are added up by priority until max force is spent: each may be as long as what the length of the sum so far leaves of
    /// max force. The first that is longer is shortened, and all after it are dropped (Mat Buckland, Programming Game AI by
    /// Example, 2005; the idea is Craig Reynolds's, Flocks, Herds, and Schools, 1987).
    PrioritizedSum,
    /// Behaviors with the same priority are a group. The first group that wants something wins, and all others are dropped (Ian
    /// Millington, Artificial Intelligence for Games, 2006).
    PriorityGroups {
        /// What the sum of a group must be longer than to be something, mass · units / s². What is below zero or NaN is read as zero.
        threshold: f32,
    },
    /// One behavior has the whole tick. By priority each that wants something is drawn with its probability (0.8, if no rule says
    /// otherwise); the first that is drawn wins. When none is, the agent drifts for that tick (Craig Reynolds, Steering Behaviors
    /// for Autonomous Characters, 1999).
    Dithering,
}

/// What is special about a behavior in an [`Arbitration`].
#[derive(Clone, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
pub struct BehaviorRule {
    /// The name of its type, without the path: `"Seek"`. Types of the same name share a rule.
    pub behavior: Cow<'static, str>,
    /// Its priority: the highest comes first. Default: as [`SteeringBehavior::priority`] says.
    pub priority: Option<i32>,
    /// How probable it is to be drawn in [`ArbitrationMode::Dithering`]: 0 never is, nor NaN, 1 always. Default: 0.8.
    pub probability: Option<f32>,
}

/// How probable behaviors are to be drawn.
const PROBABILITY: f32 = 0.8;

/// Which of an agent's random streams is that of the dice.
const RANDOM_STREAM: u64 = u64::MAX;

impl Arbitration {
    /// Without rules.
    pub fn new(mode: ArbitrationMode) -> Self {
        Self { mode, ..Self::default() }
    }

    /// Sets the priority of the behavior `B`: the highest comes first.
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

    /// The rule for `B`, an empty one if there was none.
    fn rule<B: SteeringBehavior>(&mut self) -> &mut BehaviorRule {
        let name = short_name::<B>();
        let index = self.rules.iter().position(|rule| rule.behavior == name).unwrap_or_else(|| {
            self.rules.push(BehaviorRule { behavior: Cow::Borrowed(name), priority: None, probability: None });
            self.rules.len() - 1
        });
        &mut self.rules[index]
    }
}

/// The rule for an entry, if there is one.
fn rule_for<'a>(rules: &'a [BehaviorRule], entry: &Entry) -> Option<&'a BehaviorRule> {
    rules.iter().find(|rule| rule.behavior == entry.contribution.behavior)
}

/// Arbitrates what was contributed so far.
pub(crate) fn arbitrate(
    mut agents: Query<(&mut Arbitration, &mut ContributionLog, &mut SteeringForce, &SteeringAgent, &SteeringId)>,
    seed: Res<SteeringSeed>,
) {
    agents.iter_mut().for_each(|(mut arbitration, mut log, mut force, agent, id)| {
        let Arbitration { mode, rules, random } = arbitration.bypass_change_detection();
        if *mode == ArbitrationMode::WeightedSum {
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
        // What the game has added is beyond dispute.
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

/// Those that want something.
fn wanting(entries: &mut [Entry]) -> impl Iterator<Item = &mut Entry> {
    entries.iter_mut().filter(|entry| entry.contribution.outcome == Outcome::Applied)
}

fn drop_entry(entry: &mut Entry, why: Outcome) {
    entry.contribution.applied = Vector::ZERO;
    entry.contribution.outcome = why;
}

/// Adds up until the sum is as long as `max_force`.
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

/// Leaves only the first group whose sum is longer than `threshold`.
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

/// Leaves only the first that is drawn.
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
