//! What agents perceive: targets, neighbors, obstacles, and predictions of where things will be.

pub(crate) mod field_of_view;
pub mod flocking;
pub mod interception;
pub mod neighbors;
pub mod obstacles;
pub mod prediction;
pub mod regions;
pub mod target;
