//! How far the agents of a crowd perceive, and which cells suit them.

/// The number of classes. The radii of a class differ by less than a factor of two, except in the first and the last one.
const CLASSES: usize = 32;

/// The exponent of the radii in the first class, as in the bits of an `f32`: a thousandth of a unit.
const FIRST: u32 = 117;

/// A common radius spans at most this many cells, unless they would be coarser than [`COARSEST`].
const MOST_ROWS: f32 = if cfg!(dim3) { 8.0 } else { 32.0 };

/// The same in a crowd that is so sparse that smaller cells would be empty.
const ROWS_IN_SPARSE: f32 = if cfg!(dim3) { 4.0 } else { 6.0 };

/// The share of radii that are rare.
const RARE: u32 = 16;

/// Cells are at most this many times as high as the radius of agents that perceive little.
const COARSEST: f32 = 4.0;

/// The same in a sparse crowd. A single agent far away makes a dense crowd look sparse, so this must not make searches slower.
const COARSEST_IN_SPARSE: f32 = 2.0;

/// How far the agents with a behavior perceive. It does not depend on the order in which the radii were noted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Radii {
    total: u32,
    classes: [Class; CLASSES],
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Class {
    count: u32,
    largest: f32,
}

impl Class {
    #[inline(always)]
    fn add(&mut self, other: Self) {
        *self = Self { count: self.count.saturating_add(other.count), largest: self.largest.max(other.largest) };
    }
}

/// How far agents perceive with all their behaviors. It does not depend on the order of the behaviors.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct AllRadii {
    all: Radii,
    /// The largest common radii of the behaviors whose radii are in a class: the smallest of them, units, and the number of their agents.
    behaviors: [(f32, u32); CLASSES],
}

/// The class of a radius, units, > 0.
#[inline(always)]
fn class_of(radius: f32) -> usize {
    (radius.to_bits() >> 23).saturating_sub(FIRST).min(CLASSES as u32 - 1) as usize
}

impl Radii {
    /// Adds agents with the same radius, units. Those with a radius of zero perceive nobody.
    #[inline(always)]
    pub fn note(&mut self, radius: f32, count: u32) {
        if radius > 0.0 {
            self.classes[class_of(radius)].add(Class { count, largest: radius });
            self.total = self.total.saturating_add(count);
        }
    }

    /// The largest radius that is not rare, units; zero if there is none.
    fn largest_common(&self) -> f32 {
        let mut above = 0_u32;
        let common = self.classes.iter().rev().find(|class| {
            above = above.saturating_add(class.count);
            above > self.total / RARE
        });
        common.map_or(0.0, |class| class.largest)
    }
}

impl AllRadii {
    /// Whether nobody perceives others.
    pub fn is_empty(&self) -> bool {
        self.all.total == 0
    }

    /// Adds the radii of a behavior.
    pub fn add(&mut self, behavior: &Radii) {
        if behavior.total == 0 {
            return;
        }
        let Self { all, behaviors } = self;
        all.classes.iter_mut().zip(behavior.classes).for_each(|(class, other)| class.add(other));
        all.total = all.total.saturating_add(behavior.total);
        let radius = behavior.largest_common();
        let (smallest, count) = &mut behaviors[class_of(radius)];
        *smallest = if *count == 0 { radius } else { smallest.min(radius) };
        *count = count.saturating_add(behavior.total);
    }

    /// The height of a cell of the index, units: the radius of the behavior that perceives least. Rare radii do not count, so a single agent
    /// that perceives far or little does not make the cells of all others coarse or small. Where agents are about `apart` from each other,
    /// units, smaller cells would be empty.
    pub fn cell_height(&self, apart: f32) -> f32 {
        let mut below = 0_u32;
        let common = self.behaviors.iter().find(|(_, count)| {
            below = below.saturating_add(*count);
            below > self.all.total / RARE
        });
        let smallest = common.map_or(0.0, |(smallest, _)| *smallest);
        let largest = self.all.largest_common();
        let in_sparse = (largest / ROWS_IN_SPARSE).min(apart).min(COARSEST_IN_SPARSE * smallest);
        smallest.max((largest / MOST_ROWS).min(COARSEST * smallest)).max(in_sparse)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The radii of several behaviors.
    fn radii(behaviors: &[&[(f32, u32)]]) -> AllRadii {
        let mut all = AllRadii::default();
        for radii in behaviors {
            let mut behavior = Radii::default();
            radii.iter().for_each(|(radius, count)| behavior.note(*radius, *count));
            all.add(&behavior);
        }
        all
    }

    #[test]
    fn cells_are_as_high_as_the_radius_of_the_behavior_that_perceives_least() {
        assert_eq!(radii(&[&[(48.0, 1)]]).cell_height(0.0), 48.0);
        assert_eq!(radii(&[&[(20.0, 100), (80.0, 100)]]).cell_height(0.0), 80.0);
        assert_eq!(radii(&[&[(80.0, 100)], &[], &[(20.0, 100)]]).cell_height(0.0), 20.0);
        assert_eq!(radii(&[&[(f32::INFINITY, 3)]]).cell_height(0.0), f32::INFINITY);
        // One in twenty perceives far.
        assert_eq!(radii(&[&[(48.0, 400), (5000.0, 20)]]).cell_height(0.0), 48.0);
        assert_eq!(radii(&[&[(48.0, 400)], &[(5000.0, 20)]]).cell_height(0.0), 48.0);
    }

    #[test]
    fn a_behavior_of_few_agents_does_not_make_them_small() {
        assert_eq!(radii(&[&[(48.0, 400)], &[(0.1, 1)]]).cell_height(0.0), 48.0);
        assert_eq!(radii(&[&[(0.1, 20)], &[(48.0, 400)], &[(60.0, 100)]]).cell_height(0.0), 48.0);
        let wide = 2.0 * MOST_ROWS;
        assert_eq!(radii(&[&[(wide, 100)], &[(1.0, 20)], &[(wide, 100)]]).cell_height(0.0), 2.0);
        assert_eq!(radii(&[&[(0.1, 1)]]).cell_height(0.0), 0.1);
    }

    #[test]
    fn many_wide_radii_make_them_at_most_four_times_as_high() {
        let wide = 2.0 * MOST_ROWS;
        assert_eq!(radii(&[&[(1.0, 100)], &[(wide, 100)]]).cell_height(0.0), 2.0);
        assert_eq!(radii(&[&[(1.0, 100)], &[(1e9, 100)]]).cell_height(0.0), 4.0);
    }

    #[test]
    fn in_a_sparse_crowd_they_are_not_much_smaller_than_the_distance_between_agents() {
        let behaviors = radii(&[&[(10.0, 100)], &[(10.0 * ROWS_IN_SPARSE, 100)]]);
        assert_eq!(behaviors.cell_height(500.0), 10.0);
        let behaviors = radii(&[&[(10.0, 100)], &[(20.0 * ROWS_IN_SPARSE, 100)]]);
        assert_eq!([0.0, 15.0, 500.0].map(|apart| behaviors.cell_height(apart)), [10.0, 15.0, 20.0]);
    }

    #[test]
    fn the_order_does_not_matter() {
        let all = [&[(3.0, 2), (2.5, 9)][..], &[(700.0, 1), (1e-30, 4)], &[(0.0, 3)], &[(1e30, 5)]];
        assert_eq!(radii(&all), radii(&[all[2], all[3], &[(1e-30, 4), (700.0, 1)], &[(2.5, 9), (3.0, 2)]]));
    }
}
