//! Forces computed from sums over neighbors, for one agent or for a whole crowd.
//!
//! A behavior is a `NeighborKernel`: it determines how far an agent perceives, and computes the force from the sums. `add_up` computes the
//! forces of a crowd eight agents at a time. `force_of_one` computes the force of a single agent in the cases that `add_up` leaves out:
//! another agent in exactly the same place, several agents equally far away where the limit of neighbors is reached, [`GroupWeights`], and
//! worlds so small that an agent perceives another one on both sides.

mod group_weights;
mod kernel;
mod one;
mod pass;
mod perceivers;
mod sight;
mod sums_of_eight;

pub use group_weights::{GroupWeight, GroupWeights};
pub(crate) use kernel::{NeighborKernel, Perceiver, Perceiving, Sums, mean};
#[cfg(not(dim3))]
pub(crate) use one::AroundParam;
pub(crate) use one::{CrowdParam, force_of_one, sums_of_one};
pub(crate) use perceivers::{Perceivers, add_up, note_perceivers};
