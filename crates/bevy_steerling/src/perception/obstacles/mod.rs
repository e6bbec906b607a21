//! Obstacles: their shapes, how far they are, and when a moving body touches them.

/// Makes an `ObstacleShape` from each of its shapes.
macro_rules! from_shapes {
    ($($variant:ident($shape:ty)),+) => {
        $(impl From<$shape> for ObstacleShape {
            fn from(shape: $shape) -> Self {
                Self::$variant(shape)
            }
        })+
    };
}

#[cfg(not(dim3))]
mod boundary;
mod component;
mod index;
mod indexed;
#[cfg(not(dim3))]
mod planar;
mod queries;
mod raster;
mod shapes;
#[cfg(dim3)]
mod spatial;
#[cfg(test)]
mod tests;
mod view;

#[cfg(not(dim3))]
pub(crate) use boundary::Boundary;
pub use component::Obstacle;
pub use index::Obstacles;
pub(crate) use index::index_obstacles;
pub use indexed::{IndexedObstacle, TurnRate};
pub use queries::{ObstacleFilter, ObstacleHit};
#[cfg(dim3)]
pub use shapes::{ConvexHull, ConvexHullError};
pub use shapes::{ObstacleShape, ObstacleSide, PlacedShape};
pub(crate) use view::ObstacleView;
