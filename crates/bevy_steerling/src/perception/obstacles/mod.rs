//! What is in the way: shapes, how far they are, and when a moving body touches them.

mod raster;

use alloc::vec::Vec;
use core::cmp::Ordering;
use core::mem;
use core::ops::Range;

use bevy::ecs::entity::EntityHashSet;
use bevy::math::ops;
use bevy::prelude::*;

use crate::agent::Velocity;
use crate::engine::behavior::{Agent, TickParam};
use crate::math::space::Space;
use crate::math::{self, Vector, normalize};
use raster::Rasters;

/// Something that stands in the way of agents, at the place and rotation of its `Transform`; scale is not read.
///
/// It may move: write its `Transform`, and its [`Velocity`] so that agents can tell when it will be where. It may be
/// added, changed and removed at any time.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// commands.spawn((Obstacle::new(Circle::new(40.0)), Transform::from_xyz(200.0, 0.0, 0.0)));
/// commands.spawn((
///     Obstacle::new(Rectangle::new(120.0, 20.0)),
///     Transform::from_xyz(0.0, 90.0, 0.0).with_rotation(Quat::from_rotation_z(0.3)),
/// ));
/// # }
/// ```
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
#[require(Transform)]
pub struct Obstacle {
    /// What it looks like, around the origin of its entity.
    pub shape: ObstacleShape,
    /// A bit for each layer it is in. A behavior minds an obstacle when they share a layer. Default: 1.
    pub layers: u32,
}

impl Obstacle {
    /// An obstacle in layer 1.
    pub fn new(shape: impl Into<ObstacleShape>) -> Self {
        Self { shape: shape.into(), layers: 1 }
    }

    /// Sets the [`layers`](Self::layers).
    #[must_use]
    pub fn with_layers(self, layers: u32) -> Self {
        Self { layers, ..self }
    }
}

/// The shape of an [`Obstacle`].
#[derive(Clone, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
pub enum ObstacleShape {
    /// A disc.
    Circle(Circle),
    /// A rectangle.
    Rectangle(Rectangle),
    /// All places within a radius of a segment of the y axis.
    Capsule(Capsule2d),
    /// A thin wall.
    Segment(Segment2d),
    /// A convex polygon.
    Polygon(ConvexPolygon),
    /// Thin walls from vertex to vertex.
    Polyline(Polyline2d),
}

macro_rules! from_shapes {
    ($($variant:ident($shape:ty)),+) => {
        $(impl From<$shape> for ObstacleShape {
            fn from(shape: $shape) -> Self {
                Self::$variant(shape)
            }
        })+
    };
}

from_shapes!(
    Circle(Circle),
    Rectangle(Rectangle),
    Capsule(Capsule2d),
    Segment(Segment2d),
    Polygon(ConvexPolygon),
    Polyline(Polyline2d)
);

impl ObstacleShape {
    /// The shape where `transform` puts it.
    pub fn placed(&self, transform: &Transform) -> PlacedShape {
        self.placed_with(Vec::new(), transform)
    }

    /// The same with the memory of the corners of another shape.
    fn placed_with(&self, mut corners: Vec<Vector>, transform: &Transform) -> PlacedShape {
        corners.clear();
        let (closed, radius) = match self {
            Self::Circle(circle) => {
                corners.push(Vec2::ZERO);
                (false, circle.radius)
            }
            Self::Rectangle(rectangle) => {
                let Vec2 { x, y } = rectangle.half_size;
                corners.extend([Vec2::new(x, y), Vec2::new(-x, y), Vec2::new(-x, -y), Vec2::new(x, -y)]);
                (true, 0.0)
            }
            Self::Capsule(capsule) => {
                let end = Vec2::new(0.0, capsule.half_length);
                corners.extend([end, -end]);
                (false, capsule.radius)
            }
            Self::Segment(segment) => {
                corners.extend(segment.vertices);
                (false, 0.0)
            }
            Self::Polygon(polygon) => {
                corners.extend(polygon.vertices());
                (true, 0.0)
            }
            Self::Polyline(polyline) => {
                corners.extend(&polyline.vertices);
                (false, 0.0)
            }
        };
        let (x_axis, origin) = (math::heading(transform), math::position(transform));
        corners.iter_mut().for_each(|corner| *corner = origin + x_axis.rotate(*corner));
        let (low, high) = corners.iter().fold((Vector::INFINITY, Vector::NEG_INFINITY), |(low, high), corner| {
            (low.min(*corner), high.max(*corner))
        });
        let center = if corners.is_empty() { origin } else { 0.5 * (low + high) };
        let extent = corners.iter().map(|corner| corner.distance(center)).fold(0.0, f32::max);
        let radius = radius.max(0.0);
        // A little more, so that rounding loses nothing at the rim.
        let around = radius + 1e-6 * (extent + radius + center.abs().max_element());
        let (low, high) = (low.min(center) - around, high.max(center) + around);
        PlacedShape { corners, closed, radius, center, extent: extent + radius, low, high }
    }
}

