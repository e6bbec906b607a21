//! Obstacles at their places.

use bevy::prelude::*;
use bevy_steerling::math::Vector;
use bevy_steerling::math::space::Edge;
use bevy_steerling::prelude::{GroupMask, Obstacle, SteeringBounds};

use crate::dimension::{DVector, position, precise, set_position, single};
use crate::shapes::obstacle;
#[cfg(not(dim3))]
use crate::shapes::planar::primitives::{centered, placed};
#[cfg(dim3)]
use crate::shapes::spatial::primitives::{centered, placed};
use crate::shapes::turning::turn_rate;

/// An obstacle at its place at the start, and this place before it is wrapped into bounds that wrap.
pub(crate) fn placed_obstacle(file: &obstacle::Obstacle, bounds: &SteeringBounds) -> (Obstacle, Transform, Vector) {
    let (shape, mut transform) = centered(&file.shape);
    let start = position(&transform);
    // A half-space has no images.
    if placed(&shape, &transform).extent().is_finite() {
        set_position(&mut transform, wrapped(precise(start), bounds));
    }
    let mut obstacle = Obstacle::new(shape).with_turn_rate(file.turn_rate.map_or(default(), turn_rate));
    obstacle.layers = file.layers.map_or(obstacle.layers, GroupMask::from);
    (obstacle, transform, start)
}

/// Wraps a place into bounds that wrap.
pub(crate) fn wrapped(place: DVector, bounds: &SteeringBounds) -> Vector {
    let SteeringBounds { min, max, edge } = *bounds;
    let (min, size) = (precise(min), precise(max - min));
    match edge {
        Edge::Wrap => single(min + (place - min).rem_euclid(size)),
        Edge::None | Edge::Bounce => single(place),
    }
}
