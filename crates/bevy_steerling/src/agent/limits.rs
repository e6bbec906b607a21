//! The limits of a body: how fast it turns, accelerates and brakes, and whether it moves backward.

use core::f32::consts::PI;

use bevy::ecs::component::component_clone_ignore;
use bevy::math::ops;
use bevy::prelude::*;

use crate::agent::components::SteeringAgent;
use crate::agent::heading::{direction, heading_along};
use crate::agent::view::Agent;
use crate::math::{Vector, finite_or_zero, normalize, unit_vector};

/// The limits of a body that cannot move in every direction, such as a car, a ship or a missile.
///
/// The body has a heading and moves along it. It turns, accelerates and brakes only as fast as its limits allow. With a reverse gear, it
/// can also move backward. The total force is replaced by the nearest force that the body can follow. In a tick of length `h`, the body
/// turns by at most `h · min(max turn rate, |v'| / min turning radius)`. Its speed changes by at most `h · max acceleration` away from zero
/// and `h · max braking` toward zero.
///
/// Behaviors that want to get to a [place](crate::engine::wish::Wish::Place), such as [`Seek`](crate::behaviors::seek::Seek),
/// [`Arrive`](crate::behaviors::arrive::Arrive) and [`Pursue`](crate::behaviors::pursue::Pursue), reach a target inside the turning circle
/// instead of orbiting it. The body slows down until the circle is small enough, swings out until the target is outside, or backs up. With
/// a reverse gear, it moves backward if that is shorter. To reach a target straight behind it, a body with an even
/// [`SteeringId`](crate::agent::SteeringId) turns left, and one with an odd id turns right. `Arrive` stops within a hundredth of the
/// turning radius or of the distance covered in one tick at max speed. For constraints, the agent's max force is at most the force of its
/// max braking. An agent that is blocked and cannot turn brakes.
///
/// At an edge of the world that [bounces](crate::math::space::Edge::Bounce), the body slides along the edge. Whatever its behaviors want,
/// it turns until it has the velocity with which it would have bounced off.
///
/// Max speed, a hard stop of [`ClassicQueue`](crate::constraints::classic_queue::ClassicQueue), and solid bodies override the limits. The
/// heading follows the resulting motion. Negative limits and NaN count as 0.
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
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[require(SteeringAgent, Vehicle)]
pub struct BodyLimits {
    /// The highest turn rate, radians/s, ≥ 0. Default: no limit. Without a min turning radius, the body can also turn on the spot.
    pub max_turn_rate: Option<f32>,
    /// The radius of the tightest circle that the body can follow, units, ≥ 0. Default: none. Above 0, the body cannot turn on the spot.
    pub min_turning_radius: Option<f32>,
    /// The highest acceleration along the heading, units/s², ≥ 0, at most `max_force / mass`. Default: `max_force / mass`.
    pub max_acceleration: Option<f32>,
    /// The highest deceleration, units/s², ≥ 0, at most `max_force / mass`. Default: `max_force / mass`.
    pub max_braking: Option<f32>,
    /// The highest speed backward, units/s, 0 to max speed. Default: 0, no reverse gear.
    pub reverse_speed: f32,
    /// The heading before the first tick, a vector of any length. Default: the direction of the velocity or, at rest, that of the
    /// [`Front`](crate::math::plane::Front).
    pub initial_heading: Option<Vector>,
}

impl BodyLimits {
    /// Sets [`max_turn_rate`](Self::max_turn_rate), radians/s.
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

    /// Adds a reverse gear: sets [`reverse_speed`](Self::reverse_speed), units/s.
    #[must_use]
    pub fn with_reverse_speed(self, speed: f32) -> Self {
        Self { reverse_speed: speed, ..self }
    }

    /// Sets the [`initial_heading`](Self::initial_heading).
    #[must_use]
    pub fn with_heading(self, heading: Vector) -> Self {
        Self { initial_heading: Some(heading), ..self }
    }

    /// The initial heading as a unit vector, if there is one.
    pub(crate) fn initial_direction(&self) -> Option<Vector> {
        let heading = self.initial_heading.map(|heading| normalize(finite_or_zero(heading)));
        heading.filter(|heading| *heading != Vector::ZERO)
    }

    /// The highest turn rate, radians/s; infinite without a limit.
    pub(crate) fn turn_rate(&self) -> f32 {
        self.max_turn_rate.map_or(f32::INFINITY, |rate| rate.max(0.0))
    }

    /// The radius of the tightest circle, units.
    pub(crate) fn turning_radius(&self) -> f32 {
        self.min_turning_radius.map_or(0.0, |radius| radius.max(0.0))
    }

    /// The highest deceleration, units/s²; infinite without a limit.
    pub(crate) fn braking(&self) -> f32 {
        self.max_braking.map_or(f32::INFINITY, |braking| braking.max(0.0))
    }

    /// What the body of an agent can do in this tick.
    pub(crate) fn drive(&self, vehicle: &Vehicle, agent: &Agent) -> Drive {
        let heading = vehicle.heading_at(agent.velocity, agent.max_speed, self.reverse_speed > 0.0);
        let strength = (agent.max_force / agent.mass).min(f32::MAX);
        let limit = |limit: Option<f32>| limit.map_or(strength, |limit| limit.max(0.0).min(strength));
        Drive {
            heading,
            speed: agent.velocity.dot(heading),
            turn_rate: self.turn_rate(),
            radius: self.turning_radius(),
            strength,
            acceleration: limit(self.max_acceleration),
            braking: limit(self.max_braking),
            max_speed: agent.max_speed,
            reverse_speed: self.reverse_speed.max(0.0).min(agent.max_speed),
            tick: agent.tick,
        }
    }

