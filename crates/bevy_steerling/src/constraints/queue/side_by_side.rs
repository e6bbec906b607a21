//! [`QueueStyle::KeepPlace`] for a whole crowd: eight agents side by side, neighbors one after another.
//!
//! What it means is what [`Line`](super::keep_place::Line) and [`keep_apart`](super::keep_place::keep_apart) do for one agent. This
//! is the same, faster. What lanes are bad at is done for each agent of its own: the limits of the force, where what it wants
//! violates one. An agent that it has no answer for at all (two with the same place, somebody in the same spot, a world so small that
//! one sees others on both sides) is left to [`steer`](crate::engine::behavior::SteeringBehavior::steer).

use alloc::vec::Vec;

use core::ops::Range;

use bevy::ecs::system::StaticSystemParam;
use bevy::prelude::*;
use wide::f32x8;

use super::keep_place::{
    AGREEING, CREEP, CROSSING, FADING, FREE_WAY, PACE, SAME_LINE, SKIN, SPACING, limit_by_neighbor, perception_radius,
};
use super::{Queue, QueueStyle};
use crate::agent::{SteeringAgent, SteeringForce, Velocity};
use crate::constraints::avoid_obstacles::{AvoidObstacles, Detection};
use crate::constraints::force_limits::{ForceLimits, RESERVE};
use crate::engine::behavior::{self, Agent, SteeringBehavior, TickParam, steer_agent};
use crate::engine::contribution_log::{self, LoggedCrowd};
use crate::math::space::Space;
use crate::math::{self, Vector, normalize};
use crate::perception::flocking::{LANES, PARALLEL_THRESHOLD, Vectors, by_rows, together};
use crate::perception::neighbors::{Neighbors, Run, Wish};
use crate::perception::obstacles::Obstacles;

/// What is known of a crowd of which some keep their places, in the order of the index.
#[derive(Resource, Default)]
pub(crate) struct Crowd {
    members: Vec<Member>,
    outcomes: Vec<Outcome>,
    scratch: Scratch,
}

/// What an agent's own steering needs to know of it besides its [`Wish`].
#[derive(Clone, Copy)]
struct Member {
    velocity: Vector,
    force: Vector,
    mass: f32,
    max_speed: f32,
    max_force: f32,
    response_time: f32,
    time_gap: f32,
    /// Which obstacles it keeps clear of.
    layers: u32,
    /// How far it looks, units; less than zero for one that keeps no place.
    far: f32,
}

const STRANGER: Member = Member {
    velocity: Vector::ZERO,
    force: Vector::ZERO,
    mass: 1.0,
    max_speed: 0.0,
    max_force: 1.0,
    response_time: 1.0,
    time_gap: 1.0,
    layers: 0,
    far: -1.0,
};

/// What comes of it for an agent.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Outcome {
    /// NaN where `steer` must say.
    force: Vector,
    place: f32,
}

const UNKNOWN: Outcome = Outcome { force: Vector::NAN, place: f32::NAN };

/// Lists that are kept for their memory.
#[derive(Default)]
struct Scratch {
    runs: Vec<Run>,
    near: Vec<Near>,
}

/// Somebody so near to one of the eight that it may limit its force.
#[derive(Clone, Copy, Default)]
struct Near {
    position: Vector,
    radius: f32,
    place: u32,
}

