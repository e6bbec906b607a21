//! Whether a body fits between two obstacles.

use bevy::prelude::*;

use crate::agent::{Agent, GroupMask};
use crate::constraints::force_limits::CLEARANCE;
use crate::math::Vector;
use crate::perception::obstacles::{IndexedObstacle, Obstacles};

/// An obstacle in the way, and the agent's position relative to it.
pub(super) type InTheWay<'a> = (&'a IndexedObstacle, Vector);

/// How often a point is projected from one obstacle to the other.
const PROJECTIONS: usize = 6;

/// Whether the agent fits between an obstacle and the one that was in its way before. It does if that one is beyond `look_ahead`.
pub(super) fn fits_between(
    agent: &Agent,
    obstacles: &Obstacles,
    layers: GroupMask,
    look_ahead: f32,
    before: Entity,
    obstacle: InTheWay,
) -> bool {
    let room = 2.0 * agent.radius * (1.0 + 2.0 * CLEARANCE);
    let mut fits = true;
    obstacles.for_each_near(agent, look_ahead + 2.0 * agent.radius, layers, |other, position| {
        fits &= other.entity != before || gap(obstacle, (other, position)) > room;
    });
    fits
}

/// The distance between two obstacles, units, by alternating projections, which start at the agent.
fn gap((one, from_one): InTheWay, (other, from_other): InTheWay) -> f32 {
    // Displacements from the agent, because in a world that wraps the two are seen from different positions.
    let (mut place, mut gap) = (Vector::ZERO, 0.0);
    for _ in 0..PROJECTIONS {
        let (distance, away) = one.shape.distance(from_one + place);
        place -= away * distance;
        let (distance, away) = other.shape.distance(from_other + place);
        place -= away * distance;
        gap = distance;
    }
    gap
}
