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
use crate::perception::neighbors::radii::{AllRadii, Radii};
use crate::perception::neighbors::records::{Body, Known, Neighbor, Record};

/// A spatial index of all agents. Behaviors read it as `Res<Neighbors>` in their
/// [`Param`](crate::engine::behavior::SteeringBehavior::Param), and games can query it.
///
/// A behavior that uses the index must return how far it perceives from
/// [`perception_radius`](crate::engine::behavior::SteeringBehavior::perception_radius). While no behavior does so, the index is empty,
/// unless a game [keeps it](Self::keep_for). It contains the state of all agents at the start of the last tick, except agents whose
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
/// A game that queries which agents are near a point:
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
    /// The start of each cell in `bodies`, followed by the end of the last one.
    pub(super) starts: Vec<u32>,
    /// Ordered by cell, row by row, and within a cell by id. So the order in which neighbors are visited depends only on their positions
    /// and ids.
    pub(super) bodies: Vec<Body>,
    /// The index in `records` of each of `bodies`.
    pub(super) slots: Vec<u32>,
    /// The other data of each agent, in the order of the world.
    pub(super) records: Vec<Record>,
    /// Whether `records` is sorted by id.
    pub(super) ordered: bool,
    /// The index in `bodies` of each of `records`, or [`NOWHERE`].
    pub(super) places: Vec<u32>,
    /// The index in `records` of each entity, by the index of the entity.
    pub(super) known: Vec<Known>,
    /// The plane in which the agents move.
    pub(super) plane: Placement,
    /// The height of each of `bodies`, units; empty in a world without floors.
    pub(super) heights: Vec<f32>,
    /// `bodies` in the order of `records`.
    pub(super) unsorted: Vec<Body>,
    /// How far the agents perceive.
    pub(super) radii: AllRadii,
    /// Agents of one cell while they are sorted.
    pub(super) in_cell: Vec<(u32, Body)>,
    /// The radius for which a game keeps the index, units.
    pub(super) kept: Option<f32>,
    /// The members of each group, as indices in `records`.
    pub(super) members: Members,
    /// Whether an agent is in no group.
    pub(super) outsiders: bool,
    /// The radius of the largest body, units.
    pub(super) largest_radius: f32,
}

/// The approximate maximum number of agents that a behavior of the plugin considers when it searches for neighbors, which are those in the
/// cells of the index around it. If there are more, it considers those around its own place in the index. The number is larger if the radius
/// of the search is small for the cells, or if distant parts of the world share them.
pub const MOST_CANDIDATES: usize = if cfg!(dim3) { 1024 } else { 256 };

/// The maximum number of agents that a search considers in addition because the cells of its window are shared with other parts of the area.
const MOST_STRANGERS: usize = 4 * MOST_CANDIDATES;

/// The approximate maximum number of runs of agents that a window covers.
pub(super) const MOST_RUNS: usize = if cfg!(dim3) { 648 } else { 256 };

/// The cell and the place of an agent whose position is not finite.
pub(super) const NOWHERE: u32 = u32::MAX;

impl Neighbors {
    /// Keeps all agents in the index from the next tick on, even while no behavior perceives others. The index is then optimized for
    /// searches with about this radius, units.
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

    /// The place where a row starts; for the row after the last one, the number of agents.
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

    /// The id of the agent at a place.
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

    /// The position within the area, and the cells to search around it; `None` if there are no agents to find.
    #[inline]
    pub(super) fn window(&self, position: Vector, radius: f32) -> Option<(Vector, Window)> {
        if self.bodies.is_empty() || !position.is_finite() || radius.is_nan() || radius < 0.0 {
            return None;
        }
        let position = self.space.wrap(position);
        Some((position, self.grid.window(position, position, radius)))
    }

    /// Lists the agents in a window, but not many more than [`MOST_CANDIDATES`]. `own` are the places of the searching agents. In their
    /// row, the agents around each of them are listed, and in other rows those around the center of the window.
    #[inline]
    pub(crate) fn list_runs(&self, window: &Window, reach: f32, own: Range<usize>, list: &mut Vec<Run>) {
        self.grid.list_runs(window, &self.starts, list);
        let total: usize = list.iter().map(Run::len).sum();
        let most = self.most_of(total, window, reach);
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
        let most = self.most_of(total, window, reach);
        let trimmed = |run: Run| run.trimmed((run.len() * most).div_ceil(total), middle);
        runs().map(|run| if total > most { trimmed(run) } else { run }).for_each(visit);
    }

    /// The maximum number of agents that a search considers if there are `total` in the cells of a window.
    #[inline]
    pub(super) fn most_of(&self, total: usize, window: &Window, reach: f32) -> usize {
        if total <= MOST_CANDIDATES {
            return MOST_CANDIDATES;
        }
        let strangers = self.grid.strangers(window, self.bodies.len()).min(MOST_STRANGERS);
        MOST_CANDIDATES * self.grid.coarseness(reach) + strangers
    }

    /// Whether any behavior that has reported so far in this tick perceives others.
    pub(crate) fn is_needed(&self) -> bool {
        !self.radii.is_empty()
    }

    /// Prepares the index for searches with these radii, from when it is next built.
    pub(crate) fn widen(&mut self, radii: &Radii) {
        self.radii.add(radii);
    }
}
