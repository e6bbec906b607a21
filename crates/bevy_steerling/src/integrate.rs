//! Force to velocity to position: one step of semi-implicit Euler.

use bevy::ecs::change_detection::Tick;
use bevy::prelude::*;

use crate::agent::{ExternalMovement, SteeringAgent, SteeringForce, Velocity};
use crate::behavior::TickParam;
use crate::behaviors::queue::Queue;
use crate::math::{self, Vector, truncate};
use crate::unsound::{self, Mender};

pub(crate) fn clear_forces(mut forces: Query<&mut SteeringForce>) {
    forces.iter_mut().for_each(|mut force| force.bypass_change_detection().0 = Vector::ZERO);
}

/// From how many agents on it pays to integrate on several threads.
const WORTHWHILE: usize = 65_536;

/// `F = trunc(F, f)`, `v' = trunc(v + (F/m)·h, s)`, `p' = p + v'·h`
pub(crate) fn integrate(
    mut agents: Query<
        (Entity, &SteeringAgent, &mut SteeringForce, &mut Velocity, &mut Transform),
        (Without<ExternalMovement>, Without<Queue>),
    >,
    tick: TickParam,
) {
    let (length, mender) = (tick.length(), &tick.mender);
    if tick.threads.parallel(|| agents.iter().len(), WORTHWHILE) {
        agents.par_iter_mut().for_each(|agent| integrate_agent(agent, 1.0, length, mender));
        return;
    }
    // Whole columns at a time, in pieces that stay in the cache: arithmetic without a branch, and then the change ticks.
    let Ok(tables) = agents.contiguous_iter_mut() else {
        // Not in columns: the app disables entities with a component in sparse storage.
        agents.iter_mut().for_each(|agent| integrate_agent(agent, 1.0, length, mender));
        return;
    };
    for (entities, bodies, mut forces, mut velocities, mut transforms) in tables {
        let now = velocities.this_run_tick();
        let mut changed = [Changed::default(); PIECE];
        for start in (0..bodies.len()).step_by(PIECE) {
            let piece = start..bodies.len().min(start + PIECE);
            let forces = &mut forces.bypass_change_detection()[piece.clone()];
            let moving = &mut velocities.bypass_change_detection()[piece.clone()];
            let places = &mut transforms.bypass_change_detection()[piece.clone()];
            let sound = unsound::all_sound(forces, moving, places);
            let rows = bodies[piece.clone()].iter().zip(forces).zip(moving).zip(places);
            if sound {
                for ((((body, force), velocity), transform), changed) in rows.zip(&mut changed) {
                    *changed = step(body, force, velocity, transform, 1.0, length);
                }
            } else {
                let rows = rows.zip(&mut changed).zip(&entities[piece.clone()]);
                for (((((body, force), velocity), transform), changed), &entity) in rows {
                    *changed = mend_and_step(entity, body, force, velocity, transform, 1.0, length, mender);
                }
            }
            let changed = &changed[..piece.len()];
            note_changes(&mut velocities.changed_ticks_slice_mut()[piece.clone()], now, changed, |of| of.velocity);
            note_changes(&mut transforms.changed_ticks_slice_mut()[piece], now, changed, |of| of.transform);
        }
    }
}

/// Writes the change ticks of what has changed. Usually that is everything.
#[inline]
fn note_changes(ticks: &mut [Tick], now: Tick, changed: &[Changed], of: impl Fn(&Changed) -> bool) {
    if changed.iter().fold(true, |all, changed| all & of(changed)) {
        ticks.fill(now);
        return;
    }
    for (tick, changed) in ticks.iter_mut().zip(changed) {
        *tick = if of(changed) { now } else { *tick };
    }
}

/// The same for agents that [`Queue`] may stop: `v' = trunc(k·v + (F/m)·h, s)`
pub(crate) fn integrate_queued(
    mut agents: Query<
        (&Queue, (Entity, &SteeringAgent, &mut SteeringForce, &mut Velocity, &mut Transform)),
        Without<ExternalMovement>,
    >,
    tick: TickParam,
) {
    let (length, mender) = (tick.length(), &tick.mender);
    if tick.threads.parallel(|| agents.iter().len(), WORTHWHILE) {
        agents.par_iter_mut().for_each(|(queue, agent)| integrate_agent(agent, queue.kept_velocity(), length, mender));
    } else {
        agents.iter_mut().for_each(|(queue, agent)| integrate_agent(agent, queue.kept_velocity(), length, mender));
    }
}

/// One agent at a time.
#[inline]
fn integrate_agent(
    (entity, body, mut force, mut velocity, mut transform): (
        Entity,
        &SteeringAgent,
        Mut<SteeringForce>,
        Mut<Velocity>,
        Mut<Transform>,
    ),
    kept_velocity: f32,
    tick: f32,
    mender: &Mender,
) {
    let changed = mend_and_step(
        entity,
        body,
        force.bypass_change_detection(),
        velocity.bypass_change_detection(),
        transform.bypass_change_detection(),
        kept_velocity,
        tick,
        mender,
    );
    if changed.velocity {
        velocity.set_changed();
    }
    if changed.transform {
        transform.set_changed();
    }
}

/// How many agents are integrated before their change ticks are written.
const PIECE: usize = 128;

/// What a step changed.
#[derive(Clone, Copy, Default)]
struct Changed {
    velocity: bool,
    transform: bool,
}

#[inline(always)]
fn step(
    body: &SteeringAgent,
    force: &mut SteeringForce,
    velocity: &mut Velocity,
    transform: &mut Transform,
    kept_velocity: f32,
    tick: f32,
) -> Changed {
    let total = truncate(force.0, body.max_force);
    let after = truncate(velocity.0 * kept_velocity + total * (tick / body.effective_mass()), body.max_speed);
    let position = math::position(transform);
    let moved = position + after * tick;
    let changed = Changed { velocity: after != velocity.0, transform: moved != position };
    force.0 = total;
    velocity.0 = after;
    math::set_position(transform, moved);
    changed
}

/// The same for an agent of which something may not be finite. Who is nowhere does not move.
#[inline]
fn mend_and_step(
    entity: Entity,
    body: &SteeringAgent,
    force: &mut SteeringForce,
    velocity: &mut Velocity,
    transform: &mut Transform,
    kept_velocity: f32,
    tick: f32,
    mender: &Mender,
) -> Changed {
    let (before, place) = (velocity.0, math::position(transform));
    if !mender.mend(entity, force, velocity, place) {
        velocity.0 = truncate(velocity.0, body.max_speed);
        return Changed { velocity: velocity.0 != before, transform: false };
    }
    let changed = step(body, force, velocity, transform, kept_velocity, tick);
    Changed { velocity: velocity.0 != before, ..changed }
}

/// Agents that something else moves get their force limited, and no more.
pub(crate) fn limit_forces(
    mut agents: Query<(Entity, &SteeringAgent, &mut SteeringForce, &Velocity, &Transform), With<ExternalMovement>>,
    mender: Mender,
) {
    agents.iter_mut().for_each(|(entity, agent, mut force, velocity, transform)| {
        let force = force.bypass_change_detection();
        // The velocity is not steering's to mend.
        mender.mend(entity, force, &mut velocity.clone(), math::position(transform));
        force.0 = truncate(force.0, agent.max_force);
    });
}
