//! Gates: who crosses them, when, and in which order.

mod order;

use bevy::math::{DVec2, Vec2};
use bevy_steerling::math::space::Space;
use bevy_steerling::prelude::{Edge, SteeringBounds};
use serde::Serialize;

use crate::file::vector;
use crate::scenario::Scenario;
use crate::simulation::AgentState;
use order::kendall_tau;

/// The flow is that from this crossing on.
const FIRST_OF_FLOW: usize = 11;

/// What happened at a gate.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GateSummary {
    /// Its name in the file.
    pub id: String,
    /// How many agents crossed it, each counted once.
    pub crossings: usize,
    /// When the first one did, seconds.
    pub first: Option<f64>,
    /// When the last one did, seconds.
    pub last: Option<f64>,
    /// Crossings per second, from the 11th to the last. `None` with fewer than 12 of them, or all at once.
    pub flow: Option<f64>,
    /// The longest time in which nobody crossed while at least two agents were there that had not, seconds: from the start or a
    /// crossing to the next crossing or the end of the run. `None` where there are not even two agents.
    pub longest_gap: Option<f64>,
    /// Whether those cross first who started nearest: Kendall's τ-b of distance at the start and time of crossing, among those
    /// who crossed. 1 is their order, -1 the opposite one. `None` with fewer than two crossings, or with no order.
    pub order_tau: Option<f64>,
}

/// All gates of a scene, and who has crossed them so far. Agents are known by their place in the order of ids at the start.
#[derive(Default)]
pub(crate) struct Gates {
    gates: Vec<Gate>,
    space: Space,
    /// From a place to where it is seen from across the seams of a world that wraps, and to itself.
    images: Vec<DVec2>,
}

struct Gate {
    id: String,
    ends: [DVec2; 2],
    removes: bool,
    /// Of each agent, the distance at the start, and when it crossed.
    distances: Vec<f64>,
    crossed_at: Vec<Option<f64>>,
}

impl Gates {
    /// The gates of a scenario, whose agents start like this.
    pub fn new(scenario: &Scenario, agents: &[AgentState]) -> Self {
        let bounds = scenario.file.steering_bounds();
        let images = images(&bounds);
        let gate = |file: &crate::file::Gate| {
            let ends = [file.start, file.end].map(|end| vector(end).as_dvec2());
            let distance = |agent: &AgentState| {
                let seen = images.iter().map(|image| agent.position.as_dvec2() + image);
                seen.map(|place| distance_to_segment(ends, place)).fold(f64::INFINITY, f64::min)
            };
            Gate {
                id: file.id.clone(),
                ends,
                removes: file.remove,
                distances: agents.iter().map(distance).collect(),
                crossed_at: vec![None; agents.len()],
            }
        };
        let gates = scenario.file.gates.iter().map(|file| gate(file)).collect();
        Self { gates, space: bounds.space(), images }
    }

    pub fn is_empty(&self) -> bool {
        self.gates.is_empty()
    }

    /// Notes that an agent has gone from one place to another within a tick that began at `start`. Whether it is to be removed.
    pub fn note(&mut self, agent: usize, from: Vec2, to: Vec2, start: f64, tick: f64) -> bool {
        let mut is_removed = false;
        for gate in self.gates.iter_mut().filter(|gate| gate.crossed_at[agent].is_none()) {
            let way = self.space.displacement(from, to);
            let to = if way == to - from { to.as_dvec2() } else { from.as_dvec2() + way.as_dvec2() };
            let contacts = self
                .images
                .iter()
                .filter_map(|image| first_contact(gate.ends, from.as_dvec2() + image, to + image))
                .reduce(f64::min);
            if let Some(share) = contacts {
                gate.crossed_at[agent] = Some(start + share * tick);
                is_removed |= gate.removes;
            }
        }
        is_removed
    }

    /// What happened at each gate up to `end`; `removed` are agents that are gone, and since when.
    pub fn summaries(&self, removed: &[(usize, f64)], end: f64) -> Vec<GateSummary> {
        self.gates.iter().map(|gate| gate.summary(removed, end)).collect()
    }
}

