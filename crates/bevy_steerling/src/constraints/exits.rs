//! Finds the way out of overlapping obstacles.

use crate::math::Vector;
use crate::perception::obstacles::{ObstacleView, Obstacles};

/// The number of directions in which to search for a way out, in addition to the shortest ways out of the single obstacles.
const DIRECTIONS: u16 = if cfg!(dim3) { 128 } else { 32 };

/// The maximum number of steps along one direction.
const MOST_STEPS: usize = 64;

/// The shortest step, as a share of the radius. This is how much longer than necessary a way out may be.
const STEP: f32 = 0.05;

/// Another way replaces the first one only if it is shorter than this share of it.
const SHORTER: f32 = 0.98;

/// A short displacement from a place to one where a body of this radius touches no obstacle. It is zero if the body touches none already,
/// and `None` if there is no such place nearby. A way in the direction `first` is preferred to one that is only slightly shorter.
pub(crate) fn way_out(
    obstacles: &Obstacles,
    place: Vector,
    radius: f32,
    view: &ObstacleView,
    first: Vector,
) -> Option<Vector> {
    if depth(obstacles, place, radius, view) <= 0.0 {
        return Some(Vector::ZERO);
    }
    let mut shortest: Option<(f32, Vector)> = None;
    let mut consider = |direction: Vector| {
        let longest = shortest.map_or(f32::INFINITY, |(way, _)| SHORTER * way - STEP * radius);
        let mut way = 0.0;
        for _ in 0..MOST_STEPS {
            let deep = depth(obstacles, place + direction * way, radius, view);
            if deep <= 0.0 {
                shortest = Some((way, direction));
                return;
            }
            way += deep.max(STEP * radius);
            if way >= longest {
                return;
            }
        }
    };
    if first != Vector::ZERO {
        consider(first);
    }
    obstacles.for_each_around(place, radius, view, |obstacle, place| {
        let (distance, away) = obstacle.shape.distance(place);
        if distance < radius && away != Vector::ZERO {
            consider(away);
        }
    });
    (0..DIRECTIONS).map(direction).for_each(consider);
    shortest.map(|(way, direction)| direction * way)
}

/// The penetration depth of a body in the obstacles around a place, units; zero if it touches none.
pub(crate) fn depth(obstacles: &Obstacles, place: Vector, radius: f32, view: &ObstacleView) -> f32 {
    let mut depth = 0.0_f32;
    obstacles.for_each_around(place, radius, view, |obstacle, place| {
        depth = depth.max(radius - obstacle.shape.distance(place).0);
    });
    depth
}

#[cfg(not(dim3))]
fn direction(number: u16) -> Vector {
    crate::math::unit_vector(f32::from(number) * (core::f32::consts::TAU / f32::from(DIRECTIONS)))
}

#[cfg(dim3)]
fn direction(number: u16) -> Vector {
    crate::agent::random::direction_from(u64::from(number))
}
