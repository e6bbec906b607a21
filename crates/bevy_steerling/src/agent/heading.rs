//! Headings: the direction in which an agent faces as it moves.

use crate::math::Vector;

/// Below this share of its max speed, a body keeps its heading.
const AT_REST: f32 = 1e-3;

/// The heading of a body at this velocity: the direction of motion, or the opposite one for a body that `reverses` and moves backward. At
/// rest it is the previous heading, `last`.
pub(crate) fn heading_along(velocity: Vector, last: Option<Vector>, max_speed: f32, reverses: bool) -> Option<Vector> {
    let Some(along) = direction(velocity, max_speed) else { return last };
    let backward = reverses && last.is_some_and(|last| last.dot(along) < 0.0);
    Some(if backward { -along } else { along })
}

/// The direction of motion, a unit vector; `None` at rest.
pub(super) fn direction(velocity: Vector, max_speed: f32) -> Option<Vector> {
    let speed = velocity.length();
    (speed > AT_REST * max_speed && speed.is_finite()).then(|| velocity / speed)
}
