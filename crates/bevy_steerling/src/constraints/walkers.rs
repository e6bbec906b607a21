//! What agents with [`AvoidNeighbors`](crate::constraints::avoid_neighbors::AvoidNeighbors) know of all others, in the order of the
//! neighbor index, and the search for those that can matter.
//!
//! The search tests eight agents at a time. It leaves out only agents that certainly do not matter.

use alloc::vec::Vec;
use core::cell::Cell;
use core::ops::Range;

use bevy::prelude::*;
use wide::f32x8;

use crate::agent::{Agent, GroupMask, SteeringId};
use crate::constraints::force_limits::{ForceLimits, RESERVE};
use crate::constraints::passing::Walker;
use crate::math::Vector;
use crate::math::lanes::{LANES, Lanes, VectorOf};
use crate::perception::neighbors::{Body, Neighbors};

/// All agents, in the order of the [`Neighbors`] index. Empty while few of them avoid others: then it is faster to look at these alone.
#[derive(Resource, Default)]
pub struct Walkers {
    known: Vec<Known>,
    blocks: Vec<Block>,
    /// The agents that avoid others.
    members: Vec<Option<Member>>,
    most: Most,
    /// The approximate distance between neighbors, units.
    spacing: f32,
}

/// The largest values among all agents.
#[derive(Clone, Copy, Default)]
struct Most {
    radius: f32,
    /// The speed, actual or preferred, units/s.
    speed: f32,
    /// The stopping distance of those that avoid others, units.
    stop: f32,
    /// The speed of those that do not, units/s.
    drift: f32,
}

/// The largest number of agents for each that avoids others with which all are noted.
const MOST_PER_MEMBER: usize = 16;

/// What the agents that avoid others do, in the order of the index.
#[derive(Resource, Default)]
pub struct Outcomes(pub(super) Vec<Outcome>);

/// What an agent that avoids others does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Outcome {
    /// The total from which it was computed.
    pub before: Vector,
    /// The new total.
    pub total: Vector,
    pub detour: f32,
}

impl Outcome {
    /// To be computed for one agent.
    pub const UNKNOWN: Self = Self { before: Vector::NAN, total: Vector::NAN, detour: f32::NAN };
}

impl Outcomes {
    /// The outcome of the agent at a place, if it has been computed from this total.
    pub(super) fn of(&self, place: Option<usize>, before: Vector) -> Option<Outcome> {
        self.0.get(place?).copied().filter(|outcome| outcome.before == before)
    }
}

/// What others know of an agent besides its position and velocity.
#[derive(Clone, Copy)]
pub(super) struct Known {
    pub id: SteeringId,
    pub radius: f32,
    /// The groups that it belongs to.
    pub groups: GroupMask,
    /// The groups whose members it avoids.
    pub avoids: GroupMask,
    /// The preferred velocity of an agent that avoids others, units/s.
    pub preferred: Vector,
    pub max_speed: f32,
    pub acceleration: f32,
    pub circling: f32,
}

/// What an agent that avoids others knows of itself.
#[derive(Clone, Copy)]
pub(super) struct Member {
    pub agent: Agent,
    pub detour: f32,
    pub time_horizon: f32,
    /// The groups whose members it avoids.
    pub groups: GroupMask,
    /// The layers of the obstacles that it keeps clear of.
    pub layers: GroupMask,
    /// Whether it may want to get to an agent.
    pub has_goals: bool,
}

/// Eight agents, as far as the search needs to know them. NaN stands for an agent whose urgency depends on who looks.
#[derive(Clone, Copy, Default)]
struct Block {
    position: VectorOf<f32x8>,
    preferred: VectorOf<f32x8>,
    /// The preferred speed, units/s.
    speed: f32x8,
    /// The longest time for which it moves at this speed, seconds.
    time: f32x8,
    /// The displacement to the point where it stops, if it avoids others, units.
    stop: VectorOf<f32x8>,
    /// Its speed, if it does not avoid others, units/s.
    drift: f32x8,
    radius: f32x8,
}

impl Walkers {
    /// Forgets all agents, before `count` that avoid others are noted.
    pub(super) fn forget(&mut self, neighbors: &Neighbors, count: usize) {
        let all = neighbors.bodies().len();
        let all = if MOST_PER_MEMBER * count < all { 0 } else { all };
        self.known.clear();
        self.known.resize(all, Known::new(SteeringId::new(0), f32::NAN, GroupMask::NONE));
        self.members.clear();
        self.members.resize(all, None);
    }

