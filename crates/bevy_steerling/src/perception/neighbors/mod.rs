//! Who is near: an index of all agents, rebuilt each tick when a behavior looks around.

use alloc::vec::Vec;
use core::ops::Range;

use bevy::platform::sync::{Mutex, PoisonError};
use bevy::prelude::*;

use crate::agent::random::{angle_from, mix};
use crate::agent::{SteeringAgent, SteeringGroups, SteeringId, Velocity};
use crate::engine::behavior::{Agent, TickParam};
use crate::math::space::Space;
use crate::math::{self, Vector, unit_vector};
use crate::tick::schedule::SteeringThreads;
use crate::tick::threads;

mod grid;
mod members;
#[cfg(test)]
mod tests;

use members::Members;

pub(crate) use grid::{Grid, Look, Run};

/// Another agent, as it was at the start of the tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbor {
    /// Its entity.
    pub entity: Entity,
    /// Its number.
    pub id: SteeringId,
    /// Position, units. In a world that wraps, within the area.
    pub position: Vector,
    /// Velocity, units per second; zero when it is not finite.
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
/// [`Param`](crate::engine::behavior::SteeringBehavior::Param), as `Res<Neighbors>`, and what a game asks who is where.
///
/// A behavior that uses it also says how far it looks, with [`perception_radius`](crate::engine::behavior::SteeringBehavior::perception_radius); while none
/// looks there is nobody in it, unless a game [keeps it](Self::keep_for). Agents are in it as they were at the start of the
/// last tick; agents at a place that is not finite are not.
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
///     fn perception_radius(&self, _: &SteeringAgent) -> f32 {
///         self.radius
///     }
/// }
/// ```
///
/// A game that asks who is near a place:
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// fn explode(neighbors: Res<Neighbors>, mut commands: Commands) {
///     for (neighbor, _) in neighbors.within(Vec2::new(30.0, 40.0), 5.0) {
///         commands.entity(neighbor.entity).despawn();
///     }
/// }
/// # App::new()
/// .add_systems(Startup, |mut neighbors: ResMut<Neighbors>| neighbors.keep_for(5.0))
/// .add_systems(FixedUpdate, explode.after(RunSteeringSystems))
/// # ;
/// ```
#[derive(Resource, Debug, Default)]
pub struct Neighbors {
    space: Space,
    grid: Grid,
    /// Where the agents of each cell start in `bodies`, and one more at the end.
    starts: Vec<u32>,
    /// Ordered by cell, row by row, and within a cell by number: so that the order in which neighbors are visited follows
    /// from where everyone is and from nothing else.
    bodies: Vec<Body>,
    /// For each of `bodies`, its place in `records`.
    slots: Vec<u32>,
    /// What else is known about each agent, in the order of the world, and whether that is the order of their numbers.
    records: Vec<Record>,
    ordered: bool,
    /// For each of `records`, its place in `bodies`.
    places: Vec<u32>,
    /// For each entity by index, its place in `records`.
    known: Vec<Known>,
    /// For each of `bodies`, what it wants, while somebody keeps a place in line.
    wishes: Vec<Wish>,
    /// `bodies` in the order of `records`.
    unsorted: Vec<Body>,
    /// The shortest and the longest look of a behavior, units.
    looks: Option<(f32, f32)>,
    /// How far a game wants to look, units.
    kept: Option<f32>,
    /// Who of `records` is in which group.
    members: Members,
    /// Whether somebody is in no group.
    outsiders: bool,
    /// The radius of the largest body, units.
    largest_radius: f32,
}

/// What most looks need to know of an agent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Body {
    pub position: Vector,
    pub velocity: Vector,
}

#[derive(Clone, Copy, Debug)]
struct Record {
    entity: Entity,
    id: SteeringId,
    radius: f32,
    groups: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Known {
    generation: u32,
    /// One more than its place in `records`; zero for nobody.
    next: u32,
}

/// What those who keep a place in line need to know of an agent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wish {
    pub position: Vector,
    /// See [`Neighbor::heading`].
    pub heading: Vector,
    /// See [`Neighbor::place`]; NaN for none.
    pub place: f32,
    pub radius: f32,
    /// How fast it goes where it wants to, units/s.
    pub pace: f32,
}

