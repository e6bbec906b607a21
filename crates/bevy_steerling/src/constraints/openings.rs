//! The openings between obstacles.

use crate::agent::{Agent, GroupMask};
use crate::constraints::exits::depth;
use crate::constraints::force_limits::CLEARANCE;
use crate::math::Vector;
use crate::perception::obstacles::{IndexedObstacle, ObstacleView, Obstacles};

/// An obstacle in the way, and the agent's position relative to it.
pub(super) type InTheWay<'a> = (&'a IndexedObstacle, Vector);

/// The most projections of a point from one obstacle to the other.
const PROJECTIONS: usize = 32;

/// The projections end when they bring the point nearer by less than this share of the room that the agent needs.
const NEARER: f32 = 0.01;

/// Whether the agent fits between an obstacle and another one within `look_ahead`, the one with this center. A moving obstacle has left its
/// center since the last tick, and is not found.
pub(super) fn fits_between(
    agent: &Agent,
    obstacles: &Obstacles,
    layers: GroupMask,
    look_ahead: f32,
    center: Vector,
    obstacle: InTheWay,
) -> bool {
    if obstacle.0.shape.center() == center {
        return false;
    }
    let body = agent.radius * (1.0 + 2.0 * CLEARANCE);
    let mut opening: Option<Opening> = None;
    obstacles.for_each_near(agent, look_ahead + 2.0 * agent.radius, layers, |other, position| {
        if other.shape.center() == center {
            let found = Opening::between(obstacle, (other, position), 2.0 * body);
            opening = opening.filter(|opening| opening.width <= found.width).or(Some(found));
        }
    });
    // A third obstacle may be in between.
    let is_free = |opening: Opening| {
        let place = agent.position + opening.middle;
        depth(obstacles, place, agent.radius, &ObstacleView::of(agent, layers)) <= 0.0
    };
    opening.is_some_and(|opening| opening.width > 2.0 * body && is_free(opening))
}

/// The narrowest place between two obstacles.
#[derive(Clone, Copy)]
struct Opening {
    width: f32,
    /// The displacement from the agent.
    middle: Vector,
}

impl Opening {
    /// By alternating projections of the agent's position onto the two obstacles. If the width is at most `enough`, it may be too large.
    fn between((one, from_one): InTheWay, (other, from_other): InTheWay, enough: f32) -> Self {
        // Displacements from the agent, because in a world that wraps the two are seen from different positions.
        let (mut place, mut opening) = (Vector::ZERO, Self { width: f32::INFINITY, middle: Vector::ZERO });
        for _ in 0..PROJECTIONS {
            let (distance, away) = one.shape.distance(from_one + place);
            place -= away * distance;
            let (width, away) = other.shape.distance(from_other + place);
            let middle = place - away * (0.5 * width);
            place -= away * width;
            let gained = opening.width - width;
            opening = Self { width, middle };
            if width <= enough || gained < NEARER * enough {
                break;
            }
        }
        opening
    }
}
