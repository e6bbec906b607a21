//! How much of a flock agents are: whether they go the same way, hold together, and how near they keep to each other.

mod components;
mod nearest;

use std::ops::RangeInclusive;

use bevy::math::DVec2;
use serde::Serialize;

use crate::file::{Edge, FlockMeasures};
use crate::scenario::Scenario;
use crate::simulation::Simulation;

/// What a flock amounts to: means over the ends of the ticks in which it was measured. Without any, or without agents, none.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FlockSummary {
    /// How much all go the same way, from 0 to 1: `|Σ unit velocities|/N`. An agent at rest has a unit velocity of zero.
    pub polarization: Option<f64>,
    /// How far they hold together.
    pub components: Components,
    /// Mean over agents of the distance to the nearest other one, units; none where an agent is alone.
    pub nearest_neighbor: Option<f64>,
}

/// The connected components of the graph in which agents are linked whose centers are at most a link radius apart.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Components {
    /// How many there are.
    pub count: Option<f64>,
    /// The share of the agents in the largest one.
    pub largest: Option<f64>,
}

/// A world that wraps.
#[derive(Clone, Copy, Debug)]
struct Torus {
    min: DVec2,
    size: DVec2,
}

impl Torus {
    fn of(scenario: &Scenario) -> Option<Self> {
        let bounds = scenario.file.bounds.as_deref()?;
        let corners = scenario.file.steering_bounds();
        let torus = Self { min: corners.min.as_dvec2(), size: (corners.max - corners.min).as_dvec2() };
        matches!(bounds.edge, Edge::Wrap).then_some(torus)
    }
}

/// The mean of what is added.
#[derive(Default)]
struct Mean {
    sum: f64,
    count: f64,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1.0;
    }

    fn get(&self) -> Option<f64> {
        (self.count > 0.0).then(|| self.sum / self.count)
    }
}

/// Measures a flock while it flies.
pub(crate) struct FlockMeter {
    /// When.
    ticks: RangeInclusive<f64>,
    link_radius: f64,
    /// Of each agent, in the order of ids at the start, whether it counts.
    members: Vec<bool>,
    torus: Option<Torus>,
    polarization: Mean,
    count: Mean,
    largest: Mean,
    nearest: Mean,
}

impl FlockMeter {
    /// A meter of what the scenario asks for.
    pub fn new(scenario: &Scenario, measures: &FlockMeasures) -> Self {
        let mut agents: Vec<_> = scenario.agents.iter().collect();
        agents.sort_by_key(|agent| agent.id.as_str());
        let groups = measures.groups.map_or(u32::MAX, u32::from);
        // The ends of a span are in it, whatever rounding makes of them.
        let ticks = |seconds: f64, slack: f64| seconds / scenario.tick() + slack;
        let from = measures.from.map_or(0.0, |from| ticks(from.0, -0.001));
        let to = measures.to.map_or(f64::INFINITY, |to| ticks(to.0, 0.001));
        Self {
            ticks: from..=to,
            link_radius: measures.link_radius.0,
            members: agents.iter().map(|agent| agent.kind.groups() & groups != 0).collect(),
            torus: Torus::of(scenario),
            polarization: Mean::default(),
            count: Mean::default(),
            largest: Mean::default(),
            nearest: Mean::default(),
        }
    }

    /// Notes how they are at the end of a tick, if it is one that counts.
    pub fn measure(&mut self, simulation: &Simulation) {
        if !self.ticks.contains(&(simulation.ticks_done() as f64)) {
            return;
        }
        let agents = simulation.numbers().iter().zip(simulation.agents());
        let members = agents.filter(|(number, _)| self.members[**number]).map(|(_, agent)| agent);
        let (places, velocities): (Vec<_>, Vec<_>) =
            members.map(|agent| (agent.position.as_dvec2(), agent.velocity.as_dvec2())).unzip();
        if places.is_empty() {
            return;
        }
        let all = places.len() as f64;
        self.polarization.add(velocities.iter().map(|v| v.normalize_or_zero()).sum::<DVec2>().length() / all);
        let sizes = components::sizes(&places, self.link_radius, self.torus);
        self.count.add(sizes.len() as f64);
        self.largest.add(sizes.iter().copied().max().unwrap_or_default() as f64 / all);
        if places.len() > 1 {
            self.nearest.add(nearest::distances(&places, self.torus).sum::<f64>() / all);
        }
    }

