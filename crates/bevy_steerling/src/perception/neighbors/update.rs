//! The systems that keep the index up to date.

use bevy::platform::sync::Mutex;
use bevy::prelude::*;

use crate::agent::{SteeringAgent, SteeringGroups, SteeringId, Velocity};
use crate::math;
use crate::math::Placement;
use crate::math::space::Space;
use crate::perception::neighbors::build::{Area, PARALLEL_THRESHOLD};
use crate::perception::neighbors::index::Neighbors;
use crate::perception::neighbors::radii::{AllRadii, Radii};
use crate::perception::neighbors::records::{Body, Record};
use crate::tick::{TickParam, threads};

/// Starts a tick, in which no behavior has reported a perception radius yet.
pub(crate) fn forget_perception_radii(mut neighbors: ResMut<Neighbors>) {
    neighbors.radii = AllRadii::default();
    if let Some(radius) = neighbors.kept {
        let mut kept = Radii::default();
        kept.note(radius, 1);
        neighbors.widen(&kept);
    }
}

/// Builds the index.
pub(crate) fn index_neighbors(
    agents: Query<(Entity, &SteeringId, &Transform, &Velocity, &SteeringAgent, Option<&SteeringGroups>)>,
    changed: Query<
        (),
        (With<SteeringAgent>, Or<(Changed<SteeringAgent>, Changed<SteeringId>, Changed<SteeringGroups>)>),
    >,
    grouped: Query<(), (With<SteeringAgent>, With<SteeringGroups>)>,
    mut neighbors: ResMut<Neighbors>,
    tick: TickParam,
    mut grouped_before: Local<usize>,
    mut area: Local<Mutex<Area>>,
) {
    // Change detection finds all changes of groups except removals.
    let regrouped = grouped.iter().len() != *grouped_before;
    *grouped_before = grouped.iter().len();
    if neighbors.radii.is_empty() {
        neighbors.records.clear();
        return neighbors.build(tick.space(), *tick.threads, |_| Area::default());
    }
    // The set of agents rarely changes.
    let same = agents.iter().map(|(entity, ..)| entity).eq(neighbors.records.iter().map(|record| record.entity));
    if !same || regrouped || !changed.is_empty() {
        neighbors.know(agents.iter().map(|(entity, id, _, _, agent, groups)| Record {
            entity,
            id: *id,
            radius: agent.radius.max(0.0),
            groups: groups.copied().unwrap_or_default().0,
        }));
    }
    let (space, plane, threads) = (tick.space(), tick.plane(), *tick.threads);
    // Reads whole columns of components.
    if let Ok(tables) = agents.contiguous_iter() {
        neighbors.build(space, threads, |mut bodies| {
            *threads::inner(&mut area) = Area::default();
            for (_, _, transforms, velocities, _, _) in tables {
                let bodies = bodies.split_off_mut(..transforms.len()).unwrap_or_default();
                let in_parallel = threads.parallel(|| transforms.len(), PARALLEL_THRESHOLD);
                threads::divide(bodies, in_parallel, |first, bodies| {
                    let part = gather(space, plane, transforms[first..].iter().zip(&velocities[first..]), bodies);
                    let mut area = threads::locked(&area);
                    *area = area.and(part);
                });
            }
            *threads::inner(&mut area)
        });
    } else {
        // There are no columns if the app disables entities with a component in sparse storage.
        let agents = agents.iter().map(|(_, _, transform, velocity, _, _)| (transform, velocity));
        neighbors.build(space, threads, |bodies| gather(space, plane, agents, bodies));
    }
    neighbors.note_heights(plane, agents.iter().map(|(_, _, transform, ..)| transform));
}

/// Reads the positions and velocities of agents.
#[inline]
pub(super) fn gather<'a>(
    space: Space,
    plane: Placement,
    agents: impl Iterator<Item = (&'a Transform, &'a Velocity)>,
    bodies: &mut [Body],
) -> Area {
    // Compiled twice, so that the loop for the usual plane has no branch.
    if plane == Placement::USUAL {
        gather_in(space, Placement::USUAL, agents, bodies)
    } else {
        gather_in(space, plane, agents, bodies)
    }
}

#[inline(always)]
fn gather_in<'a>(
    space: Space,
    plane: Placement,
    agents: impl Iterator<Item = (&'a Transform, &'a Velocity)>,
    bodies: &mut [Body],
) -> Area {
    let mut area = Area::default();
    for ((transform, velocity), body) in agents.zip(bodies) {
        let position = space.wrap(plane.position(transform));
        *body = Body { position, velocity: math::finite_or_zero(velocity.0) };
        // This has no branch, so that the loop does not stall.
        let somewhere = position.is_finite();
        area.low = if somewhere { area.low.min(position) } else { area.low };
        area.high = if somewhere { area.high.max(position) } else { area.high };
        area.count += usize::from(somewhere);
    }
    area
}
