//! The same file and seed give the same state, for any order of agents and any number of threads.
//!
//! The thread pool belongs to the process. Every test here creates it with four threads.

use std::fmt::Write;

use bevy::tasks::ComputeTaskPool;
use serde_json::{Value, json};
use steerling_scenario::{EventCounts, Scenario, Simulation, Summary, Threads, run};

/// A crowd among obstacles that uses every behavior. `order` permutes its agents.
fn crowd(agents: usize, ticks: usize, seed: u64, order: impl Fn(usize) -> usize) -> Scenario {
    let mut list = String::new();
    for k in (0..agents).map(order) {
        let (x, y) = ((k * 7919) % 1000, (k * 104_729) % 800);
        let other = (k * 31 + 1) % agents;
        let aim = match k % 5 {
            _ if k % 35 == 10 => r#"{"pursue": {"target": {"group": 2}}}"#.to_owned(),
            _ if k % 35 == 11 => r#"{"evade": {"target": {"group": 2}}}"#.to_owned(),
            _ if k % 35 == 13 => r#"{"flee": {"target": {"group": 3}, "panic_distance": 90}}"#.to_owned(),
            0 => format!(r#"{{"pursue": {{"target": {{"agent": "a{other}"}}}}}}"#),
            1 => format!(r#"{{"evade": {{"target": {{"agent": "a{other}"}}, "panic_distance": 300}}}}"#),
            2 => r#"{"arrive": {"target": {"marker": "cursor"}}}"#.to_owned(),
            3 => r#"{"flee": {"target": {"point": [500, 400]}, "panic_distance": 200}}"#.to_owned(),
            _ => r#"{"seek": {"target": {"marker": "cursor"}, "weight": 0.5}}"#.to_owned(),
        };
        let arbitration = match k % 22 {
            1 => r#""arbitration": {"mode": "prioritized_sum", "priorities": {"seek": 60}},"#,
            2 => r#""arbitration": {"mode": "priority_groups", "threshold": 20},"#,
            3 => r#""arbitration": {"mode": "dithering", "probabilities": {"wander": 0.5}},"#,
            _ => "",
        };
        let queue = match k % 16 {
            0 => r#", {"queue": {"style": "hard_stop"}}"#,
            2 | 6 => r#", {"queue": {}}"#,
            4 => r#", {"queue": {"style": "brake"}}"#,
            8 => r#", {"queue": {"style": "brake_and_hard_stop"}}"#,
            12 => r#", {"queue": {"style": "brake_and_separate"}}"#,
            _ => "",
        };
        let contain = match k % 3 {
            0 => r#", {"contain": {"region": {"circle": {"center": [300, 700], "radius": 250}}}}"#,
            1 => r#", {"contain": {"region": {"polygon": {"points": [[500, 50], [950, 300], [600, 500]]}}}}"#,
            _ => "",
        };
        let matching = match k % 20 {
            1 => r#", {"match_velocity": {"target": {"group": 2}, "weight": 0.3}}"#,
            3 => r#", {"match_velocity": {"target": {"agent": "a0"}, "weight": 0.3}}"#,
            _ => "",
        };
        let crowd = match k % 9 {
            2 => r#", {"flock": {"cohesion": {"field_of_view": 4}}}"#,
            4 => r#", {"alignment": {"groups": 3, "max_neighbors": 5}}, {"cohesion": {"weight": 0.3}}"#,
            5 => r#", {"flock": {"weight": 0.5}}, {"avoid_neighbors": {}}"#,
            7 => r#", {"avoid_neighbors": {}}"#,
            _ => "",
        };
        let (solid, groups, events) = (k % 7 == 0, 1 + k % 3, k % 4 == 0);
        let body = match k % 11 {
            3 => r#", "limits": {"max_turn_rate": 2, "max_braking": 200}"#,
            6 => r#", "limits": {"min_turning_radius": 25, "reverse_speed": 40}, "impulse": {"velocity": [90, -60]}"#,
            9 => r#", "impulse": {"velocity": [-300, 200], "time_constant": 0.5}"#,
            _ => "",
        };
        let comma = if list.is_empty() { "" } else { "," };
        write!(
            list,
            r#"{comma}{{"id": "a{k}", "position": [{x}, {y}], "solid": {solid}, "groups": {groups}, "events": {events}{body}, {arbitration} "behaviors": [{{"wander": {{}}}}, {{"separation": {{}}}}, {{"avoid_obstacles": {{}}}}, {aim}{matching}{contain}{crowd}{queue}]}}"#
        )
        .unwrap();
    }
    let text = format!(
        r#"{{"name": "crowd", "tick": 0.016, "ticks": {ticks}, "seed": {seed},
            "bounds": {{"min": [0, 0], "max": [1000, 800], "edge": "wrap"}},
            "markers": {{"cursor": [[0, 400, 300], [0.5, 100, 80]]}},
            "obstacles": [
                {{"circle": {{"center": [200, 150], "radius": 40}}}},
                {{"rectangle": {{"center": [700, 600], "half_size": [90, 20], "rotation": 0.7}}}},
                {{"capsule": {{"start": [990, 500], "end": [1050, 560], "radius": 12}}, "velocity": [40, -9]}},
                {{"segment": {{"start": [400, 100], "end": [520, 160]}}}},
                {{"polygon": {{"points": [[100, 500], [180, 480], [210, 560], [130, 610]]}}, "velocity": [0, 25]}},
                {{"polyline": {{"points": [[600, 250], [680, 330], [600, 400]]}}}}
            ],
            "agents": [{list}]}}"#
    );
    Scenario::parse("crowd.json", &text).unwrap_or_else(|error| panic!("{error}"))
}

