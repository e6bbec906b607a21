//! Maneuvers of bodies with limits: they turn, slow down, swing out or back up to get where their behaviors want.
//!
//! A body with a fixed steering angle reaches a place on a circle of radius `ρ = d²/(2·a)`, where `d` is the distance and `a` the lateral
//! offset. At a speed at which the body can turn on a smaller circle, the angle to the place decreases in every tick, so the body never
//! orbits the place. If `ρ` is below the turning radius, no speed is low enough. The body then swings out or backs up until `ρ` is large
//! enough.

use core::f32::consts::{FRAC_PI_2, PI, TAU};

use bevy::math::ops;
use bevy::prelude::*;

use crate::agent::view::AgentData;
use crate::agent::{Agent, BodyLimits, Drive, SteeringForce, Vehicle};
use crate::engine::approach::Approach;
use crate::engine::contribution::BODY;
use crate::engine::contribution_log::ContributionLog;
use crate::engine::wish::Wish;
use crate::math::space::SteeringBounds;
use crate::math::{Vector, finite_or_zero, truncate, unit_vector};
use crate::tick::TickParam;

/// A place counts as inside the turning circle once its circle is smaller than the tightest one times this factor,
const INSIDE_CIRCLE: f32 = 1.03;

/// and as outside again once its circle is larger than the tightest one times this factor.
const OUTSIDE_CIRCLE: f32 = 1.1;

/// The share of the force that turning may use. It leaves nearly as much for braking.
const TURNING: f32 = 0.7;

/// The body changes gear if the other gear takes less than this share of the time.
const OTHER_GEAR: f32 = 0.8;

/// A place is behind the body if the cosine of the angle to it is below this. The body then keeps turning to the same side.
const BEHIND: f32 = -0.5;

/// A place straight behind the body, up to this sine, is on neither side.
const NO_SIDE: f32 = 1e-3;

/// A body stops within this share of its turning radius, or of the distance covered in a tick at max speed.
const NEAR: f32 = 0.01;

/// The minimum share of its max speed at which a body without a turning radius turns.
const CRAWLING: f32 = 0.01;

/// A body has turned back from an edge of the world once the cosine of the remaining angle is at least this.
const ALONG: f32 = 0.9999;

/// A wish for less than this share of max speed is a wish to stand still.
const IDLE: f32 = 1e-3;

impl Vehicle {
    /// The force toward the place at the displacement `way`.
    fn force_to(&mut self, drive: &Drive, agent: &Agent, approach: Approach, way: Vector) -> Vector {
        let distance = way.length();
        let near = NEAR * drive.radius.max(drive.max_speed * drive.tick);
        let arrived = approach.tolerance().is_some_and(|tolerance| distance <= tolerance.max(near));
        if arrived || !(distance > 0.0 && distance.is_finite()) {
            *self = Self { heading: self.heading, rebound: self.rebound, ..Self::default() };
            return agent.force_toward(Vector::ZERO) * agent.mass.max(1.0);
        }

        let ahead = way.dot(drive.heading);
        let aside = drive.heading.perp_dot(way).abs();
        // The radius of the circle on which it would get there with a fixed steering angle.
        let circle = distance * (0.5 * distance / aside.max(f32::MIN_POSITIVE));
        let narrowest = drive.narrowest();
        if self.swings_out {
            self.swings_out = circle < OUTSIDE_CIRCLE * narrowest;
        } else if circle < INSIDE_CIRCLE * narrowest {
            self.swings_out = true;
            self.backward = drive.reverse_speed > 0.0 && ahead >= 0.0;
        }
        if drive.reverse_speed <= 0.0 {
            self.backward = false;
        } else if !self.swings_out {
            let (forward, backward) = (drive.time_to(ahead, aside, false), drive.time_to(ahead, aside, true));
            let (this, other) = if self.backward { (backward, forward) } else { (forward, backward) };
            self.backward ^= other < OTHER_GEAR * this;
        }

        let gear = drive.in_gear(self.backward);
        let left = self.side(&gear, agent, way);
        let angle = gear.angle(way, left);
        let rest = if self.swings_out { distance + 2.0 * narrowest } else { gear.way_to(gear.heading.dot(way), aside) };
        // On a straight path, the whole force is available for braking.
        let straight = angle <= gear.reach(agent.response_time);
        let share = if straight { 1.0 } else { 1.0 - TURNING * TURNING };
        let braker = Agent { max_force: share * agent.max_force.min(gear.braking * agent.mass), ..*agent };
        let wanted = approach.speed(&braker, gear.heading * rest);
        let bend = match gear.heading.dot(way) {
            _ if self.swings_out => narrowest,
            _ if straight => f32::INFINITY,
            before if before > 0.0 => circle,
            _ => 0.5 * distance,
        };
        let speed = wanted.min(gear.turning_speed(bend.max(gear.radius)));
        gear.force(agent, if self.swings_out { -angle.max(FRAC_PI_2) } else { angle }, left, speed)
    }

