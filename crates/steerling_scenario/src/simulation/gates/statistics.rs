//! Statistics of the times of crossing.

/// The flow is measured from this crossing on.
const FIRST_OF_FLOW: usize = 11;

/// Crossings per second, from sorted times of crossing.
pub(crate) fn flow(times: &[f64]) -> Option<f64> {
    let counted = times.get(FIRST_OF_FLOW - 1..)?;
    let duration = counted.last()? - counted.first()?;
    (duration > 0.0).then(|| (counted.len() - 1) as f64 / duration)
}

/// The longest time without a crossing while at least two of the agents had yet to cross. `crossings` are sorted times;
/// `gone` are the times when other agents were removed, in any order.
pub(crate) fn longest_gap(crossings: &[f64], gone: impl Iterator<Item = f64>, agents: usize, end: f64) -> Option<f64> {
    let mut events: Vec<(f64, bool)> = crossings.iter().map(|time| (*time, true)).collect();
    events.extend(gone.map(|time| (time, false)));
    events.sort_by(|a, b| a.0.total_cmp(&b.0));
    events.push((end, true));
    let (mut since, mut longest) = (0.0, 0.0_f64);
    // After each event one agent less has yet to cross. The gap counts as long as there are two.
    for &(time, is_crossing) in events.iter().take(agents.saturating_sub(1)) {
        longest = longest.max(time - since);
        if is_crossing {
            since = time;
        }
    }
    (agents > 1).then_some(longest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flow_is_that_from_the_eleventh_on() {
        let times: Vec<f64> = (0..31_u8).map(|k| if k < 10 { 0.0 } else { 0.5 * f64::from(k) }).collect();
        assert_eq!(flow(&times), Some(2.0));
        assert_eq!(flow(&times[..12]), Some(2.0));
        assert_eq!(flow(&times[..11]), None, "too few");
        assert_eq!(flow(&[]), None);
        assert_eq!(flow(&[7.0; 20]), None, "all at once");
    }

    #[test]
    fn gaps_count_while_two_are_still_to_cross() {
        let gap = |crossings: &[f64], gone: &[f64], agents| longest_gap(crossings, gone.iter().copied(), agents, 50.0);
        // From the start to the first; between two; up to the end of the run.
        assert_eq!(gap(&[5.0, 6.0, 7.0], &[], 3), Some(5.0));
        assert_eq!(gap(&[1.0, 4.0, 49.0], &[], 4), Some(45.0));
        assert_eq!(gap(&[1.0, 4.0, 5.0], &[], 5), Some(45.0));
        assert_eq!(gap(&[], &[], 2), Some(50.0), "nobody gets through");
        // A single agent does not wait in line.
        assert_eq!(gap(&[1.0, 4.0], &[], 3), Some(3.0), "the last one never comes");
        assert_eq!(gap(&[1.0, 4.0, 40.0], &[], 3), Some(3.0));
        assert_eq!(gap(&[9.0], &[], 1), None);
        assert_eq!(gap(&[], &[], 0), None);
        // Others leave through other gates, the last of them at 20. From then on a single agent remains.
        assert_eq!(gap(&[1.0], &[10.0, 20.0], 4), Some(19.0));
        assert_eq!(gap(&[1.0, 12.0], &[20.0, 10.0], 5), Some(11.0));
    }
}
