//! The index of all agents.

use alloc::vec::Vec;
use core::ops::Range;

use bevy::prelude::*;

use crate::agent::{GroupMask, SteeringId};
use crate::math::Placement;
use crate::math::Vector;
use crate::math::space::Space;
use crate::perception::neighbors::grid::{Grid, Run, Window};
use crate::perception::neighbors::members::Members;
use crate::perception::neighbors::radii::Radii;
use crate::perception::neighbors::records::{Body, Known, Neighbor, Record};

/// An index of all agents by position. A behavior reads it as `Res<Neighbors>` in its
/// [`Param`](crate::engine::behavior::SteeringBehavior::Param), and a game asks it which agents are where.
///
/// A behavior that uses the index also returns how far it perceives from
/// [`perception_radius`](crate::engine::behavior::SteeringBehavior::perception_radius). While no behavior does, the index is empty
/// unless a game [keeps it](Self::keep_for). It has the state of all agents at the start of the last tick, except agents whose
/// position is not finite.
///
/// # Example
///
/// An agent that slows down in a crowd:
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// use bevy_steerling::behavior_prelude::*;
///
/// #[derive(Component)]
/// #[require(SteeringAgent)]
/// struct Shy { radius: f32 }
///
/// impl SteeringBehavior for Shy {
///     type State = Stateless;
///     type Param = Res<'static, Neighbors>;
///
///     fn wish(&self, _: &mut Stateless, agent: &Agent, neighbors: &SystemParamItem<Self::Param>) -> Wish {
///         let mut crowd = 0.0;
///         neighbors.for_each_within(agent, self.radius, |_, _| crowd += 1.0);
///         Wish::Force(agent.velocity * -crowd)
///     }
///
///     fn perception_radius(&self, _: &SteeringAgent) -> f32 {
///         self.radius
///     }
/// }
/// ```
///
/// A game that asks which agents are near a point:
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
    /// Where the agents of each cell start in `bodies`, and at the end where the last ones end.
    pub(super) starts: Vec<u32>,
    /// Ordered by cell, row by row, and within a cell by number. So the order in which neighbors are visited follows from their
    /// positions and numbers alone.
    pub(super) bodies: Vec<Body>,
    /// The place in `records` of each of `bodies`.
    pub(super) slots: Vec<u32>,
    /// What else is known about each agent, in the order of the world.
    pub(super) records: Vec<Record>,
    /// Whether `records` is ordered by number.
    pub(super) ordered: bool,
    /// The place in `bodies` of each of `records`, or [`NOWHERE`].
    pub(super) places: Vec<u32>,
    /// The place in `records` of each entity, by the index of the entity.
    pub(super) known: Vec<Known>,
    /// The plane in which the agents move.
    pub(super) plane: Placement,
    /// The height of each of `bodies`, units; empty in a world without floors.
    pub(super) heights: Vec<f32>,
    /// `bodies` in the order of `records`.
    pub(super) unsorted: Vec<Body>,
    /// How far the agents perceive.
    pub(super) radii: Radii,
    /// Agents of one cell while they are sorted.
    pub(super) in_cell: Vec<(u32, Body)>,
    /// The radius for which a game keeps the index, units.
    pub(super) kept: Option<f32>,
    /// The members of each group, as places in `records`.
    pub(super) members: Members,
    /// Whether an agent is in no group.
    pub(super) outsiders: bool,
    /// The radius of the largest body, units.
    pub(super) largest_radius: f32,
}

/// The number of agents, roughly, that a behavior of the plugin considers at most when it searches for neighbors: those in the cells of the
/// index around it, or more if its radius is small for the cells. If there are more, it considers those around its own place in the index.
pub const MOST_CANDIDATES: usize = if cfg!(dim3) { 1024 } else { 256 };

/// A common perception radius spans at most this many cells, unless the cells would be [too coarse](Radii::cell_height) for others.
pub(super) const MOST_ROWS: f32 = if cfg!(dim3) { 8.0 } else { 32.0 };

/// A window covers at most about this many runs of agents.
pub(super) const MOST_RUNS: usize = if cfg!(dim3) { 648 } else { 256 };

/// The cell and the place of an agent whose position is not finite.
pub(super) const NOWHERE: u32 = u32::MAX;

impl Neighbors {
    /// Keeps all agents in the index from the next tick on, even while no behavior perceives others. The index is built for searches
    /// with about this radius, units.
    pub fn keep_for(&mut self, radius: f32) {
        self.kept = Some(radius);
    }

    /// The radius of the largest body, units.
    pub(crate) fn largest_radius(&self) -> f32 {
        self.largest_radius
    }

    /// All agents, in the order of the index. The place of an agent is its index in this slice.
    pub(crate) fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    pub(crate) fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The number of rows of cells.
    pub(crate) fn rows(&self) -> usize {
        self.grid.rows()
    }

