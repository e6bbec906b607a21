//! Obstacles: their shapes, how far they are, and when a moving body touches them.

mod component;
mod index;
mod indexed;
mod placed;
mod raster;
mod shape;
#[cfg(test)]
mod tests;

pub use component::Obstacle;
pub use index::Obstacles;
pub(crate) use index::index_obstacles;
pub use indexed::IndexedObstacle;
pub use placed::PlacedShape;
pub use shape::ObstacleShape;