/// Notes where everyone wants to go, and the places of those who keep them.
pub(crate) fn note_wishes(
    agents: Query<(Entity, &SteeringAgent, &SteeringForce, &Velocity, Option<&Queue>, Option<&AvoidObstacles>)>,
    queues: Query<&Queue>,
    mut neighbors: ResMut<Neighbors>,
    mut crowd: ResMut<Crowd>,
    tick: TickParam,
) {
    let members = &mut crowd.members;
    members.clear();
    if !queues.iter().any(|queue| queue.style == QueueStyle::KeepPlace) {
        return;
    }
    let (tick, largest) = (tick.length(), neighbors.largest_radius());
    members.resize(neighbors.bodies().len(), STRANGER);
    let mut wishes = core::mem::take(neighbors.wishes_mut());
    wishes.resize(members.len(), Wish::default());
    agents.iter().for_each(|(entity, agent, force, velocity, queue, avoid)| {
        let Some(place) = neighbors.place_of(entity) else { return };
        let queue = queue.filter(|queue| queue.style == QueueStyle::KeepPlace);
        let (mass, response_time) = (agent.effective_mass(), agent.response_time.max(tick));
        let (max_speed, max_force, radius) =
            (agent.max_speed.max(0.0), agent.max_force.max(0.0), agent.radius.max(0.0));
        let wanted = velocity.0 + force.0 * (response_time / mass);
        let heading = normalize(math::finite_or_zero(wanted));
        let body = neighbors.bodies()[place];
        wishes[place] = Wish {
            position: body.position,
            heading,
            place: queue.map_or(f32::NAN, Queue::known_place),
            radius,
            pace: body.velocity.dot(heading),
        };
        if let Some(queue) = queue.filter(|_| wanted.is_finite() && max_force > 0.0) {
            let avoid = avoid.filter(|avoid| avoid.detection == Detection::Swept);
            members[place] = Member {
                velocity: velocity.0,
                force: force.0,
                mass,
                max_speed,
                max_force,
                response_time,
                time_gap: queue.time_gap.max(tick),
                layers: avoid.map_or(0, |avoid| avoid.layers),
                far: perception_radius(max_speed, radius, queue.time_gap.max(0.0)) + (largest - radius).max(0.0),
            };
        }
    });
    *neighbors.wishes_mut() = wishes;
}

/// Finds out what everyone does who keeps a place.
pub(crate) fn find_places(
    mut crowd: ResMut<Crowd>,
    neighbors: Res<Neighbors>,
    obstacles: Res<Obstacles>,
    tick: TickParam,
) {
    let Crowd { members, outcomes, scratch } = &mut *crowd;
    outcomes.resize(members.len(), UNKNOWN);
    if members.is_empty() {
        return;
    }
    let threads = tick.threads.parallel(|| members.len(), PARALLEL_THRESHOLD);
    let pass = Pass { neighbors: &neighbors, obstacles: &obstacles, members, tick: tick.length(), space: tick.space() };
    if threads {
        by_rows(&neighbors, outcomes, |rows, outcomes| pass.run(rows, &mut Scratch::default(), outcomes));
    } else {
        pass.run(0..neighbors.rows(), scratch, outcomes);
    }
}

/// Adds the forces of all agents that queue, in any style.
pub(crate) fn queue_up(
    agents: behavior::Crowd<Queue>,
    itemized: LoggedCrowd<Queue>,
    param: StaticSystemParam<<Queue as SteeringBehavior>::Param>,
    neighbors: Res<Neighbors>,
    crowd: Res<Crowd>,
    tick: TickParam,
) {
    let (param, tick) = (&*param, &tick);
    let outcome_of = |agent| {
        let place = neighbors.place_of(agent);
        place.and_then(|place| crowd.outcomes.get(place)).copied().unwrap_or(UNKNOWN)
    };
    let known = |queue: &mut Queue, outcome: Outcome| {
        outcome.force.is_finite().then(|| {
            queue.stopping = false;
            queue.place = outcome.place;
            (outcome.force, outcome.force * queue.weight)
        })
    };
    contribution_log::steer_unless_known(itemized, param, tick, |queue, agent| known(queue, outcome_of(agent)));
    behavior::steer_each_knowing(agents, PARALLEL_THRESHOLD, tick, outcome_of, |queue, force, outcome, data, space| {
        match known(queue, outcome) {
            Some((_, weighted)) if weighted.is_finite() => force.0 += weighted,
            _ => steer_agent::<Queue>(queue, force, data, param, tick, space),
        }
    });
}

