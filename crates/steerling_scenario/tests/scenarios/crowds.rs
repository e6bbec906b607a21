//! Crowds are placed and agents respawn according to the file and the seed.

use std::collections::BTreeSet;

use bevy::math::Vec2;
use steerling_scenario::{AgentState, Scenario, Simulation, Summary, Threads, run};

use crate::running::scenario;

fn start(scenario: &Scenario) -> Vec<AgentState> {
    Simulation::new(scenario, Threads::Exactly(1)).agents().to_vec()
}

fn crowd(edge: &str, seed: u64) -> Scenario {
    scenario(&format!(
        r#"{{"seed": {seed}, "bounds": {{"min": [-50, 0], "max": [50, 200], "edge": "{edge}"}},
            "crowds": [{{"prefix": "walker", "count": 120, "spacing": 9, "speed": 5,
                         "area": {{"min": [-50, 0], "max": [50, 200]}}, "agent": {{"mass": 3, "behaviors": [{{"wander": {{}}}}]}}}},
                       {{"prefix": "one", "count": 1, "area": {{"min": [7, 8], "max": [7, 8]}},
                         "agent": {{"velocity": [1, 2]}}}}]}}"#
    ))
}

#[test]
fn all_have_their_places_in_the_area_and_keep_their_distance() {
    for (edge, size) in [("none", Vec2::INFINITY), ("wrap", Vec2::new(100.0, 200.0))] {
        let agents = start(&crowd(edge, 1));
        let ids: BTreeSet<&str> = agents.iter().map(|agent| agent.id.as_str()).collect();
        assert_eq!(agents.len(), 121);
        assert!((0..120).all(|k| ids.contains(format!("walker{k}").as_str())) && ids.contains("one0"));

        let walkers: Vec<&AgentState> = agents.iter().filter(|agent| agent.id.starts_with("walker")).collect();
        for (index, walker) in walkers.iter().enumerate() {
            let position = walker.position;
            assert!(position.x.abs() <= 50.0 && (0.0..=200.0).contains(&position.y), "{position}");
            assert!((walker.velocity.length() - 5.0).abs() < 1e-4, "{}", walker.velocity);
            for other in &walkers[..index] {
                let apart = (position - other.position).abs();
                let shortest = apart.min((size - apart).abs());
                assert!(shortest.length() >= 8.999, "{} and {} are {shortest} apart", walker.id, other.id);
            }
        }
        // Both halves and all directions are used.
        assert!((30..90).contains(&walkers.iter().filter(|walker| walker.position.x < 0.0).count()));
        assert!((30..90).contains(&walkers.iter().filter(|walker| walker.velocity.x < 0.0).count()));

        let one = agents.iter().find(|agent| agent.id == "one0").expect("it is there");
        assert_eq!((one.position, one.velocity), (Vec2::new(7.0, 8.0), Vec2::new(1.0, 2.0)));
    }
}

#[test]
fn each_goes_to_the_place_opposite_its_start() {
    let crossing = scenario(
        r#"{"tick": 0.1, "ticks": 100, "crowds": [{"prefix": "walker", "count": 40, "area": {"min": [0, 10], "max": [90, 70]},
            "agent": {"max_speed": 30, "behaviors": [{"arrive": {"target": {"mirrored": [50, -20]}}}]}}]}"#,
    );
    let starts = start(&crossing);
    let mut simulation = Simulation::new(&crossing, Threads::Exactly(1));
    (0..crossing.ticks()).for_each(|_| simulation.step());
    for (start, end) in starts.iter().zip(simulation.agents()) {
        // It stops exactly there, up to the rounding of its position.
        let opposite = Vec2::new(100.0, -40.0) - start.position;
        assert!(end.position.distance(opposite) < 1e-4, "{}: {} to {}", start.id, start.position, end.position);
    }
}

#[test]
fn the_seed_decides_the_places() {
    assert_eq!(start(&crowd("none", 1)), start(&crowd("none", 1)));
    let other = start(&crowd("none", 2));
    let same = start(&crowd("none", 1)).iter().zip(&other).filter(|(a, b)| a.position == b.position).count();
    assert_eq!(same, 1, "only the one whose area is a point");
}

#[test]
fn places_beyond_the_edges_are_brought_inside() {
    for (edge, least) in [("wrap", 8.999), ("bounce", 0.0)] {
        let agents = start(&scenario(&format!(
            r#"{{"bounds": {{"min": [0, 0], "max": [100, 100], "edge": "{edge}"}},
                "crowds": [{{"prefix": "w", "count": 40, "spacing": 9, "area": {{"min": [-200, -200], "max": [300, 300]}},
                             "agent": {{}}}}]}}"#
        )));
        for (index, agent) in agents.iter().enumerate() {
            let position = agent.position;
            assert!(position.min_element() >= 0.0 && position.max_element() <= 100.0, "{position}");
            for other in &agents[..index] {
                let apart = (position - other.position).abs();
                let distance = if edge == "wrap" { apart.min(100.0 - apart) } else { apart }.length();
                assert!(distance >= least, "{position} and {} in a world that edges {edge}", other.position);
            }
        }
    }
}

/// Two agents that move along the x axis: one respawns each time it gets to the right, and one starts inside the area.
const RUNNERS: &str = r#"{
    "tick": 0.1, "ticks": 100, "seed": 3,
    "agents": [{"id": "runner", "position": [0, 0], "velocity": [20, 0]},
               {"id": "inside", "position": [55, 0], "velocity": [1, 0]}],
    "respawns": [{"inside": {"min": [50, -5], "max": [200, 5]}, "to": {"min": [-10, -3], "max": [10, 3]}}]
}"#;

#[test]
fn who_enters_is_put_at_a_random_place_and_keeps_its_velocity() {
    let mut simulation = Simulation::new(&scenario(RUNNERS), Threads::Exactly(1));
    let (mut places, mut last) = (Vec::new(), simulation.agents()[1].clone());
    for _ in 0..100 {
        simulation.step();
        let runner = simulation.agents()[1].clone();
        assert_eq!(runner.velocity, Vec2::new(20.0, 0.0));
        assert!(runner.position.x < 50.0, "{}", runner.position);
        if runner.position.x < last.position.x {
            assert!(last.position.x + 2.0 >= 50.0, "from {}", last.position);
            assert!(runner.position.x.abs() <= 10.0 && runner.position.y.abs() <= 3.0, "to {}", runner.position);
            places.push(runner.position);
        }
        last = runner;
    }
    assert!(places.len() >= 3, "{places:?}");
    assert_ne!(places[0], places[1]);
    assert_eq!(simulation.respawns(), places.len() as u64);
    // It started inside the area and never entered it.
    assert!((simulation.agents()[0].position - Vec2::new(65.0, 0.0)).length() < 1e-3);
}

#[test]
fn respawns_are_counted_and_are_no_path() {
    for edge in ["none", "bounce", "wrap"] {
        let text = RUNNERS.replacen(
            '{',
            &format!(r#"{{"bounds": {{"min": [-500, -500], "max": [500, 500], "edge": "{edge}"}},"#),
            1,
        );
        let scenario = scenario(&text);
        let Ok(Summary { respawns, path_length, .. }) =
            run::<std::convert::Infallible>(&scenario, scenario.ticks(), Threads::Exactly(1), |_| Ok(()));
        assert!(respawns >= 3);
        // One runs 200 units, the other 10.
        let path_length = path_length.expect("there are agents");
        assert!((path_length - 105.0).abs() < 0.01, "{path_length} with edges that {edge}");
    }
}
