//! Agents that think less often than once per tick.

use bevy::ecs::component::component_clone_ignore;
use bevy::prelude::*;

use crate::agent::components::SteeringAgent;
use crate::agent::id::SteeringId;
use crate::agent::random::mix;
use crate::math::{Vector, finite_or_zero};

/// How often an agent thinks. An agent without this component thinks in every tick.
///
/// When an agent thinks, its behaviors and constraints compute its force. With a rate of `n`, the agent thinks in every `n`-th tick, for
/// `n` ticks at once. Its velocity changes immediately, as in a single tick that is `n` times as long, and then stays the same until the
/// agent thinks again. So everything that is exact in ticks remains exact, such as where [`Arrive`](crate::behaviors::arrive::Arrive)
/// stops. An agent with [`AvoidNeighbors`](crate::constraints::avoid_neighbors::AvoidNeighbors) keeps enough room until it thinks again.
/// Like long ticks, long periods have limits: in periods of more than 0.1 s, agents may touch each other or obstacles.
///
/// In every tick, agents move, [`Solid`](crate::world::solid::Solid) bodies are kept apart, knockbacks act, and events are detected.
/// [`SteeringForce`](crate::agent::SteeringForce) is the force computed when the agent last thought. A force that a game adds to it is
/// ignored, except in a tick in which the agent thinks: then it acts for the whole period.
/// [`Knockback`](crate::motion::knockback::Knockback) pushes an agent at any time.
///
/// Agents take turns thinking, spread by their [`SteeringId`], so that each tick has its share of the work. An agent thinks in its first
/// tick. A new rate applies from the next time that the agent thinks.
///
#[cfg_attr(
    not(dim3),
    doc = "Agents with [`BodyLimits`](crate::agent::BodyLimits) or [`MovedByForce`](crate::agent::MovedByForce) think in every tick, whatever their rate."
)]
#[cfg_attr(
    dim3,
    doc = "Agents with [`MovedByForce`](crate::agent::MovedByForce) think in every tick, whatever their rate."
)]
///
/// # When to use it
///
/// For crowds of thousands, and for agents that are far from the camera. It saves most where thinking costs most, as with `AvoidNeighbors`.
/// Agents with a rate are computed one at a time instead of eight at a time, so they save less with cheap behaviors such as flocking.
/// Remove the component instead of setting a rate of 1.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// commands.spawn((Arrive::new(Vec2::new(200.0, 0.0)), AvoidNeighbors::default(), SteeringRate::every(4)));
/// # }
/// ```
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[require(SteeringAgent, RateState)]
pub struct SteeringRate {
    /// The agent thinks once in this number of ticks. Default: 1. 0 counts as 1.
    pub ticks: u32,
}

impl Default for SteeringRate {
    fn default() -> Self {
        Self::every(1)
    }
}

impl SteeringRate {
    /// Thinks in every `ticks`-th tick.
    pub const fn every(ticks: u32) -> Self {
        Self { ticks }
    }
}

/// When an agent with a [`SteeringRate`] thinks again. Updated every tick. Cloned entities start with a new state.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[component(clone_behavior = Custom(component_clone_ignore))]
pub struct RateState {
    /// The rate when the agent last thought; 0 before the first time.
    rate: u32,
    /// The length of the current period in ticks; 0 before the first one.
    period: u32,
    /// The number of ticks left in the period, including this one.
    left: u32,
    /// The total force from when the agent last thought, mass · units/s².
    force: Vector,
}

impl RateState {
    /// Whether the agent thinks in this tick.
    pub fn is_thinking(&self) -> bool {
        self.left == self.period
    }

    /// The length of the current period, seconds, if a tick has this length.
    pub(crate) fn period(&self, tick: f32) -> f32 {
        self.period.max(1) as f32 * tick
    }

    /// The time for which the agent keeps its velocity before it thinks again, seconds, if a tick has this length.
    pub(crate) fn keeps_going(&self, tick: f32) -> f32 {
        if self.is_thinking() { 0.0 } else { self.left as f32 * tick }
    }

    /// The time for which the force acts at once in this tick, seconds, if a tick has this length.
    pub(crate) fn impulse(&self, tick: f32) -> f32 {
        if self.is_thinking() { self.period(tick) } else { 0.0 }
    }