/// One look over the whole crowd.
struct Pass<'a> {
    neighbors: &'a Neighbors,
    obstacles: &'a Obstacles,
    members: &'a [Member],
    tick: f32,
    space: Space,
}

impl Pass<'_> {
    /// What comes of it for all agents in some rows of the index.
    fn run(&self, rows: Range<usize>, scratch: &mut Scratch, outcomes: &mut [Outcome]) {
        let bodies = self.neighbors.bodies();
        let first = self.neighbors.row_start(rows.start);
        for row in rows {
            let mut place = self.neighbors.row_start(row);
            let end = self.neighbors.row_start(row + 1);
            while place < end {
                let most = LANES.min(end - place);
                let far = self.members[place..place + most].iter().map(|member| member.far).fold(0.0, f32::max);
                let (low, high, count) = together(&bodies[place..place + most], far);
                let these = &mut outcomes[place - first..][..count];
                these.fill(UNKNOWN);
                if self.members[place..place + count].iter().any(|member| member.far >= 0.0) {
                    self.eight(place, (low, high), scratch, these);
                }
                place += count;
            }
        }
    }

    fn eight(&self, place: usize, corners: (Vector, Vector), scratch: &mut Scratch, outcomes: &mut [Outcome]) {
        let count = outcomes.len();
        let wishes = self.neighbors.wishes();
        let blind = Wish { position: wishes[place].position, ..Wish::default() };
        let mut line = Lines::new(
            |lane| if lane < count { (self.members[place + lane], wishes[place + lane]) } else { (STRANGER, blind) },
            self.neighbors.largest_radius(),
            self.tick,
        );
        let look = self.neighbors.grid().look(corners.0, corners.1, line.reach);
        if look.round {
            return;
        }
        let Scratch { runs, near } = scratch;
        self.neighbors.list_runs(&look, place..place + count, runs);
        near.resize(runs.iter().map(Run::len).sum::<usize>() + 1, Near::default());
        let mut found = 0;
        let mut note = |here: bool, at: usize, wish: &Wish, shift: Vector| {
            near[found] = Near { position: wish.position + shift, radius: wish.radius, place: at as u32 };
            found += usize::from(here);
        };
        for run in runs.iter() {
            line.moved_by(run.shift);
            let others = run.range();
            let own = place.clamp(others.start, others.end)..(place + count).clamp(others.start, others.end);
            for (at, wish) in (others.start..own.start).zip(&wishes[others.start..own.start]) {
                note(line.mind::<false>(wish, 0), at, wish, run.shift);
            }
            for (at, wish) in own.clone().zip(&wishes[own.clone()]) {
                note(line.mind::<true>(wish, at - place), at, wish, run.shift);
            }
            for (at, wish) in (own.end..others.end).zip(&wishes[own.end..others.end]) {
                note(line.mind::<false>(wish, 0), at, wish, run.shift);
            }
        }
        line.moved_by(Vector::ZERO);

        let wanted = line.force();
        let (violated, unusual) = line.violations(&near[..found], &wanted);
        let places = line.next_places().to_array();
        let (x, y) = (wanted.added.x.to_array(), wanted.added.y.to_array());
        let stop = line.stop.to_array();
        let widest = stop.iter().fold(0.0, |widest: f32, stop| widest.max(*stop));
        let walls = self.obstacles.any_around(
            corners.0,
            corners.1,
            &self.space,
            widest + 2.0 * self.neighbors.largest_radius(),
            u32::MAX,
        );
        for (lane, outcome) in outcomes.iter_mut().enumerate() {
            let member = &self.members[place + lane];
            if unusual & (1 << lane) != 0 || member.far < 0.0 {
                continue;
            }
            *outcome = Outcome { force: Vector::new(x[lane], y[lane]), place: places[lane] };
            let violated = violated & (1 << lane) != 0;
            if violated || walls && member.layers != 0 {
                let agent = self.agent(place + lane);
                let force = member.force + outcome.force;
                if let Some(restrained) = self.restrained(&agent, force, &near[..found], stop[lane], violated, member) {
                    outcome.force = restrained - member.force;
                }
            }
        }
    }

    fn agent(&self, place: usize) -> Agent {
        let (member, wish) = (&self.members[place], &self.neighbors.wishes()[place]);
        Agent {
            entity: Entity::PLACEHOLDER,
            id: self.neighbors.id(place),
            position: wish.position,
            velocity: member.velocity,
            force: member.force,
            mass: member.mass,
            max_speed: member.max_speed,
            max_force: member.max_force,
            radius: wish.radius,
            response_time: member.response_time,
            tick: self.tick,
            space: self.space,
        }
    }

    /// What an agent wants, within its limits.
    fn restrained(
        &self,
        agent: &Agent,
        force: Vector,
        near: &[Near],
        stop: f32,
        violated: bool,
        member: &Member,
    ) -> Option<Vector> {
        let reach = stop + 2.0 * agent.radius;
        if !violated && !self.obstacles.any_near(agent, reach, member.layers) {
            return None;
        }
        let mut restraint = ForceLimits::new(agent, agent.max_force);
        let far = 2.0 * stop + agent.radius + self.neighbors.largest_radius();
        for near in near {
            let to = near.position - agent.position;
            let id = self.neighbors.id(near.place as usize);
            if to.length_squared() <= far * far && id != agent.id {
                limit_by_neighbor(&mut restraint, agent, id, near.radius, to);
            }
        }
        self.obstacles.for_each_near(agent, reach, member.layers, |obstacle, position| {
            restraint.limit_by_obstacle(agent, obstacle, position);
        });
        restraint.apply(agent, force)
    }
}

