//! What a body can do besides being pushed: how fast it turns, speeds up and brakes, and whether it can go backward.

use core::f32::consts::PI;

use bevy::math::ops;
use bevy::prelude::*;

use crate::agent::{SteeringAgent, SteeringForce};
use crate::constraints::queue::Queue;
use crate::engine::behavior::{Agent, AgentData, TickParam};
use crate::engine::contribution_log::ContributionLog;
use crate::engine::maneuver::Maneuver;
use crate::engine::trace::BODY;
use crate::math::{self, Vector, finite_or_zero, normalize, truncate, unit_vector};

/// Limits of a body that cannot go any way at any moment: a car, a ship, a missile.
///
/// Such a body has a heading. It moves along it, turns it no faster than it can, and speeds up and brakes as its limits say; with a
/// reverse gear it moves backward, too. What its behaviors want becomes the nearest thing that it can do: after each tick
/// [`SteeringForce`] is the force that was really applied, and no longer than max force. In a tick it turns by at most
/// `h · min(max turn rate, |v'| / min turning radius)`, and its speed changes by at most `h · max acceleration` away from
/// zero and `h · max braking` toward it.
///
/// Its behaviors know. [`Seek`](crate::behaviors::seek::Seek), [`Arrive`](crate::behaviors::arrive::Arrive) and
/// [`Pursue`](crate::behaviors::pursue::Pursue) reach a target that is inside its turning circle instead of orbiting it: they slow down to
/// where the circle is small enough, or, if it is not at any speed, swing out until the target is no longer inside, or back up. With a
/// reverse gear, they go backward where that is shorter. A target straight behind is turned to on the side that the agent's
/// [`SteeringId`](crate::agent::SteeringId) says: left if it is even. Whatever else wants to go back where the body comes from makes it turn round, too.
/// Arrive stops within a hundredth of the turning radius, or of the way of a tick at max speed. It,
/// [`AvoidObstacles`](crate::constraints::avoid_obstacles::AvoidObstacles), [`Contain`](crate::constraints::contain::Contain) and
/// [`AvoidNeighbors`](crate::constraints::avoid_neighbors::AvoidNeighbors) reckon with the weaker of max force and max braking; other agents
/// that avoid this one, and [`Queue`], with max force. Who is kept from something and cannot
/// turn away brakes.
///
/// Stronger than the limits are max speed, a hard stop of `Queue`, edges of the world, and other bodies that are solid: the heading
/// follows them. Negative limits and NaN count as zero, infinite ones as none.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// let car = BodyLimits::default().with_min_turning_radius(40.0).with_max_braking(200.0).with_reverse_speed(30.0);
/// commands.spawn((Arrive::new(Vec2::new(-20.0, 15.0)), car, FaceVelocity::default()));
///
/// let missile = BodyLimits::default().with_max_turn_rate(1.5).with_max_braking(0.0);
/// commands.spawn((Seek::new(Vec2::ZERO), missile, Velocity(Vec2::new(90.0, 0.0)), Transform::from_xyz(0.0, 300.0, 0.0)));
/// # }
/// ```
#[derive(Component, Clone, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
#[require(SteeringAgent)]
pub struct BodyLimits {
    /// How fast it turns at most, radians per second, also on the spot. Default: no limit.
    pub max_turn_rate: Option<f32>,
    /// The radius of the narrowest circle that it can go on, units. A body that has one cannot turn on the spot. Default: none.
    pub min_turning_radius: Option<f32>,
    /// How much faster it can get, units/s². Default: as much as max force allows.
    pub max_acceleration: Option<f32>,
    /// How much slower it can get, units/s². Default: as much as max force allows.
    pub max_braking: Option<f32>,
    /// How fast it goes backward at most, units/s, and no faster than max speed. Default: 0, which is no reverse gear.
    pub reverse_speed: f32,
    /// The unit vector that it points along. Default: that of the velocity, or, at rest, of the `Transform`'s rotation.
    heading: Option<Vector>,
    /// What it does to get where it cannot simply turn to.
    maneuver: Maneuver,
}

impl BodyLimits {
    /// Sets [`max_turn_rate`](Self::max_turn_rate), radians per second.
    #[must_use]
    pub fn with_max_turn_rate(self, turn_rate: f32) -> Self {
        Self { max_turn_rate: Some(turn_rate), ..self }
    }

    /// Sets [`min_turning_radius`](Self::min_turning_radius), units.
    #[must_use]
    pub fn with_min_turning_radius(self, radius: f32) -> Self {
        Self { min_turning_radius: Some(radius), ..self }
    }

    /// Sets [`max_acceleration`](Self::max_acceleration), units/s².
    #[must_use]
    pub fn with_max_acceleration(self, acceleration: f32) -> Self {
        Self { max_acceleration: Some(acceleration), ..self }
    }

