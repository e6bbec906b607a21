//! Bodies, the same for each engine.

use bevy::prelude::*;
use bevy_steerling::prelude::{ExternalMovement, MovedByForce, SteeringAgent, SteeringPlane};

use super::engine::{RigidBody, is_dynamic};
use super::vectors::{self, AngularVector, EngineVector};
use crate::RadiusFromCollider;

/// The motion of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Motion {
    pub linear: EngineVector,
    pub angular: AngularVector,
    /// The center of mass.
    pub center: EngineVector,
}

impl Motion {
    /// The velocity of the body at a point of the world, seen in the plane, units/s.
    pub fn at(&self, point: Vec3, plane: SteeringPlane) -> Vec2 {
        let arm = vectors::from_world(point) - self.center;
        vectors::to_plane(self.linear + vectors::turned(self.angular, arm), plane)
    }

    /// How fast the body turns, seen in the plane, radians/s counterclockwise.
    pub fn turn_rate(&self, plane: SteeringPlane) -> f32 {
        let arm = vectors::from_plane(Vec2::X, plane);
        vectors::to_plane(vectors::turned(self.angular, arm), plane).y
    }
}

/// Makes agents of bodies: all dynamic bodies with a [`SteeringAgent`], unless the game moves them.
pub(crate) fn adopt(
    bodies: Query<(Entity, &RigidBody, &SteeringAgent), Without<ExternalMovement>>,
    mut commands: Commands,
) {
    for (entity, _, agent) in bodies.iter().filter(|(_, body, _)| is_dynamic(body)) {
        commands.entity(entity).try_insert(MovedByForce);
        if agent.radius == SteeringAgent::default().radius {
            commands.entity(entity).try_insert(RadiusFromCollider);
        }
    }
}
