//! The formulas of [`Queue`](super::Queue), for one agent or for eight at a time.
//!
//! Each agent compares its place in line with those of its neighbors. Agents with smaller places go first. The agent follows those on its
//! way at their speed, stays out of the ways of all of them, and limits its force so that it can stop before it touches anyone.

use crate::agent::Agent;
use crate::agent::SteeringId;
use crate::constraints::force_limits::{ForceLimits, RESERVE};
use crate::constraints::queue::component::{FREE_WAY, SPACING};
use crate::constraints::queue::wishes::Wish;
use crate::math::lanes::{Lanes, VectorOf};
use crate::math::{Vector, normalize};
use crate::perception::neighbors::direction_to_coincident;

/// The additional room between agents whose ways cross, as a share of the distance at which they touch, times one minus the cosine of the
/// angle between the ways.
const CROSSING: f32 = 1.4;

/// How fast an agent's influence on the pace decreases with the distance in line, as a share of the distance covered in the time gap at
/// full speed.
const PACE: f32 = 0.05;

/// Agents whose ways are no farther apart than this multiple of the distance at which they touch are in one line, even if the ways do not
/// meet.
const SAME_LINE: f32 = 1.5;

/// The share of its max speed at which an agent moves on where there is room, even behind others that stand still. So a stuck agent does
/// not hold up those behind it forever.
const CREEP: f32 = 0.05;

/// Agents are in one stream if the cosine of the angle between their ways is larger than this.
const SAME_STREAM: f32 = 0.7;

/// The time constant with which an agent falls back to its headway, seconds.
const FALLING_BACK: f32 = 8.0;

/// The clearance that an agent always keeps from others, as a share of its radius.
const SKIN: f32 = 0.005;

/// The time constant with which neighbors agree on their places, seconds.
const AGREEING: f32 = 0.05;

/// The time constant with which a place decays toward zero, seconds.
const FADING: f32 = 10.0;

/// Smaller sines of the angle between two ways are clamped to this before dividing by them, where the ways do not approach each other.
const SMALLEST_SINK: f32 = 1e-20;

/// Limits the force so that the agent can stop within its own half of the gap to a neighbor.
pub(super) fn limit_by_neighbor(restraint: &mut ForceLimits, agent: &Agent, id: SteeringId, radius: f32, to: Vector) {
    let away = if to == Vector::ZERO { -direction_to_coincident(agent.id, id) } else { -normalize(to) };
    let gap = 0.5 * (to.length() - agent.radius - radius) - SKIN * agent.radius;
    restraint.limit(agent, gap, away, Vector::ZERO);
}

/// One agent that keeps its place in line, or eight.
#[derive(Clone, Copy)]
pub(super) struct Keeper<L> {
    pub velocity: VectorOf<L>,
    /// The sum of the other behaviors' forces.
    pub others: VectorOf<L>,
    /// The direction in which the other behaviors want to go, a unit vector.
    pub heading: VectorOf<L>,
    /// See [`QueuePlace`](super::QueuePlace).
    pub place: L,
    pub radius: L,
    pub mass: L,
    pub max_speed: L,
    pub max_force: L,
    pub response_time: L,
    pub time_gap: L,
    pub headway: L,
    /// How far the agent perceives, units; negative for an agent that keeps no place.
    pub far: L,
}

/// The line in which an agent stands, or the lines of eight, as known from the neighbors seen so far.
pub(super) struct Line<L: Lanes> {
    keeper: Keeper<L>,
    tick: f32,
    far_squared: L,
    /// The distance within which others may limit the force, units; negative for an agent that keeps no place.
    near: L,
    near_squared: L,
    /// The stopping distance, units.
    pub stop: L,
    /// The highest possible speed after the tick, units/s.
    fastest: L,
    /// The deceleration for braking, units/s².
    braking: L,
    /// The speed at which the other behaviors want to go, units/s.
    speed: L,
    /// Twice its place. This and other doubled values save a multiplication per neighbor.
    twice_place: L,
    /// The distance covered in the time gap, units,
    way: L,
    /// and the distance covered in the headway.
    long_way: L,
    /// The current speed along the heading, units/s.
    own_pace: L,
    /// Twice the distance in line over which agents set the pace: see [`PACE`], units.
    twice_few: L,