    /// The force for this tick, where `force` is the total so far.
    pub(crate) fn hold(&mut self, force: Vector) -> Vector {
        if self.is_thinking() {
            self.force = finite_or_zero(force);
            force
        } else {
            self.force
        }
    }

    /// Begins a tick of an agent that thinks in every `ticks`-th tick.
    pub(crate) fn begin(&mut self, ticks: u32, id: SteeringId) {
        if self.left > 1 {
            self.left -= 1;
            // Also holds for a state that was made up by a game.
            self.period = self.period.max(self.left.saturating_add(1));
            return;
        }
        if self.rate == ticks {
            self.period = ticks;
        } else {
            // The turn of the agent among those with the same rate.
            self.period = 1 + (mix(id.get() ^ (u64::from(ticks) << 32)) % u64::from(ticks)) as u32;
            self.rate = ticks;
        }
        self.left = self.period;
    }

    /// Begins a tick of an agent that thinks in every tick, regardless of its plan.
    pub(crate) fn begin_at_once(&mut self) {
        (self.rate, self.period, self.left) = (1, 1, 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// The ticks in which an agent thinks.
    fn thoughts(state: &mut RateState, ticks: u32, id: u64, count: u32) -> Vec<u32> {
        let mut thinks = |tick: &u32| {
            state.begin(ticks, SteeringId::new(id));
            state.hold(Vector::splat(*tick as f32));
            state.is_thinking()
        };
        (0..count).filter(|tick| thinks(tick)).collect()
    }

    #[test]
    fn every_nth_tick_from_the_first_on_by_turns() {
        for ticks in 1..9 {
            let mut per_tick = [0_u32; 64];
            for id in 0..1000 {
                let thoughts = thoughts(&mut RateState::default(), ticks, id, 64);
                assert_eq!(thoughts[0], 0);
                assert!((1..=ticks).contains(&thoughts.get(1).copied().unwrap_or(1)));
                assert!(thoughts[1..].windows(2).all(|pair| pair[1] - pair[0] == ticks), "{thoughts:?}");
                thoughts.iter().for_each(|tick| per_tick[*tick as usize] += 1);
            }
            let share = 1000 / ticks;
            assert!(per_tick[1..].iter().all(|count| count.abs_diff(share) < 100), "{per_tick:?}");
        }
    }

    #[test]
    fn the_times_add_up() {
        let (mut state, mut held) = (RateState::default(), Vector::ZERO);
        let mut impulses = 0.0;
        for tick in 0..41 {
            state.begin(4, SteeringId::new(9));
            let force = state.hold(Vector::splat(tick as f32));
            if state.is_thinking() {
                assert_eq!((state.keeps_going(1.0), state.impulse(1.0)), (0.0, state.period(1.0)));
                held = Vector::splat(tick as f32);
            } else {
                assert_eq!((state.keeps_going(1.0), state.impulse(1.0)), (state.left as f32, 0.0));
            }
            assert_eq!(force, held);
            impulses += state.impulse(1.0);
        }
        assert_eq!(impulses, 41.0 + (state.left as f32 - 1.0));
    }

    #[test]
    fn a_new_rate_holds_from_the_next_thought_on_and_the_turns_are_spread_anew() {
        for [before, after] in [[1, 4], [4, 8], [8, 4], [8, 2], [1, 8], [6, 4]] {
            let mut per_tick = [0_u32; 64];
            for id in 0..1000 {
                let mut state = RateState::default();
                thoughts(&mut state, before, id, 37);
                let left = state.left;
                let thoughts = thoughts(&mut state, after, id, 64);
                assert_eq!(thoughts[0] + 1, left);
                assert!((1..=after).contains(&(thoughts[1] - thoughts[0])));
                assert!(thoughts[1..].windows(2).all(|pair| pair[1] - pair[0] == after), "{thoughts:?}");
                thoughts.iter().for_each(|tick| per_tick[*tick as usize] += 1);
            }
            let share = 1000 / after;
            assert!(per_tick[16..].iter().all(|count| count.abs_diff(share) < 100), "{before}, {after}: {per_tick:?}");
        }
    }
}
