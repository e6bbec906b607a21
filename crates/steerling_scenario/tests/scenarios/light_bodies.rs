//! Light bodies go straight without effort.

use std::convert::Infallible;

use steerling_scenario::{Scenario, Threads, run};

/// The effort that the light agent has made after so many ticks, units/s.
fn effort(ticks: u64) -> f64 {
    let scenario = Scenario::parse("light_body.json", include_str!("../data/light_body.json"));
    let scenario = scenario.unwrap_or_else(|error| panic!("{error}"));
    let Ok(summary) = run::<Infallible>(&scenario, ticks, Threads::Exactly(1), |_| Ok(()));
    summary.effort.expect("it is an agent")
}

#[test]
fn after_a_second_a_light_body_makes_no_effort_on_a_straight_way() {
    let (second, whole) = (effort(60), effort(600));
    // It has turned by a right angle and reached full speed.
    assert!(second > 100.0, "{second}");
    assert!(whole - second < 0.1, "{whole} after {second} in the first second");
}
