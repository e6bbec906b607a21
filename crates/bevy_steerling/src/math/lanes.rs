//! Arithmetic for one agent or for eight at a time, so that each formula is written once.

mod numbers;
mod vectors;

pub(crate) use numbers::{LANES, Lanes, Stored, bits, each_lane};
pub(crate) use vectors::VectorOf;

#[cfg(test)]
mod tests;
