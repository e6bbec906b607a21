//! The velocity that an agent wants, and how long others have held it up.

use core::f32::consts::FRAC_PI_8;

use bevy::ecs::component::component_clone_ignore;
use bevy::prelude::*;

use crate::agent::Agent;
use crate::constraints::walker::JAMMED;
use crate::math::{Vector, normalize, turn_between};
use crate::perception::neighbors::Neighbor;

/// An agent that has circled by more than this angle, radians, begins to go first or to make way. At three times the angle it does so
/// entirely.
const CIRCLING: f32 = FRAC_PI_8;

/// An agent that has stood for more than this share of the time begins to go first or to make way. At three times the share it does so
/// entirely.
const STANDING: f32 = 1.0 / 6.0;

/// The time constant with which an agent forgets that it has circled or stood, as a share of its time horizon.
const MEMORY: f32 = 1.5;

/// An agent that wants at most this share of its max speed does not want to move, and one that is at most as fast as that stands.
pub(super) const IDLE: f32 = 0.1;

/// The velocity that an agent wants before it avoids its neighbors. They read it to predict its motion. Written each tick on agents with
/// [`AvoidNeighbors`](crate::constraints::avoid_neighbors::AvoidNeighbors); clones start anew.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[component(clone_behavior = Custom(component_clone_ignore))]
pub struct PreferredVelocity {
    /// The velocity that it wants, units/s; see [`Agent::preferred_velocity`].
    pub velocity: Vector,
    /// The angle by which this velocity has turned lately while the agent was held up, radians, counterclockwise, in three dimensions as
    /// seen from above. It grows while the agent circles around a place that others keep it from.
    pub circled: f32,
    /// The share of the time, lately, in which the agent wanted to move and stood, 0 to 1. It grows in a jam.
    pub stood: f32,
    /// The time in which it touches the nearest agent that is its target at this velocity, seconds. Only targets that stand and that it
    /// comes nearer to count. In a jam, the time in which it gets to its destination counts, too. `None` without any of them.
    pub time_to_goal: Option<f32>,
}

impl PreferredVelocity {
    /// `to_destination` is the distance to its destination, units; infinite without one. `goals` are the agents that it wants to get to.
    pub(super) fn update(
        &mut self,
        agent: &Agent,
        is_held_up: bool,
        to_destination: f32,
        time_horizon: f32,
        goals: impl Iterator<Item = Neighbor>,
    ) {
        let velocity = agent.preferred_velocity();
        let memory = (MEMORY * time_horizon).min(f32::MAX);
        let kept = memory / (agent.tick + memory);
        let angle = if is_held_up { turn_between(self.velocity, velocity) } else { 0.0 };
        let (wanted, idle) = (velocity.length(), IDLE * agent.max_speed);
        let time_to_goal = goals.filter_map(|goal| time_to_reach(agent, velocity, &goal)).reduce(f32::min);
        let is_at_goal = time_to_goal.is_some_and(|time| time < agent.tick);
        // The direction of an agent that wants next to nothing, or is at its target, means nothing.
        let circled = if wanted > idle && !is_at_goal { self.circled * kept + angle } else { 0.0 };
        // A weak agent at rest cannot want more than the speed that it reaches within its response time.
        let change = agent.max_force / agent.mass * agent.response_time;
        let wants_to_move = wanted > idle.min(0.5 * change) && !is_at_goal && to_destination > agent.radius;
        let stands = wants_to_move && agent.velocity.length() <= idle;
        let stood = self.stood * kept + if stands { 1.0 - kept } else { 0.0 };
        let finite = |value: f32| if value.is_finite() { value } else { 0.0 };
        *self = Self { velocity, circled: finite(circled), stood: finite(stood), time_to_goal };
        // Its speed does not show how far it goes in a jam.
        if self.jammed() > JAMMED && to_destination > agent.radius && to_destination < f32::INFINITY {
            // It is not there yet.
            let time = (to_destination / wanted.max(f32::MIN_POSITIVE)).max(agent.tick);
            self.time_to_goal = Some(time_to_goal.map_or(time, |goal| goal.min(time)));
        }
    }

    /// How much the agent circles around a place, 0 to 1.
    pub(super) fn circling(&self) -> f32 {
        beyond(self.circled.abs(), CIRCLING)
    }

    /// How much the agent is stuck in a jam, 0 to 1.
    pub(super) fn jammed(&self) -> f32 {
        beyond(self.stood, STANDING)
    }
}

/// The time in which an agent that moves at `velocity` touches another one, seconds; `None` if it comes no nearer, or the other one moves.
fn time_to_reach(agent: &Agent, velocity: Vector, goal: &Neighbor) -> Option<f32> {
    let way = agent.to(goal.position);
    let closing = velocity.dot(normalize(way));
    let gap = (way.length() - agent.radius - goal.radius).max(0.0);
    let stands = goal.velocity.length() <= IDLE * agent.max_speed;
    Some(gap / closing).filter(|time| stands && closing > 0.0 && time.is_finite())
}

/// From 0 at the limit to 1 at three times the limit. 0 for NaN.
fn beyond(value: f32, limit: f32) -> f32 {
    (0.5 * (value / limit - 1.0)).clamp(0.0, 1.0).max(0.0)
}

#[cfg(all(test, not(dim3)))]
mod tests {
    use core::iter;

    use super::*;

    #[test]
    fn turns_counterclockwise_count_as_positive() {
        let mut preferred = PreferredVelocity::default();
        let mut turn_to = |velocity| {
            preferred.update(
                &Agent { velocity, tick: 0.1, ..Agent::at(Vector::ZERO) },
                true,
                f32::INFINITY,
                1.0,
                iter::empty(),
            );
            preferred.circled
        };
        assert_eq!(turn_to(Vector::X), 0.0);
        let circled = turn_to(Vector::Y);
        assert!((1.5..1.6).contains(&circled), "{circled}");
        // It has forgotten a little of the first turn.
        let circled = turn_to(Vector::X);
        assert!((-0.2..0.0).contains(&circled), "{circled}");
    }
}