/// A shape in its place: everything within a radius of the lines between its corners and, if it is closed, between them.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedShape {
    corners: Vec<Vector>,
    closed: bool,
    radius: f32,
    center: Vector,
    /// No part of the shape is farther from the center.
    extent: f32,
    /// The corners around it.
    low: Vector,
    high: Vector,
}

impl PlacedShape {
    /// The middle of the shape, units.
    pub fn center(&self) -> Vector {
        self.center
    }

    /// No part of the shape is farther from the center, units.
    pub fn extent(&self) -> f32 {
        self.extent
    }

    /// What lies within this of the lines between its corners belongs to it, units.
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// Its corners, one after another.
    pub fn corners(&self) -> &[Vector] {
        &self.corners
    }

    /// Whether what its corners surround belongs to it.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Whether it may have a part between two corners.
    #[inline]
    fn touches(&self, low: Vector, high: Vector) -> bool {
        self.low.cmple(high).all() && self.high.cmpge(low).all()
    }

    /// The lines that bound it, before its radius counts.
    fn edges(&self) -> impl Iterator<Item = (Vector, Vector)> {
        (0..self.edge_count()).map(|index| self.edge(index))
    }

    fn edge_count(&self) -> usize {
        match self.corners.len() {
            0 | 1 => self.corners.len(),
            2 => 1,
            corners => corners - usize::from(!self.closed),
        }
    }

    fn edge(&self, index: usize) -> (Vector, Vector) {
        (self.corners[index], self.corners[(index + 1) % self.corners.len()])
    }

    /// The distance from `point` to the shape, units, negative inside, and the unit vector along which it grows fastest. The
    /// latter is zero where no direction is better than others, as in the middle of a circle. Infinite for a shape without
    /// corners.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_steerling::prelude::*;
    /// let wall = ObstacleShape::from(Rectangle::new(20.0, 10.0)).placed(&Transform::default());
    /// assert_eq!(wall.distance(Vec2::new(0.0, 8.0)), (3.0, Vec2::Y));
    /// assert_eq!(wall.distance(Vec2::new(0.0, 4.0)), (-1.0, Vec2::Y));
    /// ```
    pub fn distance(&self, point: Vector) -> (f32, Vector) {
        let mut nearest = (f32::INFINITY, Vector::ZERO);
        let mut nearest_edge = (Vector::ZERO, Vector::ZERO);
        let mut side = 0.0_f32;
        let mut inside = self.closed && self.corners.len() > 2;
        for (start, end) in self.edges() {
            let from_edge = point - nearest_on_segment(point, start, end);
            if from_edge.length_squared() < nearest.0 {
                nearest = (from_edge.length_squared(), from_edge);
                nearest_edge = (start, end);
            }
            // Inside a convex polygon all edges have the point on the same side.
            let turn = (end - start).perp_dot(point - start);
            inside &= turn * side >= 0.0;
            side = if turn == 0.0 { side } else { turn };
        }
        // Nothing is inside what has no area.
        inside &= side != 0.0;
        let distance = ops::sqrt(nearest.0);
        let (distance, away) = if inside { (-distance, -nearest.1) } else { (distance, nearest.1) };
        let away = if !is_rounding(nearest.1, point) {
            normalize(away)
        } else if inside {
            // On the rim.
            left_of(nearest_edge) * -side.signum()
        } else {
            Vector::ZERO
        };
        (distance - self.radius, away)
    }

    /// How many walls the shape has: a closed shape is one, of an open one each edge is.
    pub(crate) fn wall_count(&self) -> usize {
        if self.closed { 1 } else { self.edge_count() }
    }

