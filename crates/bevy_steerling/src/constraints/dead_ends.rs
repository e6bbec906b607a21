//! How an agent with [`AvoidObstacles`](crate::constraints::avoid_obstacles::AvoidObstacles) gets out of dead ends.
//!
//! In a dead end, the agent follows the boundary of the obstacles, and leaves it where the straight way on leads nearer to its destination
//! than it has been before. After the algorithms DistBug (Kamon and Rivlin, Sensory-based motion planning with global proofs, 1997) and
//! TangentBug (Kamon, Rimon and Rivlin, 1998). Each time it leaves it gets nearer, so it arrives if there is a way.
//!
//! Two ways lead along a boundary. Before the agent sets off, a scout walks both in thought, and the agent takes the shorter one. Then the
//! scout goes ahead of the agent, as far as the agent can see it, and the agent goes straight to the scout.

use bevy::prelude::*;

use crate::agent::{Agent, GroupMask};
use crate::constraints::force_limits::CLEARANCE;
use crate::math::{Vector, normalize};
use crate::perception::obstacles::{Boundary, ObstacleSide, Obstacles};

/// The most steps that the scout walks before the agent sets off, each way.
const MOST_STEPS: usize = 4_096;

/// The most steps that the scout walks in a tick.
const STEPS_PER_TICK: usize = 32;

/// The scout keeps a little farther away from walls than the agent has to: by this share of that distance.
const MARGIN: f32 = 0.01;

/// An agent sees a place if a body of this share of its own distance from walls can go straight there. An agent at a wall is a little
/// nearer to it because of rounding.
const SIGHT: f32 = 0.97;

/// An agent this many steps from the scout follows it around a corner that hides the next step.
const CLOSE: f32 = 1.5;

/// An agent this many steps from the place at which it leaves the boundary has reached it.
const REACHED: f32 = 0.5;

/// An agent is held up if it stays within a circle of this share of its distance from walls,
const HELD: f32 = 0.5;

/// for this time, seconds, and the time in which it accelerates to max speed.
const PATIENCE: f32 = 0.25;

/// An agent that wants less than this share of its max speed does not mind to be at rest.
const IDLE: f32 = 0.1;

/// An agent that finds no way looks again after this time, seconds.
const PAUSE: f32 = 2.0;

/// An agent looks for a way if it has gone this many look-aheads, plus twice its distance from the destination, and got no nearer.
const LOST: f32 = 8.0;

/// What an agent on its way around obstacles remembers.
#[derive(Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
pub(super) struct Progress {
    /// The destination.
    to: Vector,
    /// The smallest distance from the destination that it has had, or will have after the straight way on, units.
    nearest: f32,
    /// How far it has gone since, units.
    way: f32,
    /// Where it has stayed near to, and for how long, seconds.
    anchor: Vector,
    held: f32,
    /// How long it still waits before it looks for a way again, seconds.
    pause: f32,
    /// Where the scout is, if it follows a boundary.
    pub scout: Option<Vector>,
    /// Whether the scout has found the place to leave the boundary; without a scout, whether the agent has left it and may still be held up
    /// by a corner.
    leaves: bool,
}

#[derive(Clone, Copy)]
/// The surroundings of an agent that may be in a dead end.
pub(super) struct Surroundings<'a> {
    agent: &'a Agent,
    boundary: Boundary<'a>,
    look_ahead: f32,
    to: Vector,
}

impl<'a> Surroundings<'a> {
    /// The surroundings of an agent with a destination.
    pub fn new(agent: &'a Agent, look_ahead: f32, obstacles: &'a Obstacles, layers: GroupMask) -> Option<Self> {
        let clearance = (agent.radius * (1.0 + CLEARANCE)).max(MARGIN * look_ahead);
        let distance = clearance * (1.0 + MARGIN);
        let to = agent.position + agent.destination?;
        let is_usual = to.is_finite() && agent.position.is_finite() && look_ahead.is_finite() && clearance > 0.0;
        let boundary = Boundary { obstacles, space: agent.space, layers, distance, clearance, step: clearance };
        is_usual.then_some(Self { agent, boundary, look_ahead, to })
    }

    /// The displacement from a place to the destination.
    fn rest(&self, from: Vector) -> Vector {
        self.agent.space.displacement(from, self.to)
    }

    /// How far from the destination an agent that goes straight on from a place comes to a stop, units.
    fn end_of_straight_way(&self, from: Vector) -> f32 {
        let rest = self.rest(from);
        let free = self.boundary.free_way(from, rest, self.boundary.clearance);
        let room = 2.0 * self.boundary.clearance;
        if free < room.min(rest.length()) { f32::INFINITY } else { rest.length() - free }
    }

    /// Whether the straight way on from a place gets the agent nearer to its destination than `nearest`.
    fn leads_nearer(&self, from: Vector, nearest: f32) -> bool {
        let end = self.end_of_straight_way(from);
        end <= 0.0 || end < nearest - self.boundary.clearance
    }

    fn is_visible(&self, place: Vector) -> bool {
        let (way, sight) = (self.agent.to(place), SIGHT * self.boundary.clearance);
        let length = way.length();
        length <= CLOSE * self.boundary.step
            || length <= self.look_ahead && self.boundary.free_way(self.agent.position, way, sight) >= length
    }

