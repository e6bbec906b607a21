//! What agents with [`AvoidNeighbors`](crate::constraints::avoid_neighbors::AvoidNeighbors) know about all others, in the order of the
//! neighbor index, and the search for relevant neighbors.
//!
//! The search tests eight agents at a time. It skips only agents that are certainly irrelevant.

use alloc::vec::Vec;
use core::sync::atomic::{AtomicU32, Ordering};

use bevy::prelude::*;
use fearless_simd::prelude::{Simd, SimdMask};

use crate::agent::{Agent, GroupMask, SteeringId};
use crate::constraints::avoider::{Avoider, Known, Member};
use crate::constraints::force_limits::{ForceLimits, RESERVE};
use crate::constraints::passing::Passing;
use crate::math::Vector;
use crate::math::lanes::{LANES, Lanes, Stored, VectorOf, bits, each_lane};
use crate::math::simd::{dispatch, level};
use crate::perception::neighbors::{Body, Neighbors, lanes_within};
use crate::tick::threads;

/// All agents, in the order of the [`Neighbors`] index. Empty if few of them avoid others, because checking only those few is faster then.
#[derive(Resource, Default)]
pub struct Walkers {
    known: Vec<[Known; LANES]>,
    blocks: Vec<Block>,
    /// The agents that avoid others, in the order of the world.
    avoiders: Vec<Avoider>,
    /// The index in `avoiders` of each agent; `NO_AVOIDER` for the others.
    numbers: Vec<AtomicU32>,
    /// The fastest agents, the fastest first. Only agents that are faster than the lowest max speed of those that avoid others are listed.
    fastest: Vec<Fast>,
    /// The highest speed of the remaining agents, units/s; zero if none of them is faster than that.
    other_speed: f32,
}

/// An agent that is noticed from farther away than others.
#[derive(Clone, Copy)]
struct Fast {
    speed: f32,
    id: SteeringId,
    place: usize,
}

/// The index of an agent that does not avoid others.
const NO_AVOIDER: u32 = u32::MAX;

/// The maximum number of agents that are noticed from as far away as their speed requires. If more agents are fast, all agents look
/// farther.
const MOST_FAST: usize = 64;

/// An agent is fast if its speed exceeds the lowest max speed of those that avoid others by more than rounding errors.
const FASTER: f32 = 1.001;

/// All agents are recorded only if there are at most this many per agent that avoids others.
const MOST_PER_AVOIDER: usize = 16;

/// Eight agents, with the data that the search needs. NaN stands for an agent whose urgency depends on who looks.
#[derive(Clone, Copy, Default)]
struct Block {
    position: VectorOf<Stored>,
    preferred: VectorOf<Stored>,
    /// The preferred speed, units/s.
    speed: Stored,
    /// The longest time for which it moves at this speed, seconds.
    time: Stored,
    /// The displacement to the point where it stops, if it avoids others, units.
    stop: VectorOf<Stored>,
    /// Its speed, if it does not avoid others, units/s.
    drift: Stored,
    /// Its highest acceleration, if it avoids others, units/s².
    acceleration: Stored,
    radius: Stored,
    /// The longest stopping distance of those that avoid others, units.
    longest_stop: f32,
    /// The highest speed of those that do not avoid everybody, units/s.
    fastest_drift: f32,
}

impl Walkers {
    /// Forgets all agents. Returns a slot for each of the `count` agents that avoid others, in the order of the world, and their places in
    /// the index.
    pub(super) fn forget(&mut self, neighbors: &Neighbors, count: usize) -> (&mut [Avoider], Places<'_>) {
        let all = neighbors.bodies().len();
        let all = if MOST_PER_AVOIDER * count < all { 0 } else { all };
        self.numbers.clear();
        self.numbers.resize_with(all, || AtomicU32::new(NO_AVOIDER));
        let known = Known::new(SteeringId::new(0), 0.0, GroupMask::NONE);
        self.avoiders.resize(count, Avoider { known, member: None });
        self.known.resize(all.div_ceil(LANES), [known; LANES]);
        self.blocks.resize(all.div_ceil(LANES), Block::default());
        (&mut self.avoiders, Places(&self.numbers))
    }