    /// Twice the weighted sum of the corrections of its place according to its neighbors.
    twice_correction: L,
    /// The sum of these weights.
    opinions: L,
    /// The weighted sum of the speeds of agents that go first.
    pace: L,
    /// The sum of these weights.
    pacemakers: L,
    /// Twice the distance in line to the next agent ahead, units.
    twice_lag: L,
    /// The shortest distance to the way of an agent that goes first, units.
    gap: L,
    /// The highest speed at which the agent keeps or restores its headway to agents that go first, units/s.
    follow: L,
    /// How deep the agent is in the way of an agent that goes first, units,
    depth: L,
    /// and the displacement to that way.
    into: VectorOf<L>,
    /// Whether another agent has the same place in line.
    pub ties: L::Mask,
}

/// The values for a neighbor in [`Line::consider`].
struct Compared<L: Lanes> {
    to: VectorOf<L>,
    distance_squared: L,
    /// The neighbor's heading.
    way: VectorOf<L>,
    /// The cosine of the angle between the headings.
    alike: L,
    /// Twice the difference between the places.
    twice_behind: L,
    /// Whether the neighbor goes first.
    first: L::Mask,
    /// The distance at which the two touch, units.
    touch: L,
}

/// `value` where the mask is set, but at least zero; infinity elsewhere.
#[inline(always)]
fn or_infinite<L: Lanes>(mask: L::Mask, value: L) -> L {
    value.fast_max(L::select(mask, value.splat(0.0), value.splat(f32::INFINITY)))
}

impl<L: Lanes> Line<L> {
    /// A line without neighbors. `largest` is the radius of the largest body, units.
    #[inline(always)]
    pub fn new(keeper: Keeper<L>, largest: f32, tick: f32) -> Self {
        let Keeper { velocity, others, mass, max_speed, max_force, response_time, time_gap, headway, far, .. } = keeper;
        let zero = mass.splat(0.0);
        let wanted = velocity + others * (response_time / mass);
        let speed = wanted.dot(wanted).sqrt().fast_min(max_speed);

        // As in `ForceLimits`.
        let acceleration = max_force / mass;
        let fastest = max_speed.fast_min(velocity.dot(velocity).sqrt() + acceleration * zero.splat(tick));
        let braking = acceleration * zero.splat(RESERVE);
        let stop = (fastest * (fastest * zero.splat(0.5) / braking + zero.splat(tick))).fast_min(far);
        let (nobody, infinite) = (zero.splat(-1.0), zero.splat(f32::INFINITY));
        let near = stop * zero.splat(2.0) + keeper.radius + zero.splat(largest);
        let near = L::select(far.simd_lt(zero), nobody, near);
        let perceiving = L::select(!far.simd_lt(zero) & speed.simd_gt(zero), far, nobody);
        Self {
            keeper,
            tick,
            far_squared: perceiving * perceiving.abs(),
            near,
            near_squared: near * near.abs(),
            stop,
            fastest,
            braking,
            speed,
            twice_place: keeper.place * zero.splat(2.0),
            way: speed * time_gap,
            long_way: speed * headway,
            own_pace: velocity.dot(keeper.heading),
            twice_few: max_speed * time_gap * zero.splat(2.0 * PACE),
            twice_correction: zero,
            opinions: zero,
            pace: zero,
            pacemakers: zero,
            twice_lag: infinite,
            gap: infinite,
            follow: infinite,
            depth: zero,
            into: velocity.splat(Vector::ZERO),
            ties: zero.simd_lt(zero),
        }
    }

    /// The distance within which neighbors are considered, units; zero or less for an agent that keeps no place.
    #[inline(always)]
    pub fn reach(&self) -> L {
        self.keeper.far.fast_max(self.near)
    }

    /// Takes a neighbor at the displacement `to` into account. Returns whether it may limit the force of any agent.
    ///
    /// With `OWN`, the neighbor may be one of the agents themselves; `not_itself` is set for the others. `least_behind` is twice the
    /// smallest difference between the places with which the neighbor goes first.
    #[inline(always)]
    pub fn consider<const OWN: bool>(
        &mut self,
        wish: &Wish,
        to: VectorOf<L>,
        not_itself: L::Mask,
        least_behind: L,
    ) -> bool {
        let distance_squared = to.dot(to);
        let near = L::any(distance_squared.simd_le(self.near_squared));
        let mut seen = distance_squared.simd_le(self.far_squared);
        if OWN {
            seen = seen & not_itself;
        }

        let way = to.splat(wish.heading);
        let alike = self.keeper.heading.dot(way);
        // How much nearer the neighbor is to where both want to go. This is exact for ways that meet in a point.
        let twice_nearer = to.dot(self.keeper.heading + way);
        let twice_behind = if wish.place.is_nan() {
            twice_nearer
        } else {
            let twice_behind = self.twice_place - alike.splat(2.0 * wish.place);
            let weight = alike.fast_max(alike.splat(0.0)).masked(seen);
            self.twice_correction += weight * (twice_nearer - twice_behind);
            self.opinions += weight;
            twice_behind
        };
        let first = twice_behind.simd_ge(least_behind) & seen;
        if L::any(first) {
            let touch = self.keeper.radius + alike.splat(wish.radius);
            self.let_go_first(wish, &Compared { to, distance_squared, way, alike, twice_behind, first, touch });
        }
        near
    }

