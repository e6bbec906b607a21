#![doc = include_str!("../README.md")]
//! # Overview
//!
//! A [`Scenario`] is read from JSON and checked, and a [`Simulation`] is the headless `App` made from it. [`run`]
//! measures a run in a [`Summary`]. [`Trace`] writes the motion as CSV, [`Why`] the contributions of behaviors, and
//! [`Plot`] draws the paths as SVG. An [`Expectation`] is a scenario together with its expected motion. [`export`]
//! writes the scene in the world of any app as a file.

#![cfg_attr(dim3, allow(dead_code, reason = "some of what is read is used only in two dimensions"))]

mod behaviors;
mod dimension;
mod expectation;
mod export;
mod file;
mod json;
mod mapping;
mod measures;
mod output;
mod scenario;
mod shapes;
mod simulation;

pub use behaviors::BEHAVIOR_KEYS;
pub use dimension::DIMENSIONS;
pub use expectation::{Expectation, Mismatch, Outcome};
pub use export::scene::{Exported, export};
pub use file::schema::schema;
pub use mapping::left_out::LeftOut;
pub use measures::bench::{Benchmark, bench};
pub use measures::flock::meter::{Components, FlockSummary};
pub use measures::overlaps::{Collisions, Overlaps};
pub use measures::summary::{Summary, measure, run};
pub use output::plot::picture::Plot;
pub use output::trace::Trace;
pub use output::why::Why;
pub use scenario::error::ScenarioError;
pub use scenario::scene::Scenario;
pub use scenario::text::{dimensions, read_text};
pub use simulation::agents::AgentState;
pub use simulation::events::EventCounts;
pub use simulation::gate_summary::GateSummary;
pub use simulation::goals::Goals;
pub use simulation::headless::Simulation;
pub use simulation::spawned::{ScenarioPlugin, SpawnedScenario};
pub use simulation::threads::Threads;
