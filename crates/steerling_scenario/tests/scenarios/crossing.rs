//! Crossing crowds: all agents get through without touching each other.

use std::convert::Infallible;
use std::fs;

use steerling_scenario::{Scenario, Summary, Threads, run};

fn summary(name: &str) -> Summary {
    let path = format!("{}/../../assets/scenarios/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let scenario =
        Scenario::parse(&path, &fs::read_to_string(&path).unwrap()).unwrap_or_else(|error| panic!("{error}"));
    let Ok(summary) = run::<Infallible>(&scenario, scenario.ticks(), Threads::Exactly(1), |_| Ok(()));
    summary
}

/// Agents of radius 1.5 on a circle of radius 200 move to the opposite places at a speed of 1, exactly symmetrically.
/// ORCA (RVO2) never finishes with 10, 20 and 50 agents. With 100 and 250 agents it takes 705 s and 887 s, with
/// overlaps of a quarter and almost half of a radius.
#[track_caller]
fn assert_all_cross(agents: usize, longest: f64, longest_way: f64) {
    let Summary { goals, collisions, path_length, .. } = summary(&format!("circle_{agents}"));
    println!("{agents}: {goals:?}, {collisions:?}, {path_length:?}");
    assert_eq!((goals.reached, goals.of), (agents, agents), "the goals have 1.5 times the radius of a body");
    assert!(collisions.with_agents.max_depth <= 0.01 * 1.5, "{collisions:?}");
    assert!(goals.last_time.is_some_and(|time| time <= longest), "{goals:?}");
    assert!(path_length.is_some_and(|way| way <= longest_way), "{path_length:?}");
}

#[test]
fn ten_on_a_circle_change_places() {
    assert_all_cross(10, 410.0, 405.0);
}

#[test]
fn twenty_on_a_circle_change_places() {
    assert_all_cross(20, 420.0, 410.0);
}

#[test]
fn fifty_on_a_circle_change_places() {
    assert_all_cross(50, 450.0, 420.0);
}

#[test]
fn a_hundred_on_a_circle_change_places() {
    assert_all_cross(100, 500.0, 440.0);
}

#[test]
fn two_hundred_and_fifty_on_a_circle_change_places() {
    assert_all_cross(250, 600.0, 425.0);
}

#[test]
fn two_streams_at_right_angles_go_through_each_other() {
    let Summary { goals, collisions, .. } = summary("crossing_streams");
    assert_eq!((goals.reached, goals.of), (120, 120), "{goals:?}");
    // The goals are wide, so the time counts: the last needs 9.5 s with nobody in its way, and waits for as long again.
    assert!(goals.last_time.is_some_and(|time| time <= 21.0), "{goals:?}");
    assert!(collisions.with_agents.max_depth <= 0.01 * 6.0, "{collisions:?}");
}
