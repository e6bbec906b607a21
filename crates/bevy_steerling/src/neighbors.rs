//! Who is near: an index of all agents, rebuilt each tick when a behavior looks around.

use alloc::vec::Vec;
use core::ops::RangeInclusive;

use bevy::prelude::*;

use crate::agent::{SteeringAgent, SteeringForce, SteeringGroups, SteeringId, Velocity};
use crate::behavior::{Agent, TickParam};
use crate::behaviors::queue::{Queue, QueueStyle};
use crate::bounds::Space;
use crate::math::{self, Vector, normalize, unit_vector};
use crate::random::{angle_from, mix};

/// Another agent, as it was at the start of the tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbor {
    /// Its entity.
    pub entity: Entity,
    /// Its number.
    pub id: SteeringId,
    /// Position, units. In a world that wraps, within the area.
    pub position: Vector,
    /// Velocity, units per second.
    pub velocity: Vector,
    /// Radius of the body, units, ≥ 0.
    pub radius: f32,
    /// The groups it belongs to, a bit for each: see [`SteeringGroups`].
    pub groups: u32,
    /// The way its behaviors want to go, a unit vector; zero until the behaviors that are not restrained have run.
    pub(crate) heading: Vector,
    /// Its place in line, if it keeps one: [`Queue::place`].
    pub(crate) place: Option<f32>,
}

/// All agents by place: what a behavior that looks around takes as its
/// [`Param`](crate::behavior::SteeringBehavior::Param), as `Res<Neighbors>`.
///
/// A behavior that uses it also says how far it looks, with
/// [`sight`](crate::behavior::SteeringBehavior::sight). Agents at a place that is not finite are not in it.
///
/// # Example
///
/// An agent that slows down in a crowd:
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// #[derive(Component)]
/// #[require(SteeringAgent)]
/// struct Shy { radius: f32 }
///
/// impl SteeringBehavior for Shy {
///     type Param = Res<'static, Neighbors>;
///
///     fn steer(&mut self, agent: &Agent, neighbors: &SystemParamItem<Self::Param>) -> Vec2 {
///         let mut crowd = 0.0;
///         neighbors.for_each_within(agent, self.radius, |_, _| crowd += 1.0);
///         agent.velocity * -crowd
///     }
///
///     fn sight(&self, _: &SteeringAgent) -> f32 {
///         self.radius
///     }
/// }
/// ```
#[derive(Resource, Debug, Default)]
pub struct Neighbors {
    /// Ordered by cell, row by row, and within a cell by number: so that the order in which neighbors are visited follows
    /// from where everyone is and from nothing else.
    agents: Vec<(Cell, Neighbor)>,
    space: Space,
    /// Length of a cell's sides: the farthest look of any behavior.
    cell_size: f32,
    /// The radius of the largest body.
    largest_radius: f32,
}

/// The row and column of a cell. Places too far out for the numbers share the outermost cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Cell {
    row: i32,
    column: i32,
}

impl Neighbors {
    /// Calls `visit` with every other agent whose center is at most `radius` from `agent`'s, and the displacement to it:
    /// in a wrapping world the shortest one. Within a negative radius there is nobody.
    ///
    /// The order follows from the agents' places and numbers, so sums over it are the same whatever the order of
    /// spawning.
    pub fn for_each_within(&self, agent: &Agent, radius: f32, mut visit: impl FnMut(&Neighbor, Vector)) {
        if self.agents.is_empty() || !agent.position.is_finite() || radius.is_nan() || radius < 0.0 {
            return;
        }
        let position = self.space.wrap(agent.position);
        let mut visit_if_near = |neighbor: &Neighbor| {
            let displacement = self.space.displacement(position, neighbor.position);
            if displacement.length_squared() <= radius * radius && neighbor.entity != agent.entity {
                visit(neighbor, displacement);
            }
        };

        let rows = self.cells_across(position.y, radius, self.space.min.y, self.space.size.y);
        let columns = self.cells_across(position.x, radius, self.space.min.x, self.space.size.x);
        let row_count: i64 = rows.iter().map(|rows| i64::from(*rows.end()) - i64::from(*rows.start()) + 1).sum();
        if row_count > self.agents.len() as i64 {
            // A look much farther than the index was built for.
            self.agents.iter().for_each(|(_, neighbor)| visit_if_near(neighbor));
            return;
        }
        for row in rows.into_iter().flatten() {
            for columns in &columns {
                self.agents_between(Cell { row, column: *columns.start() }, Cell { row, column: *columns.end() })
                    .for_each(&mut visit_if_near);
            }
        }
    }

