//! Which obstacles are near, found without looking at the others.

use alloc::vec::Vec;
use core::sync::atomic::{AtomicU32, Ordering};

use bevy::math::ops;

use super::IndexedObstacle;
use crate::math::Vector;
use crate::math::space::Space;

/// With fewer obstacles to look at each is as quick.
const PARALLEL_THRESHOLD: usize = 8;

/// How many cells there are for each obstacle, at most.
const CELLS_PER_OBSTACLE: usize = 64;

/// How many times an obstacle is listed, at most, in the mean. Large ones get larger cells.
const LISTED_PER_OBSTACLE: usize = 256;

/// Beyond this places are not told apart well enough, units.
const FARTHEST: f32 = 1e12;

/// A [`Raster`] for each reach that is looked for, give or take a factor of two, while no obstacle changes.
#[derive(Debug, Default)]
pub(super) struct Rasters {
    space: Space,
    /// By class of reach; nothing where there can be none.
    built: Vec<(u32, Option<Raster>)>,
    /// A bit for each class of reach that anybody looked for. What is found does not depend on it, only how soon.
    asked: [AtomicU32; 8],
}

/// The exponent of the power of two that a reach does not exceed; `None` without a sound reach.
#[inline]
fn class_of(reach: f32) -> Option<u32> {
    (reach > 0.0 && reach < FARTHEST).then(|| (reach.to_bits() - 1) >> 23)
}

impl Rasters {
    /// The places in the index of all obstacles that may be within reach of a place, ascending; `None` if it is not known.
    #[inline]
    pub fn near(&self, position: Vector, reach: f32) -> Option<&[u32]> {
        let class = class_of(reach)?;
        match self.built.iter().find(|(built, _)| *built == class) {
            Some((_, raster)) => raster.as_ref()?.near(position),
            None => {
                let (asked, bit) = (&self.asked[class as usize / 32], 1 << (class % 32));
                if asked.load(Ordering::Relaxed) & bit == 0 {
                    asked.fetch_or(bit, Ordering::Relaxed);
                }
                None
            }
        }
    }

    /// Something has changed.
    pub fn forget(&mut self) {
        self.built.clear();
    }

    /// Makes those that were asked for.
    pub fn build(&mut self, obstacles: &[IndexedObstacle], space: Space) {
        if self.space != space {
            self.forget();
            self.space = space;
        }
        if obstacles.len() < PARALLEL_THRESHOLD {
            return;
        }
        for (word, asked) in self.asked.iter_mut().enumerate() {
            let mut asked = *asked.get_mut();
            while asked != 0 {
                let class = word as u32 * 32 + asked.trailing_zeros();
                asked &= asked - 1;
                if self.built.iter().all(|(built, _)| *built != class) {
                    let most = f32::from_bits((class + 1) << 23);
                    self.built.push((class, Raster::new(obstacles, space, most)));
                }
            }
        }
    }
}

/// For the cells of a rectangle, which obstacles are within a reach of them.
#[derive(Debug)]
struct Raster {
    columns: Axis,
    rows: Axis,
    /// Where the list of each cell starts, and where the last one ends.
    starts: Vec<u32>,
    /// The places of obstacles in the index, ascending in each list.
    near: Vec<u32>,
    /// A little more than the reach, for what rounding takes.
    reach: f32,
}

impl Raster {
    fn new(obstacles: &[IndexedObstacle], space: Space, reach: f32) -> Option<Self> {
        let (low, high) = obstacles.iter().fold((Vector::INFINITY, Vector::NEG_INFINITY), |(low, high), obstacle| {
            let reach = 1.01 * (reach + obstacle.shape.extent);
            (low.min(obstacle.shape.center - reach), high.max(obstacle.shape.center + reach))
        });
        let farthest = low.abs().max(high.abs()).max(space.size.abs()).max_element();
        if farthest.is_nan() || farthest > FARTHEST {
            return None;
        }
        let reach = 1.001 * reach + 1e-5 * farthest;
        let most = obstacles.len() * CELLS_PER_OBSTACLE;
        let mut side = (0.5 * reach).max(ops::sqrt((high - low).element_product() / most as f32));
        loop {
            let columns = Axis::new(space.min.x, space.size.x, low.x, high.x, side, most);
            let rows = Axis::new(space.min.y, space.size.y, low.y, high.y, side, most / columns.cells as usize);
            let mut raster = Self { columns, rows, starts: Vec::new(), near: Vec::new(), reach };
            raster.list(obstacles);
            if raster.near.len() <= obstacles.len() * LISTED_PER_OBSTACLE || columns.cells * rows.cells == 1 {
                return Some(raster);
            }
            side *= 2.0;
        }
    }