    /// Prepares the search after all agents that avoid others have been recorded. `slowest` is the lowest max speed among them, units/s.
    pub(super) fn prepare(&mut self, neighbors: &Neighbors, slowest: f32, in_parallel: bool) {
        self.find_fastest(neighbors, FASTER * slowest);
        let (avoiders, numbers) = (&self.avoiders, &self.numbers);
        let eights = (&mut *self.known, &mut *self.blocks);
        threads::divide(eights, in_parallel, |first, (known, blocks)| {
            let first = LANES * first;
            let bodies = neighbors.bodies()[first..].chunks(LANES);
            for (((first, known), block), bodies) in (first..).step_by(LANES).zip(known).zip(blocks).zip(bodies) {
                // The data of avoiders is far apart in memory, so it is copied before it is used: the processor loads it at the same time.
                for (place, known) in (first..first + bodies.len()).zip(&mut *known) {
                    *known = match avoiders.get(numbers[place].load(Ordering::Relaxed) as usize) {
                        Some(avoider) => avoider.known,
                        None => {
                            let neighbor = neighbors.neighbor(place);
                            Known::new(neighbor.id, neighbor.radius, neighbor.groups)
                        }
                    };
                }
                *block = Block::new(known, bodies);
            }
        });
    }

    /// Finds the fastest of the agents that are faster than `least`, units/s.
    fn find_fastest(&mut self, neighbors: &Neighbors, least: f32) {
        let bodies = neighbors.bodies().iter().enumerate();
        let fast =
            bodies.filter(|(_, body)| body.velocity.length_squared() > least * least && body.velocity.is_finite());
        self.fastest.clear();
        self.fastest.extend(fast.map(|(place, body)| Fast {
            speed: body.velocity.length(),
            id: neighbors.neighbor(place).id,
            place,
        }));
        let order = |a: &Fast, b: &Fast| b.speed.total_cmp(&a.speed).then(a.id.cmp(&b.id));
        self.other_speed = 0.0;
        if self.fastest.len() > MOST_FAST {
            self.other_speed = self.fastest.select_nth_unstable_by(MOST_FAST, order).1.speed;
            self.fastest.truncate(MOST_FAST);
        }
        self.fastest.sort_unstable_by(order);
    }

    /// How far an agent with this time horizon looks for all others except the fastest, units.
    pub(super) fn far(&self, neighbors: &Neighbors, agent: &Agent, time_horizon: f32) -> f32 {
        let speed = agent.max_speed + self.other_speed.max(agent.max_speed);
        speed * time_horizon + agent.radius + neighbors.largest_radius()
    }

    /// What others know about the agent at a place, if it is recorded.
    pub(super) fn known(&self, place: usize) -> Option<Known> {
        self.known.get(place / LANES).map(|eight| eight[place % LANES])
    }

    /// The number of agents, if they are recorded.
    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// The agents at the places from `place` on; `None` for those that do not avoid others or do not think in this tick. They are copied
    /// together, as in [`prepare`](Self::prepare).
    pub(super) fn members_from(&self, place: usize) -> [Option<Member>; LANES] {
        each_lane(|lane| {
            let number = self.numbers.get(place + lane)?.load(Ordering::Relaxed);
            self.avoiders.get(number as usize)?.member
        })
    }