    /// The nearest other agent that belongs to one of these groups, a bit for each, and whose center is at most `radius` away, with
    /// the displacement to it. Of several at the same distance, the one with the smallest number.
    pub fn nearest_of(&self, agent: &Agent, radius: f32, groups: u32) -> Option<(Neighbor, Vector)> {
        let mut nearest: Option<(f32, Neighbor, Vector)> = None;
        self.for_each_within(agent, radius, |neighbor, displacement| {
            let squared = displacement.length_squared();
            let before = nearest.as_ref().map(|(least, nearest, _)| (*least, nearest.id));
            if neighbor.groups & groups != 0 && before.is_none_or(|before| (squared, neighbor.id) < before) {
                nearest = Some((squared, *neighbor, displacement));
            }
        });
        nearest.map(|(_, neighbor, displacement)| (neighbor, displacement))
    }

    /// The radius of the largest body, units.
    pub(crate) fn largest_radius(&self) -> f32 {
        self.largest_radius
    }

    fn agents_between(&self, first: Cell, last: Cell) -> impl Iterator<Item = &Neighbor> {
        let start = self.agents.partition_point(|(cell, _)| *cell < first);
        self.agents[start..].iter().take_while(move |(cell, _)| *cell <= last).map(|(_, neighbor)| neighbor)
    }

    /// The cells along one axis that reach within `radius` of `x`: two ranges where the look crosses the seam of an axis
    /// that wraps (one that starts at `min` and has a `size`), else one and an empty one.
    fn cells_across(&self, x: f32, radius: f32, min: f32, size: f32) -> [RangeInclusive<i32>; 2] {
        const NONE: RangeInclusive<i32> = RangeInclusive::new(1, 0);
        // A little more, so that rounding loses nobody at the rim.
        let radius = radius + (radius + x.abs() + min.abs() + size) * 1e-6;
        let (low, high, max) = (x - radius, x + radius, min + size);
        let cells = |low, high| self.cell_index(low)..=self.cell_index(high);
        if size == 0.0 {
            return [cells(low, high), NONE];
        }
        let (near_min, near_max) = if low < min {
            (cells(min, high), cells(low + size, max))
        } else if high > max {
            (cells(min, high - size), cells(low, max))
        } else {
            return [cells(low, high), NONE];
        };
        if near_min.end() < near_max.start() { [near_min, near_max] } else { [cells(min, max), NONE] }
    }

    fn cell_index(&self, x: f32) -> i32 {
        // The cast saturates.
        ops::floor(x / self.cell_size) as i32
    }

    fn cell(&self, position: Vector) -> Cell {
        Cell { row: self.cell_index(position.y), column: self.cell_index(position.x) }
    }

    /// Makes the index, once rebuilt, suit a look this far.
    pub(crate) fn widen(&mut self, sight: f32) {
        self.cell_size = self.cell_size.max(sight);
    }

    fn rebuild(&mut self, space: Space, agents: impl Iterator<Item = Neighbor>) {
        self.space = space;
        let mut indexed = core::mem::take(&mut self.agents);
        indexed.clear();
        if self.cell_size > 0.0 {
            indexed.extend(agents.filter(|agent| agent.position.is_finite()).map(|agent| {
                let position = space.wrap(agent.position);
                (self.cell(position), Neighbor { position, ..agent })
            }));
            indexed.sort_unstable_by_key(|(cell, agent)| (*cell, agent.id));
        }
        self.largest_radius = indexed.iter().map(|(_, agent)| agent.radius).fold(0.0, f32::max);
        self.agents = indexed;
    }
}