    /// The [`distance`](Self::distance) from `point` to one of its walls. Who is just on a line leaves it to the left; only at
    /// a single point there is no direction.
    pub(crate) fn distance_to_wall(&self, wall: usize, point: Vector) -> (f32, Vector) {
        if self.closed {
            let (distance, away) = self.distance(point);
            let flat = away == Vector::ZERO;
            return (distance, if flat { self.edges().next().map_or(away, left_of) } else { away });
        }
        let (start, end) = self.edge(wall);
        let from_edge = point - nearest_on_segment(point, start, end);
        let away = if is_rounding(from_edge, point) { left_of((start, end)) } else { normalize(from_edge) };
        (from_edge.length() - self.radius, away)
    }

    /// The same as [`cast_distance`](Self::cast_distance) for one of its walls.
    pub(crate) fn cast_distance_to_wall(
        &self,
        wall: usize,
        from: Vector,
        direction: Vector,
        body_radius: f32,
    ) -> Option<f32> {
        if self.closed {
            return self.cast_distance(from, direction, body_radius);
        }
        let (distance, away) = self.distance_to_wall(wall, from);
        let (start, end) = self.edge(wall);
        if distance <= body_radius {
            (away.dot(direction) < 0.0).then_some(0.0)
        } else {
            cast_distance_to_segment(from, direction, start, end, self.radius + body_radius)
        }
    }

    /// How far a body of `body_radius` at `from` can move along the unit vector `direction` until it touches the shape;
    /// `None` if it never does. A body that touches it already cannot move toward it.
    pub fn cast_distance(&self, from: Vector, direction: Vector, body_radius: f32) -> Option<f32> {
        let (distance, away) = self.distance(from);
        if distance <= body_radius {
            return (away.dot(direction) < 0.0).then_some(0.0);
        }
        let radius = self.radius + body_radius;
        self.edges()
            .filter_map(|(start, end)| cast_distance_to_segment(from, direction, start, end, radius))
            .min_by(f32::total_cmp)
    }

    /// The unit vectors along which a body of `body_radius` at `from`, outside the shape and on its way along `direction`, just
    /// passes by: with the shape to its right, and with the shape to its left. Of walls that surround the body only the first
    /// in its way counts.
    pub fn tangents(&self, from: Vector, direction: Vector, body_radius: f32) -> [Vector; 2] {
        let radius = self.radius + body_radius;
        let all = tangent_angles(self.corners.iter().copied(), self.center, from, radius);
        let surrounded = !self.closed && all.1[0] - all.1[1] >= core::f32::consts::PI;
        let hit = self.edges().filter(|_| surrounded).filter_map(|(start, end)| {
            cast_distance_to_segment(from, direction, start, end, radius).map(|way| (way, [start, end]))
        });
        let first = hit.min_by(|(a, _), (b, _)| a.total_cmp(b));
        let (middle, angles) = first.map_or(all, |(_, [start, end])| {
            tangent_angles([start, end].into_iter(), 0.5 * (start + end), from, radius)
        });
        angles.map(|angle| math::unit_vector(angle).rotate(middle))
    }
}

/// The direction from `from` to `center`, and the angles from it between which the corners lie, with `radius` to spare: the largest and
/// the smallest.
fn tangent_angles(
    corners: impl Iterator<Item = Vector>,
    center: Vector,
    from: Vector,
    radius: f32,
) -> (Vector, [f32; 2]) {
    let middle = normalize(center - from);
    let widest = corners.fold([0.0_f32; 2], |widest, corner| {
        let to_corner = corner - from;
        let angle = ops::atan2(middle.perp_dot(to_corner), middle.dot(to_corner));
        let margin = ops::asin((radius / to_corner.length()).min(1.0));
        [widest[0].max(angle + margin), widest[1].min(angle - margin)]
    });
    (middle, widest)
}

/// The unit vector to the left of a line, zero for a point.
fn left_of((start, end): (Vector, Vector)) -> Vector {
    normalize(end - start).perp()
}

/// Whether a displacement from a line to `point` is no more than the last digits of where that is: its direction means nothing.
fn is_rounding(displacement: Vector, point: Vector) -> bool {
    const DIGITS: f32 = 1e-6;
    let rounding = (DIGITS * point.abs().max_element()).max(1e-15);
    displacement.abs().max_element() <= rounding
}

pub(crate) fn nearest_on_segment(point: Vector, start: Vector, end: Vector) -> Vector {
    let segment = end - start;
    let along = (point - start).dot(segment) / segment.length_squared().max(f32::MIN_POSITIVE);
    start + segment * along.clamp(0.0, 1.0)
}