    /// Whether to turn left toward something in the direction `way`.
    fn side(&mut self, gear: &Drive, agent: &Agent, way: Vector) -> bool {
        let (cos, sin) = (gear.heading.dot(way), gear.heading.perp_dot(way));
        let length = way.length();
        let by_itself = if sin.abs() > NO_SIDE * length { sin > 0.0 } else { agent.id.get().is_multiple_of(2) };
        if cos > BEHIND * length {
            self.left = None;
            return sin > 0.0;
        }
        *self.left.get_or_insert(by_itself)
    }

    /// The force toward the velocity with which the body leaves an edge of the world; `None` if it is at no edge, or has turned back.
    fn force_to_rebound(&mut self, drive: &Drive, agent: &Agent, bounds: &SteeringBounds) -> Option<Vector> {
        let rebound = truncate(self.rebound?, agent.max_speed);
        let is_driven = agent.force != Vector::ZERO;
        let gear = drive.in_gear(drive.speed < 0.0);
        let is_along = gear.heading.dot(rebound) >= ALONG * rebound.length();
        // Without behaviors, nothing else restores its speed.
        let is_as_fast = is_driven || gear.speed >= (1.0 - IDLE) * rebound.length();
        // Without behaviors, it keeps turning while it gets its speed back.
        let turning = if is_driven { *drive } else { Drive { speed: rebound.length(), braking: 0.0, ..*drive } };
        let near = 2.0 * (turning.narrowest() + agent.stopping_distance());
        if is_along && is_as_fast || !bounds.is_near_edge(agent.position, near) {
            self.rebound = None;
        }
        // Behaviors do not wait for a slow turn.
        let fast_enough = if is_driven { drive.turning_speed(drive.radius) } else { 0.0 };
        self.rebound.map(|_| agent.force_to_reach(rebound.normalize_or_zero() * rebound.length().max(fast_enough)))
    }

    /// The force with which the body turns toward the preferred velocity; `None` if it can follow the total force directly.
    fn turn_to(&mut self, drive: &Drive, agent: &Agent) -> Option<Vector> {
        let wanted = agent.preferred_velocity();
        let speed = wanted.length();
        if speed.is_nan() || speed <= IDLE * agent.max_speed {
            return None;
        }
        let backward = drive.in_gear(true);
        let reverses = drive.reverse_speed > 0.0
            && wanted.dot(drive.heading) < 0.0
            && (drive.speed < 0.0 || backward.is_along(wanted, agent.response_time));
        let gear = if reverses { backward } else { *drive };
        if gear.is_along(wanted, agent.response_time) {
            return None;
        }
        let left = self.side(&gear, agent, wanted);
        // The speed is that of the component along the heading, but high enough to turn, because a body at rest cannot turn.
        let along = gear.heading.dot(wanted).max(0.0);
        let turning = if gear.radius > 0.0 { gear.turning_speed(gear.radius) } else { CRAWLING * agent.max_speed };
        let turning = turning.min(speed);
        Some(gear.force(agent, gear.angle(wanted, left), left, along.max(turning)))
    }
}

impl Drive {
    /// The same body with its heading along the direction of motion in a gear.
    fn in_gear(self, backward: bool) -> Self {
        if !backward {
            return self;
        }
        let Self { heading, speed, max_speed, reverse_speed, .. } = self;
        Self { heading: -heading, speed: -speed, max_speed: reverse_speed, reverse_speed: max_speed, ..self }
    }

    /// The acceleration available for turning, units/s².
    fn turning_strength(&self) -> f32 {
        TURNING * self.strength
    }

    /// The highest speed on a circle, units/s.
    fn turning_speed(&self, radius: f32) -> f32 {
        let by_force = ops::sqrt(self.turning_strength()) * ops::sqrt(radius);
        let by_rate = if self.turn_rate.is_finite() { self.turn_rate * radius } else { f32::INFINITY };
        self.max_speed.min(by_force).min(by_rate)
    }

    /// The radius of the tightest circle that the body can reach if it brakes from now on, units. This is its turning radius, or more if it
    /// cannot slow down enough within a quarter turn.
    fn narrowest(&self) -> f32 {
        let speed = self.speed.abs();
        let rate = self.turn_rate.min(self.turning_strength() / speed.max(f32::MIN_POSITIVE));
        if rate <= 0.0 {
            return self.radius;
        }
        let slowest = (speed - (self.braking * (FRAC_PI_2 / rate)).min(f32::MAX)).max(0.0);
        let by_rate = if self.turn_rate.is_finite() { slowest / self.turn_rate } else { 0.0 };
        let by_force = slowest / self.turning_strength().max(f32::MIN_POSITIVE) * slowest;
        self.radius.max(by_rate).max(by_force.min(f32::MAX))
    }

    /// The largest turn within `time`, radians.
    fn reach(&self, time: f32) -> f32 {
        let by_force = self.turning_strength() / self.speed.abs().max(f32::MIN_POSITIVE) * time;
        self.turn(self.speed, time).min(by_force)
    }