    /// The place at which a row starts; for the row after the last one, the number of agents.
    pub(crate) fn row_start(&self, row: usize) -> usize {
        self.starts[row * self.grid.columns()] as usize
    }

    /// The place of an agent.
    #[inline]
    pub(crate) fn place_of(&self, entity: Entity) -> Option<usize> {
        let known = self.known.get(entity.index_u32() as usize)?;
        let slot =
            if known.generation == entity.generation().to_bits() { known.next.checked_sub(1)? } else { return None };
        let place = *self.places.get(slot as usize)?;
        (place != NOWHERE).then_some(place as usize)
    }

    /// The groups of the agent at a place.
    pub(crate) fn groups(&self, place: usize) -> GroupMask {
        self.records[self.slots[place] as usize].groups
    }

    /// Whether the world wraps.
    pub(crate) fn wraps(&self) -> bool {
        self.space.wraps()
    }

    /// Whether the agents are on several floors.
    pub(crate) fn has_floors(&self) -> bool {
        self.plane.has_floors()
    }

    /// The largest difference of heights on one floor, units.
    pub(crate) fn floor_height(&self) -> f32 {
        self.plane.floor_height()
    }

    /// The height of the agent at a place, units; zero in a world without floors.
    #[inline]
    pub(crate) fn height(&self, place: usize) -> f32 {
        self.heights.get(place).copied().unwrap_or(0.0)
    }

    /// Whether the agent at a place is on the floor with this height, units.
    #[inline]
    pub(crate) fn is_on_floor(&self, place: usize, height: f32) -> bool {
        !self.plane.has_floors() || self.plane.on_one_floor(self.height(place), height)
    }

    /// Whether all agents are members of these groups.
    #[inline]
    pub(crate) fn are_all_in(&self, groups: GroupMask) -> bool {
        groups == GroupMask::ALL && !self.outsiders
    }

    /// The number of the agent at a place.
    pub(crate) fn id(&self, place: usize) -> SteeringId {
        self.records[self.slots[place] as usize].id
    }

    /// The agent at a place.
    #[inline]
    pub(crate) fn neighbor(&self, place: usize) -> Neighbor {
        let Record { entity, id, radius, groups } = self.records[self.slots[place] as usize];
        let Body { position, velocity } = self.bodies[place];
        Neighbor { entity, id, position, velocity, radius, groups }
    }

    /// The position within the area, and the cells to search around it; `None` if there is nobody to find.
    #[inline]
    pub(super) fn window(&self, position: Vector, radius: f32) -> Option<(Vector, Window)> {
        if self.bodies.is_empty() || !position.is_finite() || radius.is_nan() || radius < 0.0 {
            return None;
        }
        let position = self.space.wrap(position);
        Some((position, self.grid.window(position, position, radius)))
    }

    /// The agents in a window, but not many more than [`MOST_CANDIDATES`]: in the row of the searching agents, which are at the places
    /// `own`, those around each of them, and in other rows those around the center of the window.
    #[inline]
    pub(crate) fn list_runs(&self, window: &Window, reach: f32, own: Range<usize>, list: &mut Vec<Run>) {
        self.grid.list_runs(window, &self.starts, list);
        let total: usize = list.iter().map(Run::len).sum();
        let most = self.most_of(total, reach);
        if total > most {
            let middle = own.start + own.len() / 2;
            for run in list {
                let wider = if run.range().contains(&middle) { own.len() } else { 0 };
                *run = run.trimmed((run.len() * most).div_ceil(total) + wider, Some(middle));
            }
        }
    }

    /// Visits the agents in a window, but not many more than [`MOST_CANDIDATES`]: those around `middle`.
    #[inline]
    pub(super) fn for_each_run(&self, window: &Window, reach: f32, middle: Option<usize>, visit: impl FnMut(Run)) {
        let runs = || self.grid.runs(*window, &self.starts);
        let total: usize = runs().map(|run| run.len()).sum();
        let most = self.most_of(total, reach);
        let trimmed = |run: Run| run.trimmed((run.len() * most).div_ceil(total), middle);
        runs().map(|run| if total > most { trimmed(run) } else { run }).for_each(visit);
    }

    /// How many of the `total` agents in the cells around it a search considers at most: more if the cells are coarse for its radius.
    #[inline]
    pub(super) fn most_of(&self, total: usize, reach: f32) -> usize {
        if total <= MOST_CANDIDATES { MOST_CANDIDATES } else { MOST_CANDIDATES * self.grid.coarseness(reach) }
    }

    /// Whether a behavior that was asked so far in this tick perceives others.
    pub(crate) fn is_needed(&self) -> bool {
        !self.radii.is_empty()
    }

    /// Prepares the index for searches with these radii, from when it is next built.
    pub(crate) fn widen(&mut self, radii: &Radii) {
        self.radii.add(radii);
    }
}