impl Default for Wish {
    fn default() -> Self {
        Self { position: Vector::NAN, heading: Vector::ZERO, place: f32::NAN, radius: 0.0, pace: 0.0 }
    }
}

/// How many agents a behavior of the plugin looks at to find those near it, at most about. Where there are more within its
/// radius, in crowds far denser than bodies ever stand, it looks at those around its own place in the order of the index.
pub const MOST_CANDIDATES: usize = 256;

/// How many cells there may be for each agent.
const CELLS_PER_AGENT: usize = 4;

/// How many cells the longest look may reach, at most: cells are as large as the shortest look, or larger because of this.
const LONGEST_LOOK: f32 = 32.0;

/// The cell, and the place, of those who are nowhere.
const NOWHERE: u32 = u32::MAX;

/// From how many agents on it pays to read where they are on several threads.
const PARALLEL_THRESHOLD: usize = 32_768;

impl Neighbors {
    /// Calls `visit` with every other agent whose center is at most `radius` from `agent`'s, and the displacement to it:
    /// in a wrapping world the shortest one. Within a negative radius there is nobody.
    ///
    /// The order follows from the agents' places and numbers, so sums over it are the same whatever the order of
    /// spawning.
    #[inline]
    pub fn for_each_within(&self, agent: &Agent, radius: f32, mut visit: impl FnMut(&Neighbor, Vector)) {
        self.within(agent.position, radius).for_each(|(neighbor, displacement)| {
            if neighbor.entity != agent.entity {
                visit(&neighbor, displacement);
            }
        });
    }

    /// The same for a crowd of any density: it looks at [`MOST_CANDIDATES`] agents or little more.
    #[inline]
    pub fn for_each_near(&self, agent: &Agent, radius: f32, mut visit: impl FnMut(&Neighbor, Vector)) {
        self.for_each_place_near(agent, radius, |place, displacement| visit(&self.neighbor(place), displacement));
    }

    /// The same for at most `most` of those whom `accepts` accepts, the nearest ones, and of those equally near the ones with
    /// the smaller numbers. They are visited in the order of the index.
    pub fn for_each_nearest(
        &self,
        agent: &Agent,
        radius: f32,
        most: usize,
        accepts: impl Fn(&Neighbor, Vector) -> bool,
        mut visit: impl FnMut(&Neighbor, Vector),
    ) {
        let accepts = |place, displacement| accepts(&self.neighbor(place), displacement);
        self.for_each_nearest_place(agent, radius, most, accepts, |place, displacement| {
            visit(&self.neighbor(place), displacement);
        });
    }

    /// [`for_each_near`](Self::for_each_near) with their places in [`bodies`](Self::bodies).
    #[inline]
    fn for_each_place_near(&self, agent: &Agent, radius: f32, mut visit: impl FnMut(usize, Vector)) {
        let Some((position, look)) = self.look(agent.position, radius) else { return };
        let own = self.place_of(agent.entity);
        let me = own.unwrap_or(usize::MAX);
        self.for_each_run(&look, own, |run| {
            let mut visit_all = |space: Space| {
                for (place, body) in run.range().zip(&self.bodies[run.range()]) {
                    let displacement = space.displacement(position, body.position);
                    if displacement.length_squared() <= radius * radius && place != me {
                        visit(place, displacement);
                    }
                }
            };
            // Who is not beyond a seam is nearest the straight way.
            if run.shift == Vector::ZERO && !look.round {
                visit_all(Space::default());
            } else {
                visit_all(self.space);
            }
        });
    }

