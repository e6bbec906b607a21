//! The crate that reads and runs scenes in three dimensions.

pub use steerling_scenario_3d::*;
