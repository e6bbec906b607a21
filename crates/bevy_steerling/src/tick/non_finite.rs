//! Handles values that are not finite: they count as zero, do not affect other agents, and are logged once per agent.

use core::mem;

use alloc::string::String;
use alloc::vec::Vec;

use bevy::ecs::entity::{Entities, EntityHashSet};
use bevy::ecs::system::SystemParam;
use bevy::platform::sync::{Mutex, PoisonError};
use bevy::prelude::*;

use crate::agent::{Agent, SteeringForce, Velocity};
use crate::math::Placement;
use crate::math::{Vector, finite_or_zero};
use crate::tick::threads;

/// The agents that have been reported, and the reports of this tick.
#[derive(Resource, Debug, Default)]
pub(crate) struct NonFiniteReports(Mutex<Reports>);

#[derive(Debug, Default)]
struct Reports {
    reported: EntityHashSet,
    pending: Vec<(Entity, String)>,
}

/// Replaces values that are not finite.
#[derive(SystemParam)]
pub(crate) struct Mender<'w> {
    reports: Res<'w, NonFiniteReports>,
    entities: &'w Entities,
}

impl Mender<'_> {
    /// Sets the force and the velocity to zero if they are not finite. Also sets the force to zero if the position is not finite. Returns
    /// whether the position is finite.
    #[inline]
    pub fn mend(&self, entity: Entity, force: &mut SteeringForce, velocity: &mut Velocity, position: Vector) -> bool {
        position.is_finite() & force.is_finite() & velocity.is_finite()
            || self.mend_non_finite(entity, force, velocity, position)
    }

    /// The force that a behavior adds: `contribution`, or zero if it is not finite.
    #[inline(always)]
    pub fn counted(
        &self,
        contribution: Vector,
        agent: impl FnOnce() -> Agent,
        behavior: fn() -> &'static str,
    ) -> Vector {
        if contribution.is_finite() { contribution } else { self.discard(agent(), contribution, behavior()) }
    }

    #[cold]
    #[inline(never)]
    fn discard(&self, agent: Agent, contribution: Vector, behavior: &str) -> Vector {
        // If the agent's own state is not finite, this is reported when the agent moves.
        if agent.position.is_finite() && agent.velocity.is_finite() {
            self.report(agent.entity, || {
                alloc::vec![alloc::format!("the force of {behavior} is {contribution}: it counts as zero")]
            });
        }
        Vector::ZERO
    }

    #[cold]
    fn mend_non_finite(
        &self,
        entity: Entity,
        force: &mut SteeringForce,
        velocity: &mut Velocity,
        position: Vector,
    ) -> bool {
        self.report(entity, || {
            let values = [
                ("position", position, "the agent is ignored until its position is finite"),
                ("velocity", velocity.0, "it counts as zero"),
                ("force", force.0, "it counts as zero"),
            ];
            let non_finite = values.into_iter().filter(|(_, value, _)| !value.is_finite());
            non_finite.map(|(name, value, outcome)| alloc::format!("its {name} is {value}: {outcome}")).collect()
        });
        velocity.0 = finite_or_zero(velocity.0);
        force.0 = if position.is_finite() { finite_or_zero(force.0) } else { Vector::ZERO };
        position.is_finite()
    }

    fn report(&self, entity: Entity, messages: impl FnOnce() -> Vec<String>) {
        let mut reports = threads::locked(&self.reports.0);
        let Reports { reported, pending } = &mut *reports;
        if reported.contains(&entity) {
            return;
        }
        // Removes despawned agents before the set grows.
        if reported.len() == reported.capacity() {
            reported.retain(|entity| self.entities.contains(*entity));
        }
        reported.insert(entity);
        pending.extend(messages().into_iter().map(|message| (entity, message)));
    }
}

/// Whether there are reports to log.
pub(crate) fn any_reports(reports: Res<NonFiniteReports>) -> bool {
    !threads::locked(&reports.0).pending.is_empty()
}

/// Logs the reports of the tick with the names of the agents.
pub(crate) fn log_reports(mut reports: ResMut<NonFiniteReports>, names: Query<NameOrEntity>) {
    let reports = reports.bypass_change_detection().0.get_mut().unwrap_or_else(PoisonError::into_inner);
    for (entity, message) in mem::take(&mut reports.pending) {
        match names.get(entity) {
            Ok(name) => log::warn!("agent {name}: {message} (logged once per agent)"),
            Err(_) => log::warn!("agent {entity}: {message} (logged once per agent)"),
        }
    }
}

/// Whether the state of all these agents is finite.
#[inline(always)]
pub(crate) fn all_finite(
    forces: &[SteeringForce],
    velocities: &[Velocity],
    transforms: &[Transform],
    plane: Placement,
) -> bool {
    // This has no branch, so that the loop vectorizes: 0·x is NaN if x is not finite.
    let rows = forces.iter().zip(velocities).zip(transforms);
    rows.fold(true, |finite, ((force, velocity), transform)| {
        let zero = (force.0 + velocity.0 + plane.position(transform)) * 0.0;
        finite & (zero.element_sum() == 0.0)
    })
}
