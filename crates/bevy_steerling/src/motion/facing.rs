//! Turning an agent where it moves.

use bevy::math::ops;
use bevy::prelude::*;

use crate::agent::{BodyLimits, ExternalMovement, SteeringAgent, Vehicle, Velocity};
use crate::math::{self, Vector};
use crate::tick::TickParam;

/// Turns the agent so that its local x axis points where it moves.
///
/// This is the only thing in steering that writes a `Transform`'s rotation. An agent slower than a thousandth of its max
/// speed keeps the rotation that it has, so that nothing flickers at rest. Agents that something else moves
/// ([`ExternalMovement`]) are turned by that, not by this. A body with [`BodyLimits`] is turned along its heading, also while it moves
/// backward, and on the spot.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// // At once, or at half a turn per second at most.
/// commands.spawn((Wander::default(), FaceVelocity::default()));
/// commands.spawn((Wander::default(), FaceVelocity::default().with_turn_rate(std::f32::consts::PI)));
/// # }
/// ```
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
#[require(SteeringAgent)]
pub struct FaceVelocity {
    /// Turn at most this fast, radians per second. Default: as fast as the velocity does.
    pub turn_rate: Option<f32>,
}

impl FaceVelocity {
    /// Sets the [`turn_rate`](Self::turn_rate), radians per second.
    #[must_use]
    pub fn with_turn_rate(self, turn_rate: f32) -> Self {
        Self { turn_rate: Some(turn_rate) }
    }
}

/// Slower than this fraction of its max speed, an agent does not turn.
const AT_REST: f32 = 1e-3;

pub(crate) fn face_velocity(
    mut agents: Query<
        (&FaceVelocity, &SteeringAgent, &Velocity, &mut Transform),
        (Without<ExternalMovement>, Without<BodyLimits>),
    >,
    tick: TickParam,
) {
    let length = tick.length();
    agents.iter_mut().for_each(|(facing, agent, velocity, mut transform)| {
        let speed = velocity.length();
        if !(speed > AT_REST * agent.max_speed.max(0.0) && speed.is_finite()) {
            return;
        }
        face(facing, velocity.0 / speed, &mut transform, length);
    });
}

/// The same for bodies that know where they head.
pub(crate) fn face_heading(
    mut agents: Query<(&FaceVelocity, &Vehicle, &mut Transform), (With<BodyLimits>, Without<ExternalMovement>)>,
    tick: TickParam,
) {
    let length = tick.length();
    agents.iter_mut().for_each(|(facing, vehicle, mut transform)| {
        if let Some(heading) = vehicle.heading().filter(|heading| *heading != math::heading(&transform)) {
            face(facing, heading, &mut transform, length);
        }
    });
}

fn face(facing: &FaceVelocity, mut heading: Vector, transform: &mut Mut<Transform>, tick: f32) {
    if let Some(turn_rate) = facing.turn_rate {
        let limit = (turn_rate.max(0.0) * tick).min(core::f32::consts::PI);
        let (sin, cos) = ops::sin_cos(limit);
        heading = math::turn_toward(math::heading(transform), heading, cos, sin);
    }
    let rotation = math::rotation_to(heading);
    if transform.rotation != rotation {
        transform.rotation = rotation;
    }
}
