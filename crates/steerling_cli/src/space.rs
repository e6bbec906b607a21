//! The commands on scenes in three dimensions.

mod scenario;

#[path = "commands.rs"]
mod commands;
#[path = "tables.rs"]
mod tables;

pub use commands::{bench_scenario, check, run_scenario};