/// Eight agents in their lines: see [`Line`](super::keep_place::Line).
struct Lines {
    tick: f32,
    /// The farthest that any looks, units.
    reach: f32,
    far_squared: f32x8,
    near_squared: f32x8,
    /// How far each goes until it stands, units.
    stop: f32x8,
    /// The fastest that each can be after the tick, units/s, and how fast it can brake, units/s².
    fastest: f32x8,
    braking: f32x8,

    at: Vectors,
    position: Vectors,
    velocity: Vectors,
    others: Vectors,
    heading: Vectors,
    speed: f32x8,
    /// This and some more is doubled, because half of it would be an operation more for each of many.
    twice_place: f32x8,
    radius: f32x8,
    max_speed: f32x8,
    max_force: f32x8,
    mass: f32x8,
    response_time: f32x8,
    time_gap: f32x8,
    /// The farthest that it goes in the time gap, units.
    way: f32x8,
    /// See [`PACE`], units.
    twice_few: f32x8,

    twice_correction: f32x8,
    opinions: f32x8,
    pace: f32x8,
    pacemakers: f32x8,
    twice_lag: f32x8,
    /// The shortest way to that of somebody ahead, units.
    gap: f32x8,
    depth: f32x8,
    /// Toward whose way it is deepest in.
    into: Vectors,
    /// Who shares the place of somebody else.
    ties: f32x8,
}

/// What each of eight agents wants.
struct Wanted {
    /// The force on top of that of the other behaviors.
    added: Vectors,
    /// Its velocity after the tick if nothing limits the force.
    velocity: Vectors,
}

const ONES: f32 = f32::from_bits(u32::MAX);

/// All lanes but one.
const ALL_BUT: [[f32; LANES]; LANES] = {
    let mut masks = [[ONES; LANES]; LANES];
    let mut lane = 0;
    while lane < LANES {
        masks[lane][lane] = 0.0;
        lane += 1;
    }
    masks
};