    /// Notes an agent that avoids others, unless these are few.
    #[inline(always)]
    pub(super) fn note(
        &mut self,
        neighbors: &Neighbors,
        entity: Entity,
        agent: impl FnOnce() -> (Known, Option<Member>),
    ) {
        if let Some(place) = neighbors.place_of(entity).filter(|place| *place < self.known.len()) {
            (self.known[place], self.members[place]) = agent();
        }
    }

    /// Prepares the search, when all agents that avoid others are noted.
    pub(super) fn prepare(&mut self, neighbors: &Neighbors) {
        for (place, known) in self.known.iter_mut().enumerate().filter(|(_, known)| known.radius.is_nan()) {
            let neighbor = neighbors.neighbor(place);
            *known = Known::new(neighbor.id, neighbor.radius, neighbor.groups);
        }
        self.most = Most { radius: neighbors.largest_radius(), ..Most::default() };
        self.spacing = neighbors.grid().spacing(self.known.len());
        self.blocks.clear();
        for (known, bodies) in self.known.chunks(LANES).zip(neighbors.bodies().chunks(LANES)) {
            let mut seen = [Seen::default(); LANES];
            for (seen, (known, body)) in seen.iter_mut().zip(known.iter().zip(bodies)) {
                *seen = Seen::new(known, body);
                self.most.speed = self.most.speed.max(known.preferred.length().max(body.velocity.length()));
                self.most.stop = self.most.stop.max(seen.stop.length());
                self.most.drift = self.most.drift.max(seen.drift);
            }
            self.blocks.push(Block::new(&seen));
        }
    }

    /// What others know of the agent at a place, if it is noted.
    pub(super) fn known(&self, place: usize) -> Option<Known> {
        self.known.get(place).copied()
    }

    /// The agents that avoid others, in the order of the index.
    pub(super) fn members(&self) -> &[Option<Member>] {
        &self.members
    }

    /// Calls `visit` with all agents that may be so near that they limit the speed, in the order of the index: their places and
    /// displacements.
    #[inline]
    pub(super) fn for_each_near(&self, search: &Search, scope: &Scope, mut visit: impl FnMut(usize, Vector)) {
        let mut test = |block: &Block| (scope.limit_speed(block, search.from), f32x8::ZERO);
        let mut visit = |place: usize, to: Vector, _: f32| visit(place, to);
        let reach = if self.blocks.is_empty() { search.far } else { scope.near_reach(&self.most) };
        search.neighbors.for_each_range(search.position, reach.min(search.far), |range, is_straight| {
            self.look_through(range, is_straight, search, &mut test, &mut visit);
        });
    }

    /// Calls `visit` with all agents that can be urgent: their places, displacements and urgencies, which are NaN if they are unknown.
    /// `visit` returns the urgency above which others do not matter.
    #[inline]
    pub(super) fn for_each_urgent(
        &self,
        search: &Search,
        scope: &Scope,
        mut visit: impl FnMut(usize, Vector, f32) -> f32,
    ) {
        let least = Cell::new(1.0_f32);
        let mut test = |block: &Block| {
            let urgency = scope.urgency(block, search.from);
            ((!urgency.simd_gt(f32x8::splat(least.get()))).to_bitmask(), urgency)
        };
        let mut visit = |place: usize, to: Vector, urgency: f32| {
            least.set(visit(place, to, urgency).min(least.get()));
        };
        let reach = || if self.blocks.is_empty() { search.far } else { scope.urgent_reach(&self.most, least.get()) };
        // In a dense crowd the nearest few leave out most others.
        let (near, mut done) = (NEAR * self.spacing, 0..0);
        if near < reach().min(search.far) {
            search.neighbors.for_each_range(search.position, near, |range, is_straight| {
                if range.contains(&search.own) {
                    self.look_through(range.clone(), is_straight, search, &mut test, &mut visit);
                    done = range;
                }
            });
        }
        search.neighbors.for_each_range(search.position, reach().min(search.far), |range, is_straight| {
            let before = range.start..done.start.clamp(range.start, range.end);
            let after = done.end.clamp(range.start, range.end)..range.end;
            for part in [before, after] {
                self.look_through(part, is_straight, search, &mut test, &mut visit);
            }
        });
    }

