//! The boundary of all static obstacles, for a body that moves along it.

use crate::math::Vector;
use crate::perception::obstacles::index::Obstacles;
use crate::perception::obstacles::indexed::IndexedObstacle;
use crate::perception::obstacles::planar::ObstacleSide;
use crate::perception::obstacles::view::ObstacleView;

/// The maximum number of walls that a body touches at once.
const MOST_WALLS: usize = 4;

/// The maximum number of pushes out of walls after a step. Two are enough, except in acute corners.
const MOST_PUSHES: usize = 8;

/// A step that is shorter than this share of a full one counts as blocked.
const BLOCKED: f32 = 0.05;

/// A body in a gap between walls may be closer to them than to a single wall, by this share of the difference between
/// [`distance`](Boundary::distance) and [`clearance`](Boundary::clearance).
const SLACK: f32 = 0.3;

/// The places at a given distance from the nearest wall of a static obstacle. Where walls touch, or leave no gap for the body, the boundary
/// continues from one to the next.
#[derive(Clone, Copy)]
pub(crate) struct Boundary<'a> {
    pub obstacles: &'a Obstacles,
    pub view: ObstacleView,
    /// The distance from the nearest wall, units, > 0.
    pub distance: f32,
    /// The smallest distance from any wall, units, less than `distance`. The body fits into gaps that are wider than about twice this.
    pub clearance: f32,
    /// The length of a step, units, > 0.
    pub step: f32,
}

/// A wall near a place.
#[derive(Clone, Copy)]
struct Wall<'a> {
    obstacle: &'a IndexedObstacle,
    index: usize,
    /// The displacement from the place to its image near the obstacle, in a world that wraps.
    shift: Vector,
    /// The distance from the place, units.
    distance: f32,
    away: Vector,
}

impl<'a> Boundary<'a> {
    /// The place on the boundary that is nearest to `from`, if a wall is within `reach`.
    pub fn nearest(&self, from: Vector, reach: f32) -> Option<Vector> {
        let [wall, ..] = self.walls(from, reach);
        let wall = wall?;
        Some(self.push_out(from + wall.away * (self.distance - wall.distance)))
    }

    /// The direction away from the nearest wall, at a place on the boundary.
    pub fn away(&self, place: Vector) -> Option<Vector> {
        let [wall, ..] = self.walls(place, self.distance + self.step);
        wall.map(|wall| wall.away)
    }

    /// The next place on the boundary with the walls on a side; `None` if no way leads on from a place, or if it is away from all walls.
    pub fn next(&self, place: Vector, side: ObstacleSide) -> Option<Vector> {
        let walls = self.walls(place, self.distance + 0.5 * self.step);
        let slack = SLACK * (self.distance - self.clearance);
        walls.into_iter().flatten().find_map(|wall| {
            let way = side.along(wall.away) * self.step;
            let free = self.free_way(place, way, self.clearance + slack);
            let next = place + way * (free / self.step);
            (free > BLOCKED * self.step).then(|| self.push_out(wall.hold(next, self.distance)))
        })
    }

    /// The length of the part of `way` that a body of this radius can move in a straight line, units.
    pub fn free_way(&self, from: Vector, way: Vector, radius: f32) -> f32 {
        self.obstacles.free_way(from, way, radius, &self.view)
    }

    /// The nearest walls within `reach` of a place, the nearest first.
    fn walls(&self, place: Vector, reach: f32) -> [Option<Wall<'a>>; MOST_WALLS] {
        let mut walls = [None; MOST_WALLS];
        self.obstacles.for_each_around(place, reach, &self.view, |obstacle, image| {
            for index in (0..obstacle.shape.wall_count()).filter(|_| obstacle.stands()) {
                let (distance, away) = obstacle.shape.distance_to_wall(index, image);
                if distance <= reach {
                    insert(&mut walls, Wall { obstacle, index, shift: image - place, distance, away });
                }
            }
        });
        walls
    }

    /// The place after pushing it out of all walls that are nearer than the distance, as far as there is room.
    fn push_out(&self, mut place: Vector) -> Vector {
        let slack = 0.1 * (self.distance - self.clearance);
        for _ in 0..MOST_PUSHES {
            let [Some(wall), ..] = self.walls(place, self.distance - slack) else { break };
            place += wall.away * (self.distance - wall.distance);
        }
        place
    }
}

impl Wall<'_> {
    /// The place at this distance from the wall that is nearest to `place`.
    fn hold(&self, place: Vector, distance: f32) -> Vector {
        let (from_wall, away) = self.obstacle.shape.distance_to_wall(self.index, place + self.shift);
        place + away * (distance - from_wall)
    }
}

/// Inserts a wall in the order of distances.
fn insert<'a>(walls: &mut [Option<Wall<'a>>; MOST_WALLS], wall: Wall<'a>) {
    let mut wall = Some(wall);
    for slot in walls {
        let is_nearer = |other: &Wall| wall.is_some_and(|wall| wall.distance < other.distance);
        if slot.as_ref().is_none_or(is_nearer) {
            core::mem::swap(slot, &mut wall);
        }
    }
}
