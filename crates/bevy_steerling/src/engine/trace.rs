//! Why an agent did that: what each of its behaviors wanted, and what became of it.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use bevy::prelude::*;

use crate::agent::{SteeringAgent, SteeringForce};
use crate::engine::behavior::SteeringBehavior;
use crate::engine::contribution_log::{ContributionLog, short_name};
use crate::math::Vector;

/// What each behavior of an agent wanted in the last tick, what was applied of it, and why something was not.
///
/// It is opt-in: put it on the agents in question, and take it off again. It changes nothing about the motion. Without it nothing is
/// kept; agents with it are steered one by one, which for most behaviors takes longer.
///
/// It is written in [`SteeringSystems::Integrate`](crate::tick::schedule::SteeringSystems::Integrate) and holds until the same phase of the next
/// tick, without triggering change detection. The sum of what was applied, in the order of the list, is the agent's
/// [`SteeringForce`], bit for bit (but for the sign of a zero). Entries that are no behaviors may be part of it: [`OUTSIDE`], [`BODY`] and
/// [`ROUNDING`].
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// fn setup(mut commands: Commands) {
///     commands.spawn((Seek::new(Vec2::new(300.0, 0.0)), Separation::default(), SteeringTrace::default()));
/// }
///
/// fn explain(agents: Query<(Entity, &SteeringTrace)>) {
///     for (agent, trace) in &agents {
///         for Contribution { behavior, weighted, applied, outcome, .. } in &trace.contributions {
///             println!("{agent}: {behavior} wanted {weighted} and got {applied}: {outcome:?}");
///         }
///     }
/// }
/// ```
#[derive(Component, Clone, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
#[require(SteeringAgent, ContributionLog)]
pub struct SteeringTrace {
    /// What was wanted, in the order in which it was applied: that of [`SteeringSystems`](crate::tick::schedule::SteeringSystems), or with a
    /// prioritized [`Arbitration`](crate::engine::arbitration::Arbitration) that of the priorities, and then the behaviors that act on the sum.
    pub contributions: Vec<Contribution>,
}

/// What a behavior wanted in a tick, and what became of it. All forces are in mass · units / s², and finite.
#[derive(Clone, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
pub struct Contribution {
    /// The name of its type, without the path: `"Seek"`. Or [`OUTSIDE`], [`BODY`] or [`ROUNDING`].
    pub behavior: Cow<'static, str>,
    /// What it wanted.
    pub raw: Vector,
    /// That times its weight.
    pub weighted: Vector,
    /// Its share of the [`SteeringForce`].
    pub applied: Vector,
    /// Why that is what it is.
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
    /// It was shortened: to what was left of max force, or like all others because the sum was longer than max force.
    Truncated,
    /// It was dropped: more urgent ones had spent max force.
    Spent,
    /// It was dropped: a more urgent one won.
    Outranked,
    /// It was dropped: its group wanted too little.
    BelowThreshold,
    /// It was dropped by the dice.
    NotDrawn,
    /// It was dropped: it is no finite force.
    NotFinite,
}

/// Stands in a [`SteeringTrace`] for what the game itself added to [`SteeringForce`].
pub const OUTSIDE: &str = "outside";

/// Stands in a [`SteeringTrace`] for what the limits of the agent's body change: see [`BodyLimits`](crate::engine::body::BodyLimits).
pub const BODY: &str = "body";

/// Stands in a [`SteeringTrace`] for what is left between the sum of all others and the [`SteeringForce`]: the last digits of shortened
/// forces. There may be two where most digits cancel out.
pub const ROUNDING: &str = "rounding";

impl SteeringTrace {
    /// What became of the behavior `B`, if the agent had it in the last tick. It is found by the name of its type.
    pub fn of<B: SteeringBehavior>(&self) -> Option<&Contribution> {
        self.contributions.iter().find(|contribution| contribution.behavior == short_name::<B>())
    }

    /// The sum of what was applied: the [`SteeringForce`].
    pub fn force(&self) -> Vector {
        self.contributions.iter().fold(Vector::ZERO, |sum, contribution| sum + contribution.applied)
    }
}

/// Notes what became of everything, knowing how [`integrate`](crate::motion::integrate) will shorten the sum.
pub(crate) fn write_traces(
    mut agents: Query<(&mut SteeringTrace, &mut ContributionLog, &SteeringForce, &SteeringAgent)>,
) {
    agents.iter_mut().for_each(|(mut trace, mut log, force, agent)| {
        let contributions = &mut trace.bypass_change_detection().contributions;
        contributions.clear();
        contributions.extend(log.bypass_change_detection().close(force.0, agent.max_force));
    });
}
