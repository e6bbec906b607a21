//! The radius of agents that have that of their colliders.

use bevy::prelude::*;
use bevy_steerling::prelude::*;

use super::engine::{self, Collider};
use super::obstacles::Hierarchy;
use super::shapes::footprint;
use crate::{ObstacleHeights, RadiusFromCollider};

/// Measures the colliders of agents anew when one of them has changed.
pub(crate) fn measure_radii(
    mut agents: Query<(Entity, Ref<RadiusFromCollider>, &mut SteeringAgent)>,
    colliders: Query<(Entity, Ref<Collider>), engine::TakesPart>,
    children: Query<&Children>,
    hierarchy: Hierarchy,
    plane: Res<SteeringPlane>,
) {
    for (body, marker, mut agent) in &mut agents {
        let parts = core::iter::once(body).chain(children.iter_descendants(body));
        let parts: Vec<_> = parts.filter_map(|part| colliders.get(part).ok()).collect();
        if !marker.is_added() && !parts.iter().any(|(_, collider)| collider.is_changed()) {
            continue;
        }
        let Some(origin) = hierarchy.place(body).map(|place| plane.to_plane(place.translation())) else { continue };
        let reach = |(part, collider): &(Entity, Ref<Collider>)| {
            let place = hierarchy.place(*part).filter(|_| hierarchy.body_of(*part) == Some(body))?.compute_transform();
            let (outlines, x_axis) = footprint(collider, &place, *plane, ObstacleHeights::ALL);
            let center = plane.to_plane(place.translation);
            let reaches =
                outlines.into_iter().map(|outline| outline.mapped(|point| x_axis.rotate(point)).reach(origin - center));
            reaches.reduce(f32::max)
        };
        if let Some(radius) = parts.iter().filter_map(reach).reduce(f32::max)
            && radius.is_finite()
            && agent.radius != radius
        {
            agent.radius = radius;
        }
    }
}
