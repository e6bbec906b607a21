//! The plan of a leg: how an agent turns into it and out of it, and at what speed.
//!
//! In a corner, the agent applies a constant force along the bisector, so it follows a parabola from one leg to the next. Let `s` be the
//! sine of half the turn and `a` the acceleration. A parabola that begins `t` before the corner passes the corner at the distance `t·s/2`,
//! at the speed `√(a·t/s)`. So the radius of the lane limits `t`, and `t` limits the speed. The corner at each end of a leg may use half of
//! the leg. Progress is measured along the legs, also in corners: a parabola begins `t` before the corner and ends `t` after it.

use bevy::math::ops;

use crate::agent::{Agent, BodyLimits};
use crate::behaviors::follow_path::route::{Leg, PathVisit, Route};
use crate::math::Vector;

/// The share of the acceleration that plans use. The rest corrects errors.
const USED: f32 = 0.94;

/// The share of the acceleration that is left for braking in a corner.
pub(super) const BRAKING_IN_CORNERS: f32 = 0.25;

/// The share of its abilities that the plan of a vehicle uses.
const VEHICLE_SHARE: f32 = 0.6;

/// The largest distance by which a corner is cut, as a share of the radius.
const CUT: f32 = 0.8;

/// Points nearer than this share of the radius count as one.
const APART: f32 = 0.25;

/// The same for agents that cover more than that distance in a tick.
const APART_AT_SPEED: f32 = 0.5;

/// If the sine of half the turn is below this, there is no corner. Above the next constant, the agent stops in the corner.
const STRAIGHT: f32 = 1e-4;
const SHARP: f32 = 0.966;

/// In one tick, an agent covers at most the length of a corner, or this share of the cut.
const STEP_IN_CORNERS: f32 = 0.5;

/// An agent turns around at this share of the radius before a sharp corner.
const TURNED: f32 = 0.05;

/// The number of corners ahead that an agent slows down for.
const HORIZON: usize = 256;

/// The bits of the numbers that determine the [`Ability`] of an agent. They are compared every tick, which is cheaper than computing the
/// ability.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Basis([u32; 9]);

impl Basis {
    #[inline(always)]
    pub fn new(radius: Option<f32>, visit: PathVisit, agent: &Agent, limits: Option<&BodyLimits>) -> Self {
        // `u32::MAX` stands for `None`: it is not the bits of a valid number.
        let bits = |number: Option<f32>| number.map_or(u32::MAX, f32::to_bits);
        let kind = visit as u32 + 2 * u32::from(limits.is_some());
        Self([
            kind,
            bits(radius),
            agent.radius.to_bits(),
            agent.max_speed.to_bits(),
            agent.max_force.to_bits(),
            agent.mass.to_bits(),
            agent.tick.to_bits(),
            bits(limits.map(BodyLimits::braking)),
            bits(limits.map(BodyLimits::turn_rate)),
        ])
    }

    #[inline(always)]
    fn is_same(&self, other: &Self) -> bool {
        let mut difference = 0;
        for number in 0..self.0.len() {
            difference |= self.0[number] ^ other.0[number];
        }
        difference == 0
    }
}

/// The limits of an agent on its path.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Ability {
    /// Half the width of the way, units, > 0.
    pub radius: f32,
    /// The largest distance at which it passes a corner, units.
    cut: f32,
    /// Points that are nearer to each other count as one.
    pub apart: f32,
    /// The acceleration of the plan in corners, units/s², > 0.
    pub acceleration: f32,
    /// The deceleration of the plan, units/s², > 0.
    pub braking: f32,
    /// The highest turn rate of a vehicle, rad/s.
    turn_rate: f32,
    pub max_speed: f32,
    tick: f32,
    basis: Basis,
}

impl Ability {
    /// The ability of an agent. It is a vehicle if it has limits.
    pub fn new(radius: Option<f32>, visit: PathVisit, agent: &Agent, limits: Option<&BodyLimits>) -> Self {
        let basis = Basis::new(radius, visit, agent, limits);
        let per_tick = agent.max_speed * agent.tick;
        let radius = radius.unwrap_or(2.0 * agent.radius).max(0.1 * per_tick).max(f32::MIN_POSITIVE);
        let (cut, apart) = match visit {
            PathVisit::Lane => (CUT * radius, (APART * radius).max(per_tick.min(APART_AT_SPEED * radius))),
            PathVisit::Every => (CUT * agent.radius.min(radius), 0.0),
        };
        let share = if limits.is_some() { VEHICLE_SHARE } else { USED };
        let acceleration = (share * agent.max_force / agent.mass).clamp(f32::MIN_POSITIVE, 1e18);
        let braking = limits.map_or(f32::INFINITY, BodyLimits::braking);
        let turn_rate = limits.map_or(f32::INFINITY, BodyLimits::turn_rate);
        Self {
            radius,
            cut,
            apart,
            acceleration,
            braking: acceleration.min(VEHICLE_SHARE * braking).max(f32::MIN_POSITIVE),
            turn_rate: VEHICLE_SHARE * turn_rate.max(0.0),
            max_speed: agent.max_speed.min(1e18),
            tick: agent.tick,
            basis,
        }
    }

