//! Heap allocations: a tick makes none once all lists have their capacity, and never leaks memory.
//! `bevy_steerling_3d` runs the same tests.

#[cfg(dim3)]
extern crate bevy_steerling_3d as bevy_steerling;

mod allocations;
mod churn;
mod crowd;
