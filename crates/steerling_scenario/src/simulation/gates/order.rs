//! How well two orders agree.

/// Kendall's rank correlation with allowance for ties (τ-b): concordant minus discordant pairs, divided by the
/// geometric mean of the numbers of pairs that are not tied in the first and in the second value. 1 if the orders
/// agree, -1 if they are opposite; `None` if one of the values is always the same.
///
/// Runs in the time of a sort (Knight 1966).
pub(crate) fn kendall_tau(mut pairs: Vec<(f64, f64)>) -> Option<f64> {
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let all = pairs_among(pairs.len());
    let tied_in_first: u64 = pairs.chunk_by(|a, b| a.0 == b.0).map(|tied| pairs_among(tied.len())).sum();
    let tied_in_both: u64 = pairs.chunk_by(|a, b| a == b).map(|tied| pairs_among(tied.len())).sum();
    let mut seconds: Vec<f64> = pairs.into_iter().map(|(_, second)| second).collect();
    let opposite = sort_counting_inversions(&mut seconds);
    let tied_in_second: u64 = seconds.chunk_by(|a, b| a == b).map(|tied| pairs_among(tied.len())).sum();

    let same = all + tied_in_both - tied_in_first - tied_in_second - opposite;
    let (differ_in_first, differ_in_second) = ((all - tied_in_first) as f64, (all - tied_in_second) as f64);
    let mean = differ_in_first.sqrt() * differ_in_second.sqrt();
    (mean > 0.0).then(|| (same as f64 - opposite as f64) / mean)
}

fn pairs_among(count: usize) -> u64 {
    let count = count as u64;
    count * count.saturating_sub(1) / 2
}

/// Sorts numbers and counts the pairs that were in descending order.
fn sort_counting_inversions(numbers: &mut [f64]) -> u64 {
    if numbers.len() < 2 {
        return 0;
    }
    let (left, right) = numbers.split_at_mut(numbers.len() / 2);
    let mut inversions = sort_counting_inversions(left) + sort_counting_inversions(right);
    let mut not_larger = 0;
    for number in right {
        not_larger += left[not_larger..].iter().take_while(|other| *other <= number).count();
        inversions += (left.len() - not_larger) as u64;
    }
    // The standard sort finds the two sorted runs and merges them.
    numbers.sort_by(f64::total_cmp);
    inversions
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy_steerling::behavior_prelude::SteeringRng;
    use bevy_steerling::prelude::{SteeringId, SteeringSeed};

    #[track_caller]
    fn assert_tau(firsts: &[f64], seconds: &[f64], expected: f64) {
        let tau = kendall_tau(firsts.iter().copied().zip(seconds.iter().copied()).collect());
        assert!(tau.is_some_and(|tau| (tau - expected).abs() < 1e-12), "{tau:?} instead of {expected}");
    }

    #[test]
    fn known_values() {
        assert_tau(&[1.0, 2.0], &[5.0, 7.0], 1.0);
        assert_tau(&[1.0, 2.0, 3.0], &[3.0, 2.0, 1.0], -1.0);
        // Five of six pairs agree; four of six.
        assert_tau(&[1.0, 2.0, 3.0, 4.0], &[1.0, 3.0, 2.0, 4.0], 4.0 / 6.0);
        assert_tau(&[1.0, 2.0, 3.0, 4.0], &[2.0, 1.0, 4.0, 3.0], 2.0 / 6.0);
        // The example in SciPy's documentation of `kendalltau`, with ties in both.
        assert_tau(&[12.0, 2.0, 1.0, 12.0, 2.0], &[1.0, 4.0, 7.0, 1.0, 0.0], -4.0 / (8.0_f64 * 9.0).sqrt());
    }

    #[test]
    fn ties_count_for_neither_side() {
        // One pair of three is tied in the first numbers, and the others agree.
        assert_tau(&[1.0, 1.0, 2.0], &[1.0, 2.0, 3.0], 2.0 / 6.0_f64.sqrt());
        assert_tau(&[1.0, 1.0, 2.0], &[4.0, 4.0, 3.0], -1.0);
        assert_eq!(kendall_tau(vec![(1.0, 1.0), (1.0, 2.0)]), None);
        assert_eq!(kendall_tau(vec![(1.0, 1.0)]), None);
        assert_eq!(kendall_tau(Vec::new()), None);
    }

    #[test]
    fn the_quick_way_counts_what_looking_at_all_pairs_counts() {
        let mut random = SteeringRng::new(SteeringSeed(3), SteeringId::new(0), 1);
        for steps in [4.0, 1000.0] {
            let mut number = || f64::from((random.uniform() * steps).floor());
            let pairs: Vec<(f64, f64)> = (0..200).map(|_| (number(), number())).collect();
            let (mut agree, mut firsts, mut seconds) = (0.0, 0.0_f64, 0.0_f64);
            for (index, a) in pairs.iter().enumerate() {
                for b in &pairs[..index] {
                    let sign = |difference: f64| if difference == 0.0 { 0.0 } else { difference.signum() };
                    let (first, second) = (sign(a.0 - b.0), sign(a.1 - b.1));
                    agree += first * second;
                    firsts += first.abs();
                    seconds += second.abs();
                }
            }
            let tau = kendall_tau(pairs).expect("they differ");
            assert!((tau - agree / (firsts * seconds).sqrt()).abs() < 1e-12);
        }
    }
}
