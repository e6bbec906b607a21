//! Vectors and the dimension of space: the only code that knows that it is two.

pub(crate) mod lanes;
pub(crate) mod segment;
mod sine;
pub mod space;
mod transform;
mod vector;

pub(crate) use transform::{from_translation, heading, position, rotation_to, set_position};
pub use vector::{Vector, normalize, truncate};
pub(crate) use vector::{bounded, finite_or_zero, turn_toward, unit_vector, unit_vectors};
