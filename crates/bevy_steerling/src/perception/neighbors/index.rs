//! The index of all agents, and how it is built.

use alloc::vec::Vec;
use core::ops::Range;

use bevy::prelude::*;

use crate::agent::{GroupMask, SteeringId};
use crate::math::Vector;
use crate::math::space::Space;
use crate::perception::neighbors::grid::{Grid, Run, Window};
use crate::perception::neighbors::members::Members;
use crate::perception::neighbors::records::{Body, Known, Neighbor, Record};
use crate::tick::schedule::SteeringThreads;
use crate::tick::threads;

/// All agents by place: what a behavior that radii around takes as its
/// [`Param`](crate::engine::behavior::SteeringBehavior::Param), as `Res<Neighbors>`, and what a game asks who is where.
///
/// A behavior that uses it also says how far it radii, with [`perception_radius`](crate::engine::behavior::SteeringBehavior::perception_radius); while none
/// radii there is nobody in it, unless a game [keeps it](Self::keep_for). Agents are in it as they were at the start of the
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
    pub(super) space: Space,
    pub(super) grid: Grid,
    /// Where the agents of each cell start in `bodies`, and one more at the end.
    pub(super) starts: Vec<u32>,
    /// Ordered by cell, row by row, and within a cell by number: so that the order in which neighbors are visited follows
    /// from where everyone is and from nothing else.
    pub(super) bodies: Vec<Body>,
    /// For each of `bodies`, its place in `records`.
    pub(super) slots: Vec<u32>,
    /// What else is known about each agent, in the order of the world, and whether that is the order of their numbers.
    pub(super) records: Vec<Record>,
    pub(super) ordered: bool,
    /// For each of `records`, its place in `bodies`.
    pub(super) places: Vec<u32>,
    /// For each entity by index, its place in `records`.
    pub(super) known: Vec<Known>,
    /// `bodies` in the order of `records`.
    pub(super) unsorted: Vec<Body>,
    /// The shortest and the longest look of a behavior, units.
    pub(super) radii: Option<(f32, f32)>,
    /// How far a game wants to look, units.
    pub(super) kept: Option<f32>,
    /// Who of `records` is in which group.
    pub(super) members: Members,
    /// Whether somebody is in no group.
    pub(super) outsiders: bool,
    /// The radius of the largest body, units.
    pub(super) largest_radius: f32,
}

/// How many agents a behavior of the plugin radii at to find those near it, at most about. Where there are more within its
/// radius, in crowds far denser than bodies ever stand, it radii at those around its own place in the order of the index.
pub const MOST_CANDIDATES: usize = 256;

/// How many cells there may be for each agent.
const CELLS_PER_AGENT: usize = 4;

/// How many cells the longest look may reach, at most: cells are as large as the shortest look, or larger because of this.
pub(super) const LONGEST_LOOK: f32 = 32.0;

/// The cell, and the place, of those who are nowhere.
pub(super) const NOWHERE: u32 = u32::MAX;

/// From how many agents on it pays to read where they are on several threads.
pub(super) const PARALLEL_THRESHOLD: usize = 32_768;

impl Neighbors {
    /// Keeps everyone in the index from the next tick on, whether or not a behavior radii around, for a game that radii about
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
    pub(crate) fn groups(&self, place: usize) -> GroupMask {
        self.records[self.slots[place] as usize].groups
    }

    /// Whether this mask has everybody's groups in it, and nobody is in none.
    #[inline]
    pub(crate) fn are_all_in(&self, groups: GroupMask) -> bool {
        groups == GroupMask::ALL && !self.outsiders
    }

    /// The number of an agent by its place in [`bodies`](Self::bodies).
    pub(crate) fn id(&self, place: usize) -> SteeringId {
        self.records[self.slots[place] as usize].id
    }

    /// An agent by its place in [`bodies`](Self::bodies).
    #[inline]
    pub(crate) fn neighbor(&self, place: usize) -> Neighbor {
        let Record { entity, id, radius, groups } = self.records[self.slots[place] as usize];
        let Body { position, velocity } = self.bodies[place];
        Neighbor { entity, id, position, velocity, radius, groups }
    }

    #[inline]
    pub(super) fn window(&self, position: Vector, radius: f32) -> Option<(Vector, Window)> {
        if self.bodies.is_empty() || !position.is_finite() || radius.is_nan() || radius < 0.0 {
            return None;
        }
        let position = self.space.wrap(position);
        Some((position, self.grid.window(position, position, radius)))
    }

    /// The agents in what is looked at, but not many more than [`MOST_CANDIDATES`]: those around each of `own`, who look together, in
    /// their row, and around the middle of the look in others.
    #[inline]
    pub(crate) fn list_runs(&self, window: &Window, own: Range<usize>, list: &mut Vec<Run>) {
        self.grid.list_runs(window, &self.starts, list);
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
    pub(super) fn for_each_run(&self, window: &Window, middle: Option<usize>, visit: impl FnMut(Run)) {
        let runs = || self.grid.runs(*window, &self.starts);
        let total: usize = runs().map(|run| run.len()).sum();
        let trimmed = |run: Run| run.trimmed((run.len() * MOST_CANDIDATES).div_ceil(total), middle);
        runs().map(|run| if total > MOST_CANDIDATES { trimmed(run) } else { run }).for_each(visit);
    }

    /// Whether somebody radii around, as far as is known so far.
    pub(crate) fn is_needed(&self) -> bool {
        self.radii.is_some()
    }

    /// Makes the index, once rebuilt, suit a look this far.
    pub(crate) fn widen(&mut self, sight: f32) {
        if sight > 0.0 {
            let (shortest, longest) = self.radii.unwrap_or((sight, sight));
            self.radii = Some((shortest.min(sight), longest.max(sight)));
        }
    }

    /// Makes the index of as many agents as are known, in their order; `gather` says where they are and how they move. Those who are
    /// nowhere are not in it.
    pub(super) fn build(&mut self, space: Space, threads: SteeringThreads, gather: impl FnOnce(&mut [Body]) -> Area) {
        self.space = space;
        self.bodies.clear();
        self.slots.clear();
        let (shortest, longest) = self.radii.unwrap_or_default();

        // Each step goes over no more memory than it must: for large crowds that is what takes time.
        let count = if self.radii.is_some() { self.records.len() } else { 0 };
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
    pub(super) fn know(&mut self, records: impl Iterator<Item = Record>) {
        self.records.clear();
        self.records.extend(records);
        self.ordered = self.records.is_sorted_by_key(|record| record.id);
        self.members.note(&self.records, self.ordered);
        self.outsiders = self.records.iter().any(|record| record.groups.is_empty());
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

/// How many agents are somewhere, and the corners around them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Area {
    pub low: Vector,
    pub high: Vector,
    pub count: usize,
}

impl Default for Area {
    fn default() -> Self {
        Self { low: Vector::INFINITY, high: Vector::NEG_INFINITY, count: 0 }
    }
}

impl Area {
    #[inline]
    pub fn and(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high), count: self.count + other.count }
    }
}