    /// The agent with its max force limited to the force of its max braking.
    pub(crate) fn braking_agent(&self, agent: &Agent) -> Agent {
        Agent { max_force: agent.max_force.min(self.braking() * agent.mass), ..*agent }
    }
}

/// The heading of a body with [`BodyLimits`], and its current maneuver. Updated every tick. Cloned entities start with a new state.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[component(clone_behavior = Custom(component_clone_ignore))]
pub struct Vehicle {
    /// The heading, a unit vector.
    pub(crate) heading: Option<Vector>,
    /// Whether the body turns away from a place inside its turning circle until the place is outside.
    pub(crate) swings_out: bool,
    /// Whether the body moves to its place backward.
    pub(crate) backward: bool,
    /// Whether the body turns left to a target behind it; `None` while there is none.
    pub(crate) left: Option<bool>,
    /// The velocity with which the body leaves an edge of the world, while it is turning back from there.
    pub(crate) rebound: Option<Vector>,
}

impl Vehicle {
    /// The heading, a unit vector; `None` before the first tick. The velocity of a body that moves backward has the opposite direction.
    pub fn heading(&self) -> Option<Vector> {
        self.heading
    }

    /// The heading of a body at this velocity.
    fn heading_at(&self, velocity: Vector, max_speed: f32, reverses: bool) -> Vector {
        heading_along(velocity, self.heading, max_speed, reverses).unwrap_or(Vector::X)
    }

    /// Sets the heading of a body that has none yet.
    pub(crate) fn init_heading(&mut self, limits: &BodyLimits, agent: &Agent, facing: impl FnOnce() -> Vector) {
        self.heading.get_or_insert_with(|| {
            limits.initial_direction().or_else(|| direction(agent.velocity, agent.max_speed)).unwrap_or_else(|| {
                let heading = facing();
                if heading.is_finite() && heading != Vector::ZERO { heading } else { Vector::X }
            })
        });
    }
}

/// A body that stops within this share of its turning radius counts as able to stop at once.
const SHORT: f32 = 0.1;

/// What a body can do in a tick, from its state at the start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drive {
    /// The heading, a unit vector.
    pub heading: Vector,
    /// The speed along the heading, units/s; negative while it moves backward.
    pub speed: f32,
    /// The highest turn rate, radians/s, ≥ 0; infinite without a limit.
    pub turn_rate: f32,
    /// The radius of the tightest circle, units, ≥ 0.
    pub radius: f32,
    /// The acceleration at max force, units/s².
    pub strength: f32,
    /// The highest acceleration along the heading, units/s², at most `strength`.
    pub acceleration: f32,
    /// The highest deceleration, units/s², at most `strength`.
    pub braking: f32,
    pub max_speed: f32,
    /// The highest speed backward, units/s; zero without a reverse gear.
    pub reverse_speed: f32,
    /// The length of the tick, seconds.
    pub tick: f32,
}

impl Drive {
    /// The largest turn in `time` at `speed`, radians, regardless of the force.
    pub fn turn(&self, speed: f32, time: f32) -> f32 {
        let on_the_circle = if self.radius > 0.0 { speed.abs() / self.radius } else { f32::INFINITY };
        (self.turn_rate.min(on_the_circle) * time.min(f32::MAX)).min(PI)
    }

    /// The velocity nearest to `wanted` that the body can have after the tick, and its heading at that time. In reverse gear, it does not
    /// turn around.
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
        // If it cannot turn to a direction, it brakes, down to a speed from which it can stop at once.
        let slow = ops::sqrt(2.0 * self.braking * SHORT * self.radius);
        let speed_along = |way: Vector| {
            let along = wanted.dot(way);
            (along - wanted.perp_dot(way).abs()).max(along.min(slow)).max(low).min(high)
        };
        let speed = speed_along(way(turned(wanted.length().max(low).min(high))));
        let speed = speed_along(way(turned(speed)));
        let angle = turned(speed);

        // Scales the whole change down to what the force allows, so that the circle does not get tighter.
        let change = Vector::new(speed - now, now.abs().max(speed.abs()) * angle).length();
        let share = (self.strength * self.tick / change.max(f32::MIN_POSITIVE)).min(1.0);
        let speed = now + (speed - now) * share;
        let most = self.turn(speed, self.tick);
        let direction = way((angle * share).clamp(-most, most));
        (direction * speed, direction * sign)
    }

    /// The lowest and the highest speed along the heading that the body can have after the tick.
    fn speeds(&self) -> (f32, f32) {
        let Self { speed, acceleration, braking, tick, .. } = *self;
        // The speed beyond zero that is reached in the remaining time after stopping.
        let beyond = |speed: f32| acceleration * (tick - if speed > 0.0 { speed / braking } else { 0.0 }).max(0.0);
        let slower = |speed: f32| if braking * tick < speed { speed - braking * tick } else { -beyond(speed) };
        let faster = |speed: f32| speed + acceleration * tick;
        let (low, high) =
            if speed >= 0.0 { (slower(speed), faster(speed)) } else { (-faster(-speed), -slower(-speed)) };
        let high = high.min(self.max_speed);
        (low.max(-self.reverse_speed).min(high), high)
    }
}
