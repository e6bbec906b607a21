//! How an agent moves along its plan.

use bevy::math::ops;

use crate::agent::{Agent, BodyLimits};
use crate::behaviors::follow_path::course::Course;
use crate::behaviors::follow_path::progress::PathProgress;
use crate::behaviors::follow_path::route::Route;
use crate::engine::approach::Approach;
use crate::engine::wish::Wish;
use crate::math::lanes::{Lanes, VectorOf};
use crate::math::{Vector, distance_across};

/// The share of the acceleration that an agent uses to return to the middle of its lane.
const ASIDE: f32 = 0.3;

/// An agent that joins its lane moves sideways at up to this share of its max speed: at about 45°.
const JOINING: f32 = 0.7;

/// The time for correcting errors is at most this share of the time that the agent takes to cross half its lane.
const CORRECTION: f32 = 0.25;

/// If the velocity differs from the planned one by more than this share of max speed, the agent first reaches the planned velocity. The
/// force then shows other agents that it wants to go ahead, not only back to the middle of its lane.
const ASTRAY: f32 = 0.7;

/// The values that determine the force of an agent, or of eight.
pub(super) struct Driver<L> {
    /// The distance along the leg, units.
    pub along: L,
    pub velocity: VectorOf<L>,
    pub mass: L,
    pub max_force: L,
    pub response_time: L,
    /// The length of the tick, seconds.
    pub tick: f32,
}

impl<L: Lanes> Driver<L> {
    #[inline(always)]
    pub fn gather<'a>(simd: L::Simd, each: impl Fn(usize) -> (&'a PathProgress, &'a Agent)) -> Self {
        Self {
            along: L::gather(simd, |lane| each(lane).0.along),
            velocity: VectorOf::gather(simd, |lane| each(lane).1.velocity),
            mass: L::gather(simd, |lane| each(lane).1.mass),
            max_force: L::gather(simd, |lane| each(lane).1.max_force),
            response_time: L::gather(simd, |lane| each(lane).1.response_time),
            tick: each(0).1.tick,
        }
    }

    /// The force with which the agent follows its course. `to` returns the displacement to a place.
    ///
    /// The plan gives a velocity for each place. The force makes the agent's velocity follow the planned velocity along the way, and
    /// reduces the difference between the two within the response time. Differences perpendicular to the way, and speeds above the planned
    /// one, are reduced faster.
    #[inline(always)]
    pub fn force(&self, course: &Course<L>, to: impl Fn(VectorOf<L>) -> VectorOf<L>) -> VectorOf<L> {
        let (along, max_speed) = (self.along, course.max_speed);
        let (zero, one, smallest) = (along.splat(0.0), along.splat(1.0), along.splat(f32::MIN_POSITIVE));
        let tick = along.splat(self.tick);
        let at = course.at(along);
        let (place, direction) = at;
        let (ahead, length) = direction.unit_and_length();
        let off = to(place);
        // An agent behind the start of its path goes to the start.
        let is_beside = along.simd_gt(zero) | off.dot(ahead).simd_lt(zero);
        let off = VectorOf::select(is_beside, off - ahead * off.dot(ahead), off);
        let (to_lane, distance) = off.unit_and_length();
        let correction_time =
            self.response_time.fast_min(zero.splat(CORRECTION) * course.radius / max_speed).fast_max(tick);
        let back = braked(zero, distance, zero.splat(ASIDE) * course.acceleration, tick)
            .fast_min(distance / (zero.splat(4.0) * correction_time))
            .fast_min(zero.splat(JOINING) * max_speed);

        let (limit_squared, braking) = course.speed_squared(along);
        let fastest =
            ((max_speed - back) * (max_speed + back)).sqrt().fast_min(course.left(along).fast_max(zero) / tick);
        let speed = limit_squared.sqrt().fast_min(fastest);
        let rate = (self.velocity.dot(ahead) / length.fast_max(smallest)).clamp(zero, speed);
        let slower =
            L::select(braking.simd_gt(zero), braked(limit_squared, zero, braking, tick).fast_min(fastest), speed);
        let next_speed = speed + (slower - speed) * (rate / speed.fast_max(smallest));

        // The distance that the agent covers in the tick.
        let reachable = rate + (speed - rate) * (tick / self.response_time).fast_min(one);
        let before = (along - rate * tick).fast_max(course.least());
        let planned = course.pace(before, course.at(before), speed.fast_min(reachable) * tick) * speed;
        let next = course.pace(along, at, next_speed.fast_min(reachable) * tick) * next_speed;
        // A correction must not cancel the motion ahead.
        let way = next.unit();
        let correction = (to_lane - way * to_lane.dot(way).fast_min(zero)) * back;
        let missing = planned + correction - self.velocity;

        let (missing_ahead, change) = (missing.dot(ahead), (next - planned) / tick);
        let acceleration_ahead = L::select(
            missing_ahead.simd_lt(zero),
            (next + correction - self.velocity).dot(ahead) / tick,
            change.dot(ahead) + missing_ahead / self.response_time,
        );
        let aside = change + missing / correction_time;
        // Staying in the lane comes first; the rest of the force accelerates or brakes.
        let strength = (self.max_force / self.mass).fast_min(zero.splat(1e18));
        let aside = (aside - ahead * aside.dot(ahead)).shortened(strength);
        let rest = (strength * strength - aside.dot(aside).fast_min(strength * strength)).sqrt();
        let force = (aside + ahead * acceleration_ahead.clamp(-rest, rest)) * self.mass;
        let is_astray = missing.length().simd_gt(zero.splat(ASTRAY) * max_speed);
        VectorOf::select(is_astray, missing * (self.mass / correction_time), force)
    }
}