    /// A counting sort by cell.
    fn list(&mut self, obstacles: &[IndexedObstacle]) {
        self.starts.resize((self.columns.cells * self.rows.cells) as usize + 1, 0);
        self.for_each_cell_near(obstacles, |starts, _, cell, _| starts[cell + 1] += 1);
        for cell in 1..self.starts.len() {
            self.starts[cell] += self.starts[cell - 1];
        }
        self.near.resize(self.starts[self.starts.len() - 1] as usize, 0);
        // Each list grows from its start, which is put back at the end.
        self.for_each_cell_near(obstacles, |starts, near, cell, place| {
            near[starts[cell] as usize] = place;
            starts[cell] += 1;
        });
        self.starts.rotate_right(1);
        self.starts[0] = 0;
    }

    fn for_each_cell_near(
        &mut self,
        obstacles: &[IndexedObstacle],
        mut visit: impl FnMut(&mut [u32], &mut [u32], usize, u32),
    ) {
        let Self { columns, rows, starts, near, reach } = self;
        for (place, obstacle) in obstacles.iter().enumerate() {
            let (center, reach) = (obstacle.shape.center, *reach + obstacle.shape.extent * 1.001);
            for (row, beside_y) in rows.near(center.y, reach) {
                for (column, beside_x) in columns.near(center.x, reach) {
                    if beside_x * beside_x + beside_y * beside_y <= reach * reach {
                        visit(starts, near, (row * columns.cells + column) as usize, place as u32);
                    }
                }
            }
        }
    }

