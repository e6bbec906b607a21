//! The searches for neighbors.

use alloc::vec::Vec;
use core::ops::Range;

use crate::agent::Agent;
use crate::agent::SteeringId;
use crate::math::Vector;
use crate::math::lanes::LANES;
use crate::math::space::Space;
use crate::perception::neighbors::grid::Run;
use crate::perception::neighbors::index::{MOST_CANDIDATES, MOST_RUNS, Neighbors};
use crate::perception::neighbors::records::Neighbor;

/// The lanes whose places are in `range`, where the first lane has the place `first`.
#[inline]
pub(crate) fn lanes_within(range: &Range<usize>, first: usize) -> u32 {
    let all = (1 << LANES) - 1;
    let before = range.start.saturating_sub(first);
    let after = (first + LANES).saturating_sub(range.end);
    (all << before) & (all >> after)
}

/// Agents that were found, in the order of the index.
struct Found {
    /// The squares of the distances. They are not negative, so the order of their bits is the order of their values.
    squares: [u32; Self::ROOM + 1],
    places: [(usize, Vector); Self::ROOM + 1],
    count: usize,
}

impl Default for Found {
    fn default() -> Self {
        Self { squares: [0; Self::ROOM + 1], places: [(0, Vector::ZERO); Self::ROOM + 1], count: 0 }
    }
}

/// The minimum number of agents that are removed when the list is full.
const FREED: usize = 64;

impl Found {
    const ROOM: usize = MOST_CANDIDATES + MOST_RUNS;

    /// Adds an agent if it is accepted. There must be room for it. This has no branch, because it is the hot loop in a dense crowd.
    #[inline(always)]
    fn push(&mut self, place: usize, displacement: Vector, is_accepted: bool) {
        // The last element is for an agent that is not accepted.
        self.squares[self.count] = displacement.length_squared().to_bits();
        self.places[self.count] = (place, displacement);
        self.count += usize::from(is_accepted);
    }

    /// Keeps the `most` nearest agents, fewer than there are. Of agents that are equally far away, it keeps those with the smaller ids.
    fn keep_nearest(&mut self, most: usize, id: impl Fn(usize) -> SteeringId) {
        let (squares, places) = (&mut self.squares[..self.count], &mut self.places[..self.count]);
        self.count = most;
        let Some(last) = most.checked_sub(1) else { return };
        let mut in_order = [0; Self::ROOM];
        in_order[..squares.len()].copy_from_slice(squares);
        let (nearer, farthest, _) = in_order[..squares.len()].select_nth_unstable(last);
        let farthest = *farthest;
        let at_rim = most - nearer.iter().filter(|square| **square < farthest).count();
        let (mut ids, mut rim) = ([SteeringId::new(0); Self::ROOM], 0);
        for (_, (place, _)) in squares.iter().zip(&*places).filter(|(square, _)| **square == farthest) {
            ids[rim] = id(*place);
            rim += 1;
        }
        let last_id = *ids[..rim].select_nth_unstable(at_rim - 1).1;
        let mut kept = 0;
        for index in 0..squares.len() {
            let square = squares[index];
            if square < farthest || square == farthest && id(places[index].0) <= last_id {
                (squares[kept], places[kept]) = (square, places[index]);
                kept += 1;
            }
        }
    }
}

impl Neighbors {
    /// Calls `visit` with each other agent whose center is at most `radius` from that of `agent`, and with the displacement to it. In a
    /// world that wraps, this is the shortest displacement. With a negative radius, no agents are visited.
    ///
    /// The order depends only on the positions and ids of the agents, so sums over it do not depend on the order of spawning.
    #[inline]
    pub fn for_each_within(&self, agent: &Agent, radius: f32, mut visit: impl FnMut(&Neighbor, Vector)) {
        self.within_on_floor(agent.position, agent.height, radius).for_each(|(neighbor, displacement)| {
            if neighbor.entity != agent.entity {
                visit(&neighbor, displacement);
            }
        });
    }

    /// [`for_each_within`](Self::for_each_within) for crowds of any density: it considers only about [`MOST_CANDIDATES`] agents.
    #[inline]
    pub fn for_each_near(&self, agent: &Agent, radius: f32, mut visit: impl FnMut(&Neighbor, Vector)) {
        self.for_each_place_near(agent, radius, |place, displacement| visit(&self.neighbor(place), displacement));
    }

    /// [`for_each_near`](Self::for_each_near) for at most `most` of the agents that `accepts` accepts. The nearest ones are chosen, and
    /// ties are broken by the smaller ids. They are visited in the order of the index.
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

