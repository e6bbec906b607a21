//! Bodies and colliders of Avian: the part of the crate that depends on the engine.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_steerling::behavior_prelude::HardStop;
use bevy_steerling::prelude::*;

use super::avian::prelude as avian;
use super::avian::prelude::{AngularVelocity, ComputedCenterOfMass, Forces, LinearVelocity, Position, Rotation};
use super::bodies::Motion;
use super::parry::shape::Shape;
use super::vectors;

pub(crate) use super::avian::prelude::{Collider, RigidBody};

/// The filter of colliders that touch others.
pub(crate) type TakesPart = (With<Collider>, Without<avian::Sensor>, Without<avian::ColliderDisabled>);
/// The filter of all others.
pub(crate) type TakesNoPart = Or<(Without<Collider>, With<avian::Sensor>, With<avian::ColliderDisabled>)>;

/// The shape of a collider, with the scale of its entity.
pub(crate) fn shape(collider: &Collider) -> &dyn Shape {
    &*collider.shape_scaled().0
}

/// Whether forces move a body.
pub(crate) fn is_dynamic(body: &RigidBody) -> bool {
    body.is_dynamic()
}

/// The bodies of the engine.
#[derive(SystemParam)]
pub(crate) struct Bodies<'w, 's> {
    bodies: Query<'w, 's, (&'static RigidBody, Has<avian::RigidBodyDisabled>)>,
    motions: Query<'w, 's, MotionData>,
}

type MotionData = (
    &'static LinearVelocity,
    &'static AngularVelocity,
    &'static Position,
    &'static Rotation,
    &'static ComputedCenterOfMass,
);

impl Bodies<'_, '_> {
    pub fn contains(&self, entity: Entity) -> bool {
        self.bodies.contains(entity)
    }

    pub fn is_disabled(&self, body: Entity) -> bool {
        self.bodies.get(body).is_ok_and(|(_, is_disabled)| is_disabled)
    }

    /// Whether agents cannot push a collider away. Avian's colliders without a body touch nothing.
    pub fn is_in_the_way(&self, body: Option<Entity>) -> bool {
        body.and_then(|body| self.bodies.get(body).ok()).is_some_and(|(body, _)| !is_dynamic(body))
    }

    pub fn motion(&self, body: Entity) -> Motion {
        let is_static = self.bodies.get(body).is_ok_and(|(body, _)| body.is_static());
        let motion = self.motions.get(body).ok().filter(|_| !is_static);
        motion.map_or_else(Motion::default, |(linear, angular, position, rotation, center)| Motion {
            linear: linear.0,
            angular: angular.0,
            center: position.0 + *rotation * center.0,
        })
    }
}

/// Copies the velocities and masses of bodies to their agents.
pub(crate) fn read_bodies(
    mut bodies: Query<
        (&RigidBody, &LinearVelocity, &avian::ComputedMass, &mut Velocity, &mut SteeringAgent),
        With<ExternalMovement>,
    >,
    plane: Res<SteeringPlane>,
) {
    for (body, linear, mass, mut velocity, mut agent) in &mut bodies {
        velocity.set_if_neq(Velocity(vectors::to_plane(linear.0, *plane)));
        // The mass is infinite until the engine has computed it, and on bodies that are not dynamic.
        let mass = mass.value();
        if is_dynamic(body) && mass > 0.0 && mass.is_finite() && agent.mass != mass {
            agent.mass = mass;
        }
    }
}

/// Applies steering forces for the next step. A force that is not zero wakes its body.
pub(crate) fn push_bodies(
    mut bodies: Query<
        (Forces, &RigidBody, &SteeringForce, Option<&HardStop>),
        (With<MovedByForce>, Without<avian::RigidBodyDisabled>),
    >,
    time: Res<Time<avian::Physics>>,
    plane: Res<SteeringPlane>,
) {
    use super::avian::prelude::{PhysicsTime, ReadRigidBodyForces, WriteRigidBodyForces};

    // The engine adds up forces until it steps.
    if time.is_paused() || time.relative_speed() == 0.0 {
        return;
    }
    for (mut forces, _, steering, stop) in bodies.iter_mut().filter(|(_, body, ..)| is_dynamic(body)) {
        forces.apply_force(vectors::from_plane(steering.0, *plane));
        if let Some(stop) = stop.filter(|stop| stop.is_stopping()) {
            let velocity = forces.linear_velocity();
            let along = vectors::from_plane(vectors::to_plane(velocity, *plane), *plane);
            *forces.linear_velocity_mut() = velocity - along * (1.0 - stop.kept());
        }
    }
}
