//! What is not finite stays with the agent that has it: it counts as nothing, and is reported once.

use bevy::ecs::entity::{Entities, EntityHashSet};
use bevy::ecs::system::SystemParam;
use bevy::platform::sync::{Mutex, PoisonError};
use bevy::prelude::*;

use crate::agent::{SteeringForce, Velocity};
use crate::engine::behavior::Agent;
use crate::engine::contribution_log::short_name;
use crate::math::{self, Vector};

/// At the end of a report.
const SAID_ONCE: &str = "(said once for each agent)";

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

    /// What behavior `B` adds to an agent's force: `wanted`, or nothing when that is not finite.
    #[inline]
    pub fn counted<B>(&self, agent: &Agent, wanted: Vector) -> Vector {
        if wanted.is_finite() { wanted } else { self.discard(agent, short_name::<B>(), wanted) }
    }

    #[cold]
    fn discard(&self, agent: &Agent, behavior: &str, wanted: Vector) -> Vector {
        // Where the agent itself is to blame, that is said when it moves.
        if agent.position.is_finite() && agent.velocity.is_finite() {
            let entity = agent.entity;
            let warn =
                || log::warn!("agent {entity}: the force of its {behavior} is {wanted}: it counts as zero {SAID_ONCE}");
            self.report(entity, warn);
        }
        Vector::ZERO
    }

    #[cold]
    fn mend_unsound(
        &self,
        entity: Entity,
        force: &mut SteeringForce,
        velocity: &mut Velocity,
        position: Vector,
    ) -> bool {
        self.report(entity, || {
            for (what, vector, meaning) in [
                ("place", position, "it is left out until it is somewhere"),
                ("velocity", velocity.0, "it counts as zero"),
                ("force", force.0, "it counts as zero"),
            ] {
                if !vector.is_finite() {
                    log::warn!("agent {entity}: its {what} is {vector}: {meaning} {SAID_ONCE}");
                }
            }
        });
        velocity.0 = math::finite_or_zero(velocity.0);
        force.0 = if position.is_finite() { math::finite_or_zero(force.0) } else { Vector::ZERO };
        position.is_finite()
    }

    fn report(&self, entity: Entity, warn: impl FnOnce()) {
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
        warn();
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