impl Gate {
    fn summary(&self, removed: &[(usize, f64)], end: f64) -> GateSummary {
        let crossed = self.distances.iter().zip(&self.crossed_at);
        let order = crossed.filter_map(|(distance, time)| Some((*distance, (*time)?))).collect();
        let mut times: Vec<f64> = self.crossed_at.iter().copied().flatten().collect();
        times.sort_by(f64::total_cmp);
        let gone = removed.iter().filter(|(agent, _)| self.crossed_at[*agent].is_none()).map(|(_, time)| *time);
        GateSummary {
            id: self.id.clone(),
            crossings: times.len(),
            first: times.first().copied(),
            last: times.last().copied(),
            flow: flow(&times),
            longest_gap: longest_gap(&times, gone, self.distances.len(), end),
            order_tau: kendall_tau(order),
        }
    }
}

/// To all nine images of a world that wraps both ways, and only to itself in one without seams.
fn images(bounds: &SteeringBounds) -> Vec<DVec2> {
    let size = if bounds.edge == Edge::Wrap { (bounds.max - bounds.min).as_dvec2() } else { DVec2::ZERO };
    let steps = |size: f64| if size > 0.0 { vec![0.0, -size, size] } else { vec![0.0] };
    let rows = steps(size.y);
    steps(size.x).into_iter().flat_map(|x| rows.iter().map(move |y| DVec2::new(x, *y))).collect()
}

/// At which share of a straight way it first meets a segment, the ends of both included.
///
/// On which side of the segment a place is, depends on that place alone: no way leads from one side to the other between two
/// ticks. Nor between two segments that have an end in common.
fn first_contact([start, end]: [DVec2; 2], from: DVec2, to: DVec2) -> Option<f64> {
    if !(from.is_finite() && to.is_finite()) {
        return None;
    }
    let (segment, way) = (end - start, to - from);
    let sides = [segment.perp_dot(from - start), segment.perp_dot(to - start)];
    if sides == [0.0, 0.0] {
        // Along the segment's own line.
        let along = |place: DVec2| segment.dot(place - start) / segment.length_squared();
        let (before, after) = (along(from), along(to));
        let share = (before.clamp(0.0, 1.0) - before) / (after - before);
        return if (0.0..=1.0).contains(&before) { Some(0.0) } else { Some(share).filter(|x| (0.0..=1.0).contains(x)) };
    }
    let ends = [way.perp_dot(start - from), way.perp_dot(end - from)];
    let differ = |[one, other]: [f64; 2]| (one <= 0.0 && other >= 0.0) || (one >= 0.0 && other <= 0.0);
    (differ(sides) && differ(ends)).then(|| sides[0] / (sides[0] - sides[1]))
}

fn distance_to_segment([start, end]: [DVec2; 2], place: DVec2) -> f64 {
    let (segment, way) = (end - start, place - start);
    if (0.0..=segment.length_squared()).contains(&segment.dot(way)) {
        // Exactly the same for places that are equally far away.
        segment.perp_dot(way).abs() / segment.length()
    } else {
        place.distance(start).min(place.distance(end))
    }
}

/// Crossings per second, of crossings in order of time.
fn flow(times: &[f64]) -> Option<f64> {
    let counted = times.get(FIRST_OF_FLOW - 1..)?;
    let duration = counted.last()? - counted.first()?;
    (duration > 0.0).then(|| (counted.len() - 1) as f64 / duration)
}

