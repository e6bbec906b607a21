//! The progress of an agent along its path.

use bevy::ecs::component::component_clone_ignore;
use bevy::prelude::*;

use crate::agent::Agent;
use crate::behaviors::follow_path::course::Course;
use crate::behaviors::follow_path::plan::{Ability, Basis, Plan};
use crate::behaviors::follow_path::route::{PathVisit, Route};
use crate::math::Vector;
use crate::math::lanes::Lanes;
use crate::math::segment::nearest_on_segment;

/// The progress of an agent with [`FollowPath`](crate::behaviors::follow_path::FollowPath) along its path. Updated every tick. Cloned
/// entities start with a new state.
#[derive(Component, Clone, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[component(clone_behavior = Custom(component_clone_ignore))]
pub struct PathProgress {
    /// The fingerprint of the path; 0 before the agent is on it.
    path: u64,
    /// How many times the agent has joined a path.
    starts: u32,
    lap: u32,
    /// The next point.
    waypoint: u32,
    distance: f32,
    finished: bool,
    /// The points between which the agent is, and the point before them, as numbers on the [`Route`].
    before: u32,
    from: u32,
    pub(super) to: u32,
    /// The distance along the leg.
    pub(super) along: f32,
    /// The number of the next point that has not been reached.
    reached: u32,
    /// Whether the agent has touched the next point.
    touched: bool,
    /// The smallest distance to the next point so far, units, and the time that the agent has been beside the point without getting nearer,
    /// seconds.
    closest: f32,
    held_up: f32,
    /// Whether the agent has left its plan to arrive at the end.
    pub(super) arrives: bool,
    /// The position in the last tick, and the distance that the agent could cover in that tick, units.
    pub(super) seen: Vector,
    pub(super) stride: f32,
    #[reflect(ignore)]
    #[cfg_attr(feature = "serialize", serde(skip))]
    pub(super) plan: Plan,
    /// The path and the points that the plan is for. After a rollback of the game, the plan may be a later one.
    #[reflect(ignore)]
    #[cfg_attr(feature = "serialize", serde(skip))]
    planned: (u64, [u32; 3]),
}

impl PathProgress {
    /// The index of the next point in the path.
    pub fn waypoint(&self) -> usize {
        self.waypoint as usize
    }

    /// The number of finished laps. On a path that [goes back and forth](crate::behaviors::follow_path::PathEnd::PingPong), a lap is there
    /// and back. The number is 0 again after the agent has joined a path anew.
    pub fn lap(&self) -> u32 {
        self.lap
    }

    /// The distance along the path since the start of the lap, units.
    pub fn distance(&self) -> f32 {
        self.distance + self.along
    }

    /// Whether the agent has come to rest at the end of its path, or as near to it as [others](crate::constraints::settling::Settling)
    /// allow.
    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// How many times the agent has joined a path, and the number of the next point that it has not reached.
    pub(crate) fn reached(&self) -> (u32, u32) {
        (self.starts, self.reached)
    }

    /// Forgets the path.
    pub(super) fn leave(&mut self) {
        *self = Self { starts: self.starts, ..Self::default() };
    }

    /// Whether the agent is at the end of a leg, at a point that it must touch and has not touched yet.
    pub(super) fn is_at_untouched_point(&self, visit: PathVisit) -> bool {
        visit == PathVisit::Every && !self.touched && self.along >= self.plan.length
    }

    /// Finds the place where the agent joins the path: in the first tick, after the path has been replaced, and after a jump.
    fn get_on(&mut self, path: u64, visit: PathVisit, route: &Route, agent: &Agent, ability: Ability) {
        let from = route.entry(agent, ability.radius, visit);
        let start: f32 = (route.first()..from).map(|number| route.leg(number, number + 1).length).sum();
        *self = Self {
            path,
            starts: self.starts.wrapping_add(1),
            distance: start,
            before: from,
            from,
            reached: from,
            closest: f32::MAX,
            seen: agent.position,
            stride: stride(ability, agent),
            ..Self::default()
        };
        self.set_out(route, ability);
        self.along = (-agent.to(self.plan.start).dot(self.plan.direction)).clamp(0.0, self.plan.length);
        self.reached += u32::from(self.along > 0.0);
    }

    pub(super) fn is_on(&self, path: u64) -> bool {
        self.path == path
    }

