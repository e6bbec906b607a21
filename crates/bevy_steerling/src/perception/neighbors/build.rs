//! Builds the index with a counting sort of all agents by cell.

use bevy::prelude::Transform;

use crate::math::space::Space;
use crate::math::{Placement, Vector};
use crate::perception::neighbors::grid::{Grid, spacing};
use crate::perception::neighbors::index::{NOWHERE, Neighbors};
use crate::perception::neighbors::records::{Body, Known, Record};
use crate::tick::schedule::SteeringThreads;
use crate::tick::threads;

/// The maximum number of cells per agent.
const CELLS_PER_AGENT: usize = 4;

/// The maximum number of agents in a cell that are sorted by insertion.
const FEW: usize = 64;

/// The minimum number of agents for which their state is read on several threads.
pub(super) const PARALLEL_THRESHOLD: usize = 32_768;

impl Neighbors {
    /// Builds the index of all known agents. `gather` writes their state, in the order of the records.
    pub(super) fn build(&mut self, space: Space, threads: SteeringThreads, gather: impl FnOnce(&mut [Body]) -> Area) {
        self.space = space;
        self.bodies.clear();
        self.slots.clear();

        // For large crowds, memory is the bottleneck, so each step touches as little of it as possible.
        let count = if self.radii.is_empty() { 0 } else { self.records.len() };
        self.unsorted.resize(count, Body::default());
        self.places.resize(count, NOWHERE);
        let area = gather(&mut self.unsorted);
        if area.count == 0 {
            self.places.fill(NOWHERE);
            return;
        }
        let height = self.radii.cell_height(spacing(area.high - area.low, area.count));
        let most = CELLS_PER_AGENT * area.count;
        let Area { low, high, .. } = self.across_seams(area, height);
        self.grid = Grid::new(space, low, high, height, most);
        self.note_cells(threads);
        self.sort_by_cell();
        if !self.ordered {
            self.order_by_number();
        }
    }

    /// The corners around all agents in a world that wraps: around the seam, if a crowd in a small part of the world is on both sides of it.
    fn across_seams(&self, area: Area, height: f32) -> Area {
        let (space, extent) = (self.space, area.high - area.low);
        let is_sparse = (extent / height).max(Vector::ONE).element_product() > area.count as f32;
        let is_around_seam = (2.0 * extent).cmpgt(space.size) & space.size.cmpgt(Vector::ZERO);
        if !is_sparse || !is_around_seam.any() {
            return area;
        }
        let positions = self.unsorted.iter().map(|body| body.position).filter(|position| position.is_finite());
        let from_seam = positions.map(|position| space.displacement(space.min, position));
        let seam = from_seam.fold(Area::default(), |area, position| Area {
            low: area.low.min(position),
            high: area.high.max(position),
            ..area
        });
        let is_narrower = (seam.high - seam.low).cmplt(extent);
        let select = |seam, area| Vector::select(is_narrower, seam, area);
        Area { low: select(seam.low, area.low), high: select(seam.high, area.high), ..area }
    }

    /// Writes the cell of each agent into `places`.
    fn note_cells(&mut self, threads: SteeringThreads) {
        let (grid, places) = (self.grid, &mut self.places[..]);
        let in_parallel = threads.parallel(|| places.len(), PARALLEL_THRESHOLD);
        threads::divide(places, in_parallel, |first, cells| {
            for (body, cell) in self.unsorted[first..].iter().zip(cells) {
                *cell = if body.position.is_finite() { grid.cell(body.position) } else { NOWHERE };
            }
        });
    }

    /// Sorts the agents by the cells in `places`. After that, `places` has their places in the index.
    fn sort_by_cell(&mut self) {
        let places = &mut self.places[..];
        // The starts are shifted by one: filling a cell moves its start to the start of the next one.
        let starts = &mut self.starts;
        starts.clear();
        starts.resize(self.grid.cells() + 2, 0);
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
    }

    /// Records the heights of all known agents, in the order of the records, if the world has floors.
    pub(super) fn note_heights<'a>(&mut self, plane: Placement, transforms: impl Iterator<Item = &'a Transform>) {
        self.plane = plane;
        self.heights.clear();
        if !plane.has_floors() {
            return;
        }
        self.heights.resize(self.bodies.len(), 0.0);
        for (place, transform) in self.places.iter().zip(transforms).filter(|(place, _)| **place != NOWHERE) {
            self.heights[*place as usize] = plane.height(transform.translation);
        }
    }

    /// Sets the list of agents.
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

    /// Sorts the agents in each cell by id.
    fn order_by_number(&mut self) {
        for cell in 0..self.grid.cells() {
            let (start, end) = (self.starts[cell] as usize, self.starts[cell + 1] as usize);
            if end - start < 2 {
                continue;
            }
            let (slots, bodies) = (&mut self.slots[start..end], &mut self.bodies[start..end]);
            let number = |slot: u32| (self.records[slot as usize].id, slot);
            if end - start > FEW {
                self.in_cell.clear();
                self.in_cell.extend(slots.iter().copied().zip(bodies.iter().copied()));
                self.in_cell.sort_unstable_by_key(|(slot, _)| number(*slot));
                for ((slot, body), sorted) in slots.iter_mut().zip(&mut *bodies).zip(&self.in_cell) {
                    (*slot, *body) = *sorted;
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

/// The number of agents whose position is finite, and the corners around them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Area {
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