/// How far it is from a point outside to what lies within `radius` of a segment.
pub(crate) fn cast_distance_to_segment(
    from: Vector,
    direction: Vector,
    start: Vector,
    end: Vector,
    radius: f32,
) -> Option<f32> {
    let ends = [start, end].into_iter().filter_map(|corner| {
        let to_corner = corner - from;
        let along = to_corner.dot(direction);
        let aside = direction.perp_dot(to_corner);
        let half_chord = (radius - aside) * (radius + aside);
        (along > 0.0 && half_chord >= 0.0).then(|| (along - ops::sqrt(half_chord)).max(0.0))
    });
    let along = normalize(end - start);
    // Coming from this side.
    let height = along.perp_dot(from - start);
    let sink = -along.perp_dot(direction) * height.signum();
    let flat = (sink > 0.0 && height.abs() >= radius)
        .then(|| (height.abs() - radius) / sink)
        .filter(|way| (0.0..=start.distance(end)).contains(&(from + direction * *way - start).dot(along)));
    ends.chain(flat).min_by(f32::total_cmp)
}

/// An obstacle as it is at the start of the tick.
#[derive(Clone, Debug)]
pub struct IndexedObstacle {
    /// Its entity.
    pub entity: Entity,
    /// Its shape in its place.
    pub shape: PlacedShape,
    /// Its velocity, units/s; zero without [`Velocity`].
    pub velocity: Vector,
    /// The layers it is in.
    pub layers: u32,
}

/// All obstacles, as they are at the start of the tick: what a behavior takes as its
/// [`Param`](crate::engine::behavior::SteeringBehavior::Param) to see them, as `Res<Obstacles>`.
#[derive(Resource, Debug, Default)]
pub struct Obstacles {
    /// By the x of their centers, and then by y.
    obstacles: Vec<IndexedObstacle>,
    /// The largest extent of any.
    widest: f32,
    rasters: Rasters,
}

impl Obstacles {
    /// Calls `visit` with every obstacle in any of the `layers` that may have a part within `reach` of the agent, units, and with
    /// where the agent is as seen from the obstacle: in a world that wraps, its nearest image. The order follows from where
    /// the obstacles are and from nothing else.
    pub fn for_each_near<'a>(
        &'a self,
        agent: &Agent,
        reach: f32,
        layers: u32,
        visit: impl FnMut(&'a IndexedObstacle, Vector),
    ) {
        self.for_each_around(agent.position, &agent.space, reach, layers, visit);
    }

    /// Whether it is known that no obstacle has a part within `reach` of a place.
    #[inline]
    pub(crate) fn is_clear(&self, position: Vector, reach: f32) -> bool {
        let known = |near: &[u32]| near.is_empty() & position.is_finite();
        self.obstacles.is_empty() || self.rasters.near(position, reach).is_some_and(known)
    }

    /// Whether [`for_each_near`](Self::for_each_near) may visit any: quick where there is none.
    #[inline]
    pub(crate) fn any_near(&self, agent: &Agent, reach: f32, layers: u32) -> bool {
        self.any_around(agent.position, agent.position, &agent.space, reach, layers)
    }

    /// Whether any obstacle in any of the `layers` may have a part within `reach` of what is between two corners.
    #[inline]
    pub(crate) fn any_around(&self, low: Vector, high: Vector, space: &Space, reach: f32, layers: u32) -> bool {
        let (low, high) = (low - reach, high + reach);
        let near = |obstacle: &IndexedObstacle| obstacle.layers & layers != 0 && obstacle.shape.touches(low, high);
        if space.wraps() {
            return !self.obstacles.is_empty();
        }
        let start = self.obstacles.partition_point(|obstacle| obstacle.shape.center.x < low.x - self.widest);
        let within =
            self.obstacles[start..].iter().take_while(|obstacle| obstacle.shape.center.x <= high.x + self.widest);
        within.into_iter().any(near)
    }