    /// Whether the plan is for this path and the leg that the agent is on.
    #[inline(always)]
    pub(super) fn is_planned(&self, path: u64, basis: &Basis) -> bool {
        let (planned, [before, from, to]) = self.planned;
        let legs = (self.before ^ before) | (self.from ^ from) | (self.to ^ to);
        (self.path ^ path) | (self.path ^ planned) | u64::from(legs) == 0 && self.plan.ability.is_from(basis)
    }

    /// Makes a plan. If the path is a new one, the agent joins it first.
    #[cold]
    pub(super) fn plan_on(&mut self, path: u64, visit: PathVisit, route: &Route, agent: &Agent, ability: Ability) {
        if self.is_on(path) {
            self.replan(route, ability);
        } else {
            self.get_on(path, visit, route, agent, ability);
        }
    }

    /// Plans the leg that begins at `from`.
    fn set_out(&mut self, route: &Route, ability: Ability) {
        self.to = route.next(self.from, ability.apart).unwrap_or(self.from);
        self.replan(route, ability);
    }

    fn replan(&mut self, route: &Route, ability: Ability) {
        self.planned = (self.path, [self.before, self.from, self.to]);
        self.plan = Plan::new(route, ability, self.planned.1);
        self.waypoint = route.index(self.to);
        self.lap = (self.from / route.lap()).saturating_sub(u32::from(route.first() > 0));
    }

    fn go_on(&mut self, route: &Route, ability: Ability) {
        let lap = self.from / route.lap();
        self.distance += self.plan.length;
        (self.before, self.from) = (self.from, self.to);
        if self.from / route.lap() > lap {
            self.distance = 0.0;
        }
        (self.touched, self.arrives, self.closest, self.held_up) = (false, false, f32::MAX, 0.0);
        self.reached = self.reached.max(self.from + 1);
        self.set_out(route, ability);
    }

    fn go_back(&mut self, route: &Route, ability: Ability, previous: u32) {
        (self.from, self.to) = (previous, self.from);
        (self.touched, self.arrives, self.closest, self.held_up) = (false, false, f32::MAX, 0.0);
        self.before = route.previous(previous, ability.apart).unwrap_or(previous);
        self.replan(route, ability);
        self.distance = (self.distance - self.plan.length).max(0.0);
    }

    /// Moves the progress to where the agent is now. The progress follows the agent along the path and never jumps to another part of it.
    pub(super) fn advance(&mut self, visit: PathVisit, route: &Route, agent: &Agent) {
        let moved = agent.space.displacement(self.seen, agent.position);
        let left = self.within_reach(moved.length(), agent);
        let change = self.change(agent, left);
        self.advance_by(visit, route, agent, moved, left, change);
    }

    /// The largest change of the progress in a tick in which the agent has moved by the distance `moved`.
    fn within_reach(&self, moved: f32, agent: &Agent) -> f32 {
        2.0 * (moved + stride(self.plan.ability, agent))
    }

    fn change(&self, agent: &Agent, most: f32) -> f32 {
        let (place, direction) = Course::of(&self.plan).at(self.along);
        Course::change(agent.to(place.into()).into(), direction, most)
    }

    /// Changes the progress by `change`, and continues with the next legs as far as possible. Returns whether the plan has changed.
    pub(super) fn advance_by(
        &mut self,
        visit: PathVisit,
        route: &Route,
        agent: &Agent,
        moved: Vector,
        mut left: f32,
        change: f32,
    ) -> bool {
        let stride = stride(self.plan.ability, agent);
        if !is_near(left, stride, self.stride, self.plan.ability.radius) {
            self.get_on(self.path, visit, route, agent, self.plan.ability);
            return true;
        }
        (self.seen, self.stride) = (agent.position, stride);
        self.note_touch(visit, route, agent, moved);
        let along = self.along + change;
        left -= change.abs();
        if along < self.plan.end && self.leg_behind(route, agent, along).is_none() {
            self.move_to(along);
            return false;
        }
        self.change_legs(visit, route, agent, left, along);
        true
    }

    /// [`advance_by`](Self::advance_by) for an agent that was not moved to another place, stays on its leg, and need not touch the next point.
    #[inline(always)]
    pub(super) fn stay_on_leg(&mut self, agent: &Agent, stride: f32, along: f32) {
        (self.seen, self.stride) = (agent.position, stride);
        self.move_to(along);
    }