    #[inline]
    fn near(&self, position: Vector) -> Option<&[u32]> {
        match (self.columns.cell(position.x), self.rows.cell(position.y)) {
            (Some(column), Some(row)) => {
                let cell = (row * self.columns.cells + column) as usize;
                Some(&self.near[self.starts[cell] as usize..self.starts[cell + 1] as usize])
            }
            // Outside a world that wraps is inside it too: that is for others to reckon.
            _ if self.columns.wraps || self.rows.wraps => None,
            _ => Some(&[]),
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Axis {
    start: f32,
    /// Cells per unit.
    density: f32,
    cells: u32,
    wraps: bool,
}

impl Axis {
    fn new(min: f32, size: f32, low: f32, high: f32, side: f32, most: usize) -> Self {
        let wraps = size > 0.0;
        let (start, length) = if wraps { (min, size) } else { (low, high - low) };
        let cells = (length / side).clamp(1.0, most.max(1) as f32) as u32;
        Self { start, density: cells as f32 / length, cells, wraps }
    }

    /// The cell of a place; `None` outside.
    #[inline]
    fn cell(&self, x: f32) -> Option<u32> {
        let cell = (x - self.start) * self.density;
        (cell >= 0.0 && cell < self.cells as f32).then_some(cell as u32)
    }

    /// The cells with a part within reach of a place, and how far off they are.
    fn near(self, x: f32, reach: f32) -> impl Iterator<Item = (u32, f32)> {
        let (middle, cells) = ((x - self.start) * self.density, self.cells);
        let reach = reach * self.density;
        let [low, high] = [middle - reach, middle + reach].map(|edge| ops::floor(edge) as i64);
        let (low, high) = if self.wraps {
            // Each once: of those that are seen in two directions none is far.
            if high - low >= i64::from(cells) { (0, i64::from(cells) - 1) } else { (low, high) }
        } else {
            (low.max(0), high.min(i64::from(cells) - 1))
        };
        let round = self.wraps && (high - low + 1) * 2 > i64::from(cells);
        (low..=high).map(move |cell| {
            let beside = middle - middle.clamp(cell as f32, (cell + 1) as f32);
            let beside = if round { 0.0 } else { beside / self.density };
            (cell.rem_euclid(i64::from(cells)) as u32, beside)
        })
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use bevy::prelude::*;

    use super::*;
    use crate::perception::obstacles::{ObstacleShape, Obstacles};
    use crate::prelude::*;

    fn obstacles(count: u32, spread: f32) -> Obstacles {
        let mut random = SteeringRng::new(SteeringSeed(5), SteeringId::new(0), 1);
        let mut coordinate = move |spread: f32| (random.uniform() - 0.3) * spread;
        let mut obstacles = Obstacles::default();
        for _ in 0..count {
            let shape = if coordinate(1.0) > 0.5 {
                ObstacleShape::from(Segment2d::new(Vec2::ZERO, Vec2::new(coordinate(spread), coordinate(spread))))
            } else {
                Circle::new(coordinate(spread * 0.1).abs()).into()
            };
            let shape = shape.placed(&Transform::from_xyz(coordinate(spread), coordinate(spread), 0.0));
            obstacles.obstacles.push(IndexedObstacle {
                entity: Entity::PLACEHOLDER,
                shape,
                velocity: Vector::ZERO,
                layers: 1,
            });
        }
        obstacles.sort();
        obstacles
    }

    #[test]
    fn finds_exactly_those_that_a_search_through_all_finds() {
        let spaces = [
            Space::default(),
            SteeringBounds::wrap(Vector::splat(-30.0), Vector::splat(70.0)).space(),
            SteeringBounds::wrap(Vector::new(-30.0, 0.0), Vector::new(70.0, 0.0)).space(),
            SteeringBounds::wrap(Vector::splat(-3.0), Vector::new(5.0, 90.0)).space(),
        ];
        let mut hits = 0;
        for space in spaces {
            for spread in [1.0, 100.0, 1e6] {
                let mut obstacles = obstacles(100, spread);
                let places: Vec<Vector> = (0..300_u16)
                    .map(|k| Vector::new(f32::from(k) / 300.0 - 0.4, f32::from(k * 37 % 300) / 300.0 - 0.4) * spread)
                    .collect();
                for reach in [0.0, 1e-3 * spread, 0.1 * spread, spread, f32::INFINITY] {
                    let found = |obstacles: &Obstacles| -> Vec<Vec<(Vector, Vector)>> {
                        let around = |place: &Vector| {
                            let mut found = Vec::new();
                            obstacles.for_each_around(*place, &space, reach, u32::MAX, |obstacle, position| {
                                found.push((obstacle.shape.center(), position));
                            });
                            found
                        };
                        places.iter().map(around).collect()
                    };
                    let reached = |place: Vector, obstacle: &IndexedObstacle| {
                        let to_center = space.displacement(place, obstacle.shape.center);
                        let position = obstacle.shape.center - to_center;
                        let (around, reach) = (reach, reach + obstacle.shape.extent);
                        let near = to_center.length_squared() <= reach * reach
                            && obstacle.shape.touches(position - around, position + around);
                        near.then_some((obstacle.shape.center(), position))
                    };
                    let search = |place: &Vector| {
                        obstacles.obstacles.iter().filter_map(|obstacle| reached(*place, obstacle)).collect::<Vec<_>>()
                    };
                    let expected: Vec<_> = places.iter().map(search).collect();
                    obstacles.rasters = Rasters::default();
                    assert_eq!(found(&obstacles), expected, "{space:?} spread {spread} reach {reach}, before");
                    obstacles.rasters.build(&obstacles.obstacles, space);
                    assert_eq!(obstacles.rasters.built.len(), usize::from(reach > 0.0 && reach.is_finite()));
                    assert_eq!(found(&obstacles), expected, "{space:?} spread {spread} reach {reach}");
                    hits += expected.iter().map(Vec::len).sum::<usize>();
                }
            }
        }
        assert!(hits > 10_000, "{hits}");
    }
}
