//! From wishes to one force: behaviors and constraints, and the code that runs all of them.

pub mod approach;
pub mod arbitration;
mod batch;
pub mod behavior;
pub mod constraint;
pub mod contribution;
pub(crate) mod contribution_log;
pub(crate) mod contributor;
pub mod figure;
#[cfg(feature = "debug")]
pub mod figures;
pub(crate) mod maneuver;
pub mod name;
pub mod registry;
pub(crate) mod runner;
pub mod trace;
pub mod wish;