pub(crate) fn forget_sight(mut neighbors: ResMut<Neighbors>) {
    neighbors.cell_size = 0.0;
}

pub(crate) fn index_neighbors(
    agents: Query<(Entity, &SteeringId, &Transform, &Velocity, &SteeringAgent, Option<&SteeringGroups>)>,
    mut neighbors: ResMut<Neighbors>,
    tick: TickParam,
) {
    neighbors.rebuild(
        tick.space(),
        agents.iter().map(|(entity, id, transform, velocity, agent, groups)| Neighbor {
            entity,
            id: *id,
            position: math::position(transform),
            velocity: velocity.0,
            radius: agent.radius.max(0.0),
            groups: groups.copied().unwrap_or_default().0,
            heading: Vector::ZERO,
            place: None,
        }),
    );
}

/// Notes where everyone wants to go, and the places of those who keep them, for those who queue.
pub(crate) fn note_wishes(
    agents: Query<(&SteeringAgent, &SteeringForce, &Velocity, Option<&Queue>)>,
    queues: Query<&Queue>,
    mut neighbors: ResMut<Neighbors>,
    tick: TickParam,
) {
    if !queues.iter().any(|queue| queue.style == QueueStyle::KeepPlace) {
        return;
    }
    for (_, neighbor) in &mut neighbors.agents {
        let Ok((agent, force, velocity, queue)) = agents.get(neighbor.entity) else { continue };
        let response_time = agent.response_time.max(tick.length());
        let wish = velocity.0 + force.0 * (response_time / agent.effective_mass());
        neighbor.heading = normalize(math::finite_or_zero(wish));
        neighbor.place = queue.filter(|queue| queue.style == QueueStyle::KeepPlace).map(Queue::known_place);
    }
}

