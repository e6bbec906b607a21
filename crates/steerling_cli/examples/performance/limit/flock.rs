//! Separation, alignment and cohesion with all agents within a radius, in a square world that wraps.

use std::mem;

use steerling_scenario::AgentState;
use wide::f32x8;

use super::{Arrays, Body, LANES, Lanes, Limit};

/// The number of columns of cells per radius. Finer columns contain fewer agents out of reach, but take longer to sort.
const COLUMNS_PER_RADIUS: usize = 4;

/// Agents that flock.
///
/// They are sorted into cells, row by row, in each tick. Rows are as high as the radius. The neighbors of eight
/// consecutive agents of a row are therefore in three contiguous strips: in that row, and in the rows below and above.
pub struct Flock {
    count: usize,
    body: Body,
    radius: f32,
    /// The weights of separation, alignment and cohesion.
    weights: [f32; 3],
    /// The side of the world, from zero.
    side: f32,
    rows: usize,
    columns: usize,
    /// Sorted by the cells of the previous tick.
    agents: Arrays,
    ids: Vec<u32>,
    /// Positions and velocities, sorted by cell.
    sorted: Vec<[f32; 4]>,
    sorted_ids: Vec<u32>,
    cells: Vec<u32>,
    /// The index of the first agent of each cell.
    starts: Vec<u32>,
    next: Vec<u32>,
}

impl Flock {
    pub fn new(agents: &[AgentState], body: Body, radius: f32, weights: [f32; 3], side: f32) -> Self {
        let count = agents.len();
        let rows = (side / radius) as usize;
        // Cells are at least as wide as that part of a radius.
        let columns = (side / radius * COLUMNS_PER_RADIUS as f32) as usize;
        assert!(rows > 8, "a world so small that an agent is seen from two sides");
        Self {
            count,
            body,
            radius,
            weights,
            side,
            rows,
            columns,
            agents: Arrays::new(agents),
            ids: (0..count as u32).collect(),
            sorted: vec![[0.0; 4]; count + LANES],
            sorted_ids: vec![0; count],
            cells: vec![0; count],
            starts: vec![0; rows * columns + 1],
            next: vec![0; rows * columns + 1],
        }
    }

    /// A counting sort by cell.
    fn sort(&mut self) {
        let Self { rows, columns, side, count, .. } = *self;
        let [rows_per_unit, columns_per_unit] = [rows, columns].map(|cells| cells as f32 / side);
        self.starts.fill(0);
        for ((cell, x), y) in self.cells.iter_mut().zip(&self.agents.x).zip(&self.agents.y) {
            let row = ((y * rows_per_unit) as u32).min(rows as u32 - 1);
            let column = ((x * columns_per_unit) as u32).min(columns as u32 - 1);
            *cell = row * columns as u32 + column;
        }
        for cell in &self.cells {
            self.starts[*cell as usize] += 1;
        }
        let mut start = 0;
        for (cell, next) in self.starts.iter_mut().zip(&mut self.next) {
            *next = start;
            start += mem::replace(cell, start);
        }
        let Arrays { x, y, vx, vy } = &self.agents;
        let columns = x[..count].iter().zip(&y[..count]).zip(&vx[..count]).zip(&vy[..count]);
        for (((((x, y), vx), vy), id), cell) in columns.zip(&self.ids).zip(&self.cells) {
            let place = &mut self.next[*cell as usize];
            self.sorted[*place as usize] = [*x, *y, *vx, *vy];
            self.sorted_ids[*place as usize] = *id;
            *place += 1;
        }
    }

