//! The way out of obstacles that overlap.

use crate::math::Vector;
use crate::perception::obstacles::{ObstacleView, Obstacles};

/// The number of directions in which a way out is searched for, besides those out of each single obstacle.
const DIRECTIONS: u16 = if cfg!(dim3) { 128 } else { 32 };

/// The most steps along one direction.
const MOST_STEPS: usize = 64;

/// The shortest step, as a share of the radius. A way out may be longer than necessary by as much.
const STEP: f32 = 0.05;

/// How much shorter another way than the first must be.
const SHORTER: f32 = 0.98;

/// A short displacement from a place to one where a body of this radius touches no obstacle: zero if it touches none already, `None` if there
/// is none nearby. A way in the direction `first` is preferred to one that is hardly shorter.
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

/// How deep a body at a place is in the obstacles around it, units; zero if it touches none.
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