    /// Lets a neighbor go first: matches its speed, and stays out of its way.
    #[inline(always)]
    fn let_go_first(&mut self, wish: &Wish, other: &Compared<L>) {
        let &Compared { to, distance_squared, way, alike, twice_behind, first, touch } = other;
        let zero = alike.splat(0.0);
        self.ties |= first & twice_behind.simd_le(zero);
        let (to_left, other_left) = (self.keeper.heading.perp_dot(to), way.perp_dot(to));
        let turn = self.keeper.heading.perp_dot(way);

        // The agents are on the same way, or the agent's way leads toward that of the neighbor.
        let aside = to_left + other_left;
        let meets = aside.abs().simd_le(touch * zero.splat(2.0 * SAME_LINE)) | (aside * turn).simd_lt(zero);
        let before = first & meets & alike.simd_gt(zero);
        let weight = self.twice_few / (twice_behind + self.twice_few);
        let weight = (weight * weight).masked(before);
        self.pace += weight * zero.splat(wish.pace);
        self.pacemakers += weight;
        self.twice_lag = self.twice_lag.fast_min(or_infinite(before, twice_behind));

        let (length, spaced) = (touch * zero.splat(FREE_WAY), touch * zero.splat(1.0 + SPACING));
        let crossing = if wish.heading == Vector::ZERO { 0.0 } else { CROSSING };
        let room = spaced + touch * ((zero.splat(1.0) - alike) * zero.splat(crossing));
        let reach = room + (length + self.way).fast_max(self.long_way);
        let close = first & distance_squared.simd_le(reach * reach);
        if L::any(close) {
            self.keep_clear(wish.pace, other, [to_left, other_left, turn], [length, spaced, room], close);
        }
    }

    /// Stays clear of the way in front of a neighbor: a segment of this `length`. The clearance is `spaced`, or `room` where the ways
    /// cross.
    #[inline(always)]
    fn keep_clear(
        &mut self,
        its_pace: f32,
        &Compared { to, way, alike, .. }: &Compared<L>,
        [to_left, other_left, turn]: [L; 3],
        [length, spaced, room]: [L; 3],
        close: L::Mask,
    ) {
        let zero = alike.splat(0.0);
        let (ahead, along) = (to.dot(self.keeper.heading), to.dot(way));
        let nearest = (-along).fast_max(zero).fast_min(length);
        let to_nearest = to + way * nearest;
        let distance_squared = to_nearest.dot(to_nearest);
        let within = close & distance_squared.simd_le(spaced * spaced);
        if L::any(within) {
            let depth = spaced - distance_squared.sqrt();
            let deeper = within & depth.simd_gt(self.depth);
            self.depth = L::select(deeper, depth, self.depth);
            self.into = VectorOf::select(deeper, to_nearest, self.into);
        }
        // Intersects a ray with the capsule around the segment. The ray first touches a circle around some point of the segment, either
        // where it enters the strip along the segment or at the nearer end.
        let inside = distance_squared.simd_le(room * room);
        let approaching = (ahead + nearest * alike).simd_gt(zero);
        let sink = turn.flipped_unless_negative(other_left);
        let crossing = (other_left.abs() - room).fast_max(zero) / sink.fast_max(zero.splat(SMALLEST_SINK));
        let first_touched = (alike * crossing - along).fast_max(zero).fast_min(length);
        let (ahead, to_left) = (ahead + first_touched * alike, to_left + first_touched * turn);
        let half_chord = (room - to_left) * (room + to_left);
        let gap = ahead - half_chord.fast_max(zero).sqrt();
        let hit = ahead.simd_gt(zero) & half_chord.simd_ge(zero);
        let hit = close & ((inside & approaching) | (hit & !inside));
        let gap = gap.masked(!inside);
        self.gap = self.gap.fast_min(or_infinite(hit, gap));
        // The agent falls back gradually, and no farther than to its headway.
        let late = self.own_pace * self.keeper.headway - gap;
        let follow = alike * zero.splat(its_pace) - late * zero.splat(1.0 / FALLING_BACK);
        let before = hit & alike.simd_gt(zero.splat(SAME_STREAM));
        self.follow = self.follow.fast_min(or_infinite(before, follow.fast_max(gap / self.keeper.headway)));
    }

