//! Measures of a flock: whether agents move in the same direction, hold together, and how close they keep to each
//! other.

pub(crate) mod components;
pub(crate) mod meter;
pub(crate) mod nearest;
pub(crate) mod torus;
