//! Integrates force to velocity to position, in one step of semi-implicit Euler.

use core::iter;

use bevy::ecs::change_detection::{ContiguousMut, Tick};
use bevy::prelude::*;

use crate::agent::{ExternalMovement, HardStop, RateState, SteeringAgent, SteeringForce, Velocity};
use crate::math::Placement;
use crate::math::{Vector, truncate};
use crate::tick::TickParam;
use crate::tick::non_finite::{self, Mender};
use crate::tick::threads;

pub(crate) fn clear_forces(mut forces: Query<&mut SteeringForce>) {
    forces.iter_mut().for_each(|mut force| force.bypass_change_detection().0 = Vector::ZERO);
}

/// Clears hard stops: each lasts one tick, even if its constraint has been removed since.
pub(crate) fn clear_hard_stops(mut stops: Query<&mut HardStop>) {
    stops.iter_mut().for_each(|mut stop| *stop.bypass_change_detection() = HardStop::default());
}

/// The minimum number of agents in a table for which threads are worthwhile.
const PARALLEL_THRESHOLD: usize = 8_192;

/// Keeps the forces of agents that do not think in this tick.
pub(crate) fn hold_forces(mut agents: Query<(&mut RateState, &mut SteeringForce)>) {
    agents.iter_mut().for_each(|(mut state, mut force)| {
        let force = &mut force.bypass_change_detection().0;
        *force = state.bypass_change_detection().hold(*force);
    });
}

/// `F = trunc(F, max_force)`, `v' = trunc(k·v + F/m·h, max_speed)`, `p' = p + v'·h`, where `k` is 1 without a [`HardStop`]. If an agent
/// does not think in every tick, its force changes its velocity immediately when it thinks.
pub(crate) fn integrate(
    mut agents: Query<
        (
            Entity,
            &SteeringAgent,
            (Option<&HardStop>, Option<&RateState>),
            &mut SteeringForce,
            &mut Velocity,
            &mut Transform,
        ),
        Without<ExternalMovement>,
    >,
    tick: TickParam,
) {
    let (length, plane, mender) = (tick.length(), tick.plane(), &tick.mender);
    let Ok(tables) = agents.contiguous_iter_mut() else {
        // Columns are not available if the app disables entities with a component in sparse storage.
        agents.iter_mut().for_each(|agent| integrate_agent(agent, length, plane, mender));
        return;
    };
    for (entities, bodies, (stops, rates), forces, velocities, transforms) in tables {
        let now = velocities.this_run_tick();
        let (forces, _) = ContiguousMut::bypass_change_detection_split(forces);
        let (velocities, mut velocity_ticks) = ContiguousMut::bypass_change_detection_split(velocities);
        let (transforms, mut transform_ticks) = ContiguousMut::bypass_change_detection_split(transforms);
        let (velocity_ticks, transform_ticks) = (velocity_ticks.changed_mut(), transform_ticks.changed_mut());
        let rows =
            Columns { entities, bodies, stops, rates, forces, velocities, velocity_ticks, transforms, transform_ticks };
        if tick.threads.parallel(|| bodies.len(), PARALLEL_THRESHOLD) {
            let share = threads::share(bodies.len());
            threads::work_together(rows.in_pieces(share), |rows| rows.integrate(now, length, plane, mender));
        } else {
            rows.integrate(now, length, plane, mender);
        }
    }
}

/// The number of agents that are integrated before their change ticks are written.
const CHUNK: usize = 128;

/// The agents of a table, column by column.
struct Columns<'a> {
    entities: &'a [Entity],
    bodies: &'a [SteeringAgent],
    stops: Option<&'a [HardStop]>,
    rates: Option<&'a [RateState]>,
    forces: &'a mut [SteeringForce],
    velocities: &'a mut [Velocity],
    velocity_ticks: &'a mut [Tick],
    transforms: &'a mut [Transform],
    transform_ticks: &'a mut [Tick],
}