    /// Sets [`max_braking`](Self::max_braking), units/s².
    #[must_use]
    pub fn with_max_braking(self, braking: f32) -> Self {
        Self { max_braking: Some(braking), ..self }
    }

    /// Gives it a reverse gear: sets [`reverse_speed`](Self::reverse_speed), units/s.
    #[must_use]
    pub fn with_reverse_speed(self, speed: f32) -> Self {
        Self { reverse_speed: speed, ..self }
    }

    /// Points it along a vector, also while it is at rest.
    #[must_use]
    pub fn with_heading(self, heading: Vector) -> Self {
        Self { heading: Some(normalize(finite_or_zero(heading))).filter(|heading| *heading != Vector::ZERO), ..self }
    }

    /// The unit vector that it points along; `None` before its first tick. It moves backward while its velocity is opposite.
    pub fn heading(&self) -> Option<Vector> {
        self.heading
    }

    /// The heading of a body at this velocity.
    fn heading_at(&self, velocity: Vector, max_speed: f32) -> Vector {
        let Some(along) = way(velocity, max_speed) else { return self.heading.unwrap_or(Vector::X) };
        let backward = self.reverse_speed > 0.0 && self.heading.is_some_and(|heading| heading.dot(along) < 0.0);
        if backward { -along } else { along }
    }

    /// Finds out where a body points of which nobody has said it yet.
    pub(crate) fn know_heading(&mut self, agent: &Agent, transform: &Transform) {
        self.heading.get_or_insert_with(|| {
            way(agent.velocity, agent.max_speed).unwrap_or_else(|| {
                let heading = math::heading(transform);
                if heading.is_finite() && heading != Vector::ZERO { heading } else { Vector::X }
            })
        });
    }

    /// What the body of an agent can do now, and the state of its maneuver.
    pub(crate) fn drive(&mut self, agent: &Agent) -> (Drive, &mut Maneuver) {
        let heading = self.heading_at(agent.velocity, agent.max_speed);
        let strength = (agent.max_force / agent.mass).min(f32::MAX);
        let limit = |limit: Option<f32>| limit.map_or(strength, |limit| limit.max(0.0).min(strength));
        let drive = Drive {
            heading,
            speed: agent.velocity.dot(heading),
            turn_rate: self.max_turn_rate.map_or(f32::INFINITY, |rate| rate.max(0.0)),
            radius: self.min_turning_radius.map_or(0.0, |radius| radius.max(0.0)),
            strength,
            acceleration: limit(self.max_acceleration),
            braking: limit(self.max_braking),
            max_speed: agent.max_speed,
            reverse_speed: self.reverse_speed.max(0.0).min(agent.max_speed),
            tick: agent.tick,
        };
        (drive, &mut self.maneuver)
    }

    /// The agent as it is for behaviors that reckon with the force it can stop with.
    pub(crate) fn stopping(&self, agent: Agent) -> Agent {
        let braking = self.max_braking.map_or(f32::INFINITY, |braking| braking.max(0.0) * agent.mass);
        Agent { max_force: agent.max_force.min(braking), ..agent }
    }
}

/// Slower than this fraction of its max speed, a body keeps its heading.
const AT_REST: f32 = 1e-3;

/// The unit vector along which a body moves, unless it is at rest.
fn way(velocity: Vector, max_speed: f32) -> Option<Vector> {
    let speed = velocity.length();
    (speed > AT_REST * max_speed && speed.is_finite()).then(|| velocity / speed)
}

/// Makes another force of it, for the body's sake.
pub(crate) fn change_force(force: &mut Mut<SteeringForce>, log: Option<Mut<ContributionLog>>, changed: Vector) {
    let force = &mut force.bypass_change_detection().0;
    if let Some(mut log) = log {
        log.bypass_change_detection().change(BODY, *force, changed);
    }
    *force = changed;
}

/// Within this share of its turning radius a body stops in no time.
const SHORT: f32 = 0.1;

/// What a body can do, as it is at the start of a tick.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drive {
    /// The unit vector that it points along.
    pub heading: Vector,
    /// Its speed along the heading, units/s; negative while it moves backward.
    pub speed: f32,
    /// rad/s, ≥ 0; infinite where there is no limit.
    pub turn_rate: f32,
    /// Of the narrowest circle, units, ≥ 0.
    pub radius: f32,
    /// What the force can do, units/s².
    pub strength: f32,
    /// units/s²; no more than `strength`.
    pub acceleration: f32,
    /// units/s²; no more than `strength`.
    pub braking: f32,
    pub max_speed: f32,
    /// Zero without a reverse gear.
    pub reverse_speed: f32,
    /// The length of the tick, seconds.
    pub tick: f32,
}

