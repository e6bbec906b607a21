//! The edges of the world.

use bevy::prelude::*;

#[cfg(not(dim3))]
use crate::agent::{BodyLimits, Vehicle};
use crate::agent::{ExternalMovement, SteeringAgent, Velocity};
use crate::math::Placement;
use crate::math::space::{Edge, SteeringBounds};

type Confined<'w, 's> =
    Query<'w, 's, (&'static mut Transform, &'static mut Velocity), (With<SteeringAgent>, Without<ExternalMovement>)>;

/// A body that moves outward at less than this share of its max speed does not turn back.
#[cfg(not(dim3))]
const IDLE: f32 = 1e-3;

/// Stops bodies with limits at edges that bounce, and makes them turn back.
#[cfg(not(dim3))]
pub(crate) fn hold_bodies(
    mut bodies: Query<
        (&SteeringAgent, &mut Transform, &Velocity, &mut Vehicle),
        (With<BodyLimits>, Without<ExternalMovement>),
    >,
    bounds: Res<SteeringBounds>,
    plane: Res<Placement>,
) {
    for (agent, mut transform, velocity, mut vehicle) in &mut bodies {
        let position = plane.position(&transform);
        let beyond = bounds.beyond(position);
        if !(beyond.0 | beyond.1).any() || !position.is_finite() {
            continue;
        }
        plane.set_position(&mut transform, bounds.held(position));
        let bounced = bounds.bounced(beyond, velocity.0);
        if velocity.0.distance(bounced) > IDLE * agent.max_speed {
            // In a corner, it turns back from both edges.
            let rebound = vehicle.rebound.map_or(bounced, |rebound| bounds.bounced(beyond, rebound));
            vehicle.bypass_change_detection().rebound = Some(rebound);
        }
    }
}

pub(crate) fn confine(agents: Confined, bounds: Res<SteeringBounds>, plane: Res<Placement>) {
    // Compiled twice, so that the loop for the usual plane has no branch.
    if *plane == Placement::USUAL {
        confine_in(|| Placement::USUAL, agents, &bounds);
    } else {
        confine_in(|| *plane, agents, &bounds);
    }
}

fn confine_in(plane: impl Fn() -> Placement, mut agents: Confined, bounds: &SteeringBounds) {
    match bounds.edge {
        Edge::None => {}
        Edge::Wrap => {
            let space = bounds.space();
            agents.iter_mut().for_each(|(mut transform, _)| {
                let position = plane().position(&transform);
                let wrapped = space.wrap(position);
                if wrapped != position && position.is_finite() {
                    plane().set_position(&mut transform, wrapped);
                }
            });
        }
        Edge::Bounce => agents.iter_mut().for_each(|(mut transform, mut velocity)| {
            let position = plane().position(&transform);
            let beyond = bounds.beyond(position);
            if (beyond.0 | beyond.1).any() && position.is_finite() {
                plane().set_position(&mut transform, bounds.held(position));
                velocity.0 = bounds.bounced(beyond, velocity.0);
            }
        }),
    }
}
