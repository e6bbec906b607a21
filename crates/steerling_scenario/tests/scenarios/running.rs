//! Scenes that run to their end, and what is measured in them, in either dimension. `main.rs` names the crate `scenario`.

use std::convert::Infallible;

use crate::scenario::{Overlaps, Scenario, Summary, Threads, run};

#[track_caller]
pub fn scenario(file: &(impl ToString + ?Sized)) -> Scenario {
    Scenario::parse("scene.json", &file.to_string()).unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
pub fn summary(file: &(impl ToString + ?Sized)) -> Summary {
    let scenario = scenario(file);
    let Ok(summary) = run::<Infallible>(&scenario, scenario.ticks(), Threads::Exactly(1), |_| Ok(()));
    summary
}

#[track_caller]
pub fn assert_overlaps(overlaps: &Overlaps, unique: u64, agent_ticks: u64, max_depth: f64) {
    assert_eq!((overlaps.unique, overlaps.agent_ticks), (unique, agent_ticks), "{overlaps:?}");
    assert!((overlaps.max_depth - max_depth).abs() < 1e-4, "{overlaps:?}");
}
