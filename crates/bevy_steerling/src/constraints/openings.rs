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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::SteeringId;
    use crate::agent::random::{SteeringRng, SteeringSeed};
    use crate::perception::obstacles::{Obstacle, ObstacleShape};
    use crate::prelude::*;
    use bevy::prelude::*;
    use core::f32::consts::TAU;

    /// Whether an agent fits between the first two of these obstacles. They are turned about the agent, to be in any direction.
    fn fits(radius: f32, turn: f32, obstacles: &[(ObstacleShape, Vector, f32)]) -> bool {
        let placed = |(shape, place, angle): &(ObstacleShape, Vector, f32)| {
            let rotation = Quat::from_rotation_z(turn + angle);
            let place = Vector::from_angle(turn).rotate(*place);
            (Obstacle::new(shape.clone()), Transform::from_translation(place.extend(0.0)).with_rotation(rotation))
        };
        let obstacles =
            Obstacles::standing_at(obstacles.iter().map(placed), &SteeringBounds::default(), SteeringPlane::XY);
        let agent = Agent { radius, ..Agent::at(Vector::ZERO) };
        let mut found = Vec::new();
        obstacles.for_each_near(&agent, 1e5, GroupMask::ALL, |obstacle, position| found.push((obstacle, position)));
        found.sort_by(|(one, _), (other, _)| one.shape.extent().total_cmp(&other.shape.extent()));
        let [first, second] = [found[found.len() - 1], found[found.len() - 2]];
        fits_between(&agent, &obstacles, GroupMask::ALL, 1e4, second.0.shape.center(), first)
    }

    #[test]
    fn an_agent_fits_between_walls_that_are_farther_apart_than_it_is_wide() {
        let mut random = SteeringRng::new(SteeringSeed(1), SteeringId::new(0), 1);
        let mut between = |low: f32, high: f32| low + (high - low) * random.uniform();
        for case in 0..500 {
            // In large units and in small ones.
            let scale = [1.0, 1.0 / 1024.0][case % 2];
            let (radius, turn) = (scale * between(0.5, 20.0), between(0.0, TAU));
            let ahead = radius * between(3.0, 15.0);
            // A door, with and without a post in it.
            let (width, depth, lean) = (radius * between(1.9, 2.4), radius * between(0.1, 4.0), between(0.0, 0.5));
            let wall = |length: f32| ObstacleShape::from(Rectangle::new(depth, length * radius));
            let x = ahead + 0.5 * depth;
            let beside = radius * between(-2.0, 2.0);
            let door = [
                (wall(300.0), Vector::new(x, beside + 0.5 * width + 150.0 * radius), 0.0),
                (wall(290.0), Vector::new(x, beside - 0.5 * width - 145.0 * radius), 0.0),
            ];
            let is_wide = width > 2.0 * radius * (1.0 + 2.0 * CLEARANCE);
            assert_eq!(fits(radius, turn, &door), is_wide, "case {case}: {width} of {radius}");
            let post = (ObstacleShape::from(Circle::new(0.05 * radius)), Vector::new(ahead, beside), 0.0);
            assert!(!fits(radius, turn, &[door[0].clone(), door[1].clone(), post]), "case {case}: a post");
            // The agent is between two walls that meet ahead of it.
            let corner = Vector::new(ahead + 4.0 * radius, beside);
            let meeting = |angle: f32, length: f32| {
                let end = Vector::from_angle(angle) * length * radius;
                (ObstacleShape::from(Segment2d::new(Vector::ZERO, end)), corner, 0.0)
            };
            let (one, other) = (TAU * 0.5 + lean, TAU * 0.5 - lean - 0.2);
            assert!(!fits(radius, turn, &[meeting(one, 300.0), meeting(other, 290.0)]), "case {case}: a corner");
        }
    }

    #[test]
    fn the_nearest_image_of_an_obstacle_counts() {
        let bounds = SteeringBounds::wrap(Vector::splat(-500.0), Vector::splat(500.0));
        let wall =
            |y: f32, length: f32| (Obstacle::new(Rectangle::new(20.0, length)), Transform::from_xyz(100.0, y, 0.0));
        // The gap is 10 wide. Across the edge it is almost 200.
        let walls = [wall(205.0, 400.0), wall(-206.0, 402.0)];
        let obstacles = Obstacles::standing_at(walls, &bounds, SteeringPlane::XY);
        let agent = Agent { radius: 8.0, space: bounds.space(), ..Agent::at(Vector::ZERO) };
        let mut found = Vec::new();
        obstacles.for_each_near(&agent, 120.0, GroupMask::ALL, |obstacle, position| found.push((obstacle, position)));
        assert_eq!(found.len(), 2);
        let [one, other] = [found[0], found[1]];
        let fits = |agent: &Agent| fits_between(agent, &obstacles, GroupMask::ALL, 2000.0, other.0.shape.center(), one);
        assert!(!fits(&agent));
        assert!(fits(&Agent { radius: 4.0, ..agent }));
    }
}
