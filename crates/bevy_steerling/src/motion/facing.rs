//! Turns agents in the direction in which they move.

#[cfg(not(dim3))]
use bevy::math::ops;
use bevy::prelude::*;

use crate::agent::view::TickFrame;
#[cfg(not(dim3))]
use crate::agent::{BodyLimits, Vehicle};
use crate::agent::{ExternalMovement, SteeringAgent, SteeringForce, Velocity};
use crate::behaviors::face::{Face, FaceState};
#[cfg(dim3)]
use crate::math::finite_or_zero;
#[cfg(dim3)]
use crate::math::placement::{UP, rotated_toward};
#[cfg(not(dim3))]
use crate::math::turn_toward;
use crate::math::{Placement, Vector, normalize};
use crate::tick::TickParam;

#[cfg_attr(
    not(dim3),
    doc = "Turns the agent so that its [`Front`](crate::math::plane::Front) points in the direction in which it moves."
)]
#[cfg_attr(
    dim3,
    doc = "Turns the agent so that its front, Bevy's `forward`, points in the direction in which it moves."
)]
///
/// An agent slower than a thousandth of its max speed keeps its rotation, so that it does not flicker at rest.
#[cfg_attr(
    not(dim3),
    doc = "A body with [`BodyLimits`] is turned along its heading, even while it moves backward or turns on the spot."
)]
/// An agent that [faces](Face) a target is turned toward the target instead. An agent with [`ExternalMovement`] is not turned.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// // Immediately, or by at most half a turn per second.
/// commands.spawn((Wander::default(), FaceVelocity::default()));
/// commands.spawn((Wander::default(), FaceVelocity::default().with_turn_rate(std::f32::consts::PI)));
/// # }
/// ```
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[require(SteeringAgent)]
pub struct FaceVelocity {
    /// The highest turn rate, radians/s, ≥ 0. Default: no limit. Negative values count as 0.
    pub turn_rate: Option<f32>,
    /// How far the agent leans into turns, s²/unit. Its upper side points along `up + banking · lateral acceleration`. With a value of 1/g,
    /// where g is the gravity in units/s², it leans like an aircraft. Default: 0, upright.
    #[cfg(dim3)]
    pub banking: f32,
}

impl FaceVelocity {
    /// Sets the [`turn_rate`](Self::turn_rate), radians/s.
    #[must_use]
    pub fn with_turn_rate(mut self, turn_rate: f32) -> Self {
        self.turn_rate = Some(turn_rate);
        self
    }

    /// Sets the [`banking`](Self::banking), s²/unit.
    #[cfg(dim3)]
    #[must_use]
    pub fn with_banking(self, banking: f32) -> Self {
        Self { banking, ..self }
    }

    /// How far the upper side of the agent leans over; zero in a plane.
    #[cfg(not(dim3))]
    fn lean(&self, _: Vector, _: Vector) -> Vector {
        Vector::ZERO
    }

    #[cfg(dim3)]
    fn lean(&self, heading: Vector, acceleration: Vector) -> Vector {
        finite_or_zero((acceleration - heading * acceleration.dot(heading)) * self.banking)
    }
}

/// Below this share of its max speed, an agent does not turn.
const AT_REST: f32 = 1e-3;

/// Agents that are turned toward their velocity or a target.
#[cfg(not(dim3))]
type Free = (Without<ExternalMovement>, Without<BodyLimits>);
#[cfg(dim3)]
type Free = Without<ExternalMovement>;

pub(crate) fn face_velocity(
    mut agents: Query<
        (&FaceVelocity, &SteeringAgent, &SteeringForce, &Velocity, &mut Transform, Option<(&Face, &FaceState)>),
        Free,
    >,
    tick: TickParam,
) {
    let (length, plane) = (tick.length(), tick.plane());
    agents.iter_mut().for_each(|(facing, agent, force, velocity, mut transform, target)| {
        let speed = velocity.length();
        let at_rest = !(speed > AT_REST * agent.max_speed.max(0.0) && speed.is_finite());
        if at_rest || target.is_some_and(|(_, target)| target.place.is_some()) {
            return;
        }
        let heading = velocity.0 / speed;
        let lean = facing.lean(heading, force.0 / agent.effective_mass());
        face(facing.turn_rate, heading, lean, &mut transform, plane, length);
    });
}

/// Turns agents toward what they look at.
pub(crate) fn face_target(mut agents: Query<(&Face, &FaceState, &mut Transform), Free>, tick: TickParam) {
    let TickFrame { length, space, plane } = tick.frame();
    agents.iter_mut().for_each(|(facing, target, mut transform)| {
        let Some(place) = target.place else { return };
        let direction = normalize(space.displacement(plane.position(&transform), place));
        if direction.is_finite() && direction != Vector::ZERO {
            face(facing.turn_rate, direction, Vector::ZERO, &mut transform, plane, length);
        }
    });
}

/// Turns bodies with limits along their heading.
#[cfg(not(dim3))]
pub(crate) fn face_heading(
    mut agents: Query<(&FaceVelocity, &Vehicle, &mut Transform), (With<BodyLimits>, Without<ExternalMovement>)>,
    tick: TickParam,
) {
    let (length, plane) = (tick.length(), tick.plane());
    agents.iter_mut().for_each(|(facing, vehicle, mut transform)| {
        if let Some(heading) = vehicle.heading().filter(|heading| *heading != plane.heading(&transform)) {
            face(facing.turn_rate, heading, Vector::ZERO, &mut transform, plane, length);
        }
    });
}

/// Turns an agent to `heading`, by at most the turn rate. In three dimensions, its upper side leans along `lean`.
#[cfg(not(dim3))]
fn face(
    turn_rate: Option<f32>,
    mut heading: Vector,
    _: Vector,
    transform: &mut Mut<Transform>,
    plane: Placement,
    tick: f32,
) {
    if let Some(turn_rate) = turn_rate {
        let limit = (turn_rate.max(0.0) * tick).min(core::f32::consts::PI);
        let (sin, cos) = ops::sin_cos(limit);
        // An agent whose front points straight up or down turns at once.
        let now = plane.heading(transform);
        heading = if now == Vector::ZERO { heading } else { turn_toward(now, heading, cos, sin) };
    }
    let rotation = plane.rotation_to(heading);
    if transform.rotation != rotation {
        transform.rotation = rotation;
    }
}

#[cfg(dim3)]
fn face(
    turn_rate: Option<f32>,
    heading: Vector,
    lean: Vector,
    transform: &mut Mut<Transform>,
    space: Placement,
    tick: f32,
) {
    let mut rotation = space.rotation_to(heading, UP + lean, transform.rotation);
    if let Some(turn_rate) = turn_rate {
        rotation = rotated_toward(transform.rotation, rotation, turn_rate.max(0.0) * tick);
    }
    if transform.rotation != rotation && rotation.is_finite() {
        transform.rotation = rotation;
    }
}
