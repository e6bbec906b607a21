//! Obstacle queries, for any system.

use bevy::prelude::*;

use crate::agent::GroupMask;
use crate::math::{Vector, normalize};
use crate::perception::obstacles::index::Obstacles;
use crate::perception::obstacles::indexed::IndexedObstacle;
use crate::perception::obstacles::view::ObstacleView;

/// The obstacles that a query considers. Default: all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObstacleFilter {
    /// Only obstacles in any of these layers. Default: [`GroupMask::ALL`].
    pub layers: GroupMask,
    /// Only obstacles on the [floor](crate::math::plane::SteeringPlane::with_floor_height) with this height above the plane, units.
    /// Default: obstacles on all floors.
    #[cfg(not(dim3))]
    pub height: Option<f32>,
}

impl Default for ObstacleFilter {
    fn default() -> Self {
        Self::in_layers(GroupMask::ALL)
    }
}

impl ObstacleFilter {
    /// Only obstacles in any of these [`layers`](Self::layers).
    pub fn in_layers(layers: GroupMask) -> Self {
        Self {
            layers,
            #[cfg(not(dim3))]
            height: None,
        }
    }

    /// Sets the [`height`](Self::height) of the floor, units.
    #[cfg(not(dim3))]
    #[must_use]
    pub fn on_floor(self, height: f32) -> Self {
        Self { height: Some(height), ..self }
    }

    // A height of NaN belongs to all floors.
    #[cfg(not(dim3))]
    fn floor(&self) -> f32 {
        self.height.unwrap_or(f32::NAN)
    }

    #[cfg(dim3)]
    fn floor(&self) -> f32 {
        0.0
    }
}

/// The place where a query meets an obstacle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObstacleHit {
    /// The obstacle.
    pub entity: Entity,
    /// For a cast, the distance that the body has moved. For other queries, the distance to the surface, negative inside the obstacle. In
    /// units.
    pub distance: f32,
    /// The point on the surface, units. In a world that wraps, it may be beyond an edge.
    pub point: Vector,
    /// The unit vector that points out of the obstacle at that point.
    pub normal: Vector,
}

/// Queries for any system, such as for a shot or a click. They use the obstacles at the start of the last tick, whether static or moving.
/// In a world that wraps, a ray or sweep should not be longer than half the world.
impl Obstacles {
    /// The first obstacle on the straight line from `from` to `from + way`, units.
    ///
    /// If the ray starts inside an obstacle, it hits that obstacle at once, unless it leads out of it.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_steerling::prelude::*;
    /// let wall = (Obstacle::new(Rectangle::new(20.0, 300.0)), Transform::default());
    /// let obstacles = Obstacles::standing_at([wall], &SteeringBounds::default(), SteeringPlane::XY);
    /// let shot = obstacles.cast_ray(Vec2::new(-50.0, 0.0), Vec2::X * 100.0, &ObstacleFilter::default());
    /// assert_eq!(shot.map(|hit| (hit.distance, hit.normal)), Some((40.0, Vec2::NEG_X)));
    /// ```
    pub fn cast_ray(&self, from: Vector, way: Vector, filter: &ObstacleFilter) -> Option<ObstacleHit> {
        self.cast_body(from, way, 0.0, filter)
    }

    /// The first obstacle that a body of this radius touches on the straight line from `from` to `from + way`, units. The body is a circle
    /// or, in three dimensions, a sphere.
    ///
    /// If the body touches an obstacle at the start, it hits that obstacle at once, unless it moves out of it.
    pub fn cast_body(&self, from: Vector, way: Vector, radius: f32, filter: &ObstacleFilter) -> Option<ObstacleHit> {
        let (direction, length, radius) = (normalize(way), way.length(), radius.max(0.0));
        let mut first: Option<ObstacleHit> = None;
        if !from.is_finite() || !length.is_finite() || direction == Vector::ZERO {
            return first;
        }
        self.for_each_along(from, way, radius, &self.view(filter), |obstacle, place| {
            let offset = from - place;
            let is_first = |hit: &ObstacleHit| match first {
                Some(first) => hit.distance < first.distance,
                None => hit.distance <= length,
            };
            if let Some(hit) = cast(obstacle, place, direction, radius).filter(is_first) {
                first = Some(ObstacleHit { point: hit.point + offset, ..hit });
            }
        });
        first
    }

