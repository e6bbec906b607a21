//! The edges of the world.

use bevy::prelude::*;

use crate::agent::{ExternalMovement, SteeringAgent, Velocity};
use crate::math::Placement;
use crate::math::Vector;
use crate::math::space::{Edge, SteeringBounds};

type Confined<'w, 's> =
    Query<'w, 's, (&'static mut Transform, &'static mut Velocity), (With<SteeringAgent>, Without<ExternalMovement>)>;

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
            let (below, above) = bounds.beyond(position);
            if (below | above).any() && position.is_finite() {
                let v = velocity.0;
                plane().set_position(&mut transform, bounds.held(position));
                velocity.0 = Vector::select(below, v.abs(), Vector::select(above, -v.abs(), v));
            }
        }),
    }
}
