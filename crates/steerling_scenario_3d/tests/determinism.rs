//! The same file and seed give the same state, for any order of agents and any number of threads.
//!
//! The thread pool belongs to the process. Every test here creates it with four threads.

use std::convert::Infallible;

use bevy::tasks::ComputeTaskPool;
use serde_json::{Value, json};
use steerling_scenario_3d::{EventCounts, Scenario, Summary, Threads, run};

/// A crowd in which every behavior of `data/every_behavior.json` runs, beside different others. `order` permutes its agents.
fn crowd(agents: usize, ticks: usize, seed: u64, order: impl Fn(usize) -> usize) -> Scenario {
    let behaviors: Vec<Value> = serde_json::from_str(include_str!("data/every_behavior.json")).unwrap();
    let agent = |k: usize| {
        let mut kinds = [k, 3 * k + 1, 7 * k + 4].map(|number| number % behaviors.len()).to_vec();
        kinds.sort_unstable();
        kinds.dedup();
        let mut behaviors: Vec<Value> = kinds.iter().map(|kind| behaviors[*kind].clone()).collect();
        if behaviors.iter().all(|behavior| behavior.get("avoid_obstacles").is_none()) && k.is_multiple_of(3) {
            behaviors.push(json!({"avoid_obstacles": {}}));
        }
        let position = [(k * 7919) % 300, (k * 104_729) % 200, (k * 1_299_709) % 250];
        let mut agent = json!({
            "id": format!("a{k}"), "position": position, "radius": 3, "groups": 1 + k % 7, "events": true, "behaviors": behaviors
        });
        if k.is_multiple_of(4) {
            agent["solid"] = json!(true);
        }
        match k % 11 {
            1 => agent["arbitration"] = json!({"mode": "prioritized_sum", "priorities": {"seek": 60}}),
            2 => agent["arbitration"] = json!({"mode": "priority_groups", "threshold": 20}),
            3 => agent["arbitration"] = json!({"mode": "dithering", "probabilities": {"wander": 0.5}}),
            4 => agent["impulse"] = json!({"velocity": [30, -60, 90], "time_constant": 1}),
            _ => {}
        }
        agent
    };
    let file = json!({
        "dimensions": 3, "tick": 0.02, "ticks": ticks, "seed": seed,
        "bounds": {"min": [0, 0, 0], "max": [300, 200, 250], "edge": "wrap"},
        "markers": {"m": [[0, 100, 200, 50], [2, 300, 200, 90]]},
        "obstacles": [
            {"sphere": {"center": [150, 100, 90], "radius": 30}},
            {"cylinder": {"start": [60, 0, 60], "end": [70, 90, 60], "radius": 9}, "velocity": [9, 0, 4]},
            {"cuboid": {"center": [220, 60, 180], "half_size": [20, 30, 9], "rotation": [0.3, 1, 0]}},
            {"half_space": {"point": [0, 9, 0], "normal": [0, 1, 0.1]}}
        ],
        "fields": [{"id": "f", "toward": [[40, 100, 40]], "cell": 20, "clearance": 3}],
        "formations": [{"anchor": "a0", "pattern": "sphere", "spacing": 15, "members": ["a7", "a8", "a21"]}],
        "agents": (0..agents).map(|k| agent(order(k))).collect::<Vec<_>>(),
        "crowds": [{
            "prefix": "c", "count": 5, "area": {"min": [0, 0, 0], "max": [300, 200, 250]}, "speed": 20,
            "agent": {"behaviors": [{"wander": {}}]}
        }],
        "respawns": [{
            "inside": {"min": [0, 0, 0], "max": [90, 90, 40]}, "to": {"min": [100, 100, 100], "max": [200, 200, 200]}
        }]
    });
    Scenario::parse("crowd.json", &file.to_string()).unwrap_or_else(|error| panic!("{error}"))
}

/// The hash of the final state, the events and the number of respawns.
fn results(scenario: &Scenario, threads: Threads) -> (String, EventCounts, u64) {
    // Creates the pool with four threads, whatever the first test is.
    let _ = run::<Infallible>(scenario, 0, Threads::Exactly(4), |_| Ok(()));
    let Ok(Summary { state_hash, events, respawns, .. }) =
        run::<Infallible>(scenario, scenario.ticks(), threads, |_| Ok(()));
    (state_hash, events, respawns)
}

#[test]
fn results_depend_on_neither_threads_nor_order() {
    let agents = 200;
    let ordered = crowd(agents, 100, 5, |k| k);
    let shuffled = crowd(agents, 100, 5, |k| (k * 77 + 31) % agents);
    let many = results(&ordered, Threads::Exactly(4));
    assert!(ComputeTaskPool::get().thread_num() > 1, "there are threads to use");
    assert!(many.1.collision_imminent > 0 && many.2 > 0, "{many:?}");
    assert_eq!(results(&ordered, Threads::Exactly(1)), many, "threads");
    assert_eq!(results(&ordered, Threads::Exactly(2)), many, "threads");
    assert_eq!(results(&shuffled, Threads::Exactly(1)), many, "order");
    assert_eq!(results(&shuffled, Threads::Exactly(4)), many, "threads and order");
    assert_ne!(results(&crowd(agents, 100, 6, |k| k), Threads::Exactly(1)), many, "the seed matters");
}

/// The hash must not change by accident, because recorded results depend on it. The plugin's `libm` feature, which this crate turns
/// on, takes sine and others from one source on every platform; `.ci/release` runs this in a release build, too.
#[test]
fn after_a_thousand_ticks_the_state_hash_is_the_recorded_one() {
    let (hash, ..) = results(&crowd(60, 1_000, 5, |k| k), Threads::Exactly(4));
    assert_eq!(hash, "c211ad398987d20f");
}

#[test]
fn the_state_hash_covers_every_coordinate() {
    let hash = |position: [f32; 3], velocity: [f32; 3]| {
        let agent = json!({"id": "a", "position": position, "velocity": velocity});
        let file = json!({"dimensions": 3, "ticks": 0, "agents": [agent]});
        results(&Scenario::parse("one.json", &file.to_string()).unwrap(), Threads::Exactly(4)).0
    };
    let mut hashes = vec![hash([0.0; 3], [0.0; 3])];
    for axis in 0..3 {
        let mut unit = [0.0; 3];
        unit[axis] = 1.0;
        hashes.extend([hash(unit, [0.0; 3]), hash([0.0; 3], unit)]);
    }
    hashes.sort();
    hashes.dedup();
    assert_eq!(hashes.len(), 7);
}
