//! Scenario files for `bevy_steerling`: a scene as data, run without a window on the same plugin that a game uses.
//!
//! A [`Scenario`] is read from JSON and checked; a [`Simulation`] is the headless `App` made of it. [`Summary`] is what a
//! run amounts to, [`Trace`] the motion tick by tick as CSV, [`Why`] what led to it, and an [`Expectation`] is a scenario together
//! with the motion it must show.
//!
//! ```
//! use steerling_scenario::{Scenario, Simulation, Threads};
//!
//! let scenario = Scenario::parse(
//!     "example",
//!     r#"{
//!         "ticks": 120,
//!         "agents": [{"id": "a", "position": [0, 0], "behaviors": [{"arrive": {"target": {"point": [50, 0]}}}]}]
//!     }"#,
//! )?;
//! let mut simulation = Simulation::new(&scenario, Threads::Auto);
//! while simulation.ticks_done() < scenario.ticks() {
//!     simulation.step();
//! }
//! assert!((simulation.agents()[0].position.x - 50.0).abs() < 1e-3);
//! # Ok::<(), steerling_scenario::ScenarioError>(())
//! ```

mod agents;
mod bench;
mod crowds;
mod events;
mod expectation;
mod file;
mod flock;
mod gates;
mod json;
mod measures;
mod number;
mod obstacles;
mod placed;
mod plot;
mod respawn;
mod scenario;
mod schema;
mod simulation;
mod trace;
mod why;

pub use bench::{Benchmark, bench};
pub use events::EventCounts;
pub use expectation::{Expectation, Mismatch, Outcome};
pub use flock::{Components, FlockSummary};
pub use gates::GateSummary;
pub use measures::{Collisions, Goals, Overlaps, Summary, run};
pub use placed::{Placed, ScenarioPlugin};
pub use plot::Plot;
pub use scenario::{Scenario, ScenarioError};
pub use schema::schema;
pub use simulation::{AgentState, Simulation, Threads};
pub use trace::Trace;
pub use why::Why;