    /// Adds up the agents in the three rows that eight agents may see.
    #[inline(always)]
    fn look(&self, row: usize, [first, last]: [f32; 2], position: Lanes) -> Sums {
        let columns = self.columns as i32;
        let column = |x: f32| ((x * (self.columns as f32 / self.side)) as i32).min(columns - 1);
        let [low, high] = [column(first) - COLUMNS_PER_RADIUS as i32, column(last) + COLUMNS_PER_RADIUS as i32];
        let mut sums = Sums::default();
        let mut strip = |row: usize, [low, high]: [i32; 2], seam: [f32; 2], own: bool| {
            let cell = |column: i32| self.starts[row * self.columns + column as usize] as usize;
            let agents = &self.sorted[cell(low)..cell(high + 1)];
            let position = position - Lanes::splat(seam);
            if own {
                agents.iter().for_each(|agent| sums.add::<true>(position, *agent, self.radius));
            } else {
                agents.iter().for_each(|agent| sums.add::<false>(position, *agent, self.radius));
            }
        };
        for step in [-1, 0, 1] {
            let (row, seam) = match row as i32 + step {
                -1 => (self.rows - 1, -self.side),
                row if row as usize == self.rows => (0, self.side),
                row => (row as usize, 0.0),
            };
            strip(row, [low.max(0), high.min(columns - 1)], [0.0, seam], step == 0);
            if low < 0 {
                strip(row, [low + columns, columns - 1], [-self.side, seam], false);
            }
            if high >= columns {
                strip(row, [0, high - columns], [self.side, seam], false);
            }
        }
        sums
    }

    fn steer(&mut self) {
        let tick = f32x8::splat(self.body.tick);
        let [separation, alignment, cohesion] = self.weights.map(f32x8::splat);
        for row in 0..self.rows {
            let [start, end] = [row, row + 1].map(|row| self.starts[row * self.columns] as usize);
            for at in (start..end).step_by(LANES) {
                let group: &[[f32; 4]; LANES] = self.sorted[at..at + LANES].as_array().expect("padded");
                let lanes = |coordinate: usize| f32x8::from(group.map(|agent| agent[coordinate]));
                let (position, velocity) = (Lanes { x: lanes(0), y: lanes(1) }, Lanes { x: lanes(2), y: lanes(3) });
                let sums = self.look(row, [group[0][0], group[(end - at).min(LANES) - 1][0]], position);

                // The agent itself is among them, at distance zero.
                let alignment_way = (sums.velocity - velocity * sums.count).normalize();
                let wish = sums.displacement.normalize() * f32x8::splat(self.body.max_speed);
                let cohesion_way = (wish - velocity).normalize().masked(f32x8::ONE.simd_lt(sums.count));
                let force =
                    sums.separation.normalize() * separation + alignment_way * alignment + cohesion_way * cohesion;
                let velocity = self.body.accelerate(velocity, force);
                let position = position + velocity * tick;
                let position = Lanes { x: self.wrap(position.x), y: self.wrap(position.y) };
                // The next row, which follows the end of this one, is visited later.
                self.agents.store(at, position, velocity);
            }
        }
        mem::swap(&mut self.ids, &mut self.sorted_ids);
    }

    #[inline(always)]
    fn wrap(&self, x: f32x8) -> f32x8 {
        let side = f32x8::splat(self.side);
        let x = x + (side & x.simd_lt(f32x8::ZERO));
        x - (side & side.simd_le(x))
    }
}

impl Limit for Flock {
    fn tick(&mut self, _: [f32; 2]) {
        self.sort();
        self.steer();
    }

    fn states(&self) -> Vec<[f32; 4]> {
        let mut states = vec![[0.0; 4]; self.count];
        for (at, id) in self.ids.iter().enumerate() {
            states[*id as usize] = self.agents.state(at);
        }
        states
    }
}

/// Sums over the neighbors of an agent, including itself.
struct Sums {
    /// `Σ −d/|d|²`
    separation: Lanes,
    displacement: Lanes,
    velocity: Lanes,
    count: f32x8,
}

impl Default for Sums {
    fn default() -> Self {
        Self { separation: Lanes::ZERO, displacement: Lanes::ZERO, velocity: Lanes::ZERO, count: f32x8::ZERO }
    }
}

impl Sums {
    /// Branch-free. In its `OWN` row an agent encounters itself.
    #[inline(always)]
    fn add<const OWN: bool>(&mut self, position: Lanes, [x, y, vx, vy]: [f32; 4], radius: f32) {
        let displacement = Lanes::splat([x, y]) - position;
        let squared = displacement.dot(displacement);
        let near = squared.simd_lt(f32x8::splat(radius * radius));
        let inverse = f32x8::ONE / if OWN { squared.fast_max(f32x8::splat(1e-20)) } else { squared };
        let displacement = displacement.masked(near);
        self.separation = self.separation - displacement * inverse;
        self.displacement = self.displacement + displacement;
        self.velocity = self.velocity + Lanes::splat([vx, vy]).masked(near);
        self.count += f32x8::ONE & near;
    }
}
