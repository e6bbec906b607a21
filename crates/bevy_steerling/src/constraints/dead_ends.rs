//! The way of an agent with [`AvoidObstacles`](crate::constraints::avoid_obstacles::AvoidObstacles) out of dead ends.
//!
//! Where the straight way to its destination is blocked, the agent follows the boundary of the obstacles, and leaves it where the straight
//! way on leads nearer to the destination than the blocked one. After the algorithms DistBug (Kamon and Rivlin, Sensory-based motion planning
//! with global proofs, 1997) and TangentBug (Kamon, Rimon and Rivlin, 1998). Each time it leaves it gets nearer, so it arrives if there is
//! a way.
//!
//! Two ways lead along a boundary. Before the agent sets off, a virtual scout walks both, and the agent takes the shorter one. Then the scout
//! goes ahead of the agent, as far as the agent can see it, and the agent goes straight to the scout.

use bevy::math::ops;
use bevy::prelude::*;

use crate::agent::{Agent, GroupMask};
use crate::constraints::force_limits::CLEARANCE;
use crate::math::{Vector, normalize};
use crate::perception::obstacles::{Boundary, ObstacleSide, ObstacleView, Obstacles};

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

/// A way that is free for this share of a step leads away from the boundary.
const FREE: f32 = 0.25;

/// An agent that finds no way looks again after this time, seconds.
const PAUSE: f32 = 2.0;

/// The way of an agent along a boundary.
#[derive(Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct WayOut {
    /// The side on which the walls are.
    pub side: ObstacleSide,
    /// The place of the scout.
    pub scout: Vector,
    /// Whether the scout has found the place to leave the boundary.
    leaves: bool,
    /// The destination.
    to: Vector,
    /// The distance from the destination at the end of the blocked way, units.
    nearest: f32,
    /// The way that is left to the scout before it looks for a way again, units.
    left: f32,
}

/// How far an agent has got with its way out of a dead end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct DeadEnd {
    /// The way along the boundary, if the agent follows one.
    pub way_out: Option<WayOut>,
    /// The time until the agent looks for a way, seconds.
    pause: f32,
}

impl DeadEnd {
    /// The velocity along the boundary, if the agent follows one.
    pub fn follow_boundary(&mut self, around: &Surroundings) -> Option<Vector> {
        if self.way_out.is_none() {
            self.way_out = WayOut::find(around, &mut self.pause);
        }
        let velocity = self.way_out.as_mut()?.follow(around);
        if velocity.is_none() {
            self.way_out = None;
        }
        velocity
    }
}