    /// [`for_each_near`](Self::for_each_near) with the places of the agents.
    #[inline]
    pub(crate) fn for_each_place_near(&self, agent: &Agent, radius: f32, mut visit: impl FnMut(usize, Vector)) {
        let Some((position, window)) = self.window(agent.position, radius) else { return };
        let own = self.place_of(agent.entity);
        let me = own.unwrap_or(usize::MAX);
        self.for_each_run(&window, radius, own, |run| {
            let mut visit_all = |space: Space| {
                for (place, body) in run.range().zip(&self.bodies[run.range()]) {
                    let displacement = space.displacement(position, body.position);
                    let is_near = displacement.length_squared() <= radius * radius;
                    if is_near && place != me && self.is_on_floor(place, agent.height) {
                        visit(place, displacement);
                    }
                }
            };
            // Within the area, the direct way is the shortest.
            if run.shift == Vector::ZERO && !window.ambiguous {
                visit_all(Space::default());
            } else {
                visit_all(self.space);
            }
        });
    }

    /// Lists the agents that [`for_each_place_near`](Self::for_each_place_near) considers.
    pub(crate) fn list_runs_near(&self, agent: &Agent, radius: f32, list: &mut Vec<Run>) {
        list.clear();
        let Some((_, window)) = self.window(agent.position, radius) else { return };
        self.grid.list_runs(&window, &self.starts, list);
        let total: usize = list.iter().map(Run::len).sum();
        let most = self.most_of(total, &window, radius);
        if total > most {
            let middle = self.place_of(agent.entity);
            for run in list {
                *run = run.trimmed((run.len() * most).div_ceil(total), middle);
            }
        }
    }

    /// Lists all agents that may be within `reach` of those at `places`, which are in one row, in a world that does not wrap.
    #[inline]
    pub(crate) fn list_runs_around(&self, places: Range<usize>, reach: f32, list: &mut Vec<Run>) {
        let (first, last) = (self.bodies[places.start].position, self.bodies[places.end - 1].position);
        self.grid.list_runs(&self.grid.window_around(first, last, reach), &self.starts, list);
    }

    /// Whether [`for_each_place_near`](Self::for_each_place_near) visits an agent that it considers.
    #[inline]
    pub(crate) fn is_near(&self, agent: &Agent, radius: f32, place: usize) -> bool {
        let displacement = self.space.displacement(self.space.wrap(agent.position), self.bodies[place].position);
        let is_near = displacement.length_squared() <= radius * radius;
        is_near && self.place_of(agent.entity) != Some(place) && self.is_on_floor(place, agent.height)
    }

    /// Calls `visit` with the places of all agents that may be within `radius` of a position, in the order of the index, and with whether
    /// the direct way to them is the shortest.
    #[inline]
    pub(crate) fn for_each_range(&self, position: Vector, radius: f32, mut visit: impl FnMut(Range<usize>, bool)) {
        let Some((_, window)) = self.window(position, radius) else { return };
        let runs = self.grid.runs(window, &self.starts);
        runs.for_each(|run| visit(run.range(), run.shift == Vector::ZERO && !window.ambiguous));
    }

    /// [`for_each_nearest`](Self::for_each_nearest) with the places of the agents.
    pub(crate) fn for_each_nearest_place(
        &self,
        agent: &Agent,
        radius: f32,
        most: usize,
        accepts: impl Fn(usize, Vector) -> bool,
        mut visit: impl FnMut(usize, Vector),
    ) {
        let (mut found, mut most) = (Found::default(), most);
        self.for_each_place_near(agent, radius, |place, displacement| {
            if found.count == Found::ROOM {
                most = most.min(Found::ROOM - FREED);
                found.keep_nearest(most, |place| self.id(place));
            }
            found.push(place, displacement, accepts(place, displacement));
        });
        if found.count > most {
            found.keep_nearest(most, |place| self.id(place));
        }
        found.places[..found.count].iter().for_each(|(place, displacement)| visit(*place, *displacement));
    }

    /// All agents on all floors whose center is at most `radius` from `position`, with the displacement to them. In a world that wraps,
    /// this is the shortest displacement. The order depends only on their positions and ids. With a negative radius, there are none.
    pub fn within(&self, position: Vector, radius: f32) -> impl Iterator<Item = (Neighbor, Vector)> + '_ {
        self.within_on_floor(position, f32::NAN, radius)
    }

    /// [`within`](Self::within) on the floor with this height, units.
    #[inline]
    fn within_on_floor(
        &self,
        position: Vector,
        height: f32,
        radius: f32,
    ) -> impl Iterator<Item = (Neighbor, Vector)> + '_ {
        self.window(position, radius).into_iter().flat_map(move |(position, window)| {
            self.grid.runs(window, &self.starts).flat_map(move |run| {
                run.range().filter_map(move |place| {
                    let displacement = self.space.displacement(position, self.bodies[place].position);
                    let is_near = displacement.length_squared() <= radius * radius;
                    (is_near && self.is_on_floor(place, height)).then(|| (self.neighbor(place), displacement))
                })
            })
        })
    }

    /// Writes the `count` nearest of the agents [within](Self::within) `radius` to `found`, the nearest first. Ties are broken by the
    /// smaller id.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_steerling::behavior_prelude::*;
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
            // Squares are not negative, so the order of their bits is the order of their values.
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
}
