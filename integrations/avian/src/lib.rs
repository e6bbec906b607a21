#![doc = include_str!("../README.md")]
#![allow(clippy::duplicate_mod, reason = "two versions of Avian have the same API")]

#[path = "shared/components.rs"]
mod components;
#[path = "shared/outline.rs"]
mod outline;
#[path = "shared/sets.rs"]
mod sets;

pub use components::{ColliderObstacle, ColliderObstacles, ObstacleHeights, ObstacleOf, RadiusFromCollider};
pub use sets::BodySystems;

#[cfg(feature = "2d")]
mod dim2;
#[cfg(feature = "3d")]
mod dim3;

#[cfg(feature = "2d")]
pub use dim2::Avian2dSteeringPlugin;
#[cfg(feature = "3d")]
pub use dim3::Avian3dSteeringPlugin;

/// The code in `docs/physics.md` runs as a doc test.
#[cfg(all(doctest, feature = "2d"))]
#[doc = include_str!("../../../docs/physics.md")]
struct Page;
