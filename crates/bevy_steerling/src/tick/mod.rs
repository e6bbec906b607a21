//! One tick: its schedule, its length, and how its work is spread over threads.

pub(crate) mod non_finite;
pub mod schedule;
pub(crate) mod threads;