    /// Calls `visit` with the agents at these places whose lanes the test returns, or if they cannot be tested, with all of them.
    #[inline(always)]
    fn look_through(
        &self,
        range: Range<usize>,
        is_straight: bool,
        search: &Search,
        test: &mut impl FnMut(&Block) -> (u32, f32x8),
        visit: &mut impl FnMut(usize, Vector, f32),
    ) {
        let Search { neighbors, agent, own, far, position, .. } = *search;
        let bodies = neighbors.bodies();
        let mut consider = |place: usize, to: Vector, urgency: f32| {
            if to.length_squared() <= far * far && place != own && neighbors.is_on_floor(place, agent.height) {
                visit(place, to, urgency);
            }
        };
        if !is_straight || self.blocks.is_empty() {
            for place in range {
                consider(place, agent.space.displacement(position, bodies[place].position), f32::NAN);
            }
            return;
        }
        for number in range.start / LANES..range.end.div_ceil(LANES) {
            let first = number * LANES;
            let (found, urgency) = test(&self.blocks[number]);
            let mut found = found & lanes_within(&range, first);
            if found == 0 {
                continue;
            }
            let urgency = urgency.to_array();
            while found != 0 {
                let lane = found.trailing_zeros() as usize;
                found &= found - 1;
                consider(first + lane, bodies[first + lane].position - position, urgency[lane]);
            }
        }
    }
}

/// How far the nearest few are at most, in distances between neighbors.
const NEAR: f32 = 4.0;

/// The search of an agent for others.
pub(super) struct Search<'a> {
    neighbors: &'a Neighbors,
    agent: &'a Agent,
    /// The place of the agent in the index.
    own: usize,
    far: f32,
    position: Vector,
    from: VectorOf<f32x8>,
}

impl<'a> Search<'a> {
    /// The search of an agent that looks as far as `far`.
    pub fn new(neighbors: &'a Neighbors, agent: &'a Agent, own: Option<usize>, far: f32) -> Self {
        let position = agent.space.wrap(agent.position);
        Self { neighbors, agent, own: own.unwrap_or(usize::MAX), far, position, from: VectorOf::splat(position) }
    }
}

/// The lanes whose places are in `range`, if the first lane has the place `first`.
#[inline]
fn lanes_within(range: &Range<usize>, first: usize) -> u32 {
    let all = (1 << LANES) - 1;
    let before = range.start.saturating_sub(first);
    let after = (first + LANES).saturating_sub(range.end);
    (all << before) & (all >> after)
}

impl Known {
    /// An agent that does not avoid others.
    pub fn new(id: SteeringId, radius: f32, groups: GroupMask) -> Self {
        let (avoids, preferred) = (GroupMask::NONE, Vector::ZERO);
        Self { id, radius, groups, avoids, preferred, max_speed: 0.0, acceleration: 0.0, circling: 0.0 }
    }

    /// The agent as one of these groups sees it.
    pub fn walker(&self, velocity: Vector, groups: GroupMask) -> Walker {
        let going_on = Walker::going_on(self.id, velocity);
        if !self.avoids.considers(groups) {
            return going_on;
        }
        let Self { preferred, max_speed, acceleration, circling, .. } = *self;
        Walker { preferred, max_speed, acceleration, circling, ..going_on }
    }
}

impl Member {
    /// An agent that keeps clear of no obstacles.
    pub fn new(agent: &Agent, time_horizon: f32, groups: GroupMask) -> Self {
        Self { agent: *agent, detour: 0.0, time_horizon, groups, layers: GroupMask::NONE, has_goals: true }
    }
}

impl Block {
    fn new(seen: &[Seen; LANES]) -> Self {
        let lanes = |get: fn(&Seen) -> f32| f32x8::gather(|lane| get(&seen[lane]));
        Self {
            position: VectorOf::gather(|lane| seen[lane].position),
            preferred: VectorOf::gather(|lane| seen[lane].preferred),
            speed: lanes(|seen| seen.speed),
            time: lanes(|seen| seen.time),
            stop: VectorOf::gather(|lane| seen[lane].stop),
            drift: lanes(|seen| seen.drift),
            radius: lanes(|seen| seen.radius),
        }
    }
}

/// An agent in a [`Block`].
#[derive(Clone, Copy, Default)]
struct Seen {
    position: Vector,
    preferred: Vector,
    speed: f32,
    time: f32,
    stop: Vector,
    drift: f32,
    radius: f32,
}

impl Seen {
    #[inline(always)]
    fn new(known: &Known, body: &Body) -> Self {
        let seen = Self { position: body.position, radius: known.radius, ..Self::default() };
        if known.avoids != GroupMask::ALL && known.avoids != GroupMask::NONE {
            return Self { preferred: Vector::NAN, speed: f32::NAN, stop: Vector::NAN, ..seen };
        }
        let walker = known.walker(body.velocity, GroupMask::NONE);
        let speed = walker.preferred.length();
        let seen = Self { preferred: walker.preferred, speed, ..seen };
        if walker.avoids() {
            let stop = ForceLimits::stop(walker.velocity, walker.acceleration);
            Self { time: walker.longest_time(speed), stop, ..seen }
        } else {
            Self { time: f32::INFINITY, drift: walker.velocity.length(), ..seen }
        }
    }
}