    /// The same for any place.
    pub(crate) fn for_each_around<'a>(
        &'a self,
        position: Vector,
        space: &Space,
        reach: f32,
        layers: u32,
        mut visit: impl FnMut(&'a IndexedObstacle, Vector),
    ) {
        let around = Vector::splat(reach);
        let mut visit_if_near = |obstacle: &'a IndexedObstacle| {
            let to_center = space.displacement(position, obstacle.shape.center);
            let reach = reach + obstacle.shape.extent;
            let position = obstacle.shape.center - to_center;
            if obstacle.layers & layers != 0
                && to_center.length_squared() <= reach * reach
                && obstacle.shape.touches(position - around, position + around)
            {
                visit(obstacle, position);
            }
        };
        if let Some(near) = self.rasters.near(position, reach) {
            near.iter().for_each(|place| visit_if_near(&self.obstacles[*place as usize]));
            return;
        }
        let reach = reach + self.widest;
        for run in self.runs(position.x - reach, position.x + reach, space) {
            self.obstacles[run].iter().for_each(&mut visit_if_near);
        }
    }

    /// Where in the index those are whose center is between two x, the short way round in a world that wraps, in ascending order.
    fn runs(&self, low: f32, high: f32, space: &Space) -> [Range<usize>; 2] {
        let count = self.obstacles.len();
        let before = |x: f32| self.obstacles.partition_point(|obstacle| obstacle.shape.center.x < x);
        let up_to = |x: f32| self.obstacles.partition_point(|obstacle| obstacle.shape.center.x <= x);
        let nobody = 0..0;
        let lap = space.size.x;
        if lap == 0.0 {
            return [before(low)..up_to(high), nobody];
        }
        let (start, end) = (space.min.x, space.min.x + lap);
        // What rounding takes.
        let slack = f32::EPSILON * (start.abs() + 4.0 * lap);
        let (low, high) = (low - slack, high + slack);
        let outside = |obstacle: Option<&IndexedObstacle>| {
            obstacle.is_some_and(|obstacle| !(start..=end).contains(&obstacle.shape.center.x))
        };
        let all_inside = !outside(self.obstacles.first()) && !outside(self.obstacles.last());
        if !(all_inside && high - low < lap && low < end && high > start) {
            [0..count, nobody]
        } else if low < start {
            [0..up_to(high), before(low + lap)..count]
        } else if high > end {
            [0..up_to(high - lap), before(low)..count]
        } else {
            [before(low)..up_to(high), nobody]
        }
    }
}

impl Obstacles {
    fn sort(&mut self) {
        self.obstacles.sort_unstable_by(IndexedObstacle::order);
        self.widest = self.obstacles.iter().map(|obstacle| obstacle.shape.extent).fold(0.0, f32::max);
    }
}

/// Brings the index up to date with what has changed since the last tick.
pub(crate) fn index_obstacles(
    mut index: ResMut<Obstacles>,
    obstacles: Query<(Entity, &Obstacle, &Transform, Option<&Velocity>)>,
    changed: Query<Entity, (With<Obstacle>, Or<(Changed<Obstacle>, Changed<Transform>, Changed<Velocity>)>)>,
    tick: TickParam,
    mut stale: Local<EntityHashSet>,
) {
    // What is gone is looked for and not waited to be told of: between two ticks there may be any number of frames.
    let is_outdated = |obstacle: &IndexedObstacle| match obstacles.get(obstacle.entity) {
        Ok((.., velocity)) => velocity.is_none() && obstacle.velocity != Vector::ZERO,
        Err(_) => true,
    };
    let outdated = index.obstacles.iter().filter(|obstacle| is_outdated(obstacle)).map(|obstacle| obstacle.entity);
    stale.clear();
    stale.extend(changed.iter().chain(outdated));
    let Obstacles { obstacles: indexed, rasters, .. } = &mut *index;
    if stale.is_empty() {
        rasters.build(indexed, tick.space());
        return;
    }
    rasters.forget();
    let placed = |entity: Entity, corners: Vec<Vector>| {
        let (entity, obstacle, transform, velocity) = obstacles.get(entity).ok()?;
        let shape = obstacle.shape.placed_with(corners, transform);
        let velocity = velocity.map_or(Vector::ZERO, |velocity| math::finite_or_zero(velocity.0));
        (shape.center.is_finite() && shape.extent.is_finite()).then_some(IndexedObstacle {
            entity,
            shape,
            velocity,
            layers: obstacle.layers,
        })
    };
    // What only moved keeps its memory.
    index.obstacles.retain_mut(|known| {
        if !stale.remove(&known.entity) {
            return true;
        }
        let anew = placed(known.entity, mem::take(&mut known.shape.corners));
        anew.map(|anew| *known = anew).is_some()
    });
    index.obstacles.extend(stale.iter().filter_map(|entity| placed(*entity, Vec::new())));
    index.sort();
}

