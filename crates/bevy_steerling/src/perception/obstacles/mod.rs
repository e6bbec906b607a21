//! Obstacles: their shapes, how far they are, and when a moving body touches them.

mod boundary;
mod component;
mod index;
mod indexed;
mod placed;
mod raster;
mod shape;
mod side;
#[cfg(test)]
mod tests;
mod view;

pub(crate) use boundary::Boundary;
pub use component::Obstacle;
pub use index::Obstacles;
pub(crate) use index::index_obstacles;
pub use indexed::IndexedObstacle;
pub use placed::PlacedShape;
pub use shape::ObstacleShape;
pub use side::ObstacleSide;
pub(crate) use view::ObstacleView;
