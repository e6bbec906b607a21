#![doc = include_str!("../README.md")]
#![allow(clippy::duplicate_mod, reason = "two dimensions of Rapier have the same API")]

#[path = "../../avian/src/shared/components.rs"]
mod components;
#[path = "../../avian/src/shared/outline.rs"]
mod outline;
#[path = "../../avian/src/shared/sets.rs"]
mod sets;

pub use components::{ColliderObstacle, ColliderObstacles, ObstacleHeights, ObstacleOf, RadiusFromCollider};
pub use sets::BodySystems;

#[cfg(feature = "2d")]
mod dim2;
#[cfg(feature = "3d")]
mod dim3;

#[cfg(feature = "2d")]
pub use dim2::Rapier2dSteeringPlugin;
#[cfg(feature = "3d")]
pub use dim3::Rapier3dSteeringPlugin;
