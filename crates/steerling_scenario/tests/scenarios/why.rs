//! Arbitration in scenario files, and the contributions that it reports.

use bevy_steerling::prelude::*;
use steerling_scenario::{Scenario, Simulation, Threads, Why};

const SEPARATION_AND_SEEK: &str = r#""behaviors": [{"seek": {"target": {"point": [500, 0]}}}, {"separation": {"max_separation": 200, "weight": 0.5}}]"#;

fn scenario(arbitration: &str) -> Scenario {
    let text = format!(
        r#"{{"tick": 0.1, "seed": 4, "agents": [
            {{"id": "b", "position": [0, 0], {arbitration} {SEPARATION_AND_SEEK}}},
            {{"id": "a", "position": [-10, 0]}}
        ]}}"#
    );
    Scenario::parse("why.json", &text).unwrap_or_else(|error| panic!("{error}"))
}

/// The rows after so many ticks, without line ends.
fn rows(scenario: &Scenario, ticks: usize) -> Vec<String> {
    let mut simulation = Simulation::new(scenario, Threads::Auto);
    let mut why = Why::new(Vec::new()).unwrap();
    why.record(&simulation).unwrap();
    for _ in 0..ticks {
        simulation.step();
        why.record(&simulation).unwrap();
    }
    let text = String::from_utf8(why.finish().unwrap()).unwrap();
    let rows = text.strip_suffix("\r\n").expect("each row ends");
    rows.split("\r\n").map(str::to_owned).collect()
}

#[test]
fn each_contribution_has_a_row_in_the_order_of_application() {
    let header = "tick,time,id,behavior,raw_x,raw_y,weighted_x,weighted_y,applied_x,applied_y,outcome";
    let weighted = rows(&scenario("").explained(), 1);
    // Separation wants 200, which is 100 with its weight, and seek 1000. The sum is truncated to 300.
    assert_eq!(weighted[0], header);
    assert!(weighted[1].starts_with("1,0.1,b,separation,200,0,100,0,27.27"), "{weighted:?}");
    assert!(weighted[2].starts_with("1,0.1,b,seek,1000,0,1000,0,272.7"), "{weighted:?}");
    assert!(weighted[1..3].iter().all(|row| row.ends_with(",truncated")));
    // The rounding error of the last digit, if there is one.
    assert!(weighted.get(3).is_none_or(|row| row.starts_with("1,0.1,b,rounding,")), "{weighted:?}");

    let prioritized = r#""arbitration": {"mode": "prioritized_sum"},"#;
    let seek_first = r#""arbitration": {"mode": "prioritized_sum", "priorities": {"seek": 60}},"#;
    assert_eq!(
        rows(&scenario(prioritized).explained(), 1),
        [header, "1,0.1,b,separation,200,0,100,0,100,0,applied", "1,0.1,b,seek,1000,0,1000,0,200,0,truncated"]
    );
    assert_eq!(
        rows(&scenario(seek_first).explained(), 1),
        [header, "1,0.1,b,seek,1000,0,1000,0,300,0,truncated", "1,0.1,b,separation,200,0,100,0,0,0,spent"]
    );
    let groups = r#""arbitration": {"mode": "priority_groups", "threshold": 100},"#;
    assert_eq!(rows(&scenario(groups).explained(), 1)[1], "1,0.1,b,separation,200,0,100,0,0,0,below_threshold");
    let dithering = r#""arbitration": {"mode": "dithering", "probabilities": {"separation": 0, "seek": 1}},"#;
    assert_eq!(rows(&scenario(dithering).explained(), 1)[1], "1,0.1,b,separation,200,0,100,0,0,0,not_drawn");
}

#[test]
fn only_an_explained_scenario_tells_and_it_moves_in_the_same_way() {
    let dithering = scenario(r#""arbitration": {"mode": "dithering"},"#);
    assert_eq!(rows(&dithering, 5).len(), 1);
    let explained = dithering.clone().explained();
    assert!(rows(&explained, 5).len() > 5);
    let hash = |scenario: &Scenario| {
        let mut simulation = Simulation::new(scenario, Threads::Auto);
        (0..50).for_each(|_| simulation.step());
        simulation.state_hash()
    };
    assert_eq!(hash(&dithering), hash(&explained));
    assert_ne!(hash(&dithering), hash(&scenario("")));
}

#[test]
fn what_is_told_sums_up_to_the_force() {
    let mut simulation = Simulation::new(&scenario("").explained(), Threads::Auto);
    for _ in 0..30 {
        simulation.step();
        let traced: Vec<_> = simulation.traces().collect();
        assert_eq!(traced.len(), 2);
        for (agent, trace) in traced {
            assert_eq!(trace.force(), agent.force);
            assert_eq!(trace.of::<Seek>().is_some(), agent.id == "b");
        }
    }
}