/// `value` where `mask` is set, infinite elsewhere. Nothing below zero.
#[inline(always)]
fn or_infinite(mask: f32x8, value: f32x8) -> f32x8 {
    value.fast_max(f32x8::splat(f32::INFINITY) & !mask)
}

impl Lines {
    #[inline(always)]
    fn new(get: impl Fn(usize) -> (Member, Wish), largest: f32, tick: f32) -> Self {
        let each = [get(0), get(1), get(2), get(3), get(4), get(5), get(6), get(7)];
        let lanes = |get: fn(&(Member, Wish)) -> f32| {
            let [a, b, c, d, e, f, g, h] = &each;
            f32x8::from([get(a), get(b), get(c), get(d), get(e), get(f), get(g), get(h)])
        };
        let zero = f32x8::ZERO;
        let position = Vectors::new(|lane| each[lane].1.position);
        let velocity = Vectors::new(|lane| each[lane].0.velocity);
        let others = Vectors::new(|lane| each[lane].0.force);
        let (mass, max_force, max_speed) =
            (lanes(|one| one.0.mass), lanes(|one| one.0.max_force), lanes(|one| one.0.max_speed));
        let (response_time, time_gap) = (lanes(|one| one.0.response_time), lanes(|one| one.0.time_gap));
        let (radius, far) = (lanes(|one| one.1.radius), lanes(|one| one.0.far));
        let wanted = velocity.plus(others.scaled(response_time / mass));
        let speed = wanted.dot(wanted).sqrt().fast_min(max_speed);
        let heading = Vectors::new(|lane| each[lane].1.heading);

        // See `ForceLimits`.
        let acceleration = max_force / mass;
        let fastest = max_speed.fast_min(velocity.dot(velocity).sqrt() + acceleration * tick);
        let braking = acceleration * RESERVE;
        let stop = (fastest * (fastest * 0.5 / braking + tick)).fast_min(far);
        let near = stop * 2.0 + radius + f32x8::splat(largest);
        let near = near | far.simd_lt(zero);
        let seeing = if_set(!far.simd_lt(zero) & speed.simd_gt(zero), far, f32x8::splat(-1.0));
        let reach = far.fast_max(if_set(far.simd_lt(zero), zero, near)).to_array().into_iter().fold(0.0, f32::max);
        Self {
            tick,
            reach,
            far_squared: seeing * seeing.abs(),
            near_squared: near * near.abs(),
            stop,
            fastest,
            braking,
            at: position,
            position,
            velocity,
            others,
            heading,
            speed,
            twice_place: lanes(|one| 2.0 * one.1.place),
            radius,
            max_speed,
            max_force,
            mass,
            response_time,
            time_gap,
            way: speed * time_gap,
            twice_few: max_speed * time_gap * (2.0 * PACE),
            twice_correction: zero,
            opinions: zero,
            pace: zero,
            pacemakers: zero,
            twice_lag: f32x8::splat(f32::INFINITY),
            gap: f32x8::splat(f32::INFINITY),
            depth: zero,
            into: Vectors::default(),
            ties: zero,
        }
    }

    /// From now on all others are moved by `shift`.
    fn moved_by(&mut self, shift: Vector) {
        self.at = self.position.minus(Vectors::splat(shift));
    }

    /// Takes somebody into account, who may be one of the eight; whether anybody may be limited by it.
    #[inline(always)]
    fn mind<const OWN: bool>(&mut self, wish: &Wish, lane: usize) -> bool {
        let to = Vectors::splat(wish.position).minus(self.at);
        let distance_squared = to.dot(to);
        let near = any(distance_squared.simd_le(self.near_squared));
        let mut seen = distance_squared.simd_le(self.far_squared);
        if OWN {
            seen &= f32x8::from(ALL_BUT[lane]);
        }

        let way = Vectors::splat(wish.heading);
        let alike = self.heading.dot(way);
        let twice_nearer = to.dot(self.heading.plus(way));
        let twice_behind = if wish.place.is_nan() {
            twice_nearer
        } else {
            let twice_behind = self.twice_place - f32x8::splat(2.0 * wish.place);
            let weight = alike.fast_max(f32x8::ZERO) & seen;
            self.twice_correction += weight * (twice_nearer - twice_behind);
            self.opinions += weight;
            twice_behind
        };
        let first = twice_behind.simd_ge(f32x8::ZERO) & seen;
        if any(first) {
            self.let_go_first(wish, to, distance_squared, alike, twice_behind, first);
        }
        near
    }

