//! Connected components of linked agents.
//!
//! All agents in a cell of a fine grid are linked, so the union-find algorithm works on cells instead of agents. This
//! keeps dense crowds cheap.

use std::array::from_fn;

use crate::dimension::{DIMENSIONS, DVector, combinations};
use crate::measures::flock::torus::Torus;

/// The side length of a cell in link radii. The diagonal is shorter than one link radius.
const SIDE: f64 = if DIMENSIONS == 2 { 0.7 } else { 0.57 };

type Cell = [i64; DIMENSIONS];

/// The number of places in each connected component, if places at most `link_radius` apart are linked.
pub(crate) fn component_sizes(places: &[DVector], link_radius: f64, torus: Option<Torus>) -> Vec<usize> {
    let axes: [Axis; DIMENSIONS] =
        from_fn(|axis| Axis::new(link_radius, torus.map(|torus| (torus.min[axis], torus.size[axis]))));
    let cell = |place: &DVector| -> Cell { from_fn(|axis| axes[axis].cell(place[axis])) };
    let mut sorted: Vec<(Cell, DVector)> = places.iter().map(|place| (cell(place), *place)).collect();
    sorted.sort_unstable_by_key(|(cell, _)| *cell);
    let cells: Vec<&[(Cell, DVector)]> = sorted.chunk_by(|a, b| a.0 == b.0).collect();

    let linked = |a: DVector, b: DVector| {
        let displacement = DVector::from_array(from_fn(|axis| axes[axis].shortest(b[axis] - a[axis])));
        displacement.length_squared() <= link_radius * link_radius
    };
    let any_linked = |a: usize, b: usize| cells[a].iter().any(|(_, p)| cells[b].iter().any(|(_, q)| linked(*p, *q)));

    let mut parents: Vec<usize> = (0..cells.len()).collect();
    for (index, members) in cells.iter().enumerate() {
        let cell = members[0].0;
        for near in combinations(from_fn(|axis| axes[axis].near(cell[axis]).collect::<Vec<_>>())) {
            // Visits each pair of cells once, with the earlier one in order.
            if near < cell
                && let Ok(other) = cells.binary_search_by_key(&near, |members| members[0].0)
            {
                let roots = [root(&mut parents, index), root(&mut parents, other)];
                if roots[0] != roots[1] && any_linked(index, other) {
                    parents[roots[0]] = roots[1];
                }
            }
        }
    }

    let mut sizes = vec![0; cells.len()];
    for (index, members) in cells.iter().enumerate() {
        sizes[root(&mut parents, index)] += members.len();
    }
    sizes.retain(|size| *size > 0);
    sizes
}

/// The representative of the set of cells that a cell belongs to.
fn root(parents: &mut [usize], mut cell: usize) -> usize {
    while parents[cell] != cell {
        parents[cell] = parents[parents[cell]];
        cell = parents[cell];
    }
    cell
}

/// The cells along one axis.
struct Axis {
    min: f64,
    side: f64,
    /// The number of cells to the farthest linked place.
    reach: i64,
    /// The length of the axis and its number of cells, if it wraps.
    lap: Option<(f64, i64)>,
}

impl Axis {
    /// `lap` is the start and the length of an axis that wraps.
    fn new(link_radius: f64, lap: Option<(f64, f64)>) -> Self {
        let side = SIDE * link_radius;
        let (min, side, lap) = match lap {
            Some((min, length)) => {
                let count = (length / side).ceil().max(1.0);
                (min, length / count, Some((length, count as i64)))
            }
            None => (0.0, side, None),
        };
        Self { min, side, reach: (link_radius / side).ceil() as i64, lap }
    }

    fn cell(&self, x: f64) -> i64 {
        let cell = ((x - self.min) / self.side).floor() as i64;
        self.lap.map_or(cell, |(_, count)| cell.rem_euclid(count))
    }

    /// All cells that may contain places linked to a place in this cell, each once.
    fn near(&self, cell: i64) -> impl Iterator<Item = i64> + use<> {
        let all = self.lap.filter(|(_, count)| *count <= 2 * self.reach + 1);
        let (first, last) =
            all.map_or((cell.saturating_sub(self.reach), cell.saturating_add(self.reach)), |(_, count)| (0, count - 1));
        let lap = self.lap;
        (first..=last).map(move |cell| lap.map_or(cell, |(_, count)| cell.rem_euclid(count)))
    }

    /// The shortest displacement along the axis.
    fn shortest(&self, straight: f64) -> f64 {
        self.lap.map_or(straight, |(length, _)| straight - length * (straight / length).round())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measures::flock::torus::testing::{random_places, shortest};
    use bevy::math::DVec2;

    const TORUS: Torus = Torus { min: DVec2::new(-30.0, 10.0), size: DVec2::new(100.0, 40.0) };

    fn sorted(mut sizes: Vec<usize>) -> Vec<usize> {
        sizes.sort_unstable();
        sizes
    }

    /// The same sizes, by a search through all pairs.
    fn by_search(places: &[DVec2], link_radius: f64, torus: Option<Torus>) -> Vec<usize> {
        let mut unseen: Vec<DVec2> = places.to_vec();
        let mut sizes = Vec::new();
        while let Some(start) = unseen.pop() {
            let mut component = vec![start];
            let mut next = 0;
            while next < component.len() {
                let here = component[next];
                next += 1;
                component.extend(unseen.extract_if(.., |place| shortest(here, *place, torus) <= link_radius));
            }
            sizes.push(component.len());
        }
        sizes
    }

    #[test]
    fn finds_the_components_that_a_search_through_all_pairs_finds() {
        let mut counts = Vec::new();
        for torus in [None, Some(TORUS)] {
            for link_radius in [1e-6, 1.0, 2.5, 4.0, 15.0, 28.0, 70.0, 1e9] {
                let places = random_places(400, TORUS);
                let found = sorted(component_sizes(&places, link_radius, torus));
                assert_eq!(found, sorted(by_search(&places, link_radius, torus)), "{torus:?} {link_radius}");
                counts.push(found.len());
            }
        }
        // From no links, apart from two agents in one place, to all linked.
        assert!(counts[0] == 399 && counts[7] == 1 && (2..399).contains(&counts[2]), "{counts:?}");
    }

    #[test]
    fn the_rim_of_the_link_radius_belongs_to_it() {
        let line: Vec<DVec2> = (0..10_u8).map(|k| DVec2::new(3.0 * f64::from(k), -7.0)).collect();
        assert_eq!(component_sizes(&line, 3.0, None), [10]);
        assert_eq!(component_sizes(&line, 2.999, None).len(), 10);
    }

    #[test]
    fn a_crowd_in_one_place_is_one_component_and_cheap() {
        let places = [vec![DVec2::splat(5.0); 20_000], vec![DVec2::splat(7.0); 20_000]].concat();
        assert_eq!(component_sizes(&places, 4.0, None), [40_000]);
    }

    #[test]
    fn links_reach_across_the_seams_of_a_torus() {
        let corners = [DVec2::new(-29.5, 10.5), DVec2::new(69.5, 49.5), DVec2::new(-29.5, 49.5)];
        assert_eq!(component_sizes(&corners, 2.0, Some(TORUS)), [3]);
        assert_eq!(component_sizes(&corners, 2.0, None), [1, 1, 1]);
    }
}
