//! How far the agents of a crowd perceive, and which cells suit them.

/// The number of classes. The radii of a class differ by less than a factor of two.
const CLASSES: usize = 32;

/// The exponent of the radii in the first class, as in the bits of an `f32`: a thousandth of a unit.
const FIRST: u32 = 117;

/// A common radius spans at most this many cells, unless they would be coarser than [`COARSEST`].
const MOST_ROWS: f32 = if cfg!(dim3) { 8.0 } else { 32.0 };

/// A quarter of the radii may be smaller than the cells.
const RARE_BELOW: u32 = 4;

/// A sixteenth of the radii may be much larger than the cells.
const RARE_ABOVE: u32 = 16;

/// Cells are at most this many times as high as the radius of agents that perceive little.
const COARSEST: f32 = 4.0;

/// How far agents perceive. It does not depend on the order in which the radii were noted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Radii {
    total: u32,
    classes: [Class; CLASSES],
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Class {
    count: u32,
    smallest: f32,
    largest: f32,
}

impl Class {
    #[inline(always)]
    fn add(&mut self, other: Self) {
        let Class { count, smallest, largest } = *self;
        if other.count > 0 {
            let smallest = if count > 0 { smallest.min(other.smallest) } else { other.smallest };
            *self = Self { count: count.saturating_add(other.count), smallest, largest: largest.max(other.largest) };
        }
    }
}

impl Radii {
    /// Whether nobody perceives others.
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// Adds agents with the same radius, units. Those with a radius of zero perceive nobody.
    #[inline(always)]
    pub fn note(&mut self, radius: f32, count: u32) {
        if radius > 0.0 {
            let class = (radius.to_bits() >> 23).saturating_sub(FIRST).min(CLASSES as u32 - 1);
            self.classes[class as usize].add(Class { count, smallest: radius, largest: radius });
            self.total = self.total.saturating_add(count);
        }
    }

    /// Adds the radii of other agents.
    pub fn add(&mut self, other: &Self) {
        self.classes.iter_mut().zip(other.classes).for_each(|(class, other)| class.add(other));
        self.total = self.total.saturating_add(other.total);
    }

    /// The height of a cell of the index, units. Rare radii do not count: a single agent that perceives far does not make the cells of all
    /// others coarse, nor does a single agent that perceives little make everybody search many cells.
    pub fn cell_height(&self) -> f32 {
        let (forward, backward) = (self.classes.iter(), self.classes.iter().rev());
        let low = self.nth(forward, self.total / RARE_BELOW).map_or(1.0, |class| class.smallest);
        let high = self.nth(backward, self.total / RARE_ABOVE).map_or(1.0, |class| class.largest);
        low.max((high / MOST_ROWS).min(COARSEST * low))
    }

    /// The class of the radius with this number.
    fn nth<'a>(&self, mut classes: impl Iterator<Item = &'a Class>, number: u32) -> Option<&'a Class> {
        let mut before = 0;
        classes.find(|class| {
            before += class.count;
            before > number
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn radii(radii: &[(f32, u32)]) -> Radii {
        let mut all = Radii::default();
        radii.iter().for_each(|(radius, count)| all.note(*radius, *count));
        all
    }

    #[test]
    fn cells_are_as_high_as_the_radius_of_most() {
        assert_eq!(radii(&[(48.0, 1)]).cell_height(), 48.0);
        assert_eq!(radii(&[(48.0, 400), (5000.0, 20), (0.01, 40)]).cell_height(), 48.0);
        assert_eq!(radii(&[(20.0, 100), (80.0, 100)]).cell_height(), 20.0);
        assert_eq!(radii(&[(f32::INFINITY, 3)]).cell_height(), f32::INFINITY);
    }

    #[test]
    fn many_wide_radii_make_them_at_most_four_times_as_high() {
        let wide = 2.0 * MOST_ROWS;
        assert_eq!(radii(&[(1.0, 100), (wide, 100)]).cell_height(), 2.0);
        assert_eq!(radii(&[(1.0, 100), (1e9, 100)]).cell_height(), 4.0);
    }

    #[test]
    fn the_order_does_not_matter() {
        let all = [(3.0, 2), (2.5, 9), (700.0, 1), (1e-30, 4), (0.0, 3), (1e30, 5)];
        let mut other = radii(&[all[4], all[2], all[5]]);
        other.add(&radii(&[all[3], all[1], all[0]]));
        assert_eq!(radii(&all), other);
    }
}
