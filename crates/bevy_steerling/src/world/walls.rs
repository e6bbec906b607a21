//! The walls that a solid body does not pass through.

use crate::math::space::SteeringBounds;
use crate::math::{Vector, normalize};
use crate::perception::obstacles::{IndexedObstacle, ObstacleView, Obstacles};

/// Overlaps below this share of the radius are ignored.
pub(super) const SLOP: f32 = 1e-4;

/// The most walls along which a body slides at once.
const BENDS: usize = 4;

/// The smallest bodies keep so far from walls, as a share of their largest coordinate, that rounding does not move them to the other side.
const CLEARANCE: f32 = 5e-6;

/// A place so near to a wall, as a share of its largest coordinate, is on the wall.
const ROUNDING: f32 = 1e-6;

/// How far the center of a body at a place keeps from walls: at least its radius.
pub(super) fn wall_radius(radius: f32, place: Vector) -> f32 {
    radius.max(CLEARANCE * place.abs().max_element())
}

/// The walls around a body.
pub(super) struct Walls<'a> {
    pub obstacles: &'a Obstacles,
    pub view: ObstacleView,
    /// The [`wall_radius`] of the body.
    pub radius: f32,
}

impl Walls<'_> {
    /// The end of the `way` of a body that slides along walls; `None` if it touches none. Calls `on_wall` with the unit vector away from
    /// each wall, and the wall's velocity.
    pub fn slide(&self, mut place: Vector, way: Vector, mut on_wall: impl FnMut(Vector, Vector)) -> Option<Vector> {
        let (mut rest, mut bends) = (way, 0);
        while let Some((way, away, wall_velocity)) = self.first_wall(place, rest) {
            let ahead = normalize(rest);
            place += ahead * way;
            rest = ahead * (rest.length() - way);
            // Along the wall and slightly away from it, so that rounding does not stop the body.
            rest += away * (SLOP * self.radius - rest.dot(away).min(0.0));
            on_wall(away, wall_velocity);
            bends += 1;
            if bends > BENDS {
                rest = Vector::ZERO;
            }
        }
        if self.crosses(place, rest) {
            // So near to the wall that rounding turns the direction away from it.
            on_wall(-normalize(rest), Vector::ZERO);
            return Some(place);
        }
        (bends > 0).then(|| place + rest)
    }

    /// The end of the way to `target`, along walls and within edges that bounce. It does not lead around a wall that ends at an edge.
    pub fn slide_within(
        &self,
        bounds: &SteeringBounds,
        from: Vector,
        target: Vector,
        on_wall: impl FnMut(Vector, Vector),
    ) -> Vector {
        let target = bounds.held(target);
        let end = self.slide(from, target - from, on_wall).map_or(target, |end| bounds.held(end));
        if self.crosses(from, end - from) { from } else { end }
    }

    /// The first wall on the `way` of the body: the distance to the contact, the unit vector away from the wall, and the wall's velocity.
    fn first_wall(&self, place: Vector, way: Vector) -> Option<(f32, Vector, Vector)> {
        let (ahead, mut nearest, mut first) = (normalize(way), way.length(), None);
        self.obstacles.for_each_around(place, self.radius + nearest, &self.view, |obstacle, position| {
            for wall in 0..obstacle.shape.wall_count() {
                let impact = obstacle.shape.cast_distance_to_wall(wall, position, ahead, self.radius);
                if let Some(impact) = impact.filter(|impact| *impact < nearest) {
                    let away = obstacle.shape.distance_to_wall(wall, position + ahead * impact).1;
                    (nearest, first) = (impact, Some((impact, away, obstacle.velocity_at(position + ahead * impact))));
                }
            }
        });
        first
    }

    /// Whether the center of the body would pass through a wall on a way. A body that is inside an obstacle that stands still may leave
    /// it in any way.
    pub fn crosses(&self, from: Vector, way: Vector) -> bool {
        self.crosses_any(from, way, |_| true)
    }

    /// [`crosses`](Self::crosses) for obstacles that stand still.
    pub fn crosses_standing(&self, from: Vector, way: Vector) -> bool {
        self.crosses_any(from, way, IndexedObstacle::stands)
    }

    fn crosses_any(&self, from: Vector, way: Vector, is_minded: impl Fn(&IndexedObstacle) -> bool) -> bool {
        let (length, ahead, margin) = (way.length(), normalize(way), ROUNDING * from.abs().max_element());
        let (mut crosses, mut is_inside) = (false, false);
        self.obstacles.for_each_around(from, length + margin, &self.view, |obstacle, position| {
            for wall in 0..obstacle.shape.wall_count() {
                let distance = obstacle.shape.distance_to_wall(wall, position).0;
                if distance <= 0.0 {
                    is_inside |= distance < 0.0 && obstacle.stands();
                } else if is_minded(obstacle) {
                    let impact = obstacle.shape.cast_distance_to_wall(wall, position, ahead, margin);
                    crosses |= impact.is_some_and(|impact| impact < length);
                }
            }
        });
        crosses && !is_inside
    }
}