    /// [`for_each_nearest`](Self::for_each_nearest) with their places in [`bodies`](Self::bodies).
    pub(crate) fn for_each_nearest_place(
        &self,
        agent: &Agent,
        radius: f32,
        most: usize,
        accepts: impl Fn(usize, Vector) -> bool,
        mut visit: impl FnMut(usize, Vector),
    ) {
        const ROOM: usize = MOST_CANDIDATES + 8 * LONGEST_LOOK as usize;
        // One more, which who is not accepted leaves behind.
        let (mut squares, mut found, mut count) = ([0; ROOM + 1], [(0, Vector::ZERO); ROOM + 1], 0);
        self.for_each_place_near(agent, radius, |place, displacement| {
            // Without a branch: in a dense crowd this is what takes time.
            // Squares are positive: their bits are in the order of their values.
            squares[count] = displacement.length_squared().to_bits();
            found[count] = (place, displacement);
            count += usize::from(accepts(place, displacement) & (count < ROOM));
        });
        let (squares, found) = (&squares[..count], &found[..count]);
        if count <= most {
            return found.iter().for_each(|(place, displacement)| visit(*place, *displacement));
        }
        let Some(last) = most.checked_sub(1) else { return };
        let mut in_order = [0; ROOM];
        in_order[..count].copy_from_slice(squares);
        let (nearer, farthest, _) = in_order[..count].select_nth_unstable(last);
        let farthest = *farthest;
        // Of those as far away as the last one, the ones with the smaller numbers.
        let at_rim = most - nearer.iter().filter(|square| **square < farthest).count();
        let (mut ids, mut rim) = ([SteeringId::new(0); ROOM], 0);
        for (_, (place, _)) in squares.iter().zip(found).filter(|(square, _)| **square == farthest) {
            ids[rim] = self.id(*place);
            rim += 1;
        }
        let last_id = *ids[..rim].select_nth_unstable(at_rim - 1).1;
        for (square, (place, displacement)) in squares.iter().zip(found) {
            if *square < farthest || *square == farthest && self.id(*place) <= last_id {
                visit(*place, *displacement);
            }
        }
    }

