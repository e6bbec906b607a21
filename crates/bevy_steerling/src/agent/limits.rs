//! What a body can do besides being pushed: how fast it turns, speeds up and brakes, and whether it can go backward.

use core::f32::consts::PI;

use bevy::math::ops;
use bevy::prelude::*;

use crate::agent::components::SteeringAgent;
use crate::agent::view::Agent;
use crate::math::{self, Vector, finite_or_zero, normalize, unit_vector};

/// Limits of a body that cannot move in every direction at every moment: a car, a ship, a missile.
///
/// The body has a heading and moves along it. It turns, accelerates and brakes only as fast as its limits allow; with a reverse gear it
/// also moves backward. The total of what its behaviors want becomes the nearest force that the body can follow. After each tick
/// [`SteeringForce`](crate::agent::SteeringForce) holds the force that was applied, at most max force. In one tick the body turns by at
/// most `h · min(max turn rate, |v'| / min turning radius)`, and its speed changes by at most `h · max acceleration` away from zero and
/// `h · max braking` toward zero.
///
/// Behaviors that wish for a [place](crate::engine::wish::Wish::Place), such as [`Seek`](crate::behaviors::seek::Seek),
/// [`Arrive`](crate::behaviors::arrive::Arrive) and [`Pursue`](crate::behaviors::pursue::Pursue), reach a target inside the turning
/// circle instead of orbiting it: the body slows down until the circle is small enough, swings out until the target is outside, or backs
/// up. A body with a reverse gear goes backward where that is shorter. It turns to a target straight behind it on the side that its
/// [`SteeringId`](crate::agent::SteeringId) decides: left if the number is even. `Arrive` stops within a hundredth of the turning radius,
/// or of the distance of one tick at max speed. Constraints see the weaker of max force and max braking as the agent's max force. A
/// blocked agent that cannot turn brakes.
///
/// Max speed, a hard stop of [`ClassicQueue`](crate::constraints::classic_queue::ClassicQueue), the edges of the world, and solid bodies
/// override the limits: the heading follows them. Negative limits and NaN count as zero, infinite limits as no limit.
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
#[require(SteeringAgent, Vehicle)]
pub struct BodyLimits {
    /// The fastest turn, radians per second, also on the spot. Default: no limit.
    pub max_turn_rate: Option<f32>,
    /// The radius of the narrowest circle that the body can follow, units. With one it cannot turn on the spot. Default: none.
    pub min_turning_radius: Option<f32>,
    /// The fastest gain in speed, units/s². Default: what max force allows.
    pub max_acceleration: Option<f32>,
    /// The fastest loss of speed, units/s². Default: what max force allows.
    pub max_braking: Option<f32>,
    /// The highest speed backward, units/s, at most max speed. Default: 0, no reverse gear.
    pub reverse_speed: f32,
    /// The direction that the body points along before its first tick, of any length. Default: the direction of the velocity, or, at
    /// rest, the x axis of the `Transform`.
    pub initial_heading: Option<Vector>,
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

    /// Sets the [`initial_heading`](Self::initial_heading).
    #[must_use]
    pub fn with_heading(self, heading: Vector) -> Self {
        Self { initial_heading: Some(heading), ..self }
    }

    /// What the body of an agent can do now.
    pub(crate) fn drive(&self, vehicle: &Vehicle, agent: &Agent) -> Drive {
        let heading = vehicle.heading_at(agent.velocity, agent.max_speed, self.reverse_speed > 0.0);
        let strength = (agent.max_force / agent.mass).min(f32::MAX);
        let limit = |limit: Option<f32>| limit.map_or(strength, |limit| limit.max(0.0).min(strength));
        Drive {
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
        }
    }

    /// The agent with no more force than it can brake with.
    pub(crate) fn braking_agent(&self, agent: &Agent) -> Agent {
        let braking = self.max_braking.map_or(f32::INFINITY, |braking| braking.max(0.0) * agent.mass);
        Agent { max_force: agent.max_force.min(braking), ..*agent }
    }
}

/// Where a body with [`BodyLimits`] points, and the maneuver that it is in. Written each tick; clones start anew.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
#[component(clone_behavior = Ignore)]
pub struct Vehicle {
    /// The unit vector that the body points along.
    pub(crate) heading: Option<Vector>,
    /// The body turns away from a place inside its turning circle, until the place is outside.
    pub(crate) swings_out: bool,
    /// It goes to its place backward.
    pub(crate) backward: bool,
    /// The side on which it turns to what is behind it: left or right.
    pub(crate) left: Option<bool>,
}

impl Vehicle {
    /// The unit vector that the body points along; `None` before its first tick. The body moves backward while its velocity is
    /// opposite.
    pub fn heading(&self) -> Option<Vector> {
        self.heading
    }

    /// The heading of a body at this velocity.
    fn heading_at(&self, velocity: Vector, max_speed: f32, reverses: bool) -> Vector {
        let Some(along) = direction(velocity, max_speed) else { return self.heading.unwrap_or(Vector::X) };
        let backward = reverses && self.heading.is_some_and(|heading| heading.dot(along) < 0.0);
        if backward { -along } else { along }
    }

    /// Sets the heading of a body that has none yet.
    pub(crate) fn init_heading(&mut self, limits: &BodyLimits, agent: &Agent, transform: &Transform) {
        self.heading.get_or_insert_with(|| {
            let initial = limits.initial_heading.map(|heading| normalize(finite_or_zero(heading)));
            let initial = initial.filter(|heading| *heading != Vector::ZERO);
            initial.or_else(|| direction(agent.velocity, agent.max_speed)).unwrap_or_else(|| {
                let heading = math::heading(transform);
                if heading.is_finite() && heading != Vector::ZERO { heading } else { Vector::X }
            })
        });
    }
}

/// Slower than this fraction of its max speed, a body keeps its heading.
const AT_REST: f32 = 1e-3;

/// The unit vector along which a body moves, unless it is at rest.
fn direction(velocity: Vector, max_speed: f32) -> Option<Vector> {
    let speed = velocity.length();
    (speed > AT_REST * max_speed && speed.is_finite()).then(|| velocity / speed)
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
