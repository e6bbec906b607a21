//! Measures of a run: overlaps, effort, flocking, and the time that it takes.

pub(crate) mod bench;
pub(crate) mod flock;
pub(crate) mod neighbors;
pub(crate) mod overlaps;
pub(crate) mod pairs;
pub(crate) mod summary;
pub(crate) mod sweep;