impl IndexedObstacle {
    /// An order that follows from what the obstacles are, and from nothing else.
    fn order(&self, other: &Self) -> Ordering {
        fn numbers(obstacle: &IndexedObstacle) -> impl Iterator<Item = f32> + '_ {
            let IndexedObstacle { shape, velocity, .. } = obstacle;
            let corners = shape.corners.iter().flat_map(|corner| corner.to_array());
            let rest = [shape.radius, f32::from(u8::from(shape.closed)), velocity.x, velocity.y];
            [shape.center.x, shape.center.y, shape.extent].into_iter().chain(corners).chain(rest)
        }
        let by_number = numbers(self).zip(numbers(other)).map(|(a, b)| a.total_cmp(&b));
        by_number.fold(Ordering::Equal, Ordering::then).then(self.layers.cmp(&other.layers))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::unit_vector;

    fn shapes() -> Vec<ObstacleShape> {
        let polygon = ConvexPolygon::new([Vec2::new(-9.0, -4.0), Vec2::new(11.0, -6.0), Vec2::new(3.0, 12.0)]);
        alloc::vec![
            Circle::new(7.0).into(),
            Rectangle::new(20.0, 8.0).into(),
            Capsule2d::new(3.0, 16.0).into(),
            Segment2d::new(Vec2::new(-5.0, 2.0), Vec2::new(9.0, -3.0)).into(),
            polygon.expect("it is convex").into(),
            Polyline2d::new([Vec2::new(-9.0, 0.0), Vec2::ZERO, Vec2::new(4.0, 9.0)]).into(),
        ]
    }

    fn placements() -> impl Iterator<Item = PlacedShape> {
        let turns = (0..5_u8).map(f32::from);
        turns.flat_map(|turn| {
            let transform = Transform::from_xyz(30.0 * turn, -7.0, 1.0).with_rotation(Quat::from_rotation_z(turn));
            shapes().into_iter().map(move |shape| shape.placed(&transform))
        })
    }

    #[test]
    fn the_distance_grows_by_one_along_its_direction() {
        for shape in placements() {
            for k in 0..200_u16 {
                let point = shape.center + unit_vector(f32::from(k)) * (f32::from(k) * 0.15 + 0.1);
                let (distance, away) = shape.distance(point);
                assert!((shape.distance(point - away * 1e-2).0 - (distance - 1e-2)).abs() < 2e-3 || distance < 0.02);
                assert!(distance >= point.distance(shape.center) - shape.extent - 1e-3, "beyond its extent");
            }
        }
    }

    #[test]
    fn a_body_that_has_gone_its_way_just_touches() {
        let mut hits = 0;
        for shape in placements() {
            for k in 0..300_u16 {
                let from = shape.center + unit_vector(f32::from(k)) * 40.0;
                let direction = -unit_vector(f32::from(k) + 0.002 * (f32::from(k) - 150.0));
                let body = f32::from(k % 4);
                let samples = (0..800_u16).map(|step| from + direction * (f32::from(step) * 0.1));
                let nearest = samples.map(|point| shape.distance(point).0 - body).fold(f32::INFINITY, f32::min);
                match shape.cast_distance(from, direction, body) {
                    Some(way) => {
                        hits += 1;
                        assert!((shape.distance(from + direction * way).0 - body).abs() < 1e-3, "{shape:?}");
                        let before = (0..100_u8).map(|step| from + direction * (way * f32::from(step) / 100.0));
                        assert!(before.into_iter().all(|point| shape.distance(point).0 > body - 1e-3), "{shape:?}");
                    }
                    None => assert!(nearest > -1e-3, "missed {shape:?} from {from} along {direction}: {nearest}"),
                }
            }
        }
        assert!(hits > 3000, "{hits}");
    }

    #[test]
    fn shapes_without_extent_are_no_trouble() {
        for shape in [
            ObstacleShape::from(Polyline2d::new([])),
            Polyline2d::new([Vec2::ONE]).into(),
            Circle::new(-1.0).into(),
            Segment2d::new(Vec2::ONE, Vec2::ONE).into(),
        ] {
            let placed = shape.placed(&Transform::default());
            let (distance, away) = placed.distance(Vec2::ONE);
            assert!(!distance.is_nan() && away.is_finite());
            assert!(placed.cast_distance(Vec2::new(9.0, 1.0), Vec2::NEG_X, 1.0).is_none_or(f32::is_finite));
        }
    }
}
