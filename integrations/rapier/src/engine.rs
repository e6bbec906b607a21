//! Bodies and colliders of Rapier: the part of the crate that depends on the engine.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_steerling::behavior_prelude::HardStop;
use bevy_steerling::prelude::{ExternalMovement, MovedByForce, SteeringAgent, SteeringForce, SteeringPlane, Velocity};

use super::bodies::Motion;
use super::parry::shape::Shape;
use super::rapier::prelude as rapier;
use super::rapier::prelude::{ExternalImpulse, RapierContextEntityLink, RapierRigidBodyHandle};
use super::vectors::{self, EngineVector};

pub(crate) use super::rapier::prelude::{Collider, RigidBody};

/// The filter of colliders that touch others.
pub(crate) type TakesPart = (With<Collider>, Without<rapier::Sensor>, Without<rapier::ColliderDisabled>);
/// The filter of all others.
pub(crate) type TakesNoPart = Or<(Without<Collider>, With<rapier::Sensor>, With<rapier::ColliderDisabled>)>;

/// The shape of a collider, with the scale of its entity.
pub(crate) fn shape(collider: &Collider) -> &dyn Shape {
    &*collider.raw.0
}

/// Whether forces move a body.
pub(crate) fn is_dynamic(body: &RigidBody) -> bool {
    *body == RigidBody::Dynamic
}

/// The bodies of the engine.
#[derive(SystemParam)]
pub(crate) struct Bodies<'w, 's> {
    bodies: Query<'w, 's, (&'static RigidBody, Has<rapier::RigidBodyDisabled>)>,
    handles: Query<'w, 's, (&'static RapierRigidBodyHandle, &'static RapierContextEntityLink)>,
    sets: Query<'w, 's, &'static rapier::RapierRigidBodySet>,
}

impl Bodies<'_, '_> {
    pub fn contains(&self, entity: Entity) -> bool {
        self.bodies.contains(entity)
    }

    pub fn is_disabled(&self, body: Entity) -> bool {
        self.bodies.get(body).is_ok_and(|(_, is_disabled)| is_disabled)
    }

    /// Whether agents cannot push a collider away. Rapier's colliders without a body are fixed.
    pub fn is_in_the_way(&self, body: Option<Entity>) -> bool {
        body.is_none_or(|body| self.bodies.get(body).is_ok_and(|(body, _)| !is_dynamic(body)))
    }

    pub fn motion(&self, body: Entity) -> Motion {
        let is_fixed = self.bodies.get(body).is_ok_and(|(body, _)| *body == RigidBody::Fixed);
        let body = self.handles.get(body).ok().filter(|_| !is_fixed);
        let body = body.and_then(|(handle, link)| self.sets.get(link.0).ok()?.bodies.get(handle.0));
        body.map_or_else(Motion::default, |body| Motion {
            linear: body.linvel(),
            angular: body.angvel(),
            center: body.center_of_mass(),
        })
    }
}

/// Copies the velocities and masses of bodies to their agents.
pub(crate) fn read_bodies(
    mut bodies: Query<
        (&RapierRigidBodyHandle, &RapierContextEntityLink, &mut Velocity, &mut SteeringAgent),
        With<ExternalMovement>,
    >,
    sets: Query<&rapier::RapierRigidBodySet>,
    plane: Res<SteeringPlane>,
) {
    for (handle, link, mut velocity, mut agent) in &mut bodies {
        let Some(body) = sets.get(link.0).ok().and_then(|set| set.bodies.get(handle.0)) else { continue };
        velocity.set_if_neq(Velocity(vectors::to_plane(body.linvel(), *plane)));
        // The mass is zero until the engine has computed it.
        let mass = body.mass();
        if body.is_dynamic() && mass > 0.0 && mass.is_finite() && agent.mass != mass {
            agent.mass = mass;
        }
    }
}

/// Applies steering forces as the impulses that they have in a tick, which Rapier applies once, at the start of its next step. A force that
/// is not zero wakes its body.
pub(crate) fn push_bodies(
    mut bodies: Query<
        (
            Entity,
            &RigidBody,
            &RapierContextEntityLink,
            &SteeringForce,
            Option<&HardStop>,
            &Velocity,
            &SteeringAgent,
            Option<&mut ExternalImpulse>,
        ),
        (With<MovedByForce>, With<RapierRigidBodyHandle>, Without<rapier::RigidBodyDisabled>),
    >,
    configurations: Query<&rapier::RapierConfiguration>,
    time: Res<Time>,
    plane: Res<SteeringPlane>,
    mut commands: Commands,
) {
    for (entity, body, link, steering, stop, velocity, agent, impulse) in &mut bodies {
        let is_active = configurations.get(link.0).is_ok_and(|configuration| configuration.physics_pipeline_active);
        let stopped = stop.map_or(Vec2::ZERO, |stop| velocity.0 * (1.0 - stop.kept()) * agent.mass);
        let push = vectors::from_plane(steering.0 * time.delta_secs() - stopped, *plane);
        if !is_active || !is_dynamic(body) || push == EngineVector::ZERO {
            continue;
        }
        match impulse {
            Some(mut impulse) => impulse.impulse += push,
            None => {
                commands.entity(entity).try_insert(ExternalImpulse { impulse: push, ..default() });
            }
        }
    }
}
