//! Detects agents that are stuck.

use core::mem;

use bevy::prelude::*;

#[cfg(not(dim3))]
use crate::agent::HardStop;
use crate::agent::view::AgentData;
use crate::agent::{Agent, SteeringForce};
#[cfg(not(dim3))]
use crate::constraints::queue::Queue;
use crate::events::happenings::Happening;
use crate::events::types::{Stuck, Unstuck};
use crate::events::watch::{EventState, Progress, SteeringEvents};
use crate::math::Vector;
use crate::math::space::Space;
use crate::tick::TickParam;

/// An agent counts as not moving if it has covered less than this share of the distance that it wanted to cover.
const MOVED: f32 = 0.1;

/// An agent that wants at most this share of its max speed does not want to move. For a stuck agent, the limit is half of this.
const IDLE: f32 = 0.1;

/// An agent waits in a queue if it wants less than this share of the speed that it would want without the queue.
#[cfg(not(dim3))]
const WAITING: f32 = 0.5;

/// A change in the progress of an agent.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Turn {
    /// The agent is stuck. The vector is the mean velocity that it wanted.
    Stuck(Vector),
    Unstuck,
}

impl Progress {
    /// Records that the agent is where it wants to be.
    fn end(&mut self) -> Option<Turn> {
        mem::take(self).stuck.then_some(Turn::Unstuck)
    }

    /// Records the position of the agent and the velocity that it wants. At speeds up to `idle`, it does not want to move.
    fn note(
        &mut self,
        position: Vector,
        wish: Vector,
        idle: f32,
        patience: f32,
        tick: f32,
        space: &Space,
    ) -> Option<Turn> {
        let gone = |anchor| space.displacement(anchor, position).length();
        let room = |wanted: Vector| MOVED * patience * wanted.length();
        if self.stuck {
            self.time = if wish.length() <= 0.5 * idle { self.time + tick } else { 0.0 };
            let free = gone(self.anchor) > 2.0 * room(self.wished) || self.time >= 0.5 * patience;
            return if free { self.end() } else { None };
        }
        if self.time <= 0.0 {
            self.anchor = position;
        }
        self.time += tick;
        self.wished += wish * tick;
        let wanted = self.wished / self.time;
        // Uses the mean, because an agent that keeps changing direction wants to stay.
        if wanted.length() > idle && gone(self.anchor) < room(wanted) {
            if self.time < patience {
                return None;
            }
            *self = Self { anchor: self.anchor, wished: wanted, time: 0.0, stuck: true };
            return Some(Turn::Stuck(wanted));
        }
        *self = Self::default();
        None
    }
}

impl SteeringEvents {
    fn patience_for(&self, agent: &Agent) -> f32 {
        let turning_round = 2.0 * agent.max_speed * agent.mass / agent.max_force;
        self.patience.unwrap_or(1.0 + turning_round)
    }
}

/// Records the velocities that agents want before constraints bend them.
pub(super) fn note_wishes(mut agents: Query<(&mut EventState, &SteeringForce, AgentData)>, tick: TickParam) {
    for (mut state, force, data) in &mut agents {
        if !data.is_thinking() {
            continue;
        }
        let agent = data.agent(force.0, tick.frame());
        state.bypass_change_detection().wish = agent.preferred_velocity();
    }
}

/// Filters agents that may wait in a queue.
#[cfg(not(dim3))]
type Queueing = Or<(With<Queue>, With<HardStop>)>;

/// Records the speeds that agents want before their queue bends the total.
#[cfg(not(dim3))]
pub(super) fn note_open_ways(
    mut agents: Query<(&mut EventState, &SteeringForce, AgentData), Queueing>,
    tick: TickParam,
) {
    for (mut state, force, data) in &mut agents {
        if !data.is_thinking() {
            continue;
        }
        let agent = data.agent(force.0, tick.frame());
        state.bypass_change_detection().open = agent.preferred_velocity().length();
    }
}