    /// Calls `visit` with all relevant agents, in the order of the index: their places, displacements and urgencies, and whether they may
    /// be so close that they limit the speed. `visit` returns the urgency above which others are irrelevant. An unknown urgency is NaN.
    #[inline]
    pub(super) fn for_each_that_matters(
        &self,
        neighbors: &Neighbors,
        (agent, own): (&Agent, Option<usize>),
        scope: &Scope,
        far: f32,
        mut visit: impl FnMut(usize, Vector, f32, bool) -> f32,
    ) {
        let own = own.unwrap_or(usize::MAX);
        let bodies = neighbors.bodies();
        let mut least = 1.0;
        let mut consider = |place: usize, to: Vector, urgency: f32, near: bool| {
            if to.length_squared() <= far * far && place != own && neighbors.is_on_floor(place, agent.height) {
                visit(place, to, urgency, near)
            } else {
                f32::INFINITY
            }
        };
        let position = agent.space.wrap(agent.position);
        let mut tested = [Tested::default(); AT_ONCE];
        neighbors.for_each_range(position, far, |range, is_straight| {
            if !is_straight || self.blocks.is_empty() {
                for place in range {
                    consider(place, agent.space.displacement(position, bodies[place].position), f32::NAN, true);
                }
                return;
            }
            let end = range.end.div_ceil(LANES);
            for start in (range.start / LANES..end).step_by(AT_ONCE) {
                let blocks = &self.blocks[start..end.min(start + AT_ONCE)];
                scope.test(blocks, position, least, &mut tested);
                for (number, Tested { urgency, matters, near }) in (start..).zip(&tested[..blocks.len()]) {
                    let first = number * LANES;
                    let mut found = matters & lanes_within(&range, first);
                    while found != 0 {
                        let lane = found.trailing_zeros() as usize;
                        found &= found - 1;
                        let (place, is_near) = (first + lane, near & (1 << lane) != 0);
                        // Since the test, `least` may have decreased.
                        if is_near || urgency[lane] <= least || urgency[lane].is_nan() {
                            let to = bodies[place].position - position;
                            least = consider(place, to, urgency[lane], is_near).min(least);
                        }
                    }
                }
            }
        });
        let is_faster = |fast: &&Fast| fast.speed > FASTER * agent.max_speed;
        for &Fast { place, .. } in self.fastest.iter().take_while(is_faster) {
            let to = agent.space.displacement(position, bodies[place].position);
            if to.length_squared() > far * far && place != own && neighbors.is_on_floor(place, agent.height) {
                visit(place, to, f32::NAN, false);
            }
        }
    }
}

/// Maps places in the index to agents that avoid others. Several threads may write to it at the same time.
#[derive(Clone, Copy)]
pub(super) struct Places<'a>(&'a [AtomicU32]);

impl Places<'_> {
    /// Records the place of an agent, unless there are few agents that avoid others.
    #[inline(always)]
    pub fn note(&self, neighbors: &Neighbors, entity: Entity, number: usize) {
        if let Some(at_place) = neighbors.place_of(entity).and_then(|place| self.0.get(place)) {
            at_place.store(number as u32, Ordering::Relaxed);
        }
    }
}