    /// Whether the ability was computed from these numbers.
    #[inline(always)]
    pub fn is_from(&self, basis: &Basis) -> bool {
        self.basis.is_same(basis)
    }

    /// The parabola between two legs.
    fn corner(&self, before: Leg, after: Leg) -> Corner {
        let fastest = self.max_speed * self.max_speed;
        let sine = 0.5 * (after.direction - before.direction).length();
        let (reach, speed_squared) = if sine < STRAIGHT {
            (0.0, fastest)
        } else if sine > SHARP {
            (0.0, 0.0)
        } else {
            let half = 0.5 * before.length.min(after.length);
            let reach = (2.0 * self.cut / sine).min(half).min(fastest * sine / self.acceleration);
            let step = (2.0 * reach).max(STEP_IN_CORNERS * self.cut) / self.tick;
            // At the apex, the radius of the parabola is `t·cos²/sin` of half the turn.
            let turning = self.turn_rate * reach * ops::sqrt(1.0 - sine * sine) / sine;
            (reach, fastest.min(self.acceleration * reach / sine).min(step * step).min(turning * turning))
        };
        Corner { reach, speed_squared, direction: after.direction }
    }
}

/// The curve from one leg to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Corner {
    /// The distance before the corner at which the turn begins, and after the corner at which it ends, units.
    pub reach: f32,
    /// The square of the highest speed.
    pub speed_squared: f32,
    /// The direction of the other leg.
    pub direction: Vector,
}

/// How an agent follows a leg.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Plan {
    pub ability: Ability,
    pub start: Vector,
    pub direction: Vector,
    pub length: f32,
    /// The progress from which on the agent is on the next leg, units; infinite on the last leg.
    pub end: f32,
    /// The progress up to which the agent may be on the previous leg, units.
    pub back: f32,
    /// Whether the corner at the end is so sharp that the agent stops in it.
    pub turns: bool,
    pub behind: Corner,
    pub ahead: Corner,
    /// The square of the highest speed at the end of the corner ahead.
    pub exit: f32,
}

impl Plan {
    /// The plan of the leg between the points `from` and `to`. The previous leg starts at `before`; if that equals `from`, there is none.
    pub fn new(route: &Route, ability: Ability, [before, from, to]: [u32; 3]) -> Self {
        let leg = route.leg(from, to);
        let fastest = ability.max_speed * ability.max_speed;
        let mut behind = Corner { reach: 0.0, speed_squared: fastest, direction: leg.direction };
        if before != from {
            let previous = route.leg(before, from);
            behind = Corner { direction: previous.direction, ..ability.corner(previous, leg) };
        }
        let mut plan = Self {
            ability,
            start: route.point(from),
            direction: leg.direction,
            length: leg.length,
            end: f32::INFINITY,
            back: -behind.reach.max(0.5 * ability.radius),
            turns: false,
            behind,
            ahead: Corner { reach: 0.0, speed_squared: 0.0, direction: leg.direction },
            exit: 0.0,
        };
        if let Some(next) = route.next(to, ability.apart) {
            let after = route.leg(to, next);
            plan.ahead = ability.corner(leg, after);
            plan.exit = speed_squared_after(route, ability, plan.ahead.reach, after, next);
            let entry = plan.exit + 4.0 * BRAKING_IN_CORNERS * ability.braking * plan.ahead.reach;
            plan.turns = plan.ahead.speed_squared <= 0.0;
            let turned = if plan.turns { (TURNED * ability.radius).min(0.5 * leg.length) } else { 0.0 };
            plan.end = leg.length - turned;
            plan.ahead.speed_squared = plan.ahead.speed_squared.min(entry);
        }
        plan
    }
}

/// The square of the highest speed at the end of a corner with this `reach`, such that the agent can still slow down for everything that
/// follows: the leg `after` to the point `next`, and so on.
fn speed_squared_after(route: &Route, ability: Ability, reach: f32, after: Leg, next: u32) -> f32 {
    let braking = 2.0 * ability.braking;
    let mut fastest = ability.max_speed * ability.max_speed;
    let (mut leg, mut to) = (after, next);
    // The largest decrease of the squared speed by braking from here on.
    let mut braked = braking * (leg.length - reach);
    for _ in 0..HORIZON {
        // Later corners cannot require a lower speed.
        if braked >= fastest {
            return fastest;
        }
        let Some(next) = route.next(to, ability.apart) else {
            return fastest.min(braked);
        };
        let after = route.leg(to, next);
        let corner = ability.corner(leg, after);
        braked -= braking * corner.reach;
        fastest = fastest.min(corner.speed_squared + braked);
        braked += braking * (2.0 * BRAKING_IN_CORNERS * corner.reach + after.length - corner.reach);
        (leg, to) = (after, next);
    }
    fastest.min(braked)
}