impl Columns<'_> {
    /// Splits the rows into pieces of at most `length`.
    fn in_pieces(mut self, length: usize) -> impl Iterator<Item = Self> {
        iter::from_fn(move || {
            let length = length.min(self.bodies.len());
            let stops = self.stops.map(|stops| stops.split_at(length));
            let rates = self.rates.map(|rates| rates.split_at(length));
            let piece = Self {
                entities: self.entities.split_off(..length)?,
                bodies: self.bodies.split_off(..length)?,
                stops: stops.map(|(these, _)| these),
                rates: rates.map(|(these, _)| these),
                forces: self.forces.split_off_mut(..length)?,
                velocities: self.velocities.split_off_mut(..length)?,
                velocity_ticks: self.velocity_ticks.split_off_mut(..length)?,
                transforms: self.transforms.split_off_mut(..length)?,
                transform_ticks: self.transform_ticks.split_off_mut(..length)?,
            };
            self.stops = stops.map(|(_, others)| others);
            self.rates = rates.map(|(_, others)| others);
            (length > 0).then_some(piece)
        })
    }

    fn integrate(self, now: Tick, length: f32, plane: Placement, mender: &Mender) {
        // Small pieces stay in the cache.
        self.in_pieces(CHUNK).for_each(|piece| {
            // Compiled twice, so that the loops for the usual plane vectorize.
            if plane == Placement::USUAL {
                piece.integrate_piece::<true>(now, length, plane, mender);
            } else {
                piece.integrate_piece::<false>(now, length, plane, mender);
            }
        });
    }

    /// Integrates without branches, and then writes the change ticks.
    #[inline(never)]
    fn integrate_piece<const XY: bool>(self, now: Tick, length: f32, plane: Placement, mender: &Mender) {
        let plane = if XY { Placement::USUAL } else { plane };
        let mut changed = [Changed::default(); CHUNK];
        let mut kept = [1.0; CHUNK];
        for (kept, stop) in kept.iter_mut().zip(self.stops.into_iter().flatten()) {
            *kept = stop.kept();
        }
        let mut impulses = [length; CHUNK];
        for (impulse, rate) in impulses.iter_mut().zip(self.rates.into_iter().flatten()) {
            *impulse = rate.impulse(length);
        }
        let finite = non_finite::all_finite(self.forces, self.velocities, self.transforms, plane);
        let state = self.forces.iter_mut().zip(self.velocities).zip(self.transforms);
        let effects = kept.iter().zip(&impulses).map(|(kept, impulse)| Effect { kept: *kept, impulse: *impulse });
        let rows = self.bodies.iter().zip(effects).zip(state).zip(&mut changed);
        if finite {
            for (((body, effect), ((force, velocity), transform)), changed) in rows {
                *changed = step(body, force, velocity, transform, effect, length, plane);
            }
        } else {
            for ((((body, effect), ((force, velocity), transform)), changed), entity) in rows.zip(self.entities) {
                *changed = mend_and_step(*entity, body, force, velocity, transform, effect, length, plane, mender);
            }
        }
        note_changes(self.velocity_ticks, now, &changed, |of| of.velocity);
        note_changes(self.transform_ticks, now, &changed, |of| of.transform);
    }
}

/// Writes the change ticks of the values that have changed, usually all.
#[inline]
fn note_changes(ticks: &mut [Tick], now: Tick, changed: &[Changed], of: impl Fn(&Changed) -> bool) {
    let changed = &changed[..ticks.len()];
    if changed.iter().fold(true, |all, changed| all & of(changed)) {
        ticks.fill(now);
        return;
    }
    for (tick, changed) in ticks.iter_mut().zip(changed) {
        // This has no branch, so that the loop vectorizes.
        let mask = u32::from(of(changed)).wrapping_neg();
        *tick = Tick::new(tick.get() & !mask | now.get() & mask);
    }
}

/// Integrates one agent.
#[inline]
fn integrate_agent(
    (entity, body, (stop, rate), mut force, mut velocity, mut transform): (
        Entity,
        &SteeringAgent,
        (Option<&HardStop>, Option<&RateState>),
        Mut<SteeringForce>,
        Mut<Velocity>,
        Mut<Transform>,
    ),
    tick: f32,
    plane: Placement,
    mender: &Mender,
) {
    let changed = mend_and_step(
        entity,
        body,
        force.bypass_change_detection(),
        velocity.bypass_change_detection(),
        transform.bypass_change_detection(),
        Effect { kept: stop.map_or(1.0, HardStop::kept), impulse: rate.map_or(tick, |rate| rate.impulse(tick)) },
        tick,
        plane,
        mender,
    );
    if changed.velocity {
        velocity.set_changed();
    }
    if changed.transform {
        transform.set_changed();
    }
}

/// The effect of a step on a velocity.
#[derive(Clone, Copy)]
struct Effect {
    /// The share of the velocity that is kept.
    kept: f32,
    /// The time for which the force acts at once, seconds.
    impulse: f32,
}

/// The components that a step changed.
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
    effect: Effect,
    tick: f32,
    plane: Placement,
) -> Changed {
    let total = truncate(force.0, body.max_force);
    let after = truncate(velocity.0 * effect.kept + total * (effect.impulse / body.effective_mass()), body.max_speed);
    let position = plane.position(transform);
    let moved = position + after * tick;
    let changed = Changed { velocity: after != velocity.0, transform: moved != position };
    force.0 = total;
    velocity.0 = after;
    plane.set_position(transform, moved);
    changed
}

/// Integrates an agent whose state may not be finite. An agent whose position is not finite does not move.
#[inline]
fn mend_and_step(
    entity: Entity,
    body: &SteeringAgent,
    force: &mut SteeringForce,
    velocity: &mut Velocity,
    transform: &mut Transform,
    effect: Effect,
    tick: f32,
    plane: Placement,
    mender: &Mender,
) -> Changed {
    let (before, place) = (velocity.0, plane.position(transform));
    if !mender.mend(entity, force, velocity, place) {
        velocity.0 = truncate(velocity.0, body.max_speed);
        return Changed { velocity: velocity.0 != before, transform: false };
    }
    let changed = step(body, force, velocity, transform, effect, tick, plane);
    Changed { velocity: velocity.0 != before, ..changed }
}

/// Truncates the force of agents with [`ExternalMovement`].
pub(crate) fn limit_forces(
    mut agents: Query<(Entity, &SteeringAgent, &mut SteeringForce, &Velocity, &Transform), With<ExternalMovement>>,
    tick: TickParam,
) {
    let plane = tick.plane();
    agents.iter_mut().for_each(|(entity, agent, mut force, velocity, transform)| {
        let force = force.bypass_change_detection();
        // Steering does not write the velocity of these agents.
        tick.mender.mend(entity, force, &mut velocity.clone(), plane.position(transform));
        force.0 = truncate(force.0, agent.max_force);
    });
}
