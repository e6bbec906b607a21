//! Finds pairs of bodies that are near each other.

use alloc::vec::Vec;

use bevy::math::Vec2;

/// Two bodies near each other.
pub(crate) struct Pair {
    pub first: usize,
    pub second: usize,
    /// Whether they were moved apart.
    pub touching: bool,
}

/// Places sorted into rows along x, to find those near each other. The lists keep their capacity between ticks.
#[derive(Default)]
pub(crate) struct Rows {
    /// The places in the order of the rows, and in the order of x within each row.
    places: Vec<u32>,
    /// The index in `places` at which each row starts, and the end of the last row.
    starts: Vec<u32>,
    /// For each row, the index in `places` of the first place after the current one.
    next: Vec<u32>,
    /// The row of each place.
    row_of: Vec<u32>,
}

/// Rows are higher than the reach by this factor, because of rounding errors.
const HIGHER: f32 = 1.01;

/// With more rows, row numbers would not be accurate enough.
const MOST_ROWS: f32 = 16_384.0;

impl Rows {
    /// Lists all pairs that `is_near` accepts. It is called for all pairs within `reach` of each other on both axes, and for some others.
    /// The places must be sorted by x. The pairs are in the same order: first those of the first place, starting with the next place.
    /// `size` is the size of a world that wraps, or zero on an axis that does not wrap.
    pub fn list_pairs(
        &mut self,
        places: &[Vec2],
        reach: f32,
        size: Vec2,
        is_near: impl Fn(usize, usize) -> bool,
        pairs: &mut Vec<Pair>,
    ) {
        pairs.clear();
        if reach <= 0.0 || places.is_empty() {
            return;
        }
        let rows = self.sort(places, HIGHER * reach, size.y);
        for (first, place) in places.iter().enumerate() {
            let start = pairs.len();
            let row = self.row_of[first] as usize;
            let around = [(row + rows - 1) % rows, row, (row + 1) % rows];
            // With fewer than three rows, some of them are the same.
            let around = if rows < 3 { &around[..rows] } else { &around };
            for &row in around {
                let (low, high) = (self.starts[row] as usize, self.starts[row + 1] as usize);
                let mut next = self.next[row] as usize;
                while next < high && self.places[next] as usize <= first {
                    next += 1;
                }
                self.next[row] = next as u32;
                let mut list = |seconds: &[u32], lap: f32| {
                    for second in seconds.iter().map(|second| *second as usize) {
                        if places[second].x + lap - place.x > reach {
                            return false;
                        }
                        if is_near(first, second) {
                            pairs.push(Pair { first, second, touching: false });
                        }
                    }
                    true
                };
                // After the last place, continues around the world.
                if list(&self.places[next..high], 0.0) && size.x > 0.0 {
                    let before = self.places[low..next].partition_point(|second| (*second as usize) < first);
                    list(&self.places[low..low + before], size.x);
                }
            }
            pairs[start..].sort_unstable_by_key(|pair| (pair.second < first, pair.second));
        }
    }

    /// Sorts places into rows at least this high, and returns their number.
    fn sort(&mut self, places: &[Vec2], height: f32, round: f32) -> usize {
        let low = places.iter().map(|place| place.y).fold(f32::INFINITY, f32::min);
        let high = places.iter().map(|place| place.y).fold(f32::NEG_INFINITY, f32::max);
        // In a world that wraps, the first and the last row are adjacent, so all rows must be high enough.
        let extent = if round > 0.0 { round } else { high - low };
        let rows = (extent / height).min(MOST_ROWS).min(places.len() as f32) as usize;
        let rows = rows.max(1);
        let density = rows as f32 / extent;
        let row = |y: f32| (((y - low) * density) as usize).min(rows - 1);

        self.starts.clear();
        self.starts.resize(rows + 2, 0);
        self.row_of.clear();
        for place in places {
            let row = row(place.y);
            self.row_of.push(row as u32);
            self.starts[row + 2] += 1;
        }
        for row in 2..rows + 2 {
            self.starts[row] += self.starts[row - 1];
        }
        self.places.clear();
        self.places.resize(places.len(), 0);
        for (place, row) in self.row_of.iter().enumerate() {
            // Filling a row moves its start to the start of the next one.
            let next = &mut self.starts[*row as usize + 1];
            self.places[*next as usize] = place as u32;
            *next += 1;
        }
        self.next.clear();
        self.next.extend_from_slice(&self.starts[..rows]);
        rows
    }
}

/// Maps a number that is not NaN to bits with the same order.
pub(super) fn in_order(number: f32) -> u32 {
    let bits = number.to_bits();
    if bits >> 31 == 0 { bits | 1 << 31 } else { !bits }
}
