//! Traces: the contribution of each behavior of an agent, and its outcome.

use alloc::vec::Vec;

use bevy::prelude::*;

use crate::agent::{RateState, SteeringAgent, SteeringForce};
use crate::engine::contribution::Contribution;
use crate::engine::contribution_log::ContributionLog;
use crate::engine::name::BehaviorName;
use crate::math::Vector;

/// A trace of the last tick: what each behavior and constraint of the agent contributed, and the outcome.
///
/// Insert this component on agents that you want to inspect, and remove it afterward. It does not change the motion. Agents with a trace
/// are processed one at a time, which costs more for most behaviors.
///
/// The trace is written in [`SteeringSystems::Integrate`](crate::tick::schedule::SteeringSystems::Integrate), without triggering change
/// detection. The sum of the applied forces, in the order of the list, is bit-identical to the agent's [`SteeringForce`], except for the
/// sign of a zero. Some entries do not belong to a behavior: [`OUTSIDE`](crate::engine::contribution::OUTSIDE),
#[cfg_attr(not(dim3), doc = "[`BODY`](crate::engine::contribution::BODY) and")]
/// [`ROUNDING`](crate::engine::contribution::ROUNDING).
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
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[require(SteeringAgent, ContributionLog)]
pub struct SteeringTrace {
    /// The contributions in the order in which they were applied: the order of
    /// [`SteeringSystems::Steer`](crate::tick::schedule::SteeringSystems::Steer), or the order of priority with an
    /// [`Arbitration`](crate::engine::arbitration::Arbitration) that uses priorities. Constraints come last.
    pub contributions: Vec<Contribution>,
}

impl SteeringTrace {
    /// The contribution of the behavior or constraint `B`, if the agent had it in the last tick.
    pub fn of<B: Component>(&self) -> Option<&Contribution> {
        self.contributions.iter().find(|contribution| contribution.behavior.is::<B>())
    }

    /// The contribution with this name.
    pub fn named(&self, name: &BehaviorName) -> Option<&Contribution> {
        self.contributions.iter().find(|contribution| contribution.behavior == *name)
    }

    /// The sum of the applied forces, which is the [`SteeringForce`].
    pub fn force(&self) -> Vector {
        self.contributions.iter().fold(Vector::ZERO, |sum, contribution| sum + contribution.applied)
    }
}

/// Writes the traces for the total that [`integrate`](crate::motion::integrate) will truncate.
pub(crate) fn write_traces(
    mut agents: Query<(&mut SteeringTrace, &mut ContributionLog, &SteeringForce, &SteeringAgent, Option<&RateState>)>,
) {
    agents.iter_mut().for_each(|(mut trace, mut log, force, agent, rate)| {
        if !rate.is_none_or(RateState::is_thinking) {
            return;
        }
        let contributions = &mut trace.bypass_change_detection().contributions;
        contributions.clear();
        contributions.extend(log.bypass_change_detection().close(force.0, agent.max_force));
    });
}