    /// Lets somebody go first.
    #[inline(always)]
    fn let_go_first(
        &mut self,
        wish: &Wish,
        to: Vectors,
        distance_squared: f32x8,
        alike: f32x8,
        twice_behind: f32x8,
        first: f32x8,
    ) {
        let zero = f32x8::ZERO;
        self.ties |= first & twice_behind.simd_le(zero);
        let touch = self.radius + f32x8::splat(wish.radius);
        let way = Vectors::splat(wish.heading);
        let (to_left, other_left) = (self.heading.perp_dot(to), way.perp_dot(to));
        let turn = self.heading.perp_dot(way);

        // The same way, or one that leads toward it.
        let aside = to_left + other_left;
        let meets = aside.abs().simd_le(touch * (2.0 * SAME_LINE)) | (aside * turn).simd_lt(zero);
        let before = first & meets & alike.simd_gt(zero);
        let weight = self.twice_few / (twice_behind + self.twice_few);
        let weight = (weight * weight) & before;
        self.pace += weight * wish.pace;
        self.pacemakers += weight;
        self.twice_lag = self.twice_lag.fast_min(or_infinite(before, twice_behind));

        let (length, spaced) = (touch * FREE_WAY, touch * (1.0 + SPACING));
        let crossing = if wish.heading == Vector::ZERO { 0.0 } else { CROSSING };
        let room = spaced + touch * ((f32x8::splat(1.0) - alike) * crossing);
        let reach = room + length + self.way;
        let close = first & distance_squared.simd_le(reach * reach);
        if !any(close) {
            return;
        }
        let (ahead, along) = (to.dot(self.heading), to.dot(way));
        let nearest = (-along).fast_max(zero).fast_min(length);
        let to_nearest = to.plus(way.scaled(nearest));
        let distance_squared = to_nearest.dot(to_nearest);
        let within = close & distance_squared.simd_le(spaced * spaced);
        if any(within) {
            let depth = spaced - distance_squared.sqrt();
            let deeper = within & depth.simd_gt(self.depth);
            self.depth = if_set(deeper, depth, self.depth);
            self.into.x = if_set(deeper, to_nearest.x, self.into.x);
            self.into.y = if_set(deeper, to_nearest.y, self.into.y);
        }
        // See `way_to_segment_of`.
        let inside = distance_squared.simd_le(room * room);
        let approaching = (ahead + nearest * alike).simd_gt(zero);
        let sink = turn ^ (!other_left & f32x8::splat(-0.0));
        let crossing = (other_left.abs() - room).fast_max(zero) / sink.fast_max(f32x8::splat(SMALLEST_SINK));
        let first_touched = (alike * crossing - along).fast_max(zero).fast_min(length);
        let (ahead, to_left) = (ahead + first_touched * alike, to_left + first_touched * turn);
        let half_chord = (room - to_left) * (room + to_left);
        let gap = ahead - half_chord.fast_max(zero).sqrt();
        let hit = ahead.simd_gt(zero) & half_chord.simd_ge(zero);
        let hit = close & ((inside & approaching) | (hit & !inside));
        self.gap = self.gap.fast_min(or_infinite(hit, gap & !inside));
    }