/// Whom an agent takes into account.
pub(super) struct Scope {
    preferred: VectorOf<f32x8>,
    time_horizon: f32,
    /// The distance that the agent covers within its time horizon, units.
    way: f32,
    radius: f32,
    /// The displacement to the point where the agent stops, units.
    stop: Vector,
    /// The room in which the agent can stop from any speed of the next tick, units.
    room: f32,
    /// By how much that grows with the speed of a body that does not avoid others, and with its square.
    drift: [f32; 2],
    circling: f32,
    clearance: Clearance,
}

/// How far an agent keeps away from others.
#[derive(Clone, Copy)]
pub(super) struct Clearance {
    /// The least distance between bodies, units.
    pub skin: f32,
    /// The share of another agent's stopping distance that counts if that agent moves away.
    pub credit: f32,
}

/// The margin for rounding errors.
const MARGIN: f32 = 1.001;

impl Scope {
    pub fn new(me: &Walker, agent: &Agent, time_horizon: f32, clearance: Clearance) -> Self {
        let braking = RESERVE * me.acceleration;
        let fastest = agent.max_speed.max(agent.velocity.length() + me.acceleration * agent.tick);
        Self {
            preferred: VectorOf::splat(me.preferred),
            time_horizon,
            way: me.way(time_horizon),
            radius: agent.radius,
            stop: ForceLimits::stop(agent.velocity, me.acceleration),
            room: MARGIN * fastest * (0.5 * fastest / braking + agent.tick),
            drift: [MARGIN * (fastest / braking + agent.tick), MARGIN * 0.5 / braking],
            circling: me.circling,
            clearance,
        }
    }

    /// How far away others can limit the speed, units.
    fn near_reach(&self, most: &Most) -> f32 {
        let [linear, square] = self.drift;
        // If the agent makes way, the room is a smaller share of the gap.
        let gap = (2.0 * self.room + (1.0 + self.circling) * self.stop.length()) / (1.0 - self.circling);
        let gap = gap + most.stop + most.drift * (linear + most.drift * square);
        MARGIN * (self.radius + most.radius + self.clearance.skin + gap)
    }

    /// How far away others can be more urgent than `least`, units.
    fn urgent_reach(&self, most: &Most, least: f32) -> f32 {
        MARGIN * (self.radius + most.radius + least * (self.way + most.speed * self.time_horizon))
    }

    /// The lanes of the agents that may limit the speed.
    #[inline(always)]
    fn limit_speed(&self, block: &Block, from: VectorOf<f32x8>) -> u32 {
        let splat = f32x8::splat;
        let to = block.position - from;
        let distance = to.length();
        let gap = distance - block.radius - splat(self.radius + self.clearance.skin);
        // Twice the room up to the midpoint between the stopping points.
        let share = splat(1.0) / distance.fast_max(splat(f32::MIN_POSITIVE));
        let (mine, its) = (VectorOf::splat(self.stop).dot(to) * share, block.stop.dot(to) * share);
        let its = its.fast_min(its * splat(self.clearance.credit));
        let way = (gap - mine + its).fast_max(f32x8::ZERO) * splat(self.circling);
        let has_room = (gap + mine + its - way).simd_gt(splat(2.0 * self.room) + distance * splat(MARGIN - 1.0));
        let [linear, square] = self.drift.map(splat);
        let has_room = has_room & gap.simd_gt(splat(self.room) + block.drift * (linear + block.drift * square));
        // NaN has no room.
        (!has_room).to_bitmask()
    }

    /// The urgency of each agent; NaN if it is unknown.
    #[inline(always)]
    fn urgency(&self, block: &Block, from: VectorOf<f32x8>) -> f32x8 {
        // As in `passing::urgency`, bit for bit.
        let (splat, time_horizon) = (f32x8::splat, f32x8::splat(self.time_horizon));
        let closing = (self.preferred - block.preferred).length() * time_horizon;
        let reach = closing.fast_min(splat(self.way) + block.speed * block.time.fast_min(time_horizon));
        let gap = (block.position - from).length() - (block.radius + splat(self.radius));
        let urgency = gap.fast_max(f32x8::ZERO) / reach.fast_max(splat(f32::MIN_POSITIVE));
        // A maximum may lose the NaN of an unknown speed.
        urgency + block.speed * f32x8::ZERO
    }
}
