//! Flocks hold together, and go the same way: from random starts, with the parameters of `OpenSteer`'s Boids, in two dimensions
//! (200 boids, max force 27, max speed 9; separation within 5, alignment within 7.5, cohesion within 9).

use std::convert::Infallible;

use steerling_scenario::{Scenario, Summary, Threads, run};

const BOIDS: &str = include_str!("data/opensteer_boids.json");
const SEPARATION_RADIUS: f64 = 5.0;

fn summary(text: &str, seed: u64) -> Summary {
    let text = text.replace("\"seed\": 1", &format!("\"seed\": {seed}"));
    let scenario = Scenario::parse("boids.json", &text).unwrap_or_else(|error| panic!("{error}"));
    let Ok(summary) = run::<Infallible>(&scenario, scenario.ticks(), Threads::Exactly(1), |_| Ok(()));
    summary
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

#[test]
fn boids_flock() {
    let summaries: Vec<Summary> = (1..=9).map(|seed| summary(BOIDS, seed)).collect();
    let of = |measure: fn(&Summary) -> Option<f64>| median(summaries.iter().map(|s| measure(s).unwrap()).collect());
    let polarization = of(|summary| summary.flock.as_ref()?.polarization);
    let largest = of(|summary| summary.flock.as_ref()?.components.largest);
    let nearest = of(|summary| summary.flock.as_ref()?.nearest_neighbor) / SEPARATION_RADIUS;
    assert!(polarization >= 0.75, "{polarization}");
    assert!(largest >= 0.8, "{largest}");
    assert!((0.6..=0.9).contains(&nearest), "{nearest}");
}

#[test]
fn without_alignment_they_do_not_go_the_same_way() {
    let text = BOIDS.replace("\"field_of_view\": 1.5908, \"weight\": 8", "\"field_of_view\": 1.5908, \"weight\": 0");
    assert_ne!(text, BOIDS);
    let polarization = median((1..=9).map(|seed| summary(&text, seed).flock.unwrap().polarization.unwrap()).collect());
    assert!(polarization < 0.3, "{polarization}");
}
