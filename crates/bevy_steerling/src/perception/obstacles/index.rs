//! The index of all obstacles, and the searches in it.

use alloc::vec::Vec;
use core::mem;
use core::ops::Range;

use bevy::ecs::entity::{EntityHashMap, EntityHashSet};
use bevy::prelude::*;

use crate::agent::{Agent, GroupMask, Velocity};
use crate::math::space::{Space, SteeringBounds};
use crate::math::{self, Placement, Vector};
use crate::perception::obstacles::component::Obstacle;
use crate::perception::obstacles::indexed::{IndexedObstacle, Rest, TurnRate};
use crate::perception::obstacles::raster::Rasters;
use crate::perception::obstacles::shapes::PlacedShape;
use crate::perception::obstacles::view::ObstacleView;
use crate::tick::TickParam;

/// A spatial index of all obstacles at the start of the tick. Behaviors read it as `Res<Obstacles>` in their
/// [`Param`](crate::engine::behavior::SteeringBehavior::Param).
#[derive(Resource, Debug, Default)]
pub struct Obstacles {
    /// Ordered by the x of their centers, and then by y. Unbounded obstacles come last.
    pub(super) obstacles: Vec<IndexedObstacle>,
    /// The number of bounded obstacles.
    bounded: usize,
    /// The largest extent of a bounded obstacle, units.
    pub(super) widest: f32,
    pub(super) rasters: Rasters,
    /// How distances are measured between the obstacles.
    pub(in crate::perception) space: Space,
    /// The plane in which the shapes lie.
    plane: Placement,
    /// Increases when the static obstacles change.
    pub(in crate::perception) version: u64,
}

impl Obstacles {
    /// Creates an index of static obstacles before they are spawned, or without an app, for a
    /// [`FlowField`](crate::perception::flow_field::FlowField).
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_steerling::prelude::*;
    /// let wall = (Obstacle::new(Rectangle::new(20.0, 300.0)), Transform::default());
    /// let obstacles = Obstacles::standing_at([wall], &SteeringBounds::default(), SteeringPlane::XY);
    /// let field = FlowField::toward([Vec2::new(200.0, 0.0)], &obstacles, 5.0, 8.0)?;
    /// assert!(field.distance(Vec2::new(-200.0, 0.0)).is_some_and(|way| way > 500.0));
    /// # Ok::<(), bevy_steerling::perception::flow_field::FlowFieldError>(())
    /// ```
    #[cfg(not(dim3))]
    pub fn standing_at(
        obstacles: impl IntoIterator<Item = (Obstacle, Transform)>,
        bounds: &SteeringBounds,
        plane: Placement,
    ) -> Self {
        Self::standing_in(plane, obstacles, bounds)
    }

    /// Creates an index of static obstacles before they are spawned, or without an app, for a
    /// [`FlowField`](crate::perception::flow_field::FlowField).
    #[cfg(dim3)]
    pub fn standing_at(obstacles: impl IntoIterator<Item = (Obstacle, Transform)>, bounds: &SteeringBounds) -> Self {
        Self::standing_in(Placement::USUAL, obstacles, bounds)
    }

    fn standing_in(
        plane: Placement,
        obstacles: impl IntoIterator<Item = (Obstacle, Transform)>,
        bounds: &SteeringBounds,
    ) -> Self {
        let indexed = obstacles.into_iter().map(|(obstacle, transform)| IndexedObstacle {
            entity: Entity::PLACEHOLDER,
            shape: obstacle.shape.placed_with(PlacedShape::default(), &transform, plane),
            height: plane.height(transform.translation),
            velocity: Vector::ZERO,
            turn_rate: TurnRate::default(),
            origin: plane.position(&transform),
            layers: obstacle.layers,
            rest: Rest::Standing,
        });
        let obstacles = indexed.filter(|obstacle| obstacle.shape.is_somewhere()).collect();
        let mut index = Self { obstacles, space: bounds.space(), plane, ..Self::default() };
        index.sort();
        index
    }

    /// Calls `visit` with each obstacle in any of the `layers` that may have a part within `reach` of the agent, units, and with the
    /// position of the agent relative to the obstacle. In a world that wraps, this is the position of the agent's image nearest to the
    /// obstacle. An obstacle that is within reach in several directions is visited once for each of them. The order depends only on the
    /// positions of the obstacles.
    pub fn for_each_near<'a>(
        &'a self,
        agent: &Agent,
        reach: f32,
        layers: GroupMask,
        visit: impl FnMut(&'a IndexedObstacle, Vector),
    ) {
        self.for_each_around(agent.position, reach, &ObstacleView::of(agent, layers), visit);
    }

    /// Whether there are no obstacles.
    pub(crate) fn is_empty(&self) -> bool {
        self.obstacles.is_empty()
    }