    /// The new total, which gives the agent the pace of its line and keeps it out of the ways of agents that go first. If the behaviors
    /// want no more than that, their total is unchanged.
    #[inline(always)]
    pub fn total(&self) -> VectorOf<L> {
        let Keeper { velocity, others, heading, radius, mass, max_speed, response_time, time_gap, .. } = self.keeper;
        let zero = mass.splat(0.0);
        let led = self.pacemakers.simd_gt(zero);
        let pace = (self.pace / self.pacemakers).fast_max(zero)
            + (self.twice_lag * zero.splat(0.5) - radius * zero.splat(2.0)).fast_max(zero) / time_gap;
        let pace = L::select(led, pace, zero.splat(f32::INFINITY));
        let limit = pace.fast_max(max_speed * zero.splat(CREEP)).fast_min(self.gap / time_gap).fast_min(self.follow);
        let intervenes = limit.simd_lt(self.speed) | self.depth.simd_gt(zero);
        let out = self.into.normalized() * (-self.depth / time_gap);
        let desired = heading * limit.fast_min(self.speed) + out;
        let force = (desired - velocity) * (mass / response_time);
        VectorOf::select(intervenes, force, others)
    }

    /// The velocity after the tick with this total, if nothing else limits it.
    #[inline(always)]
    pub fn velocity_after(&self, total: VectorOf<L>) -> VectorOf<L> {
        let force = (total - self.keeper.others + self.keeper.others).truncated(self.keeper.max_force);
        self.keeper.velocity + force * (self.speed.splat(self.tick) / self.keeper.mass)
    }

    /// A quick test for the limits of [`limit_by_neighbor`].
    #[inline(always)]
    pub fn brakes(&self) -> Brakes<L> {
        let per_tick = self.braking * self.speed.splat(self.tick);
        Brakes {
            near_squared: self.near_squared,
            radius: self.keeper.radius,
            twice_braking: self.braking * per_tick.splat(2.0),
            per_tick,
            margin: per_tick * per_tick.splat(self.tick * 0.125) + self.keeper.radius * per_tick.splat(SKIN),
            along_the_way: (self.fastest / self.braking + per_tick.splat(self.tick)) * per_tick.splat(0.5),
        }
    }

    /// The place at the end of the tick: adjusted to agree with its neighbors, minus the distance moved, and decayed toward zero.
    #[inline(always)]
    pub fn next_place(&self) -> L {
        let (tick, zero) = (self.tick, self.speed.splat(0.0));
        let mean = self.twice_correction * zero.splat(0.5) / self.opinions;
        let agreed = L::select(self.opinions.simd_gt(zero), mean, zero);
        let step = self.keeper.velocity.dot(self.keeper.heading) * zero.splat(tick);
        let place = self.twice_place * zero.splat(0.5) + agreed * zero.splat(tick / (tick + AGREEING)) - step;
        place * zero.splat(FADING / (FADING + tick))
    }
}

/// Tests whether a velocity may violate a limit of [`limit_by_neighbor`].
///
/// `ForceLimits::limit` requires `v ≤ braking_speed(gap)`, where `v` is the velocity toward the neighbor. This needs a gap of
/// `v · (v + a·h) / 2a`, or up to `a·h²/8` more between two numbers of ticks, where `a` is the deceleration and `h` the length of a tick.
pub(super) struct Brakes<L> {
    near_squared: L,
    radius: L,
    twice_braking: L,
    per_tick: L,
    margin: L,
    along_the_way: L,
}

impl<L: Lanes> Brakes<L> {
    /// Whether `velocity` may violate the limit by a neighbor, and whether the neighbor is in the same place.
    #[inline(always)]
    pub fn test(&self, to: VectorOf<L>, radius: f32, velocity: VectorOf<L>) -> (L::Mask, L::Mask) {
        let zero = self.radius.splat(0.0);
        let distance_squared = to.dot(to);
        let distance = distance_squared.sqrt();
        let gap = (distance - (self.radius + zero.splat(radius))) * zero.splat(0.5) - self.margin;
        let closing = to.dot(velocity).fast_max(zero);
        let far_enough =
            (closing * (closing + self.per_tick * distance)).simd_le(self.twice_braking * gap * distance_squared);
        let slow_enough = (closing * self.along_the_way).simd_le(gap * distance);
        let near = distance_squared.simd_le(self.near_squared);
        (near & !(far_enough & slow_enough), near & distance_squared.simd_le(zero))
    }
}
