//! How an agent moves along its plan.

use bevy::math::ops;

use crate::agent::{Agent, BodyLimits};
use crate::behaviors::follow_path::plan::Plan;
use crate::behaviors::follow_path::progress::PathProgress;
use crate::behaviors::follow_path::route::Route;
use crate::engine::approach::Approach;
use crate::engine::wish::Wish;
use crate::math::{Vector, normalize, truncate};

/// The share of the acceleration with which an agent gets back to the middle of its lane.
const ASIDE: f32 = 0.3;

/// An agent joins its lane at up to this share of its max speed sideways: at about 45°.
const JOINING: f32 = 0.7;

/// The time in which an agent corrects errors is at most this share of the time in which it crosses half its lane.
const CORRECTION: f32 = 0.25;

/// An agent whose velocity differs from the planned one by more than this share of its max speed first gets to the planned one. The
/// force then shows other agents that it wants to go ahead, and not only back to the middle of its lane.
const ASTRAY: f32 = 0.7;

/// The force with which an agent follows its plan.
///
/// The plan gives a velocity for each place. The force makes the agent's velocity follow the planned one as it changes along the way, and
/// reduces the difference between the two within the response time; differences across the way, and speeds above the planned one, faster.
pub(super) fn force(plan: &Plan, along: f32, agent: &Agent) -> Vector {
    let (ability, tick) = (&plan.ability, agent.tick);
    let (place, direction) = plan.at(along);
    let length = direction.length();
    let ahead = normalize(direction);
    let off = agent.to(place);
    // An agent behind the start of its path gets to the start.
    let off = if along > 0.0 || off.dot(ahead) < 0.0 { off - ahead * off.dot(ahead) } else { off };
    let distance = off.length();
    let correction_time = agent.response_time.min(CORRECTION * ability.radius / ability.max_speed).max(tick);
    let back = braked(0.0, distance, ASIDE * ability.acceleration, tick)
        .min(distance / (4.0 * correction_time))
        .min(JOINING * ability.max_speed);

    let (limit_squared, braking) = plan.speed_squared(along);
    let fastest = ops::sqrt((ability.max_speed - back) * (ability.max_speed + back))
        .min((plan.length + plan.ahead.reach - along).max(0.0) / tick);
    let speed = ops::sqrt(limit_squared).min(fastest);
    let rate = (agent.velocity.dot(ahead) / length.max(f32::MIN_POSITIVE)).clamp(0.0, speed);
    let slower = if braking > 0.0 { braked(limit_squared, 0.0, braking, tick).min(fastest) } else { speed };
    let next_speed = speed + (slower - speed) * (rate / speed.max(f32::MIN_POSITIVE));

    // The part of the way that the agent covers in the tick.
    let reachable = rate + (speed - rate) * (tick / agent.response_time).min(1.0);
    let planned = pace(plan, along - rate * tick, speed.min(reachable) * tick) * speed;
    let next = pace(plan, along, next_speed.min(reachable) * tick) * next_speed;
    // Correcting an error must not cancel the way ahead.
    let to_lane = normalize(off);
    let way = normalize(next);
    let correction = (to_lane - way * to_lane.dot(way).min(0.0)) * back;
    let missing = planned + correction - agent.velocity;
    if missing.length() > ASTRAY * ability.max_speed {
        return missing * (agent.mass / correction_time);
    }
    let (missing_ahead, change) = (missing.dot(ahead), (next - planned) / tick);
    let acceleration_ahead = if missing_ahead < 0.0 {
        (next + correction - agent.velocity).dot(ahead) / tick
    } else {
        change.dot(ahead) + missing_ahead / agent.response_time
    };
    let aside = change + missing / correction_time;
    // Staying in the lane comes first; the rest of the force accelerates or brakes.
    let strength = (agent.max_force / agent.mass).min(1e18);
    let aside = truncate(aside - ahead * aside.dot(ahead), strength);
    let rest = ops::sqrt(strength * strength - aside.length_squared().min(strength * strength));
    (aside + ahead * acceleration_ahead.clamp(-rest, rest)) * agent.mass
}

/// How far the agent moves per unit of progress, over the next part of its way.
fn pace(plan: &Plan, along: f32, way: f32) -> Vector {
    let along = along.max(-plan.behind.reach);
    let (place, direction) = plan.at(along);
    if way > 1e-6 * plan.length { (plan.at(along + way).0 - place) / way } else { direction }
}

/// The speed at the end of a tick of braking, such that the agent has this squared speed after `distance`.
fn braked(speed_squared: f32, distance: f32, braking: f32, tick: f32) -> f32 {
    let per_tick = braking * tick;
    ops::sqrt(per_tick * per_tick + speed_squared + 2.0 * braking * distance) - per_tick
}

/// Whether an agent can leave its plan and arrive at the end of the path: it is slow enough, and does not leave its lane.
pub(super) fn may_arrive(progress: &PathProgress, agent: &Agent, to_end: Vector) -> bool {
    let plan = &progress.plan;
    if progress.along < plan.behind.reach {
        return false;
    }
    let delay = agent.response_time - agent.tick;
    let aside = plan.direction.perp_dot(agent.velocity).abs();
    let drift =
        plan.direction.perp_dot(to_end).abs() + aside * delay + aside * aside / (0.4 * plan.ability.acceleration);
    // An agent that arrives already may be faster.
    let slow = to_end.length() / agent.response_time * if progress.arrives { 2.0 } else { 0.5 };
    let is_slow = delay <= 0.0 || agent.velocity.dot(plan.direction) <= slow;
    drift < 0.7 * plan.ability.radius && (is_slow || to_end.length() < 0.2 * plan.ability.radius)
}

/// The wish of a body with limits: to get to a point ahead on its path.
pub(super) fn vehicle_wish(progress: &PathProgress, route: &Route, agent: &Agent, limits: &BodyLimits) -> Wish {
    let plan = &progress.plan;
    let turning_radius = limits.min_turning_radius.unwrap_or(0.0).max(0.0);
    let speed = agent.velocity.length();
    let look_ahead = plan.ability.radius.max(turning_radius).max(speed * (0.3 + 2.0 * agent.response_time));
    let (mut left, mut place) = (progress.along + look_ahead - plan.length, Vector::ZERO);
    if left <= plan.ahead.reach {
        place = agent.to(plan.at(progress.along + look_ahead).0);
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
    let (limit_squared, _) = plan.speed_squared(progress.along);
    Wish::Place { displacement: place, approach: Approach::AtSpeed { speed: ops::sqrt(limit_squared) } }
}