    /// Whether there is certainly no obstacle within `reach` of a position. It may return `false` even if there is none.
    #[inline]
    pub(crate) fn is_clear(&self, position: Vector, reach: f32) -> bool {
        let known = |near: &[u32]| near.is_empty() & position.is_finite();
        let (bounded, boundless) = self.obstacles.split_at(self.bounded);
        boundless.is_empty() && (bounded.is_empty() || self.rasters.near(position, reach).is_some_and(known))
    }

    /// Whether [`for_each_near`](Self::for_each_near) may visit an obstacle. This is fast if there is none.
    #[inline]
    pub(crate) fn any_near(&self, agent: &Agent, reach: f32, layers: GroupMask) -> bool {
        self.any_around(agent.position, agent.position, reach, &ObstacleView::of(agent, layers))
    }

    /// Whether an agent considers an obstacle.
    #[inline(always)]
    fn is_minded(&self, obstacle: &IndexedObstacle, view: &ObstacleView) -> bool {
        obstacle.layers.intersects(view.layers) && self.plane.on_one_floor(obstacle.height, view.height)
    }

    /// Whether any obstacle that an agent considers may have a part within `reach` of the box between two corners.
    #[inline]
    pub(crate) fn any_around(&self, low: Vector, high: Vector, reach: f32, view: &ObstacleView) -> bool {
        let (low, high) = (low - reach, high + reach);
        let near = |obstacle: &IndexedObstacle| self.is_minded(obstacle, view) && obstacle.shape.touches(low, high);
        if view.space.wraps() {
            return !self.obstacles.is_empty();
        }
        let (bounded, boundless) = self.obstacles.split_at(self.bounded);
        let start = bounded.partition_point(|obstacle| obstacle.shape.center.x < low.x - self.widest);
        let mut within = bounded[start..].iter().take_while(|obstacle| obstacle.shape.center.x <= high.x + self.widest);
        within.any(near) || boundless.iter().any(near)
    }

