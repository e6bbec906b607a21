//! [`bevy_steerling`] beside the physics engine [Avian](https://crates.io/crates/avian2d): steering pushes dynamic bodies, and the colliders of
//! other bodies are obstacles.
//!
//! ```
//! use avian2d::prelude::*;
//! use bevy::prelude::*;
//! use bevy_steerling::prelude::*;
//! use bevy_steerling_avian::Avian2dSteeringPlugin;
//!
//! fn main() {
//!     App::new()
//!         // In a game: DefaultPlugins
//!         .add_plugins((MinimalPlugins, TransformPlugin))
//!         .add_plugins((PhysicsPlugins::default(), SteeringPlugin::default(), Avian2dSteeringPlugin::default()))
//!         .insert_resource(Gravity::ZERO)
//!         .add_systems(Startup, setup)
//! #       .update();
//! #   App::new()
//!         .run();
//! }
//!
//! fn setup(mut commands: Commands) {
//!     // A wall is an obstacle.
//!     commands.spawn((RigidBody::Static, Collider::rectangle(20.0, 80.0), Transform::from_xyz(60.0, 0.0, 0.0)));
//!     // A body with a behavior is an agent. Its mass and its radius are those of the body and its collider.
//!     commands.spawn((
//!         Arrive::new(Vec2::new(150.0, 0.0)),
//!         AvoidObstacles::default(),
//!         (RigidBody::Dynamic, Collider::circle(6.0), LockedAxes::ROTATION_LOCKED),
//!         // The max force is mass · acceleration.
//!         (Mass(2.0), SteeringAgent { max_speed: 60.0, max_force: 2.0 * 200.0, ..default() }),
//!     ));
//! }
//! ```
//!
//! `docs/physics.md` in the repository says what flows where, which shapes are obstacles, and what to watch for.

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
