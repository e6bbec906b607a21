//! Vectors and space.
//!
//! The dimension is chosen here: `bevy_steerling_3d` compiles the same source with `cfg(dim3)`, without the planar modules.

pub(crate) mod half_space;
pub(crate) mod lanes;
pub(crate) mod orientation;
#[cfg(dim3)]
pub(crate) mod placement;
#[cfg(not(dim3))]
pub mod plane;
pub(crate) mod segment;
pub(crate) mod simd;
mod sine;
pub mod space;
mod vector;

#[cfg(dim3)]
pub(crate) use placement::WholeSpace as Placement;
#[cfg(dim3)]
pub(crate) use placement::{turn_between, turned_right};
#[cfg(not(dim3))]
pub(crate) use plane::SteeringPlane as Placement;
pub(crate) use vector::{
    DIMENSIONS, IVector, bounded, distance_across, finite_or_zero, integers_of, turn_toward, unit_vector, vector_of,
};
pub use vector::{Vector, normalize, truncate};
#[cfg(not(dim3))]
pub(crate) use vector::{turn_between, turned_right, unit_vectors};