    /// See [`Line::velocity`](super::keep_place::Line::velocity).
    #[inline(always)]
    fn force(&self) -> Wanted {
        let zero = f32x8::ZERO;
        let led = self.pacemakers.simd_gt(zero);
        let pace = (self.pace / self.pacemakers).fast_max(zero)
            + (self.twice_lag * 0.5 - self.radius * 2.0).fast_max(zero) / self.time_gap;
        let pace = if_set(led, pace, f32x8::splat(f32::INFINITY));
        let limit = pace.fast_max(self.max_speed * CREEP).fast_min(self.gap / self.time_gap);
        let minds = limit.simd_lt(self.speed) | self.depth.simd_gt(zero);
        let out = self.into.normalized().scaled(-self.depth / self.time_gap);
        let velocity = self.heading.scaled(limit.fast_min(self.speed)).plus(out);
        let force = velocity.minus(self.velocity).scaled(self.mass / self.response_time);
        let added = Vectors { x: (force.x - self.others.x) & minds, y: (force.y - self.others.y) & minds };
        let force = added.plus(self.others).truncated(self.max_force);
        Wanted { added, velocity: self.velocity.plus(force.scaled(f32x8::splat(self.tick) / self.mass)) }
    }

    /// Whose wish violates a limit of [`keep_apart`](super::keep_place::keep_apart), and who has to be left to others.
    #[inline(always)]
    fn violations(&self, near: &[Near], wanted: &Wanted) -> (u32, u32) {
        // `ForceLimits::limit` asks for `v ≤ braking_speed(gap)` where `v` is the velocity wanted toward the neighbor. The gap that this
        // takes is `v · (v + a·h) / 2a`, or up to `a·h²/8` more between two numbers of ticks.
        let zero = f32x8::ZERO;
        let per_tick = self.braking * self.tick;
        let more = per_tick * (self.tick * 0.125) + self.radius * SKIN;
        let along_the_way = (self.fastest / self.braking + self.tick) * 0.5;
        let (mut violated, mut same, mut again) = (zero, zero, zero);
        for other in near {
            let to = Vectors::splat(other.position).minus(self.position);
            let distance_squared = to.dot(to);
            let distance = distance_squared.sqrt();
            let gap = (distance - (self.radius + f32x8::splat(other.radius))) * 0.5 - more;
            let closing = to.dot(wanted.velocity).fast_max(zero);
            let far_enough =
                (closing * (closing + per_tick * distance)).simd_le(self.braking * 2.0 * gap * distance_squared);
            let slow_enough = (closing * along_the_way).simd_le(gap * distance);
            let near = distance_squared.simd_le(self.near_squared);
            violated |= near & !(far_enough & slow_enough);
            let here = near & distance_squared.simd_le(zero);
            again |= same & here;
            same |= here;
        }
        (violated.to_bitmask(), (self.ties | again).to_bitmask())
    }

    /// See [`Line::next_place`](super::keep_place::Line::next_place).
    #[inline(always)]
    fn next_places(&self) -> f32x8 {
        let (tick, zero) = (self.tick, f32x8::ZERO);
        let agreed = if_set(self.opinions.simd_gt(zero), self.twice_correction * 0.5 / self.opinions, zero);
        let place =
            self.twice_place * 0.5 + agreed * (tick / (tick + AGREEING)) - self.velocity.dot(self.heading) * tick;
        place * (FADING / (FADING + tick))
    }
}

/// What is read for the sine of the angle between two ways that do not come nearer to each other.
const SMALLEST_SINK: f32 = 1e-20;

/// One branch instead of one for each half.
#[inline(always)]
fn any(mask: f32x8) -> bool {
    mask.to_bitmask() != 0
}

#[inline(always)]
fn if_set(mask: f32x8, this: f32x8, other: f32x8) -> f32x8 {
    mask.bitselect(this, other)
}

#[cfg(test)]
mod tests {
    use core::time::Duration;

    use super::*;
    use crate::math::space::SteeringBounds;
    use crate::perception::obstacles::Obstacle;
    use crate::prelude::*;