    #[inline(always)]
    fn move_to(&mut self, along: f32) {
        self.along = along.clamp(-self.plan.behind.reach, self.plan.length);
        self.reached = self.reached.max(self.from + u32::from(self.along > 0.0));
    }

    fn change_legs(&mut self, visit: PathVisit, route: &Route, agent: &Agent, mut left: f32, mut along: f32) {
        let ability = self.plan.ability;
        // Each round advances by at most one leg. A fast agent on short legs continues in the next tick.
        for _ in 0..ROUNDS {
            if along < self.plan.end {
                match self.leg_behind(route, agent, along) {
                    Some(previous) => {
                        self.go_back(route, ability, previous);
                        self.along = (self.plan.length + along).clamp(0.0, self.plan.length);
                    }
                    None => self.move_to(along),
                }
                return;
            }
            if visit == PathVisit::Every && !self.touched {
                self.along = self.plan.length;
                return;
            }
            let turns = self.plan.turns;
            let beyond = along - self.plan.length;
            self.go_on(route, ability);
            let on_leg = -agent.to(self.plan.start).dot(self.plan.direction);
            self.along = if self.plan.behind.reach > 0.0 { beyond } else { on_leg.clamp(0.0, self.plan.length) };
            if turns || left <= 0.0 {
                return;
            }
            let change = self.change(agent, left);
            left -= change.abs();
            along = self.along + change;
        }
    }

    /// The start of the previous leg, if the agent was pushed back to it.
    #[inline(always)]
    fn leg_behind(&self, route: &Route, agent: &Agent, along: f32) -> Option<u32> {
        let plan = &self.plan;
        if along > plan.back || agent.to(plan.start).dot(plan.behind.direction) < 0.0 {
            return None;
        }
        route.previous(self.from, plan.ability.apart)
    }

    /// Records whether the agent has touched the next point since the last tick, or is held up beside a body that stands on it.
    fn note_touch(&mut self, visit: PathVisit, route: &Route, agent: &Agent, moved: Vector) {
        if visit != PathVisit::Every || self.touched {
            return;
        }
        let to_point = agent.to(route.point(self.to));
        let nearest = nearest_on_segment(Vector::ZERO, to_point, to_point + moved).length();
        let beside = self.plan.ability.radius.max(2.2 * agent.radius);
        if nearest < NEARER * self.closest || nearest > 3.0 * beside {
            (self.closest, self.held_up) = (nearest, 0.0);
        } else if nearest <= beside {
            self.held_up += agent.tick;
        }
        self.touched = nearest <= agent.radius || self.held_up > HELD_UP;
    }

    /// Records whether the agent is at rest at the end of its path.
    pub(super) fn note_end(&mut self, agent: &Agent, to_end: Vector) {
        if to_end.length() <= agent.radius && agent.velocity.length() <= 0.1 * agent.max_speed {
            self.finish();
        }
    }

    /// Records that the agent rests at the end of its path, or as near to it as others allow.
    pub(super) fn finish(&mut self) {
        self.finished = true;
        self.reached = self.reached.max(self.to + 1);
    }
}

/// Whether an agent whose progress may change by `within_reach` was at most pushed, not moved to another place. `stride` is the distance
/// that it covers in a tick, and `last_stride` the distance that it could cover in the last tick.
#[inline(always)]
pub(super) fn is_near<L: Lanes>(within_reach: L, stride: L, last_stride: L, radius: L) -> L::Mask {
    let (two, four, eight) = (stride.splat(2.0), stride.splat(4.0), stride.splat(8.0));
    within_reach.simd_le(two * stride + four * stride.fast_max(last_stride) + eight * radius)
}

/// The distance that an agent covers in a tick at max speed, units.
#[inline(always)]
fn stride(ability: Ability, agent: &Agent) -> f32 {
    ability.max_speed * agent.tick
}

/// The maximum number of legs in a tick.
const ROUNDS: usize = 8;

/// An agent that is beside a point for this time without getting nearer to it is held up, seconds.
const HELD_UP: f32 = 1.0;

/// An agent has come nearer to a point if its distance is below this share of the smallest distance so far.
const NEARER: f32 = 0.95;
