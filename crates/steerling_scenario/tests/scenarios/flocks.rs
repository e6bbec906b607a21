//! Flocks hold together and move in the same direction: from random starts, with the parameters of `OpenSteer`'s Boids,
//! in 2D (200 boids, max force 27, max speed 9; separation within 5, alignment within 7.5, cohesion within 9).

use std::convert::Infallible;

use steerling_scenario::{Components, FlockSummary, Scenario, Summary, Threads, run};

const BOIDS: &str = include_str!("../data/opensteer_boids.json");
const SEPARATION_RADIUS: f64 = 5.0;

fn summary(text: &str, seed: u64) -> Summary {
    let text = text.replace("\"seed\": 1", &format!("\"seed\": {seed}"));
    let scenario = Scenario::parse("boids.json", &text).unwrap_or_else(|error| panic!("{error}"));
    let Ok(summary) = run::<Infallible>(&scenario, scenario.ticks(), Threads::Exactly(1), |_| Ok(()));
    summary
}

#[test]
fn boids_flock() {
    for seed in 1..=9 {
        let flock = summary(BOIDS, seed).flock.expect("it was asked for");
        let nearest = flock.nearest_neighbor.map(|distance| distance / SEPARATION_RADIUS);
        assert!(flock.polarization.is_some_and(|polarization| polarization >= 0.8), "seed {seed}: {flock:?}");
        assert!(flock.components.largest.is_some_and(|largest| largest >= 0.95), "seed {seed}: {flock:?}");
        assert!(nearest.is_some_and(|nearest| (0.6..=0.95).contains(&nearest)), "seed {seed}: {nearest:?}");
    }
}

#[test]
fn without_alignment_they_do_not_go_the_same_way() {
    let text = BOIDS.replace("\"field_of_view\": 1.5908, \"weight\": 8", "\"field_of_view\": 1.5908, \"weight\": 0");
    assert_ne!(text, BOIDS);
    for seed in 1..=9 {
        let flock = summary(&text, seed).flock.expect("it was asked for");
        assert!(flock.polarization.is_some_and(|polarization| polarization < 0.3), "seed {seed}: {flock:?}");
    }
}

/// The flock of a scenario with these fields, at 10 ticks per second for 10 s.
fn flock(fields: &str) -> FlockSummary {
    let text = format!(r#"{{"tick": 0.1, "ticks": 100, {fields}}}"#);
    let scenario = Scenario::parse("scene.json", &text).unwrap_or_else(|error| panic!("{error}"));
    let Ok(summary) = run::<Infallible>(&scenario, 100, Threads::Exactly(1), |_| Ok(()));
    summary.flock.expect("it was asked for")
}

fn agent(id: &str, position: [f64; 2], velocity: [f64; 2]) -> String {
    format!(r#"{{"id": "{id}", "position": {position:?}, "velocity": {velocity:?}}}"#)
}

#[track_caller]
fn assert_near(number: Option<f64>, expected: f64) {
    // Rounding errors of positions accumulate over a hundred ticks.
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
fn polarization_is_about_direction_and_not_speed() {
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
    // They move apart at 2 units/s: 5 apart after 2.5 s. 31 ticks end between 2 s and 5 s, and in 6 of them they are
    // still linked.
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
fn an_empty_flock_has_no_measures_and_a_single_agent_no_neighbor() {
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
fn removed_agents_no_longer_count() {
    let agents = [agent("a", [-1.0, 0.0], [2.0, 0.0]), agent("b", [30.0, 0.0], [-2.0, 0.0])].join(", ");
    let flock = flock(&format!(
        r#""gates": [{{"id": "g", "start": [0, -1], "end": [0, 1], "remove": true}}],
           "flock_measures": {{"link_radius": 3, "from": 1, "to": 2}}, "agents": [{agents}]"#
    ));
    assert_eq!((flock.polarization, flock.nearest_neighbor), (Some(1.0), None));
}