    /// All agents whose center is at most `radius` from `position`, with the displacement to them: in a wrapping world the
    /// shortest one. The order follows from their places and numbers. Within a negative radius there is nobody.
    pub fn within(&self, position: Vector, radius: f32) -> impl Iterator<Item = (Neighbor, Vector)> + '_ {
        self.look(position, radius).into_iter().flat_map(move |(position, look)| {
            self.grid.runs(look, &self.starts).flat_map(move |run| {
                run.range().filter_map(move |place| {
                    let displacement = self.space.displacement(position, self.bodies[place].position);
                    (displacement.length_squared() <= radius * radius).then(|| (self.neighbor(place), displacement))
                })
            })
        })
    }

    /// Puts the `count` nearest of those [within](Self::within) `radius` into `found`, the nearest first, and of those equally
    /// near the one with the smaller number.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_steerling::prelude::*;
    /// fn three_nearest(neighbors: Res<Neighbors>, mut found: Local<Vec<(Neighbor, Vec2)>>) {
    ///     neighbors.nearest(Vec2::ZERO, 100.0, 3, &mut found);
    ///     for (neighbor, displacement) in &found {
    ///         println!("{} is {} away", neighbor.entity, displacement.length());
    ///     }
    /// }
    /// ```
    pub fn nearest(&self, position: Vector, radius: f32, count: usize, found: &mut Vec<(Neighbor, Vector)>) {
        let key = |(neighbor, displacement): &(Neighbor, Vector)| {
            // Squares are positive: their bits are in the order of their values.
            (displacement.length_squared().to_bits(), neighbor.id)
        };
        found.clear();
        found.extend(self.within(position, radius));
        if count < found.len() {
            found.select_nth_unstable_by_key(count, key);
            found.truncate(count);
        }
        found.sort_unstable_by_key(key);
    }

    /// Keeps everyone in the index from the next tick on, whether or not a behavior looks around, for a game that looks about
    /// this far, units.
    pub fn keep_for(&mut self, radius: f32) {
        self.kept = Some(radius);
    }

    /// The radius of the largest body, units.
    pub(crate) fn largest_radius(&self) -> f32 {
        self.largest_radius
    }

    /// The agents in the order of the index.
    pub(crate) fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    pub(crate) fn grid(&self) -> &Grid {
        &self.grid
    }

    /// How many rows the index has.
    pub(crate) fn rows(&self) -> usize {
        self.grid.rows()
    }

    /// Where a row starts in [`bodies`](Self::bodies); of the one after the last, where they end.
    pub(crate) fn row_start(&self, row: usize) -> usize {
        self.starts[row * self.grid.columns()] as usize
    }

    /// Where an agent is in [`bodies`](Self::bodies).
    #[inline]
    pub(crate) fn place_of(&self, entity: Entity) -> Option<usize> {
        let known = self.known.get(entity.index_u32() as usize)?;
        let slot =
            if known.generation == entity.generation().to_bits() { known.next.checked_sub(1)? } else { return None };
        let place = *self.places.get(slot as usize)?;
        (place != NOWHERE).then_some(place as usize)
    }

    /// The groups of an agent by its place in [`bodies`](Self::bodies).
    pub(crate) fn groups(&self, place: usize) -> u32 {
        self.records[self.slots[place] as usize].groups
    }

    /// Whether this mask has everybody's groups in it, and nobody is in none.
    #[inline]
    pub(crate) fn are_all_in(&self, groups: u32) -> bool {
        groups == u32::MAX && !self.outsiders
    }

    /// The number of an agent by its place in [`bodies`](Self::bodies).
    pub(crate) fn id(&self, place: usize) -> SteeringId {
        self.records[self.slots[place] as usize].id
    }

    /// What everybody wants, in the order of [`bodies`](Self::bodies); empty while nobody keeps a place in line.
    pub(crate) fn wishes(&self) -> &[Wish] {
        &self.wishes
    }

    /// The same, to be noted.
    pub(crate) fn wishes_mut(&mut self) -> &mut Vec<Wish> {
        &mut self.wishes
    }

    #[inline]
    fn neighbor(&self, place: usize) -> Neighbor {
        let Record { entity, id, radius, groups } = self.records[self.slots[place] as usize];
        let Body { position, velocity } = self.bodies[place];
        let Wish { heading, place, .. } = self.wishes.get(place).copied().unwrap_or_default();
        let place = (!place.is_nan()).then_some(place);
        Neighbor { entity, id, position, velocity, radius, groups, heading, place }
    }

    #[inline]
    fn look(&self, position: Vector, radius: f32) -> Option<(Vector, Look)> {
        if self.bodies.is_empty() || !position.is_finite() || radius.is_nan() || radius < 0.0 {
            return None;
        }
        let position = self.space.wrap(position);
        Some((position, self.grid.look(position, position, radius)))
    }

    /// The agents in what is looked at, but not many more than [`MOST_CANDIDATES`]: those around each of `own`, who look together, in
    /// their row, and around the middle of the look in others.
    #[inline]
    pub(crate) fn list_runs(&self, look: &Look, own: Range<usize>, list: &mut Vec<Run>) {
        self.grid.list_runs(look, &self.starts, list);
        let total: usize = list.iter().map(Run::len).sum();
        if total > MOST_CANDIDATES {
            let middle = own.start + own.len() / 2;
            for run in list {
                let wider = if run.range().contains(&middle) { own.len() } else { 0 };
                *run = run.trimmed((run.len() * MOST_CANDIDATES).div_ceil(total) + wider, Some(middle));
            }
        }
    }

    #[inline]
    fn for_each_run(&self, look: &Look, middle: Option<usize>, visit: impl FnMut(Run)) {
        let runs = || self.grid.runs(*look, &self.starts);
        let total: usize = runs().map(|run| run.len()).sum();
        let trimmed = |run: Run| run.trimmed((run.len() * MOST_CANDIDATES).div_ceil(total), middle);
        runs().map(|run| if total > MOST_CANDIDATES { trimmed(run) } else { run }).for_each(visit);
    }

    /// Whether somebody looks around, as far as is known so far.
    pub(crate) fn is_needed(&self) -> bool {
        self.looks.is_some()
    }

    /// Makes the index, once rebuilt, suit a look this far.
    pub(crate) fn widen(&mut self, sight: f32) {
        if sight > 0.0 {
            let (shortest, longest) = self.looks.unwrap_or((sight, sight));
            self.looks = Some((shortest.min(sight), longest.max(sight)));
        }
    }

    /// Makes the index of as many agents as are known, in their order; `gather` says where they are and how they move. Those who are
    /// nowhere are not in it.
    fn build(&mut self, space: Space, threads: SteeringThreads, gather: impl FnOnce(&mut [Body]) -> Area) {
        self.space = space;
        self.bodies.clear();
        self.slots.clear();
        self.wishes.clear();
        let (shortest, longest) = self.looks.unwrap_or_default();

        // Each step goes over no more memory than it must: for large crowds that is what takes time.
        let count = if self.looks.is_some() { self.records.len() } else { 0 };
        self.unsorted.resize(count, Body::default());
        self.places.resize(count, NOWHERE);
        let area = gather(&mut self.unsorted);
        if area.count == 0 {
            self.places.fill(NOWHERE);
            return;
        }
        let cell_size = shortest.max(longest / LONGEST_LOOK);
        let grid = Grid::new(space, area.low, area.high, cell_size, CELLS_PER_AGENT * area.count);
        self.grid = grid;
        // First the cell of each.
        let places = &mut self.places[..];
        let note_cells = |bodies: &[Body], cells: &mut [u32]| {
            for (body, cell) in bodies.iter().zip(cells) {
                *cell = if body.position.is_finite() { grid.cell(body.position) } else { NOWHERE };
            }
        };
        if threads.parallel(|| count, PARALLEL_THRESHOLD) {
            let share = threads::share(count);
            let shares = self.unsorted.chunks(share).zip(places.chunks_mut(share));
            threads::work_together(shares, |(bodies, cells)| note_cells(bodies, cells));
        } else {
            note_cells(&self.unsorted, places);
        }
        // Where each cell starts; one place later, because filling a cell moves its start to the next.
        let starts = &mut self.starts;
        starts.clear();
        starts.resize(grid.cells() + 2, 0);
        for cell in places.iter().filter(|cell| **cell != NOWHERE) {
            starts[*cell as usize + 2] += 1;
        }
        let mut sum = 0;
        for start in starts.iter_mut() {
            sum += *start;
            *start = sum;
        }
        self.bodies.resize(sum as usize, Body::default());
        self.slots.resize(sum as usize, 0);
        let (bodies, slots) = (&mut self.bodies[..], &mut self.slots[..]);
        for ((body, place), slot) in self.unsorted.iter().zip(places).zip(0..) {
            if *place != NOWHERE {
                let next = &mut starts[*place as usize + 1];
                *place = *next;
                *next += 1;
                bodies[*place as usize] = *body;
                slots[*place as usize] = slot;
            }
        }
        if !self.ordered {
            self.order_by_number();
        }
    }

    /// Notes who the agents are.
    fn know(&mut self, records: impl Iterator<Item = Record>) {
        self.records.clear();
        self.records.extend(records);
        self.ordered = self.records.is_sorted_by_key(|record| record.id);
        self.members.note(&self.records, self.ordered);
        self.outsiders = self.records.iter().any(|record| record.groups == 0);
        self.largest_radius = self.records.iter().map(|record| record.radius).fold(0.0, f32::max);
        let entities = self.records.iter().map(|record| record.entity.index_u32() as usize + 1).max();
        self.known.clear();
        self.known.resize(entities.unwrap_or(0), Known::default());
        for (record, next) in self.records.iter().zip(1..) {
            let generation = record.entity.generation().to_bits();
            self.known[record.entity.index_u32() as usize] = Known { generation, next };
        }
    }

    /// Within each cell by number.
    fn order_by_number(&mut self) {
        for cell in 0..self.grid.cells() {
            let (start, end) = (self.starts[cell] as usize, self.starts[cell + 1] as usize);
            if end - start < 2 {
                continue;
            }
            let (slots, bodies) = (&mut self.slots[start..end], &mut self.bodies[start..end]);
            let number = |slot: u32| (self.records[slot as usize].id, slot);
            // Few each time, but in a crowd on one point.
            if end - start > 64 {
                let mut both: Vec<_> = slots.iter().copied().zip(bodies.iter().copied()).collect();
                both.sort_unstable_by_key(|(slot, _)| number(*slot));
                for ((slot, body), (slot_before, body_before)) in slots.iter_mut().zip(&mut *bodies).zip(both) {
                    (*slot, *body) = (slot_before, body_before);
                }
            } else {
                for k in 1..slots.len() {
                    let mut place = k;
                    while place > 0 && number(slots[place]) < number(slots[place - 1]) {
                        slots.swap(place, place - 1);
                        bodies.swap(place, place - 1);
                        place -= 1;
                    }
                }
            }
            for (slot, place) in slots.iter().zip(start as u32..) {
                self.places[*slot as usize] = place;
            }
        }
    }
}