    /// [`for_each_near`](Self::for_each_near) for a position.
    pub(crate) fn for_each_around<'a>(
        &'a self,
        position: Vector,
        reach: f32,
        view: &ObstacleView,
        mut visit: impl FnMut(&'a IndexedObstacle, Vector),
    ) {
        if self.obstacles.is_empty() {
            return;
        }
        let around = Vector::splat(reach);
        let mut visit_if_near = |obstacle: &'a IndexedObstacle| {
            let reach = reach + obstacle.shape.extent;
            for_each_image(&obstacle.shape, position, &view.space, reach, |to_center| {
                let position = obstacle.shape.center - to_center;
                if to_center.length_squared() <= reach * reach
                    && obstacle.shape.touches(position - around, position + around)
                    && self.is_minded(obstacle, view)
                {
                    visit(obstacle, position);
                }
            });
        };
        if let Some(near) = self.rasters.near(position, reach) {
            near.iter().for_each(|place| visit_if_near(&self.obstacles[*place as usize]));
        } else {
            let reach = reach + self.widest;
            for run in self.runs(position.x - reach, position.x + reach, &view.space) {
                self.obstacles[run].iter().for_each(&mut visit_if_near);
            }
        }
        self.obstacles[self.bounded..].iter().for_each(visit_if_near);
    }

    /// Calls `visit` with each obstacle in view that may have a part within `reach` of the straight way from a position, and with the
    /// position relative to it. In a world that wraps, this is the position's image whose way passes the obstacle most closely.
    pub(crate) fn for_each_along<'a>(
        &'a self,
        from: Vector,
        way: Vector,
        reach: f32,
        view: &ObstacleView,
        mut visit: impl FnMut(&'a IndexedObstacle, Vector),
    ) {
        let middle = from + 0.5 * way;
        let around = 0.5 * way.abs() + reach;
        let across = around.x + self.widest;
        let [one, other] = self.runs(middle.x - across, middle.x + across, &view.space);
        for run in [one, other, self.bounded..self.obstacles.len()] {
            for obstacle in &self.obstacles[run] {
                let reach = around.length() + obstacle.shape.extent;
                for_each_image(&obstacle.shape, middle, &view.space, reach, |to_center| {
                    let image = obstacle.shape.center - to_center;
                    if self.is_minded(obstacle, view) && obstacle.shape.touches(image - around, image + around) {
                        visit(obstacle, image - 0.5 * way);
                    }
                });
            }
        }
    }

    /// The part of a straight way that a body of this radius can move without touching a static obstacle in view, units.
    pub(crate) fn free_way(&self, from: Vector, way: Vector, radius: f32, view: &ObstacleView) -> f32 {
        if self.obstacles.is_empty() {
            return way.length();
        }
        let (direction, mut free) = (math::normalize(way), way.length());
        self.for_each_along(from, way, radius, view, |obstacle, from| {
            if obstacle.stands()
                && let Some(distance) = obstacle.shape.cast_distance(from, direction, radius)
            {
                free = free.min(distance);
            }
        });
        free
    }

    /// The ranges of bounded obstacles whose centers are between two x coordinates, in ascending order. In a world that wraps, they extend
    /// across the edges.
    fn runs(&self, low: f32, high: f32, space: &Space) -> [Range<usize>; 2] {
        let (obstacles, count) = (&self.obstacles[..self.bounded], self.bounded);
        let before = |x: f32| obstacles.partition_point(|obstacle| obstacle.shape.center.x < x);
        let up_to = |x: f32| obstacles.partition_point(|obstacle| obstacle.shape.center.x <= x);
        let nobody = 0..0;
        if low > high {
            return [nobody.clone(), nobody];
        }
        let lap = space.size.x;
        if lap == 0.0 {
            return [before(low)..up_to(high), nobody];
        }
        let (start, end) = (space.min.x, space.min.x + lap);
        // A margin for rounding.
        let slack = f32::EPSILON * (start.abs() + 4.0 * lap);
        let (low, high) = (low - slack, high + slack);
        let outside = |obstacle: Option<&IndexedObstacle>| {
            obstacle.is_some_and(|obstacle| !(start..=end).contains(&obstacle.shape.center.x))
        };
        let all_inside = !outside(obstacles.first()) && !outside(obstacles.last());
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
    /// The plane in which the shapes lie.
    pub(in crate::perception) fn plane(&self) -> &Placement {
        &self.plane
    }

    /// The static obstacles in any of the `layers`.
    pub(in crate::perception) fn standing(&self, layers: GroupMask) -> impl Iterator<Item = &IndexedObstacle> {
        self.obstacles.iter().filter(move |obstacle| obstacle.stands() && obstacle.layers.intersects(layers))
    }

    /// Updates the `stale` obstacles. Obstacles without a finite position are moved to `nowhere`.
    fn update(
        &mut self,
        stale: &mut EntityHashSet,
        nowhere: &mut EntityHashSet,
        placed: impl Fn(Entity, PlacedShape) -> Option<IndexedObstacle>,
    ) {
        if stale.is_empty() {
            return;
        }
        nowhere.retain(|entity| !stale.contains(entity));
        let mut is_somewhere = |obstacle: &IndexedObstacle| {
            let is_somewhere = obstacle.shape.is_somewhere();
            if !is_somewhere {
                nowhere.insert(obstacle.entity);
            }
            is_somewhere
        };
        let mut standing_changed = false;
        // An obstacle that only moved keeps its allocation.
        self.obstacles.retain_mut(|known| {
            if !stale.remove(&known.entity) {
                return true;
            }
            let (stood, rest, pose) = (known.stands(), known.rest, known.shape.pose());
            let anew = placed(known.entity, mem::take(&mut known.shape)).filter(&mut is_somewhere);
            let is_there = anew.is_some();
            if let Some(anew) = anew {
                let rest = if anew.shape.pose() == pose { rest } else { Rest::Moved };
                *known = IndexedObstacle { rest, ..anew };
            }
            standing_changed |= stood || (is_there && known.stands());
            is_there
        });
        let added = stale.drain().filter_map(|entity| placed(entity, PlacedShape::default()).filter(&mut is_somewhere));
        let known = self.obstacles.len();
        self.obstacles.extend(added);
        standing_changed |= self.obstacles[known..].iter().any(IndexedObstacle::stands);
        self.version += u64::from(standing_changed);
        self.sort();
    }

    /// Obstacles that have not moved in this tick become static.
    fn settle(&mut self) {
        let mut settled = false;
        for obstacle in self.obstacles.iter_mut().filter(|obstacle| obstacle.rest == Rest::Settling) {
            obstacle.rest = Rest::Standing;
            settled = true;
        }
        self.version += u64::from(settled);
    }

    pub(super) fn sort(&mut self) {
        self.obstacles.sort_unstable_by(IndexedObstacle::order);
        self.bounded = self.obstacles.partition_point(|obstacle| !obstacle.shape.is_boundless());
        let bounded = &self.obstacles[..self.bounded];
        self.widest = bounded.iter().map(|obstacle| obstacle.shape.extent).fold(0.0, f32::max);
    }
}

