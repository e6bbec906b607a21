//! The crate that reads and runs scenes in two dimensions.

pub use steerling_scenario::*;
