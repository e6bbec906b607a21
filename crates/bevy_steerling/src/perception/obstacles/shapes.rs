//! The shapes of the dimension.

#[cfg(not(dim3))]
pub use crate::perception::obstacles::planar::{ObstacleShape, ObstacleSide, PlacedShape};
#[cfg(dim3)]
pub use crate::perception::obstacles::spatial::{
    ConvexHull, ConvexHullError, ObstacleShape, ObstacleSide, PlacedShape,
};