    /// Whether it can turn toward `velocity` within `time`.
    fn is_along(&self, velocity: Vector, time: f32) -> bool {
        self.angle(velocity, self.heading.perp_dot(velocity) >= 0.0) <= self.reach(time) + 1e-4
    }

    /// The angle from the heading to a direction on one side, radians; π if the other side is nearer.
    fn angle(&self, direction: Vector, left: bool) -> f32 {
        let angle = ops::atan2(self.heading.perp_dot(direction), self.heading.dot(direction));
        let angle = if left { angle } else { -angle };
        if angle < -NO_SIDE { PI } else { angle.max(0.0) }
    }

    /// The length of the path to a place at this offset ahead and aside, units: along the tightest circle, then straight.
    fn way_to(&self, ahead: f32, aside: f32) -> f32 {
        let (radius, off) = (self.radius, aside - self.radius);
        let from_center = Vector::new(ahead, off).length();
        if from_center <= radius {
            return Vector::new(ahead, aside).length();
        }
        let turned = ops::atan2(off, ahead) - ops::acos(radius / from_center) + FRAC_PI_2;
        // Prevents rounding from turning zero into a full turn.
        let turned = if turned < -NO_SIDE { turned + TAU } else { turned.max(0.0) };
        turned * radius + ops::sqrt((from_center - radius) * (from_center + radius))
    }

    /// The approximate time to a place at this offset ahead and aside in a gear, seconds.
    fn time_to(&self, ahead: f32, aside: f32, backward: bool) -> f32 {
        let gear = self.in_gear(backward);
        let ahead = if backward { -ahead } else { ahead };
        let turning = if self.radius > 0.0 { 0.0 } else { ops::atan2(aside, ahead) / self.turn_rate };
        // A body that moves in the other gear has to stop first and come back.
        let back = (-gear.speed).max(0.0);
        let stopping = if back > 0.0 { back / self.braking.max(f32::MIN_POSITIVE) } else { 0.0 };
        turning + stopping + (gear.way_to(ahead, aside) + 0.5 * back * stopping) / gear.max_speed.max(f32::MIN_POSITIVE)
    }

    /// The force with which the body turns by `angle` to one side, as far as possible in a response time, and changes its speed to `speed`.
    fn force(&self, agent: &Agent, angle: f32, left: bool, speed: f32) -> Vector {
        let time = agent.response_time;
        // It does not turn while it still moves in the other gear.
        let reach = if self.speed < -IDLE * self.max_speed { 0.0 } else { self.reach(time) };
        let angle = angle.clamp(-reach, reach);
        let direction = unit_vector(if left { angle } else { -angle }).rotate(self.heading);
        // Turning has priority; the rest of the force accelerates or brakes.
        let aside = (self.speed * angle.abs() / time.max(f32::MIN_POSITIVE)).min(TURNING * self.strength);
        let rest = ops::sqrt((self.strength - aside) * (self.strength + aside)) * time;
        let speed = speed.max(self.speed - rest).min(self.speed + rest);
        agent.force_to_reach(direction * speed)
    }
}

/// The force for a wish of an agent with body limits.
pub(crate) fn force(wish: Wish, agent: &Agent, limits: &BodyLimits, vehicle: &mut Vehicle) -> Vector {
    match wish {
        Wish::Place { displacement, approach } => {
            let drive = limits.drive(vehicle, agent);
            vehicle.force_to(&drive, agent, approach, displacement)
        }
        other => other.force(agent),
    }
}

/// Replaces the force of an agent because of its body, and logs the change.
pub(crate) fn change_force(force: &mut Mut<SteeringForce>, log: Option<Mut<ContributionLog>>, changed: Vector) {
    let force = &mut force.bypass_change_detection().0;
    if let Some(mut log) = log {
        log.bypass_change_detection().change(&BODY, *force, changed);
    }
    *force = changed;
}

/// Turns bodies with limits toward their preferred velocities.
pub(crate) fn turn_bodies(
    mut agents: Query<(&BodyLimits, &mut Vehicle, &mut SteeringForce, AgentData, Option<&mut ContributionLog>)>,
    tick: TickParam,
) {
    agents.iter_mut().for_each(|(limits, mut vehicle, mut force, data, log)| {
        let agent = data.agent(force.0, tick.frame());
        let vehicle = vehicle.bypass_change_detection();
        if agent.force == Vector::ZERO && vehicle.rebound.is_none() {
            return;
        }
        vehicle.init_heading(limits, &agent, || tick.plane().heading(data.transform()));
        let drive = limits.drive(vehicle, &agent);
        let coming_away = vehicle.force_to_rebound(&drive, &agent, tick.bounds());
        let agent = Agent { force: coming_away.unwrap_or(agent.force), ..agent };
        if let Some(turning) = vehicle.turn_to(&drive, &agent).or(coming_away) {
            change_force(&mut force, log, finite_or_zero(turning));
        }
    });
}