pub(crate) fn forget_perception_radii(mut neighbors: ResMut<Neighbors>) {
    neighbors.looks = None;
    if let Some(radius) = neighbors.kept {
        neighbors.widen(radius);
    }
}

pub(crate) fn index_neighbors(
    agents: Query<(Entity, &SteeringId, &Transform, &Velocity, &SteeringAgent, Option<&SteeringGroups>)>,
    changed: Query<
        (),
        (With<SteeringAgent>, Or<(Changed<SteeringAgent>, Changed<SteeringId>, Changed<SteeringGroups>)>),
    >,
    mut gone: RemovedComponents<SteeringGroups>,
    mut neighbors: ResMut<Neighbors>,
    tick: TickParam,
) {
    let regrouped = gone.read().count() > 0;
    if neighbors.looks.is_none() {
        neighbors.records.clear();
        return neighbors.build(tick.space(), *tick.threads, |_| Area::default());
    }
    // Who is there rarely changes.
    let same = agents.iter().map(|(entity, ..)| entity).eq(neighbors.records.iter().map(|record| record.entity));
    if !same || regrouped || !changed.is_empty() {
        neighbors.know(agents.iter().map(|(entity, id, _, _, agent, groups)| Record {
            entity,
            id: *id,
            radius: agent.radius.max(0.0),
            groups: groups.copied().unwrap_or_default().0,
        }));
    }
    let (space, threads) = (tick.space(), *tick.threads);
    // Whole columns at a time.
    if let Ok(tables) = agents.contiguous_iter() {
        neighbors.build(space, threads, |mut bodies| {
            let mut area = Area::default();
            for (_, _, transforms, velocities, _, _) in tables {
                let bodies = bodies.split_off_mut(..transforms.len()).unwrap_or_default();
                let rows = || transforms.iter().zip(velocities);
                if !threads.parallel(|| transforms.len(), PARALLEL_THRESHOLD) {
                    area = area.and(gather(space, rows(), bodies));
                    continue;
                }
                let share = threads::share(transforms.len());
                let whole = Mutex::new(area);
                threads::work_together(bodies.chunks_mut(share).enumerate(), |(number, bodies)| {
                    let part = gather(space, rows().skip(number * share), bodies);
                    let mut whole = whole.lock().unwrap_or_else(PoisonError::into_inner);
                    *whole = whole.and(part);
                });
                area = whole.into_inner().unwrap_or_else(PoisonError::into_inner);
            }
            area
        });
    } else {
        // Not in columns: the app disables entities with a component in sparse storage.
        let agents = agents.iter().map(|(_, _, transform, velocity, _, _)| (transform, velocity));
        neighbors.build(space, threads, |bodies| gather(space, agents, bodies));
    }
}