    /// What it all amounts to.
    pub fn finish(&self) -> FlockSummary {
        FlockSummary {
            polarization: self.polarization.get(),
            components: Components { count: self.count.get(), largest: self.largest.get() },
            nearest_neighbor: self.nearest.get(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy_steerling::prelude::{SteeringId, SteeringRng, SteeringSeed};

    use crate::measures::run;
    use crate::simulation::Threads;

    /// Places all over an area, two of them the same.
    pub fn random_places(count: usize, area: Torus) -> Vec<DVec2> {
        let mut random = SteeringRng::new(SteeringSeed(5), SteeringId::new(0), 1);
        let mut coordinate = || f64::from(random.uniform());
        let mut places: Vec<DVec2> =
            (0..count).map(|_| area.min + area.size * DVec2::new(coordinate(), coordinate())).collect();
        places[count / 2] = places[0];
        places
    }

    /// The distance between two places, in a torus by the shortest way round.
    pub fn shortest(a: DVec2, b: DVec2, torus: Option<Torus>) -> f64 {
        let size = torus.map_or(DVec2::ZERO, |torus| torus.size);
        let shifts = || [-1.0, 0.0, 1.0].into_iter();
        let images = shifts().flat_map(|x| shifts().map(move |y| b + size * DVec2::new(x, y)));
        images.map(|image| image.distance(a)).fold(f64::INFINITY, f64::min)
    }

    /// The flock of a scenario with these fields, at 10 ticks per second for 10 s.
    fn flock(fields: &str) -> FlockSummary {
        let text = format!(r#"{{"tick": 0.1, "ticks": 100, {fields}}}"#);
        let scenario = Scenario::parse("scene.json", &text).unwrap_or_else(|error| panic!("{error}"));
        let Ok(summary) = run::<std::convert::Infallible>(&scenario, 100, Threads::Exactly(1), |_| Ok(()));
        summary.flock.expect("it was asked for")
    }

    fn agent(id: &str, position: [f64; 2], velocity: [f64; 2]) -> String {
        format!(r#"{{"id": "{id}", "position": {position:?}, "velocity": {velocity:?}}}"#)
    }

    #[track_caller]
    fn assert_near(number: Option<f64>, expected: f64) {
        // Rounding of positions adds up over a hundred ticks.
        assert!(number.is_some_and(|number| (number - expected).abs() < 1e-4), "{number:?} instead of {expected}");
    }

    #[test]
    fn agents_in_a_row_that_go_the_same_way() {
        let agents: Vec<String> =
            (0..5_u8).map(|k| agent(&format!("a{k}"), [0.0, 2.0 * f64::from(k)], [9.0, 0.0])).collect();
        let row = flock(&format!(r#""flock_measures": {{"link_radius": 3}}, "agents": [{}]"#, agents.join(", ")));
        assert_near(row.polarization, 1.0);
        assert_near(row.components.count, 1.0);
        assert_near(row.components.largest, 1.0);
        assert_near(row.nearest_neighbor, 2.0);
    }

    #[test]
    fn the_way_counts_and_not_the_speed_and_who_rests_has_none() {
        let [there, back, up, rest] = [
            agent("a", [0.0, 0.0], [9.0, 0.0]),
            agent("b", [0.0, 4.0], [-1.0, 0.0]),
            agent("c", [0.0, 9.0], [0.0, 1e-9]),
            agent("d", [0.0, 70.0], [0.0, 0.0]),
        ];
        let polarization = |agents: &[&str]| {
            flock(&format!(r#""flock_measures": {{"link_radius": 1}}, "agents": [{}]"#, agents.join(", "))).polarization
        };
        assert_near(polarization(&[&there, &back]), 0.0);
        assert_near(polarization(&[&there, &up]), 0.5_f64.sqrt());
        assert_near(polarization(&[&there, &back, &up, &rest]), 0.25);
        assert_eq!(polarization(&[&rest]), Some(0.0));
    }

    #[test]
    fn the_mean_is_over_the_ticks_that_count() {
        // They part at 2 units/s: 5 apart after 2.5 s. 31 ticks end from 2 s to 5 s, in 6 of them they are still linked.
        let agents = [agent("a", [0.0, 0.0], [1.0, 0.0]), agent("b", [0.0, 0.0], [-1.0, 0.0])].join(", ");
        let flock =
            |span: &str| flock(&format!(r#""flock_measures": {{"link_radius": 5.05{span}}}, "agents": [{agents}]"#));
        let parting = flock(r#", "from": 2, "to": 5"#);
        assert_near(parting.nearest_neighbor, 7.0);
        assert_near(parting.components.count, 2.0 - 6.0 / 31.0);
        assert_near(parting.components.largest, 0.5 + 3.0 / 31.0);
        // Without an end, from the end of the first tick to that of the last: 0.2 to 20 apart.
        assert_near(flock("").nearest_neighbor, 10.1);
        assert_near(flock(r#", "from": 10"#).nearest_neighbor, 20.0);
    }

    #[test]
    fn only_the_groups_asked_for_count() {
        let flock = flock(
            r#""flock_measures": {"link_radius": 3, "groups": 6}, "agents": [
                {"id": "a", "position": [0, 0], "velocity": [1, 0], "groups": 2},
                {"id": "b", "position": [0, 9], "velocity": [1, 0], "groups": 4},
                {"id": "c", "position": [0, 1], "velocity": [-1, 0]},
                {"id": "d", "position": [0, 2], "velocity": [-1, 0], "groups": 9}
            ]"#,
        );
        assert_near(flock.polarization, 1.0);
        assert_near(flock.components.count, 2.0);
        assert_near(flock.nearest_neighbor, 9.0);
    }

    #[test]
    fn a_world_that_wraps_has_no_edges() {
        let flock = flock(
            r#""bounds": {"min": [0, 0], "max": [50, 50], "edge": "wrap"}, "flock_measures": {"link_radius": 5}, "agents": [
                {"id": "a", "position": [1, 1]}, {"id": "b", "position": [49, 1]}, {"id": "c", "position": [49, 48]}
            ]"#,
        );
        assert_near(flock.components.count, 1.0);
        assert_near(flock.nearest_neighbor, (2.0 + 2.0 + 3.0) / 3.0);
        assert_eq!(flock.polarization, Some(0.0));
    }

    #[test]
    fn nobody_is_no_flock_and_one_has_no_neighbor() {
        let nobody = flock(r#""flock_measures": {"link_radius": 3}"#);
        assert_eq!((nobody.polarization, nobody.nearest_neighbor), (None, None));
        assert_eq!(nobody.components, Components { count: None, largest: None });
        let alone = flock(&format!(
            r#""flock_measures": {{"link_radius": 3}}, "agents": [{}]"#,
            agent("a", [0.0, 0.0], [1.0, 0.0])
        ));
        assert_eq!((alone.polarization, alone.nearest_neighbor), (Some(1.0), None));
        assert_eq!(alone.components, Components { count: Some(1.0), largest: Some(1.0) });
    }

    #[test]
    fn who_has_left_by_a_gate_no_longer_counts() {
        let agents = [agent("a", [-1.0, 0.0], [2.0, 0.0]), agent("b", [30.0, 0.0], [-2.0, 0.0])].join(", ");
        let flock = flock(&format!(
            r#""gates": [{{"id": "g", "start": [0, -1], "end": [0, 1], "remove": true}}],
               "flock_measures": {{"link_radius": 3, "from": 1, "to": 2}}, "agents": [{agents}]"#
        ));
        assert_eq!((flock.polarization, flock.nearest_neighbor), (Some(1.0), None));
    }
}
