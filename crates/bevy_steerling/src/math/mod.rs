//! Vectors and space. Apart from the grid of the neighbor index, no other module depends on the dimension.

pub(crate) mod lanes;
pub mod plane;
pub(crate) mod segment;
mod sine;
pub mod space;
mod vector;

pub use vector::{Vector, normalize, truncate};
pub(crate) use vector::{bounded, finite_or_zero, turn_toward, unit_vector, unit_vectors};