/// Records that agents waiting in a queue do not want to move.
#[cfg(not(dim3))]
pub(super) fn note_waiting(
    mut agents: Query<(&mut EventState, &SteeringForce, AgentData, Option<&HardStop>), Queueing>,
    tick: TickParam,
) {
    for (mut state, force, data, stop) in &mut agents {
        if !data.is_thinking() {
            continue;
        }
        let agent = data.agent(force.0, tick.frame());
        let state = state.bypass_change_detection();
        let stops = stop.is_some_and(HardStop::is_stopping);
        if stops || agent.preferred_velocity().length() < WAITING * state.open {
            state.wish = Vector::ZERO;
        }
    }
}

/// Detects whether the agent gets stuck or unstuck. `is_there` says whether it is at the target of a behavior.
pub(super) fn notice(
    events: &SteeringEvents,
    state: &mut EventState,
    agent: &Agent,
    is_there: bool,
    tell: &mut impl FnMut(Happening),
) {
    let (entity, patience) = (agent.entity, events.patience_for(agent));
    // A heavy agent reaches the velocity that it wants only after several response times.
    let idle = IDLE * agent.max_speed / agent.mass.max(1.0);
    let EventState { wish, progress, .. } = state;
    let turn = if is_there {
        progress.end()
    } else {
        progress.note(agent.position, *wish, idle, patience, agent.tick, &agent.space)
    };
    match turn {
        Some(Turn::Stuck(wish)) => tell(Happening::Stuck(Stuck { entity, wish })),
        Some(Turn::Unstuck) => tell(Happening::Unstuck(Unstuck { entity })),
        None => {}
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    const TICK: f32 = 0.125;

    /// The changes in ticks at these places with these wishes, at a max speed of 10 and a patience of one second.
    fn turns(ticks: impl IntoIterator<Item = (Vector, Vector)>) -> Vec<(usize, Turn)> {
        let mut progress = Progress::default();
        let note = |(place, wish)| progress.note(place, wish, IDLE * 10.0, 1.0, TICK, &Space::default());
        ticks.into_iter().map(note).enumerate().filter_map(|(tick, turn)| Some((tick, turn?))).collect()
    }

    #[test]
    fn who_wants_to_move_and_does_not_is_stuck_once_its_patience_is_over() {
        let still = (0..100).map(|_| (Vector::ONE, Vector::X * 10.0));
        assert_eq!(turns(still), [(7, Turn::Stuck(Vector::X * 10.0))]);
        // Back and forth within a tenth of the distance that it wants to cover.
        let jittering = (0..100_u8).map(|k| (Vector::X * 0.9 * f32::from(k % 2), Vector::X * 10.0));
        assert_eq!(turns(jittering).len(), 1);
        let slow = (0..100_u8).map(|k| (Vector::X * 0.2 * f32::from(k), Vector::X * 10.0));
        assert_eq!(turns(slow), []);
    }

    #[test]
    fn who_wants_nothing_or_now_this_now_that_is_not_stuck() {
        let idle = (0..100).map(|_| (Vector::ONE, Vector::X));
        assert_eq!(turns(idle), []);
        let undecided = (0..100).map(|k| (Vector::ONE, Vector::X * if k % 2 == 0 { 10.0 } else { -10.0 }));
        assert_eq!(turns(undecided), []);
    }

    #[test]
    fn it_is_unstuck_when_it_gets_clearly_away_or_no_longer_wants_to() {
        let at = |x: f32, wish: f32| (Vector::X * x, Vector::X * wish);
        // An agent that gets no farther than one unit is stuck.
        let jitter = (0..100_u8).map(|k| at(if k < 20 { 0.0 } else { 0.5 + f32::from(k % 2) }, 10.0));
        assert_eq!(turns(jitter).len(), 1);
        let away = (0..100_u8).map(|k| at(f32::from(k.saturating_sub(20)), 10.0));
        assert_eq!(turns(away)[1..], [(23, Turn::Unstuck)]);
        let content = (0..100).map(|k| at(0.0, if k < 20 { 10.0 } else { 0.0 }));
        assert_eq!(turns(content)[1..], [(23, Turn::Unstuck)]);
        let hesitating = (0..100).map(|k| at(0.0, if k < 20 || k % 3 == 0 { 10.0 } else { 0.0 }));
        assert_eq!(turns(hesitating).len(), 1);
    }
}