/// Updates the index with the changes since the last tick.
pub(crate) fn index_obstacles(
    mut index: ResMut<Obstacles>,
    obstacles: ObstacleQuery,
    changed: Query<Entity, (With<Obstacle>, Or<(Changed<Obstacle>, Changed<Transform>, Changed<Velocity>)>)>,
    children: ObstacleChildren,
    hierarchy: TransformHelper,
    tick: TickParam,
    mut stale: Local<EntityHashSet>,
    mut globals: Local<EntityHashMap<GlobalTransform>>,
    mut nowhere: Local<EntityHashSet>,
) {
    stale.clear();
    // Any number of frames may lie between two ticks, so removals are found by comparing.
    stale.extend(index.obstacles.iter().filter(|known| is_outdated(known, &obstacles)).map(|known| known.entity));
    nowhere.retain(|entity| obstacles.contains(*entity));
    stale.extend(changed.iter());
    let plane = tick.plane();
    if !index.plane.has_axes_of(&plane) {
        // None of them has moved.
        index.obstacles.clear();
        index.version += 1;
        stale.extend(obstacles.iter().map(|obstacle| obstacle.0));
    }
    index.plane = plane;
    follow_parents(&mut globals, &children, &hierarchy, &mut stale);
    let placed = |entity: Entity, memory: PlacedShape| {
        let (_, obstacle, transform, velocity, is_child) = obstacles.get(entity).ok()?;
        let global = globals.get(&entity).filter(|_| is_child).map(GlobalTransform::compute_transform);
        let transform = global.as_ref().unwrap_or(transform);
        let shape = obstacle.shape.placed_with(memory, transform, plane);
        let height = plane.height(transform.translation);
        let velocity = velocity.map_or(Vector::ZERO, |velocity| math::finite_or_zero(velocity.0));
        let turns = obstacle.turn_rate.is_finite() && !shape.is_round();
        let turn_rate = if turns { obstacle.turn_rate } else { TurnRate::default() };
        let (origin, layers) = (plane.position(transform), obstacle.layers);
        Some(IndexedObstacle { entity, shape, height, velocity, turn_rate, origin, layers, rest: Rest::Standing })
    };
    for obstacle in index.obstacles.iter_mut().filter(|obstacle| obstacle.rest == Rest::Moved) {
        obstacle.rest = Rest::Settling;
    }
    let mut changes = !stale.is_empty();
    index.update(&mut stale, &mut nowhere, placed);
    if index.obstacles.len() + nowhere.len() != obstacles.iter().len() {
        // An obstacle that is enabled again does not count as changed.
        let known: EntityHashSet =
            index.obstacles.iter().map(|known| known.entity).chain(nowhere.iter().copied()).collect();
        stale.extend(obstacles.iter().map(|obstacle| obstacle.0).filter(|entity| !known.contains(entity)));
        index.update(&mut stale, &mut nowhere, placed);
        changes = true;
    }
    index.version += u64::from(index.space != tick.space());
    index.space = tick.space();
    index.settle();
    let Obstacles { obstacles: indexed, bounded, rasters, .. } = &mut *index;
    if changes {
        rasters.forget();
    } else {
        rasters.build(&indexed[..*bounded], tick.space());
    }
}

/// The displacement from a position to the center of a shape. In a world that wraps, it leads to the nearest image of a bounded shape.
fn to_center(shape: &PlacedShape, position: Vector, space: &Space) -> Vector {
    if shape.is_boundless() { shape.center - position } else { space.displacement(position, shape.center) }
}

/// Calls `visit` with the displacement from a position to the center of a shape and, in a world that wraps, to the centers of its other
/// images within `reach`.
#[inline(always)]
fn for_each_image(shape: &PlacedShape, position: Vector, space: &Space, reach: f32, mut visit: impl FnMut(Vector)) {
    let nearest = to_center(shape, position, space);
    visit(nearest);
    if space.wraps() && !shape.is_boundless() {
        let (low, high) = shape.bounds();
        space.for_each_farther_image(nearest, high - low, reach, visit);
    }
}

type ObstacleChildren<'w, 's> = Query<'w, 's, Entity, (With<Obstacle>, With<ChildOf>)>;

/// Finds obstacles that moved with their parents, or were attached to or detached from them.
fn follow_parents(
    globals: &mut EntityHashMap<GlobalTransform>,
    children: &ObstacleChildren,
    hierarchy: &TransformHelper,
    stale: &mut EntityHashSet,
) {
    globals.retain(|entity, _| {
        let is_child = children.contains(*entity);
        if !is_child {
            stale.insert(*entity);
        }
        is_child
    });
    for child in children {
        let global = hierarchy.compute_global_transform(child).unwrap_or(GlobalTransform::from_xyz(f32::NAN, 0.0, 0.0));
        if globals.insert(child, global) != Some(global) {
            stale.insert(child);
        }
    }
}

type ObstacleQuery<'w, 's> =
    Query<'w, 's, (Entity, &'static Obstacle, &'static Transform, Option<&'static Velocity>, Has<ChildOf>)>;

/// Whether an obstacle in the index no longer exists or has lost its velocity.
fn is_outdated(known: &IndexedObstacle, obstacles: &ObstacleQuery) -> bool {
    match obstacles.get(known.entity) {
        Ok((_, _, _, velocity, _)) => velocity.is_none() && known.velocity != Vector::ZERO,
        Err(_) => true,
    }
}
