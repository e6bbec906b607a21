//! Pairs of bodies that may overlap.

use bevy_steerling::math::Vector;

/// A disc or ball on a straight path.
pub(crate) struct Moving {
    /// The end of its path.
    pub end: Vector,
    pub way: Vector,
    pub radius: f32,
}

/// Calls `visit` with every pair of discs or balls that may overlap somewhere along their paths, by sorting them along x (sort and sweep).
/// If the world wraps, `period` is its width, and a pair may be visited twice. Those without an end, such as half-spaces, are paired
/// with all others.
pub(crate) fn for_each_near_pair(
    discs: impl Iterator<Item = Moving>,
    period: Option<f32>,
    mut visit: impl FnMut(usize, usize),
) {
    let discs = discs.enumerate().filter(|(_, disc)| disc.end.is_finite() && disc.way.is_finite());
    let (discs, boundless): (Vec<_>, Vec<_>) = discs.partition(|(_, disc)| disc.radius.is_finite());
    for (b, _) in boundless {
        discs.iter().for_each(|(a, _)| visit(*a, b));
    }
    let mut widest = 0.0_f32;
    let mut spans: Vec<(f32, f32, usize)> = discs
        .into_iter()
        .map(|(index, Moving { end, way, radius })| {
            let start = end.x - way.x;
            widest = widest.max(radius + 0.5 * way.x.abs());
            (end.x.min(start) - radius, end.x.max(start) + radius, index)
        })
        .collect();
    spans.sort_by(|a, b| a.0.total_cmp(&b.0));
    if let Some(period) = period
        && let Some(&(leftmost, ..)) = spans.first()
    {
        // Discs at the left edge also appear just beyond the right edge.
        for index in 0..spans.partition_point(|span| span.0 <= leftmost + 4.0 * widest) {
            let (left, right, agent) = spans[index];
            spans.push((left + period, right + period, agent));
        }
        spans.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    for (index, &(_, right, a)) in spans.iter().enumerate() {
        for &(_, _, b) in spans[index + 1..].iter().take_while(|span| span.0 <= right) {
            if a != b {
                visit(a.min(b), a.max(b));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use bevy::math::Vec2;
    use bevy_steerling::behavior_prelude::SteeringRng;
    use bevy_steerling::math::space::Space;
    use bevy_steerling::prelude::{SteeringBounds, SteeringId, SteeringSeed};

    #[test]
    fn finds_the_overlaps_that_a_search_through_all_pairs_finds() {
        let mut random = SteeringRng::new(SteeringSeed(5), SteeringId::new(0), 1);
        let positions: Vec<Vec2> = (0..300).map(|_| 100.0 * Vec2::new(random.uniform(), random.uniform())).collect();
        let radii: Vec<f32> = (0..300).map(|_| 4.0 * random.uniform()).collect();
        let ways: Vec<Vec2> = (0..300).map(|_| 12.0 * Vec2::new(random.uniform(), random.uniform()) - 6.0).collect();
        let torus = SteeringBounds::wrap(Vec2::ZERO, Vec2::splat(100.0)).space();
        let mut counts = Vec::new();
        for (space, period) in [(Space::default(), None), (torus, Some(100.0))] {
            let place = |disc: usize, share: f32| positions[disc] - ways[disc] * share;
            let overlap = |a: usize, b: usize| {
                let mut shares = (0..=20_u8).map(|part| f32::from(part) / 20.0);
                shares.any(|share| space.displacement(place(a, share), place(b, share)).length() < radii[a] + radii[b])
            };
            let expected: BTreeSet<_> =
                (0..300).flat_map(|b| (0..b).map(move |a| (a, b))).filter(|&(a, b)| overlap(a, b)).collect();
            let mut found = BTreeSet::new();
            let discs = (0..300).map(|k| Moving { end: positions[k], way: ways[k], radius: radii[k] });
            for_each_near_pair(discs, period, |a, b| {
                if overlap(a, b) {
                    found.insert((a, b));
                }
            });
            assert_eq!(found, expected);
            counts.push(found.len());
        }
        assert!(counts[0] > 50 && counts[1] > counts[0], "{counts:?}");
    }
}
