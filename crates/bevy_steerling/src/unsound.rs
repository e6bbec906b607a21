//! What is not finite stays with the agent that has it: it counts as nothing, and is reported once.

use bevy::ecs::entity::{Entities, EntityHashSet};
use bevy::ecs::system::SystemParam;
use bevy::platform::sync::{Mutex, PoisonError};
use bevy::prelude::*;

use crate::agent::{SteeringForce, Velocity};
use crate::math::{self, Vector};

/// The agents that were reported.
#[derive(Resource, Debug, Default)]
pub(crate) struct Reported(Mutex<EntityHashSet>);

/// Makes agents finite.
#[derive(SystemParam)]
pub(crate) struct Mender<'w> {
    reported: Res<'w, Reported>,
    entities: &'w Entities,
}

impl Mender<'_> {
    /// A force or velocity that is not finite becomes zero, as does the force of an agent at a place that is not. Returns whether
    /// the place is finite.
    #[inline]
    pub fn mend(&self, entity: Entity, force: &mut SteeringForce, velocity: &mut Velocity, position: Vector) -> bool {
        position.is_finite() & force.is_finite() & velocity.is_finite()
            || self.mend_unsound(entity, force, velocity, position)
    }

    #[cold]
    fn mend_unsound(
        &self,
        entity: Entity,
        force: &mut SteeringForce,
        velocity: &mut Velocity,
        position: Vector,
    ) -> bool {
        self.report(entity, force.0, velocity.0, position);
        velocity.0 = math::finite_or_zero(velocity.0);
        force.0 = if position.is_finite() { math::finite_or_zero(force.0) } else { Vector::ZERO };
        position.is_finite()
    }

    fn report(&self, entity: Entity, force: Vector, velocity: Vector, position: Vector) {
        let mut reported = self.reported.0.lock().unwrap_or_else(PoisonError::into_inner);
        if reported.contains(&entity) {
            return;
        }
        // Room for those to come is that of those who have gone, if it can be.
        if reported.len() == reported.capacity() {
            reported.retain(|entity| self.entities.contains(*entity));
        }
        reported.insert(entity);
        drop(reported);
        for (what, vector, meaning) in [
            ("place", position, "it is left out until it is somewhere"),
            ("velocity", velocity, "it counts as zero"),
            ("force", force, "it counts as zero"),
        ] {
            if !vector.is_finite() {
                log::warn!("agent {entity}: its {what} is {vector}: {meaning} (said once for each agent)");
            }
        }
    }
}

/// Whether everything of these agents is finite.
#[inline]
pub(crate) fn all_sound(forces: &[SteeringForce], velocities: &[Velocity], transforms: &[Transform]) -> bool {
    // No branch, so that it vectorizes: 0·x is zero unless x is not finite.
    let rows = forces.iter().zip(velocities).zip(transforms);
    rows.fold(true, |sound, ((force, velocity), transform)| {
        let nothing = (force.0 + velocity.0 + math::position(transform)) * 0.0;
        sound & (nothing.x + nothing.y == 0.0)
    })
}