    /// The length of the way along the boundary on a side, and straight on to the destination, units. `None` if it leads back to its start.
    fn length_of_way(&self, start: Vector, side: ObstacleSide, nearest: f32) -> Option<f32> {
        let Boundary { step, .. } = self.boundary;
        let (mut place, mut length) = (start, 0.0);
        for _ in 0..MOST_STEPS {
            let next = self.boundary.next(place, side)?;
            length += next.distance(place);
            place = next;
            if self.leads_nearer(place, nearest) {
                return Some(length + self.rest(place).length());
            }
            let back = self.agent.space.displacement(place, start).length();
            if length > 4.0 * step && back < 0.6 * step {
                return None;
            }
        }
        Some(f32::MAX)
    }

    /// The shorter way along the boundary: where it begins, and on which side the walls are.
    fn way_out(&self, nearest: f32) -> Option<(Vector, ObstacleSide)> {
        let start = self.boundary.nearest(self.agent.position, self.look_ahead)?;
        let sides = [ObstacleSide::Right, ObstacleSide::Left];
        let ways = sides.map(|side| (self.length_of_way(start, side, nearest), side));
        let ways = ways.into_iter().filter_map(|(length, side)| Some((length?, side)));
        ways.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, side)| (start, side))
    }
}

impl Progress {
    /// The progress of an agent that comes to an obstacle.
    fn new(around: &Surroundings) -> Self {
        let nearest = around.rest(around.agent.position).length();
        Self {
            to: around.to,
            nearest,
            way: 0.0,
            anchor: around.agent.position,
            held: 0.0,
            pause: 0.0,
            scout: None,
            leaves: false,
        }
    }

    /// Updates what is remembered. What is about another destination is forgotten.
    pub fn update(progress: &mut Option<Self>, around: &Surroundings) {
        let moved = |known: &Self| around.agent.space.displacement(known.to, around.to).length();
        let known = progress.filter(|known| moved(known) <= 0.5 * known.nearest.max(around.look_ahead));
        let known = progress.insert(known.unwrap_or_else(|| Self::new(around)));
        let distance = around.rest(around.agent.position).length();
        known.way += around.agent.velocity.length() * around.agent.tick;
        known.pause = (known.pause - around.agent.tick).max(0.0);
        if distance < known.nearest - around.boundary.clearance {
            (known.nearest, known.way) = (distance, 0.0);
        }
        known.held += around.agent.tick;
        if around.agent.to(known.anchor).length() > HELD * around.boundary.clearance {
            (known.anchor, known.held) = (around.agent.position, 0.0);
        }
    }

    /// Whether the agent is held up, or has gone far without getting nearer.
    pub fn is_lost(&self, around: &Surroundings) -> bool {
        let agent = around.agent;
        let patience = PATIENCE + agent.max_speed * agent.mass / agent.max_force;
        let is_far = self.scout.is_none() && self.way > LOST * around.look_ahead + 2.0 * self.nearest;
        is_far || self.held > patience
    }

    /// Sets off along the boundary, if a way leads nearer to the destination. Returns the side on which the walls are.
    pub fn set_off(&mut self, around: &Surroundings) -> Option<ObstacleSide> {
        if self.pause > 0.0 || around.agent.preferred_velocity().length() < IDLE * around.agent.max_speed {
            return None;
        }
        let distance = around.rest(around.agent.position).length();
        self.nearest = self.nearest.min(distance);
        let way = around.way_out(self.nearest);
        (self.way, self.held, self.leaves) = (0.0, 0.0, false);
        self.scout = way.map(|(start, _)| start);
        if way.is_none() {
            self.give_up(around);
        }
        way.map(|(_, side)| side)
    }

    /// Waits before it looks for a way again.
    pub fn give_up(&mut self, around: &Surroundings) {
        let nearest = around.rest(around.agent.position).length();
        *self = Self { nearest, way: 0.0, held: 0.0, pause: PAUSE, scout: None, leaves: false, ..*self };
    }

    /// Whether an agent that passes obstacles may go straight on.
    pub fn may_leave(progress: &mut Option<Self>, around: &Surroundings) -> bool {
        let Some(known) = progress else { return true };
        if known.leaves {
            known.leaves = false;
            return true;
        }
        let end = around.end_of_straight_way(around.agent.position);
        if end <= 0.0 {
            *progress = None;
            return true;
        }
        let nearer = end < known.nearest - around.boundary.clearance;
        if nearer {
            (known.nearest, known.way) = (end, 0.0);
        }
        nearer
    }

    /// The velocity of an agent that follows a boundary; `None` if it follows none, or leaves it.
    pub fn follow(progress: &mut Option<Self>, side: ObstacleSide, around: &Surroundings) -> Option<Vector> {
        let known = progress.as_mut()?;
        let mut scout = known.scout?;
        let agent = around.agent;
        let reached = known.leaves && agent.to(scout).length() < REACHED * around.boundary.step;
        if reached || around.leads_nearer(agent.position, known.nearest) {
            let end = around.end_of_straight_way(if reached { scout } else { agent.position });
            known.nearest = known.nearest.min(end);
            (known.scout, known.leaves, known.way) = (None, true, 0.0);
            return None;
        }
        if !around.is_visible(scout) {
            known.leaves = false;
            known.scout = around.boundary.nearest(agent.position, around.look_ahead);
            scout = known.scout?;
        }
        for _ in 0..STEPS_PER_TICK {
            let next = around.boundary.next(scout, side).filter(|next| !known.leaves && around.is_visible(*next));
            let Some(next) = next else { break };
            scout = next;
            known.leaves = around.leads_nearer(scout, known.nearest);
        }
        known.scout = Some(scout);
        Some(normalize(agent.to(scout)) * agent.max_speed)
    }
}
