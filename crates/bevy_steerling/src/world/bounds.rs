//! The edges of the world.

use bevy::prelude::*;

use crate::agent::{ExternalMovement, SteeringAgent, Velocity};
use crate::math::Placement;
use crate::math::Vector;
use crate::math::space::{Edge, SteeringBounds};

pub(crate) fn confine(
    mut agents: Query<(&mut Transform, &mut Velocity), (With<SteeringAgent>, Without<ExternalMovement>)>,
    bounds: Res<SteeringBounds>,
    plane: Res<Placement>,
) {
    match bounds.edge {
        Edge::None => {}
        Edge::Wrap => {
            let space = bounds.space();
            agents.iter_mut().for_each(|(mut transform, _)| {
                let position = plane.position(&transform);
                let wrapped = space.wrap(position);
                if wrapped != position && position.is_finite() {
                    plane.set_position(&mut transform, wrapped);
                }
            });
        }
        Edge::Bounce => agents.iter_mut().for_each(|(mut transform, mut velocity)| {
            let position = plane.position(&transform);
            let (below, above) = bounds.beyond(position);
            if (below | above).any() && position.is_finite() {
                let v = velocity.0;
                plane.set_position(&mut transform, bounds.held(position));
                velocity.0 = Vector::select(below, v.abs(), Vector::select(above, -v.abs(), v));
            }
        }),
    }
}
