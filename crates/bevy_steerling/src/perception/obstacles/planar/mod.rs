//! Shapes in the plane.

mod placed;
mod shape;
mod side;
mod ways_past;

pub use placed::PlacedShape;
pub use shape::ObstacleShape;
pub use side::ObstacleSide;