/// An agent with a destination, and the boundary around it.
#[derive(Clone, Copy)]
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
        let is_usual = to.is_finite() && look_ahead.is_finite() && clearance > 0.0;
        let view = ObstacleView::of(agent, layers);
        let boundary = Boundary { obstacles, view, distance, clearance, step: clearance };
        is_usual.then_some(Self { agent, boundary, look_ahead, to })
    }

    /// The distance from the destination, units.
    pub fn distance(&self) -> f32 {
        self.rest(self.agent.position).length()
    }

    /// The displacement from a place to the destination.
    fn rest(&self, from: Vector) -> Vector {
        self.agent.space.displacement(from, self.to)
    }

    /// Whether the straight way on from a place gets the agent nearer to its destination than `nearest`.
    fn leads_nearer(&self, from: Vector, nearest: f32) -> bool {
        let rest = self.rest(from);
        let (length, Boundary { clearance, step, .. }) = (rest.length(), self.boundary);
        let free = self.boundary.free_way(from, rest, clearance);
        free >= length || free >= FREE * step && length - free < nearest - clearance
    }

    fn is_visible(&self, place: Vector) -> bool {
        let (way, sight) = (self.agent.to(place), SIGHT * self.boundary.clearance);
        let length = way.length();
        length <= CLOSE * self.boundary.step
            || length <= self.look_ahead && self.boundary.free_way(self.agent.position, way, sight) >= length
    }

    /// The end of the straight way to the destination, if an obstacle blocks it within the look-ahead.
    fn blocked_at(&self) -> Option<Vector> {
        let (from, rest) = (self.agent.position, self.rest(self.agent.position));
        let way = rest.clamp_length_max(self.look_ahead);
        let free = self.boundary.free_way(from, way, self.boundary.clearance);
        // A destination beside a wall cannot be reached by another way.
        let is_blocked = free < way.length() && rest.length() - free > self.boundary.clearance;
        is_blocked.then(|| from + normalize(rest) * free)
    }

    /// The shorter way along the boundary from the end of a blocked way, to a place that leads nearer to the destination; `None` if both
    /// directions lead nowhere.
    fn way_out(&self, blocked_at: Vector) -> Option<WayOut> {
        let nearest = self.rest(blocked_at).length();
        let start = self.boundary.nearest(blocked_at, self.boundary.distance + self.boundary.step)?;
        let way = |side, left| WayOut { side, scout: start, leaves: false, to: self.to, nearest, left };
        let mut walks = [ObstacleSide::Right, ObstacleSide::Left].map(|side| (side, Some(start), 0.0));
        let mut best: Option<(f32, WayOut)> = None;
        for _ in 0..MOST_STEPS {
            for (side, walk, length) in &mut walks {
                let is_shorter = best.is_none_or(|(best, _)| *length < best);
                *walk = walk.filter(|_| is_shorter).and_then(|place| {
                    let next = self.boundary.next(place, *side)?;
                    *length += next.distance(place);
                    Some(next)
                });
                let Some(place) = *walk else { continue };
                if self.leads_nearer(place, nearest) {
                    let total = *length + self.rest(place).length();
                    if best.is_none_or(|(best, _)| total < best) {
                        best = Some((total, way(*side, 2.0 * *length + self.look_ahead)));
                    }
                    *walk = None;
                } else if *length > 4.0 * self.boundary.step && self.is_back(place, start) {
                    *walk = None;
                }
            }
            if walks.iter().all(|(_, walk, _)| walk.is_none()) {
                return best.map(|(_, way)| way);
            }
        }
        let endless = walks.into_iter().find_map(|(side, walk, length)| walk.map(|_| way(side, length)));
        best.map(|(_, way)| way).or(endless)
    }

    /// Whether a walk along the boundary has come back to its start.
    fn is_back(&self, place: Vector, start: Vector) -> bool {
        self.agent.space.displacement(place, start).length() < 0.6 * self.boundary.step
    }
}

impl WayOut {
    /// The way out of a dead end ahead, if there is any. `pause` is the time until the agent looks for a way, seconds.
    fn find(around: &Surroundings, pause: &mut f32) -> Option<Self> {
        *pause = (*pause - around.agent.tick).max(0.0);
        if *pause > 0.0 {
            return None;
        }
        let blocked_at = around.blocked_at()?;
        let way = around.way_out(blocked_at);
        if way.is_none() {
            *pause = PAUSE;
        }
        way
    }

    /// Whether it leads to the destination.
    fn is_toward(&self, around: &Surroundings) -> bool {
        let moved = around.agent.space.displacement(self.to, around.to).length();
        moved <= 0.5 * self.nearest.max(around.look_ahead)
    }

    /// The new place of a scout that the agent has lost sight of: back on the way along the boundary, or else beside the agent.
    fn find_scout(&self, around: &Surroundings) -> Option<Vector> {
        let boundary = &around.boundary;
        let back = core::iter::successors(Some(self.scout), |place| boundary.next(*place, self.side.other()));
        let seen = back.take(STEPS_PER_TICK).find(|place| around.is_visible(*place));
        seen.or_else(|| boundary.nearest(around.agent.position, around.look_ahead))
    }

    /// The velocity along the boundary; `None` if the agent leaves it.
    fn follow(&mut self, around: &Surroundings) -> Option<Vector> {
        let (agent, Boundary { step, .. }) = (around.agent, around.boundary);
        if self.left < 0.0 || !self.is_toward(around) {
            return None;
        }
        if !around.is_visible(self.scout) {
            self.leaves = false;
            self.scout = self.find_scout(around)?;
        }
        for _ in 0..STEPS_PER_TICK {
            let next =
                around.boundary.next(self.scout, self.side).filter(|next| !self.leaves && around.is_visible(*next));
            let Some(next) = next else { break };
            self.left -= next.distance(self.scout);
            self.scout = next;
            self.leaves = around.leads_nearer(next, self.nearest);
        }
        let to_scout = agent.to(self.scout);
        let reached = to_scout.length() < REACHED * step || around.leads_nearer(agent.position, self.nearest);
        if self.leaves && reached {
            return None;
        }
        // It can turn where the scout is.
        let speed = ops::sqrt(2.0 * agent.max_force / agent.mass * to_scout.length()).min(agent.max_speed);
        Some(normalize(to_scout) * speed)
    }
}
