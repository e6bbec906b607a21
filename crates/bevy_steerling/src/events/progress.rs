//! Who gets on, and who is stuck.

use bevy::prelude::*;

use super::{Happening, SteeringEvents, Stuck, Unstuck};
use crate::agent::SteeringForce;
use crate::constraints::queue::Queue;
use crate::engine::behavior::{Agent, AgentData, TickParam};
use crate::math::space::Space;
use crate::math::{Vector, finite_or_zero, truncate};

/// Who has not got this share of the way that it wanted has not moved.
const MOVED: f32 = 0.1;

/// Who wants no more than this share of its max speed does not want to move, and half as much if it is stuck.
const IDLE: f32 = 0.1;

/// Who wants less than this share of what it would without its queue waits in it.
const WAITING: f32 = 0.5;

/// How an agent gets on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
pub(crate) struct Progress {
    /// Where it was when it last got on.
    anchor: Vector,
    /// The way that it has wanted to go since then; when it is stuck, the velocity that it wanted in the mean.
    wished: Vector,
    /// How long ago that was; when it is stuck, how long it has not wanted to move.
    time: f32,
    stuck: bool,
}

/// What has become of an agent in a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Turn {
    /// It is stuck, and wanted this velocity in the mean.
    Stuck(Vector),
    Unstuck,
}

impl Progress {
    /// Notes where the agent is and which velocity it wants.
    fn note(
        &mut self,
        position: Vector,
        wish: Vector,
        max_speed: f32,
        patience: f32,
        tick: f32,
        space: &Space,
    ) -> Option<Turn> {
        let gone = |anchor| space.displacement(anchor, position).length();
        let room = |wanted: Vector| MOVED * patience * wanted.length();
        if self.stuck {
            self.time = if wish.length() <= 0.5 * IDLE * max_speed { self.time + tick } else { 0.0 };
            let free = gone(self.anchor) > 2.0 * room(self.wished) || self.time >= 0.5 * patience;
            return free.then(|| {
                *self = Self::default();
                Turn::Unstuck
            });
        }
        if self.time <= 0.0 {
            self.anchor = position;
        }
        self.time += tick;
        self.wished += wish * tick;
        let wanted = self.wished / self.time;
        // Along the mean: who wants this way and that wants to be where it is.
        if wanted.length() > IDLE * max_speed && gone(self.anchor) < room(wanted) {
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

/// The velocity that an agent's behaviors want so far, units/s.
fn wanted_velocity(agent: &Agent) -> Vector {
    // However heavy: what it wants, not what becomes of that within a response time.
    let per_force = agent.response_time / agent.mass.min(1.0);
    truncate(finite_or_zero(agent.velocity + agent.force * per_force), agent.max_speed)
}

/// Notes what everybody wants before anything restrains it.
pub(super) fn note_wishes(mut agents: Query<(&mut SteeringEvents, &SteeringForce, AgentData)>, tick: TickParam) {
    for (mut events, force, data) in &mut agents {
        let agent = data.agent(force.0, tick.length(), tick.space());
        events.bypass_change_detection().memory.wish = wanted_velocity(&agent);
    }
}

/// Notes how fast those who queue could go but for that.
pub(super) fn note_open_ways(
    mut agents: Query<(&mut SteeringEvents, &SteeringForce, AgentData), With<Queue>>,
    tick: TickParam,
) {
    for (mut events, force, data) in &mut agents {
        let agent = data.agent(force.0, tick.length(), tick.space());
        events.bypass_change_detection().memory.open = wanted_velocity(&agent).length();
    }
}

/// Who waits its turn wants just that.
pub(super) fn note_who_waits(
    mut agents: Query<(&mut SteeringEvents, &SteeringForce, AgentData, &Queue)>,
    tick: TickParam,
) {
    for (mut events, force, data, queue) in &mut agents {
        let agent = data.agent(force.0, tick.length(), tick.space());
        let memory = &mut events.bypass_change_detection().memory;
        if queue.stopping || wanted_velocity(&agent).length() < WAITING * memory.open {
            memory.wish = Vector::ZERO;
        }
    }
}

/// Notices who gets stuck, and who gets on again.
pub(super) fn notice(events: &mut SteeringEvents, agent: &Agent, tell: &mut impl FnMut(Happening)) {
    let patience = events.patience_for(agent);
    let memory = &mut events.memory;
    let entity = agent.entity;
    match memory.progress.note(agent.position, memory.wish, agent.max_speed, patience, agent.tick, &agent.space) {
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

    /// What happens in ticks with these wishes at these places, at a max speed of 10 and a patience of a second.
    fn turns(ticks: impl IntoIterator<Item = (Vector, Vector)>) -> Vec<(usize, Turn)> {
        let mut progress = Progress::default();
        let note = |(place, wish)| progress.note(place, wish, 10.0, 1.0, TICK, &Space::default());
        ticks.into_iter().map(note).enumerate().filter_map(|(tick, turn)| Some((tick, turn?))).collect()
    }

    #[test]
    fn who_wants_to_move_and_does_not_is_stuck_once_its_patience_is_over() {
        let still = (0..100).map(|_| (Vector::ONE, Vector::X * 10.0));
        assert_eq!(turns(still), [(7, Turn::Stuck(Vector::X * 10.0))]);
        // Within a tenth of the way that it wants, to and fro.
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
        // Stuck is who gets no farther than one unit.
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
