//! Distances to the nearest other agent.

use kdtree::KdTree;
use kdtree::distance::squared_euclidean;

use crate::dimension::{DIMENSIONS, DVector, combinations};
use crate::measures::flock::torus::Torus;

/// The distance from each place to the nearest other one. There must be at least two places.
pub(crate) fn nearest_distances(places: &[DVector], torus: Option<Torus>) -> impl Iterator<Item = f64> {
    let mut tree = KdTree::new(DIMENSIONS);
    let (mut low, mut high) = (DVector::INFINITY, DVector::NEG_INFINITY);
    for (index, place) in places.iter().enumerate() {
        (low, high) = (low.min(*place), high.max(*place));
        // This cannot fail: the places of agents are finite and have as many coordinates as the tree.
        let _ = tree.add(place.to_array(), index);
    }
    places.iter().enumerate().map(move |(index, place)| {
        let mut nearest = f64::INFINITY;
        for image in images(*place, torus) {
            // No need to search if all others are farther away.
            let outside = (low - image).max(image - high).max(DVector::ZERO);
            if outside.length_squared() < nearest {
                let found = tree.nearest(&image.to_array(), 2, &squared_euclidean).unwrap_or_default();
                let others = found.into_iter().filter(|(_, other)| **other != index);
                nearest = others.map(|(squared, _)| squared).fold(nearest, f64::min);
            }
        }
        nearest.sqrt()
    })
}

/// The place itself and, if the world wraps, its images across the edges.
fn images(place: DVector, torus: Option<Torus>) -> impl Iterator<Item = DVector> {
    let laps: &'static [f64] = if torus.is_some() { &[0.0, 1.0, -1.0] } else { &[0.0] };
    let size = torus.map_or(DVector::ZERO, |torus| torus.size);
    combinations([laps; DIMENSIONS]).map(move |laps| place + size * DVector::from(laps))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measures::flock::torus::testing::{random_places, shortest};
    use bevy::math::DVec2;

    #[test]
    fn finds_the_distances_that_a_search_through_all_pairs_finds() {
        // On the flat torus, a place's own image is closer than many others.
        for size in [DVec2::new(100.0, 40.0), DVec2::new(300.0, 1.0)] {
            let torus = Torus { min: DVec2::new(-30.0, 10.0), size };
            for (count, seams) in [(300, None), (300, Some(torus)), (2, None), (2, Some(torus))] {
                let places = random_places(count, torus);
                for (index, found) in nearest_distances(&places, seams).enumerate() {
                    let others = places.iter().enumerate().filter(|(other, _)| *other != index);
                    let distances = others.map(|(_, other)| shortest(places[index], *other, seams));
                    let expected = distances.fold(f64::INFINITY, f64::min);
                    assert!((found - expected).abs() < 1e-9, "{count} {seams:?}: {found} instead of {expected}");
                }
            }
        }
    }

    #[test]
    fn two_in_one_place_are_no_distance_apart() {
        let places = [DVec2::ONE, DVec2::ONE, DVec2::splat(4.0)];
        let distances: Vec<f64> = nearest_distances(&places, None).collect();
        assert_eq!(distances, [0.0, 0.0, 18.0_f64.sqrt()]);
    }
}