/// How many agents are somewhere, and the corners around them.
#[derive(Clone, Copy, Debug)]
struct Area {
    low: Vector,
    high: Vector,
    count: usize,
}

impl Default for Area {
    fn default() -> Self {
        Self { low: Vector::INFINITY, high: Vector::NEG_INFINITY, count: 0 }
    }
}

impl Area {
    #[inline]
    fn and(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high), count: self.count + other.count }
    }
}

/// Reads where agents are and how they move.
#[inline]
fn gather<'a>(space: Space, agents: impl Iterator<Item = (&'a Transform, &'a Velocity)>, bodies: &mut [Body]) -> Area {
    let mut area = Area::default();
    for ((transform, velocity), body) in agents.zip(bodies) {
        let position = space.wrap(math::position(transform));
        *body = Body { position, velocity: math::finite_or_zero(velocity.0) };
        // No branch: it waits for nothing.
        let somewhere = position.is_finite();
        area.low = if somewhere { area.low.min(position) } else { area.low };
        area.high = if somewhere { area.high.max(position) } else { area.high };
        area.count += usize::from(somewhere);
    }
    area
}

/// The direction in which `me` sees an agent in its own place: opposite to what `other` sees.
pub(crate) fn direction_to_coincident(me: SteeringId, other: SteeringId) -> Vector {
    let (low, high) = (me.min(other), me.max(other));
    let direction = unit_vector(angle_from(mix(low.get()) ^ high.get()));
    if me == low { direction } else { -direction }
}
