//! Shapes in three dimensions.

mod hull;
mod placed;
mod shape;
mod side;
mod solid;
mod ways_past;

pub use hull::{ConvexHull, ConvexHullError};
pub use placed::PlacedShape;
pub use shape::ObstacleShape;
pub use side::ObstacleSide;