fn results(scenario: &Scenario, threads: Threads) -> (u64, EventCounts) {
    let mut simulation = Simulation::new(scenario, threads);
    for _ in 0..scenario.ticks() {
        simulation.step();
    }
    (simulation.state_hash(), simulation.events())
}

#[test]
fn results_depend_on_neither_threads_nor_order() {
    let agents = 1000;
    let ordered = crowd(agents, 100, 11, |k| k);
    let reversed = crowd(agents, 100, 11, |k| agents - 1 - k);
    let shuffled = crowd(agents, 100, 11, |k| (k * 387 + 55) % agents);
    let many = results(&ordered, Threads::Exactly(4));
    assert!(ComputeTaskPool::get().thread_num() > 1, "there are threads to use");
    assert!(many.1.caught > 0 && many.1.collision_imminent > 0, "{many:?}");
    assert_eq!(results(&ordered, Threads::Exactly(1)), many, "threads");
    assert_eq!(results(&reversed, Threads::Exactly(1)), many, "order");
    assert_eq!(results(&shuffled, Threads::Exactly(4)), many, "threads and order");
    let reseeded = crowd(agents, 100, 12, |k| k);
    assert_ne!(results(&reseeded, Threads::Exactly(1)), many, "the seed matters");
}

/// A crowd in which every behavior of `data/every_behavior.json` runs, beside different others. `order` permutes its agents.
fn crowd_of_every_behavior(agents: usize, order: impl Fn(usize) -> usize) -> Scenario {
    let behaviors: Vec<Value> = serde_json::from_str(include_str!("data/every_behavior.json")).unwrap();
    let agent = |k: usize| {
        let mut kinds = [k, 3 * k + 1, 7 * k + 4].map(|number| number % behaviors.len()).to_vec();
        kinds.sort_unstable();
        kinds.dedup();
        let behaviors: Vec<&Value> = kinds.iter().map(|kind| &behaviors[*kind]).collect();
        let position = [(k * 7919) % 500, (k * 104_729) % 400];
        json!({"id": format!("a{k}"), "position": position, "radius": 3, "groups": 1 + k % 7, "behaviors": behaviors})
    };
    let file = json!({
        "name": "every behavior", "tick": 0.02, "ticks": 100, "seed": 5,
        "bounds": {"min": [0, 0], "max": [500, 400], "edge": "wrap"},
        "markers": {"m": [[0, 100, 200], [2, 300, 200]]},
        "obstacles": [{"circle": {"center": [250, 200], "radius": 30}}],
        "fields": [{"id": "f", "toward": [[450, 300]], "cell": 5, "clearance": 3}],
        "formations": [
            {"anchor": "c0", "pattern": "wedge", "members": ["c1", "a1", "a2", "a3", "a4", "a5"]},
            {"anchor": "a6", "pattern": "circle", "spacing": 15, "members": (7..100).map(|k| format!("a{k}")).collect::<Vec<_>>()}
        ],
        "agents": (0..agents).map(|k| agent(order(k))).collect::<Vec<_>>(),
        "crowds": [{
            "prefix": "c", "count": 5, "area": {"min": [0, 0], "max": [500, 400]}, "agent": {"behaviors": [{"wander": {}}]}
        }]
    });
    Scenario::parse("every_behavior.json", &file.to_string()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_behavior_depends_on_neither_threads_nor_order() {
    let agents = 120;
    let ordered = crowd_of_every_behavior(agents, |k| k);
    let shuffled = crowd_of_every_behavior(agents, |k| (k * 77 + 31) % agents);
    let many = results(&ordered, Threads::Exactly(4));
    assert_eq!(results(&ordered, Threads::Exactly(1)), many, "threads");
    assert_eq!(results(&shuffled, Threads::Exactly(4)), many, "threads and order");
}

/// The hash must not change by accident, because recorded results depend on it. The plugin's `libm` feature, which this
/// crate turns on, takes sine and others from one source on every platform; `.ci/release` runs this in a release build, too.
#[test]
fn after_ten_thousand_ticks_the_state_hash_is_the_recorded_one() {
    let agents = 36;
    let ordered = crowd(agents, 10_000, 11, |k| k);
    let shuffled = crowd(agents, 10_000, 11, |k| (k * 5 + 7) % agents);
    let Ok(Summary { state_hash: recorded, .. }) =
        run::<std::convert::Infallible>(&ordered, ordered.ticks(), Threads::Exactly(4), |_| Ok(()));
    assert_eq!(format!("{:016x}", results(&ordered, Threads::Exactly(1)).0), recorded, "threads");
    assert_eq!(format!("{:016x}", results(&shuffled, Threads::Exactly(1)).0), recorded, "order");
    assert_eq!(recorded, "ff4018fa32045e98");
}