/// The speed after one tick of braking such that the squared speed after `distance` is `speed_squared`.
#[inline(always)]
fn braked<L: Lanes>(speed_squared: L, distance: L, braking: L, tick: L) -> L {
    let per_tick = braking * tick;
    (per_tick * per_tick + speed_squared + tick.splat(2.0) * braking * distance).sqrt() - per_tick
}

/// Whether an agent can leave its plan and arrive at the end of the path. It can if it is slow enough and stays in its lane, or if it is
/// beside its lane and the end is no longer ahead at 45° or less.
pub(super) fn may_arrive(progress: &PathProgress, agent: &Agent, to_end: Vector) -> bool {
    let plan = &progress.plan;
    if progress.along < plan.behind.reach {
        return false;
    }
    let beside = distance_across(plan.direction, to_end);
    if beside > plan.ability.radius && to_end.dot(plan.direction) <= beside {
        return true;
    }
    let delay = agent.response_time - agent.tick;
    let aside = distance_across(plan.direction, agent.velocity);
    let drift = beside + aside * delay + aside * aside / (0.4 * plan.ability.acceleration);
    // An agent that is already arriving may be faster.
    let slow = to_end.length() / agent.response_time * if progress.arrives { 2.0 } else { 0.5 };
    let is_slow = delay <= 0.0 || agent.velocity.dot(plan.direction) <= slow;
    drift < 0.7 * plan.ability.radius && (is_slow || to_end.length() < 0.2 * plan.ability.radius)
}

/// The wish of a body with limits: to get to a point ahead on its path.
pub(super) fn vehicle_wish(progress: &PathProgress, route: &Route, agent: &Agent, limits: &BodyLimits) -> Wish {
    let (plan, course) = (&progress.plan, Course::of(&progress.plan));
    let turning_radius = limits.turning_radius();
    let speed = agent.velocity.length();
    let look_ahead = plan.ability.radius.max(turning_radius).max(speed * (0.3 + 2.0 * agent.response_time));
    // A restored progress may contain any number.
    let left = (progress.along + look_ahead - plan.length).min(2.0 * look_ahead);
    let (mut left, mut place) = (left, Vector::ZERO);
    if left <= plan.ahead.reach {
        place = agent.to(course.at(progress.along + look_ahead).0.into());
    } else {
        let mut number = progress.to;
        while let Some(next) = route.next(number, plan.ability.apart).filter(|_| left > 0.0) {
            let leg = route.leg(number, next);
            place = agent.to(route.point(number)) + leg.direction * left.min(leg.length);
            left -= leg.length.max(0.01 * look_ahead);
            number = next;
        }
        if number == progress.to {
            place = agent.to(route.point(number));
        }
    }
    let (limit_squared, _) = course.speed_squared(progress.along);
    Wish::Place { displacement: place, approach: Approach::AtSpeed { speed: ops::sqrt(limit_squared) } }
}