/// The direction in which `me` sees an agent in its own place: opposite to what `other` sees.
pub(crate) fn direction_to_coincident(me: SteeringId, other: SteeringId) -> Vector {
    let (low, high) = (me.min(other), me.max(other));
    let direction = unit_vector(angle_from(mix(low.get()) ^ high.get()));
    if me == low { direction } else { -direction }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::SteeringBounds;
    use crate::random::{SteeringRng, SteeringSeed};

    fn crowd(count: u64, spread: f32) -> Vec<Neighbor> {
        let mut random = SteeringRng::new(SteeringSeed(3), SteeringId::new(0), 1);
        let mut coordinate = move || (random.uniform() - 0.3) * spread;
        let mut crowd: Vec<_> = (0..count)
            .map(|k| Neighbor {
                entity: Entity::from_raw_u32(k as u32).unwrap(),
                id: SteeringId::new(k),
                position: Vector::new(coordinate(), coordinate()),
                velocity: Vector::ZERO,
                radius: 1.0,
                groups: 1,
                heading: Vector::ZERO,
                place: None,
            })
            .collect();
        crowd[1].position = crowd[0].position;
        crowd
    }

    fn agent(neighbor: &Neighbor, space: Space) -> Agent {
        Agent { entity: neighbor.entity, id: neighbor.id, space, ..Agent::at(neighbor.position) }
    }

    fn index(crowd: &[Neighbor], space: Space, sight: f32) -> Neighbors {
        let mut neighbors = Neighbors::default();
        neighbors.widen(sight);
        neighbors.rebuild(space, crowd.iter().copied());
        neighbors
    }

    fn found(neighbors: &Neighbors, agent: &Agent, radius: f32) -> Vec<SteeringId> {
        let mut found = Vec::new();
        neighbors.for_each_within(agent, radius, |neighbor, _| found.push(neighbor.id));
        found
    }

    #[test]
    fn finds_exactly_those_that_a_search_through_all_finds() {
        let spaces = [
            Space::default(),
            SteeringBounds::wrap(Vector::splat(-20.0), Vector::splat(60.0)).space(),
            SteeringBounds::wrap(Vector::splat(-3.0), Vector::new(9.0, 100.0)).space(),
        ];
        for space in spaces {
            for spread in [1.0, 100.0, 2e7] {
                let crowd = crowd(150, spread);
                for sight in [0.01, 7.0, 30.0, 1e9] {
                    let neighbors = index(&crowd, space, sight);
                    for me in &crowd {
                        let me = agent(me, space);
                        for radius in [-1.0, 0.0, sight / 3.0, sight, 45.0] {
                            let home = space.wrap(me.position);
                            let expected: Vec<_> = crowd
                                .iter()
                                .filter(|other| other.entity != me.entity)
                                .filter(|other| {
                                    let d = space.displacement(home, space.wrap(other.position));
                                    d.length_squared() <= radius * radius && radius >= 0.0
                                })
                                .map(|other| other.id)
                                .collect();
                            let mut found = found(&neighbors, &me, radius);
                            found.sort();
                            assert_eq!(found, expected, "{space:?} spread {spread} sight {sight} radius {radius}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_nearest_of_a_group_is_that_of_a_search_through_all() {
        let spaces = [Space::default(), SteeringBounds::wrap(Vector::splat(-20.0), Vector::splat(60.0)).space()];
        for space in spaces {
            let mut crowd = crowd(150, 100.0);
            crowd.iter_mut().for_each(|agent| agent.groups = 1 << (agent.id.get() % 3));
            let neighbors = index(&crowd, space, 7.0);
            for me in crowd.iter().map(|me| agent(me, space)) {
                let home = space.wrap(me.position);
                let displacement = |other: &Neighbor| space.displacement(home, space.wrap(other.position));
                for (groups, radius) in [(1, f32::INFINITY), (0b110, 30.0), (2, 9.0), (0b1000, f32::INFINITY)] {
                    let members = crowd.iter().filter(|other| other.groups & groups != 0 && other.entity != me.entity);
                    let expected = members
                        .map(|other| (displacement(other).length_squared(), other.id))
                        .filter(|(squared, _)| *squared <= radius * radius)
                        .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                    let found = neighbors.nearest_of(&me, radius, groups);
                    assert_eq!(found.map(|(other, d)| (d.length_squared(), other.id)), expected, "{groups} {radius}");
                }
            }
        }
    }

    #[test]
    fn the_order_does_not_depend_on_the_order_of_spawning() {
        let mut crowd = crowd(100, 50.0);
        let me = agent(&crowd[7], Space::default());
        let forward = found(&index(&crowd, Space::default(), 9.0), &me, 9.0);
        crowd.reverse();
        let backward = found(&index(&crowd, Space::default(), 9.0), &me, 9.0);
        assert!(forward.len() > 3);
        assert_eq!(forward, backward);
    }

    #[test]
    fn agents_that_are_nowhere_are_left_out() {
        let mut crowd = crowd(4, 1.0);
        crowd[2].position.x = f32::NAN;
        crowd[3].position.y = f32::INFINITY;
        let neighbors = index(&crowd, Space::default(), 5.0);
        assert_eq!(found(&neighbors, &agent(&crowd[0], Space::default()), 5.0), [SteeringId::new(1)]);
        assert!(found(&neighbors, &agent(&crowd[2], Space::default()), 5.0).is_empty());
    }

    #[test]
    fn two_agents_in_one_place_see_each_other_in_opposite_directions() {
        let (a, b) = (SteeringId::new(4), SteeringId::new(9));
        assert_eq!(direction_to_coincident(a, b), -direction_to_coincident(b, a));
        assert!((direction_to_coincident(a, b).length() - 1.0).abs() < 1e-6);
    }
}