/// The longest time without a crossing while at least two of so many agents were still to cross. `crossings` are in order; `gone`
/// is when others vanished, in any order.
fn longest_gap(crossings: &[f64], gone: impl Iterator<Item = f64>, agents: usize, end: f64) -> Option<f64> {
    let mut events: Vec<(f64, bool)> = crossings.iter().map(|time| (*time, true)).collect();
    events.extend(gone.map(|time| (time, false)));
    events.sort_by(|a, b| a.0.total_cmp(&b.0));
    events.push((end, true));
    let (mut since, mut longest) = (0.0, 0.0_f64);
    // Before each event one more agent is out of it, and as long as two are left it counts.
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

    const GATE: [DVec2; 2] = [DVec2::new(0.0, -1.0), DVec2::new(0.0, 1.0)];

    fn contact(from: (f64, f64), to: (f64, f64)) -> Option<f64> {
        first_contact(GATE, from.into(), to.into())
    }

    #[test]
    fn a_way_crosses_in_either_direction() {
        assert_eq!(contact((-1.0, 0.5), (3.0, 0.5)), Some(0.25));
        assert_eq!(contact((3.0, 0.5), (-1.0, 0.5)), Some(0.75));
        assert_eq!(contact((-1.0, -0.5), (1.0, 0.5)), Some(0.5));
        assert_eq!(contact((-3.0, 0.5), (-1.0, 0.5)), None, "before it");
        assert_eq!(contact((1.0, 0.5), (3.0, 0.5)), None, "behind it");
        assert_eq!(contact((-1.0, 1.5), (1.0, 1.5)), None, "past its end");
        assert_eq!(contact((-1.0, 0.5), (1.0, 1.6)), None, "past its end, on a slant");
    }

    #[test]
    fn its_ends_belong_to_it_and_a_touch_is_enough() {
        assert_eq!(contact((-1.0, 1.0), (1.0, 1.0)), Some(0.5), "over its end");
        assert_eq!(contact((-1.0, 0.0), (1.0, 2.0)), Some(0.5), "over its end, on a slant");
        assert_eq!(contact((-2.0, 0.0), (0.0, 0.0)), Some(1.0), "up to it");
        assert_eq!(contact((0.0, 0.0), (-2.0, 0.0)), Some(0.0), "away from it");
        assert_eq!(contact((0.0, 0.0), (0.0, 0.0)), Some(0.0), "at rest on it");
        assert_eq!(contact((0.0, 1.5), (0.0, 1.5)), None, "at rest on its line");
    }

    #[test]
    fn a_way_along_it_crosses_where_it_meets_it() {
        assert_eq!(contact((0.0, -3.0), (0.0, 5.0)), Some(0.25));
        assert_eq!(contact((0.0, 5.0), (0.0, -3.0)), Some(0.5));
        assert_eq!(contact((0.0, 0.5), (0.0, 5.0)), Some(0.0));
        assert_eq!(contact((0.0, 3.0), (0.0, 1.0)), Some(1.0));
        assert_eq!(contact((0.0, 5.0), (0.0, 3.0)), None);
        assert_eq!(contact((0.0, -9.0), (0.0, -3.0)), None);
    }

    #[test]
    fn who_is_not_anywhere_crosses_nothing() {
        for nowhere in [f64::NAN, f64::INFINITY] {
            assert_eq!(contact((-1.0, 0.0), (nowhere, 0.0)), None);
            assert_eq!(contact((nowhere, 0.0), (1.0, nowhere)), None);
        }
    }

    /// However slanted the gates and short the steps: a way from one side to the other meets one of two neighbors.
    #[test]
    fn nobody_slips_through_between_ticks_or_neighbors() {
        let place = |x: f32, y: f32| Vec2::new(x, y).as_dvec2();
        let (low, middle, high) = (place(-0.3, -2.1), place(0.1, 0.7), place(0.7, 3.3));
        for slope in 0..200_u8 {
            let goal = Vec2::new(1.3, 0.013 * f32::from(slope) - 0.6);
            let mut position = Vec2::new(-1.1, 0.7);
            let step = (goal - position) / 97.0;
            let mut crossed = false;
            for _ in 0..97 {
                let next = position + step;
                let way = [position.as_dvec2(), next.as_dvec2()];
                crossed |=
                    [[low, middle], [middle, high]].iter().any(|gate| first_contact(*gate, way[0], way[1]).is_some());
                position = next;
            }
            assert!(crossed, "to {goal}");
            // Straight over the end that they share.
            let over = middle + (middle - way_back(slope));
            for gate in [[low, middle], [middle, high]] {
                assert!(first_contact(gate, way_back(slope), middle).is_some(), "up to the end, from {slope}");
                assert!(first_contact(gate, middle, over).is_some(), "on from the end, from {slope}");
            }
        }
    }

    fn way_back(slope: u8) -> DVec2 {
        Vec2::new(-1.1, 0.01 * f32::from(slope)).as_dvec2()
    }

    #[test]
    fn the_distance_is_that_to_the_nearest_point() {
        for (place, distance) in [((3.0, 0.5), 3.0), ((-2.0, -1.0), 2.0), ((3.0, 5.0), 5.0), ((0.0, 0.2), 0.0)] {
            assert_eq!(distance_to_segment(GATE, place.into()), distance);
        }
    }

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
        // Whoever is alone does not wait in line.
        assert_eq!(gap(&[1.0, 4.0], &[], 3), Some(3.0), "the last one never comes");
        assert_eq!(gap(&[1.0, 4.0, 40.0], &[], 3), Some(3.0));
        assert_eq!(gap(&[9.0], &[], 1), None);
        assert_eq!(gap(&[], &[], 0), None);
        // Others leave by other gates, the last of them at 20: from then on one is alone.
        assert_eq!(gap(&[1.0], &[10.0, 20.0], 4), Some(19.0));
        assert_eq!(gap(&[1.0, 12.0], &[20.0, 10.0], 5), Some(11.0));
    }
}
