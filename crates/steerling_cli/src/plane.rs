//! The commands on scenes in two dimensions.

#[path = "commands.rs"]
mod commands;
mod scenario;
#[path = "tables.rs"]
mod tables;

pub use commands::{bench_scenario, check, run_scenario};