impl Block {
    /// Up to eight agents.
    fn new(known: &[Known], bodies: &[Body]) -> Self {
        let mut seen = [Seen::default(); LANES];
        for (seen, (known, body)) in seen.iter_mut().zip(known.iter().zip(bodies)) {
            *seen = Seen::new(known, body);
        }
        let lanes = |get: fn(&Seen) -> f32| Stored::new(|lane| get(&seen[lane]));
        Self {
            position: VectorOf::stored(|lane| seen[lane].position),
            preferred: VectorOf::stored(|lane| seen[lane].preferred),
            speed: lanes(|seen| seen.speed),
            time: lanes(|seen| seen.time),
            stop: VectorOf::stored(|lane| seen[lane].stop),
            drift: lanes(|seen| seen.drift),
            acceleration: lanes(|seen| seen.acceleration),
            radius: lanes(|seen| seen.radius),
            longest_stop: seen.iter().fold(0.0, |longest, seen| seen.way_to_stop.max(longest)),
            fastest_drift: seen.iter().fold(0.0, |fastest, seen| seen.fastest_drift.max(fastest)),
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
    acceleration: f32,
    radius: f32,
    way_to_stop: f32,
    fastest_drift: f32,
}

impl Seen {
    #[inline(always)]
    fn new(known: &Known, body: &Body) -> Self {
        let speed = body.velocity.length();
        let avoids = known.walker.avoids();
        let braking = 0.5 * speed / (RESERVE * known.walker.acceleration);
        let way_to_stop = if avoids { speed * (braking + known.walker.keeps_going) } else { 0.0 };
        let fastest_drift = if avoids && known.avoids == GroupMask::ALL { 0.0 } else { speed };
        let seen =
            Self { position: body.position, radius: known.radius, way_to_stop, fastest_drift, ..Self::default() };
        if known.avoids != GroupMask::ALL && known.avoids != GroupMask::NONE {
            return Self { preferred: Vector::NAN, speed: f32::NAN, stop: Vector::NAN, ..seen };
        }
        let walker = known.walker(body.velocity, GroupMask::NONE);
        let speed = walker.preferred.length();
        let seen = Self { preferred: walker.preferred, speed, ..seen };
        if walker.avoids() {
            let stop = walker.stop();
            Self { time: walker.longest_time(speed), stop, acceleration: walker.acceleration, ..seen }
        } else {
            Self { time: f32::INFINITY, drift: walker.velocity.length(), ..seen }
        }
    }
}

/// The maximum number of blocks that are tested together.
const AT_ONCE: usize = 8;

/// The agents of a block, as seen by one agent.
#[derive(Clone, Copy, Default)]
struct Tested {
    urgency: [f32; LANES],
    /// The lanes of the relevant agents.
    matters: u32,
    /// The lanes of the agents that may limit the speed.
    near: u32,
}

/// Which agents an agent takes into account.
pub(super) struct Scope {
    preferred: Vector,
    time_horizon: f32,
    /// The distance that the agent covers within its time horizon, units.
    way: f32,
    radius: f32,
    /// The displacement to the point where the agent stops, units.
    stop: Vector,
    /// The room in which the agent can stop from any speed that it can have in the next tick, units, and how much this grows with the speed
    /// of a body that does not avoid others, and with the square of that speed.
    room: [f32; 3],
    acceleration: f32,
    /// The most that the agent makes way for others, 0 to 1, and in which gap at most.
    makes_way: f32,
    within: f32,
    clearance: Clearance,
    /// The square of the distance beyond which all agents are irrelevant, units².
    far_squared: f32,
    /// The gap within which an agent that stands still may limit the speed, units.
    near: f32,
}

/// How far an agent stays away from others.
#[derive(Clone, Copy)]
pub(super) struct Clearance {
    /// The largest clearance between bodies, units.
    pub skin: f32,
    /// The share of another agent's stopping distance that counts if that agent moves away.
    pub credit: f32,
    /// The largest radius of all agents, units.
    pub largest_radius: f32,
}

/// The margin for rounding errors.
const MARGIN: f32 = 1.001;

impl Scope {
    /// Agents beyond the distance `far` are irrelevant.
    pub fn new(passing: &Passing, agent: &Agent, far: f32, clearance: Clearance) -> Self {
        let Passing { ref me, way, time_horizon } = *passing;
        let braking = RESERVE * me.acceleration;
        let fastest = agent.max_speed.max(agent.velocity.length() + me.acceleration * agent.tick);
        let room = fastest * (0.5 * fastest / braking + agent.tick);
        let room = [room, fastest / braking + agent.tick, 0.5 / braking];
        let stop = ForceLimits::stop(agent.velocity, me.acceleration);
        // An agent that circles may have to keep any distance, one in a jam leaves room for at most a body.
        let makes_way = me.circling.max(me.jammed);
        let within = if me.circling > 0.0 { f32::INFINITY } else { MARGIN * (agent.radius + clearance.largest_radius) };
        let near = clearance.skin + 2.0 * MARGIN * room[0] + stop.length() + (MARGIN - 1.0) * far;
        let near = if makes_way > 0.0 { near + within } else { near };
        Self {
            preferred: me.preferred,
            time_horizon,
            way,
            radius: agent.radius,
            stop,
            room: room.map(|part| MARGIN * part),
            acceleration: me.acceleration,
            makes_way,
            within,
            clearance,
            far_squared: far * far,
            near,
        }
    }

    /// The gap within which an agent of the block may limit the speed, units.
    #[inline(always)]
    fn near(&self, block: &Block) -> f32 {
        let [room, linear, square] = self.room;
        let drift = block.fastest_drift;
        let near = self.near + block.longest_stop;
        MARGIN * near.max(self.clearance.skin + room + drift * (linear + drift * square))
    }

    /// Tests blocks for an agent at `position`. Agents with an urgency above `least` are irrelevant.
    #[inline(always)]
    fn test(&self, blocks: &[Block], position: Vector, least: f32, tested: &mut [Tested; AT_ONCE]) {
        dispatch!(level(), simd => for (block, tested) in blocks.iter().zip(tested) {
            *tested = self.test_block(simd, block, position, least);
        });
    }

    #[inline(always)]
    fn test_block<S: Simd>(&self, simd: S, block: &Block, position: Vector, least: f32) -> Tested {
        let to = block.position.load(simd) - VectorOf::new(simd, position);
        let squared = to.dot(to);
        if !squared.simd_le(squared.splat(self.far_squared)).any_true() {
            return Tested::default();
        }
        let distance = squared.sqrt();
        // As in `urgency`, bit for bit.
        let (speed, time_horizon) = (block.speed.load(simd), squared.splat(self.time_horizon));
        let closing = (VectorOf::new(simd, self.preferred) - block.preferred.load(simd)).length() * time_horizon;
        let reach = closing.fast_min(squared.splat(self.way) + speed * block.time.load(simd).fast_min(time_horizon));
        let zero = squared.splat(0.0);
        let gap = distance - (block.radius.load(simd) + squared.splat(self.radius));
        let urgency = gap.fast_max(zero) / reach.fast_max(squared.splat(f32::MIN_POSITIVE));
        // A maximum may lose the NaN of an unknown speed.
        let urgency = urgency + speed * zero;
        let matters = bits(!urgency.simd_gt(squared.splat(least)));

        if !gap.simd_lt(squared.splat(self.near(block))).any_true() {
            return Tested { urgency: *urgency, matters, near: 0 };
        }
        // Twice the room up to the midpoint between the stopping points. It is smaller if the agent makes way.
        let gap = gap - squared.splat(self.clearance.skin);
        let share = squared.splat(1.0) / distance.fast_max(squared.splat(f32::MIN_POSITIVE));
        let mine = VectorOf::new(simd, self.stop).dot(to) * share;
        let its = block.stop.load(simd).dot(to) * share;
        let its = its.fast_min(its * squared.splat(self.clearance.credit));
        let between = (gap - mine.abs() + its).fast_max(zero).fast_min(squared.splat(self.within));
        let way = between * squared.splat(self.makes_way);
        let [room, linear, square] =
            [squared.splat(self.room[0]), squared.splat(self.room[1]), squared.splat(self.room[2])];
        let has_room = (gap + mine + its - way).simd_gt(room + room + distance * squared.splat(MARGIN - 1.0));
        let drift = block.drift.load(simd);
        let has_room = has_room & gap.simd_gt(room + drift * (linear + drift * square));
        // Behind an agent that brakes less hard, twice the room is always enough.
        let brakes_less = block.acceleration.load(simd).simd_lt(squared.splat(self.acceleration));
        let has_room = has_room & (gap.simd_gt(room + room) | !brakes_less);
        // NaN counts as having no room.
        let near = bits(!has_room);
        Tested { urgency: *urgency, matters: matters | near, near }
    }
}