    /// Whether no obstacle is on the straight line between two points. The result is symmetric. From inside an obstacle, nothing is in
    /// sight.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_steerling::prelude::*;
    /// fn look(obstacles: Res<Obstacles>, plane: Res<SteeringPlane>, eyes: Query<&Transform, With<Pursue>>) {
    ///     for [one, other] in eyes.iter_combinations() {
    ///         let [from, to] = [one, other].map(|eye| plane.to_plane(eye.translation));
    ///         let sees = obstacles.has_line_of_sight(from, to, &ObstacleFilter::default());
    ///         println!("{from} {} {to}", if sees { "sees" } else { "does not see" });
    ///     }
    /// }
    /// # bevy::ecs::system::assert_is_system(look);
    /// ```
    pub fn has_line_of_sight(&self, from: Vector, to: Vector, filter: &ObstacleFilter) -> bool {
        if !from.is_finite() || !to.is_finite() {
            return false;
        }
        let way = self.space.displacement(from, to);
        let (direction, length) = (normalize(way), way.length());
        let mut is_free = true;
        self.for_each_along(from, way, 0.0, &self.view(filter), |obstacle, from| {
            let is_inside = |place| obstacle.shape.distance(place).0 < 0.0;
            let is_hit = || obstacle.shape.cast_distance(from, direction, 0.0).is_some_and(|hit| hit <= length);
            is_free = is_free && !is_inside(from) && !is_hit();
        });
        is_free
    }

    /// The obstacle whose surface is nearest to a position, or which contains the position most deeply, if it is within `max_distance`,
    /// units.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_steerling::prelude::*;
    /// let wall = (Obstacle::new(Rectangle::new(20.0, 300.0)), Transform::default());
    /// let obstacles = Obstacles::standing_at([wall], &SteeringBounds::default(), SteeringPlane::XY);
    /// let nearest = obstacles.nearest(Vec2::new(-50.0, 7.0), 100.0, &ObstacleFilter::default());
    /// assert_eq!(nearest.map(|nearest| nearest.point), Some(Vec2::new(-10.0, 7.0)));
    /// ```
    pub fn nearest(&self, position: Vector, max_distance: f32, filter: &ObstacleFilter) -> Option<ObstacleHit> {
        let mut nearest: Option<ObstacleHit> = None;
        if !position.is_finite() || max_distance.is_nan() {
            return nearest;
        }
        self.for_each_around(position, max_distance.max(0.0), &self.view(filter), |obstacle, place| {
            for wall in 0..obstacle.shape.wall_count() {
                let (distance, away) = obstacle.shape.distance_to_wall(wall, place);
                // In the middle of a circle, all ways out are equally short.
                let normal = if away == Vector::ZERO { Vector::X } else { away };
                if distance <= max_distance && nearest.is_none_or(|nearest| distance < nearest.distance) {
                    let point = position - normal * distance;
                    nearest = Some(ObstacleHit { entity: obstacle.entity, distance, point, normal });
                }
            }
        });
        nearest
    }

    fn view(&self, filter: &ObstacleFilter) -> ObstacleView {
        ObstacleView { space: self.space, height: filter.floor(), layers: filter.layers }
    }
}

/// The first contact between an obstacle and a body that moves from `from` along the unit vector `direction`.
fn cast(obstacle: &IndexedObstacle, from: Vector, direction: Vector, radius: f32) -> Option<ObstacleHit> {
    let hits = (0..obstacle.shape.wall_count()).filter_map(|wall| {
        let distance = obstacle.shape.cast_distance_to_wall(wall, from, direction, radius)?;
        let place = from + direction * distance;
        let (gap, away) = obstacle.shape.distance_to_wall(wall, place);
        // A line has no inside.
        let normal = if away.dot(direction) > 0.0 { -away } else { away };
        let normal = if normal == Vector::ZERO { -direction } else { normal };
        Some(ObstacleHit { entity: obstacle.entity, distance, point: place - away * gap, normal })
    });
    hits.min_by(|a, b| a.distance.total_cmp(&b.distance))
}