    fn leave_all_to_steer(mut crowd: ResMut<Crowd>) {
        crowd.outcomes.fill(UNKNOWN);
    }

    /// A tick of a crowd in which hardly two are alike: the forces, and the places of those who queue. Also how many were left to
    /// `steer`.
    fn tick_of_a_crowd(seed: u64, bounds: &SteeringBounds, one_by_one: bool) -> (Vec<(Vector, f32)>, usize) {
        let mut app = App::new();
        app.add_plugins(SteeringPlugin::default()).init_resource::<Time>().insert_resource(*bounds);
        if one_by_one {
            app.add_systems(SteeringSchedule, leave_all_to_steer.after(find_places).before(queue_up));
        }
        let mut random = SteeringRng::new(SteeringSeed(seed), SteeringId::new(0), 1);
        let mut within = move |low: f32, high: f32| low + (high - low) * random.uniform();
        for _ in 0..6 {
            let place = Transform::from_xyz(within(-9.0, 9.0), within(-9.0, 9.0), 0.0);
            app.world_mut().spawn((Obstacle::new(Rectangle::new(within(0.1, 2.0), within(0.1, 2.0))), place));
        }
        let mut agents = Vec::new();
        for k in 0..700 {
            let body = SteeringAgent {
                mass: within(0.5, 2.0),
                max_speed: within(0.5, 2.0),
                max_force: within(2.0, 9.0),
                radius: within(0.05, 0.25),
                response_time: within(0.0, 0.1),
            };
            let mut queue = Queue { place: within(-9.0, 9.0), ..Queue::default().with_time_gap(within(0.0, 0.5)) };
            if k % 9 == 0 {
                queue = queue.with_style(QueueStyle::Brake);
            }
            let velocity = Vector::new(within(-1.0, 1.0), within(-1.0, 1.0)) * (0.7 * body.max_speed);
            let mut agent = app.world_mut().spawn((
                body,
                SteeringId::new(k),
                Transform::from_xyz(within(-9.0, 9.0), within(-9.0, 9.0), 0.0),
                Velocity(if k % 5 == 0 { Vector::ZERO } else { velocity }),
                Seek::new(Vector::new(within(-9.0, 9.0), within(-9.0, 9.0))),
            ));
            if k % 7 != 0 {
                agent.insert(queue);
            }
            if k % 4 != 0 {
                agent.insert(AvoidObstacles::default());
            }
            agents.push(agent.id());
        }
        app.world_mut().resource_mut::<Time>().advance_by(Duration::from_secs_f32(1.0 / 60.0));
        app.world_mut().run_schedule(SteeringSchedule);
        let left = app.world().resource::<Crowd>().outcomes.iter().filter(|outcome| outcome.force.is_nan()).count();
        let of = |agent: &Entity| {
            let place = app.world().get::<Queue>(*agent).map_or(0.0, |queue| queue.place);
            (app.world().get::<SteeringForce>(*agent).expect("it is steered").0, place)
        };
        (agents.iter().map(of).collect(), left)
    }

    #[test]
    fn it_does_what_steer_does() {
        let endless = SteeringBounds::default();
        let round = SteeringBounds::wrap(Vector::splat(-8.0), Vector::splat(8.0));
        for (seed, bounds) in [(1, &endless), (2, &endless), (3, &round), (4, &round)] {
            let (together, left) = tick_of_a_crowd(seed, bounds, false);
            let (one_by_one, all) = tick_of_a_crowd(seed, bounds, true);
            assert!(left < 250 && all == 700, "{left} of {all} are left to steer");
            for (k, (this, other)) in together.iter().zip(&one_by_one).enumerate() {
                let (off, place) = (this.0.distance(other.0), (this.1 - other.1).abs());
                assert!(off < 1e-3 && place < 1e-4, "{k} of crowd {seed}: {this:?}, alone {other:?}");
            }
        }
    }
}
