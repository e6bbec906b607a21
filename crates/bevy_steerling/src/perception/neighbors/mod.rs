//! A spatial index of all agents, rebuilt in each tick in which a behavior perceives others.

mod build;
mod grid;
mod index;
mod member_search;
mod members;
mod radii;
mod records;
mod rows;
mod search;
#[cfg(test)]
mod tests;
mod update;

pub(crate) use grid::Run;
pub use index::{MOST_CANDIDATES, Neighbors};
pub(crate) use radii::Radii;
pub use records::Neighbor;
pub(crate) use records::{Body, direction_to_coincident};
pub(crate) use rows::{PARALLEL_PASS, by_rows, group_of_near};
pub(crate) use search::lanes_within;
pub(crate) use update::{forget_perception_radii, index_neighbors};