impl Drive {
    /// By how much it can turn in a time at a speed, radians, its force left aside.
    pub fn turn(&self, speed: f32, time: f32) -> f32 {
        let on_the_circle = if self.radius > 0.0 { speed.abs() / self.radius } else { f32::INFINITY };
        (self.turn_rate.min(on_the_circle) * time.min(f32::MAX)).min(PI)
    }

    /// The velocity nearest to `wanted` that it can have after the tick, and its heading then. In the reverse gear it does not turn
    /// round to go where it comes from.
    pub fn nearest(&self, wanted: Vector, reverse_gear: bool) -> (Vector, Vector) {
        let (slowest, fastest) = self.speeds();
        let turns_round = !reverse_gear && self.speed >= 0.0 && self.turn(wanted.length(), self.tick) >= PI;
        let backward = self.reverse_speed > 0.0 && wanted.dot(self.heading) < 0.0 && !turns_round;
        let sign = if backward { -1.0 } else { 1.0 };
        let (facing, now) = (self.heading * sign, self.speed * sign);
        let (low, high) = if backward { (-fastest, -slowest) } else { (slowest, fastest) };

        let direction = if wanted.length_squared() < f32::MIN_POSITIVE { facing } else { wanted.normalize() };
        let astray = ops::atan2(facing.perp_dot(direction), facing.dot(direction));
        let turned = |speed: f32| {
            let most = self.turn(speed, self.tick);
            astray.clamp(-most, most)
        };
        let way = |angle: f32| if angle == astray { direction } else { unit_vector(angle).rotate(facing) };
        // What it cannot turn to it brakes for, until it is so slow that it stops in no time.
        let slow = ops::sqrt(2.0 * self.braking * SHORT * self.radius);
        let speed_along = |way: Vector| {
            let along = wanted.dot(way);
            (along - wanted.perp_dot(way).abs()).max(along.min(slow)).max(low).min(high)
        };
        let speed = speed_along(way(turned(wanted.length().max(low).min(high))));
        let speed = speed_along(way(turned(speed)));
        let angle = turned(speed);

        // No more change than the force makes: less of all of it, so that the circle gets no narrower.
        let change = Vector::new(speed - now, now.abs().max(speed.abs()) * angle).length();
        let share = (self.strength * self.tick / change.max(f32::MIN_POSITIVE)).min(1.0);
        let speed = now + (speed - now) * share;
        let most = self.turn(speed, self.tick);
        let direction = way((angle * share).clamp(-most, most));
        (direction * speed, direction * sign)
    }

    /// The least and the greatest speed along the heading that it can have after the tick.
    fn speeds(&self) -> (f32, f32) {
        let Self { speed, acceleration, braking, tick, .. } = *self;
        // Through zero in what time is left after stopping.
        let beyond = |speed: f32| acceleration * (tick - if speed > 0.0 { speed / braking } else { 0.0 }).max(0.0);
        let slower = |speed: f32| if braking * tick < speed { speed - braking * tick } else { -beyond(speed) };
        let faster = |speed: f32| speed + acceleration * tick;
        let (low, high) =
            if speed >= 0.0 { (slower(speed), faster(speed)) } else { (-faster(-speed), -slower(-speed)) };
        let high = high.min(self.max_speed);
        (low.max(-self.reverse_speed).min(high), high)
    }
}

/// Makes of what an agent wants what its body can do.
pub(crate) fn limit_bodies(
    mut agents: Query<(&mut BodyLimits, &mut SteeringForce, AgentData, Option<&Queue>, Option<&mut ContributionLog>)>,
    tick: TickParam,
) {
    let (length, space) = (tick.length(), tick.space());
    agents.iter_mut().for_each(|(mut limits, mut force, data, queue, log)| {
        let limits = limits.bypass_change_detection();
        let agent = data.agent(Vector::ZERO, length, space);
        // A hard stop comes before all limits.
        let kept = queue.map_or(1.0, Queue::kept_velocity);
        let agent = Agent { velocity: truncate(finite_or_zero(agent.velocity * kept), f32::MAX), ..agent };
        let total = truncate(force.0, agent.max_force);
        let wanted = agent.velocity + total * (length / agent.mass);
        limits.know_heading(&agent, data.transform());
        let (drive, maneuver) = limits.drive(&agent);
        let (velocity, heading) = drive.nearest(truncate(wanted, agent.max_speed), maneuver.is_backward());
        limits.heading = Some(heading);
        // What it can do anyway stays as it is, to the bit.
        let missing = velocity.distance(wanted) > ROUNDING * (velocity.length() + agent.velocity.length());
        if missing {
            let limited = (velocity - agent.velocity) * (agent.mass / length);
            change_force(&mut force, log, truncate(finite_or_zero(limited), agent.max_force));
        }
    });
}

/// Velocities that differ by less than this share are the same.
const ROUNDING: f32 = 1e-6;
