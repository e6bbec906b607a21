//! [`bevy_steerling`] beside the physics engine [Rapier](https://crates.io/crates/bevy_rapier2d): steering pushes dynamic bodies, and the
//! colliders of other bodies are obstacles.
//!
//! ```
//! use bevy::prelude::*;
//! use bevy_rapier2d::prelude::{
//!     Collider, ColliderMassProperties, LockedAxes, NoUserData, RapierConfiguration, RapierPhysicsPlugin,
//!     RigidBody, TimestepMode,
//! };
//! use bevy_steerling::prelude::*;
//! use bevy_steerling_rapier::Rapier2dSteeringPlugin;
//!
//! fn main() {
//!     App::new()
//!         // In a game: DefaultPlugins
//!         .add_plugins((MinimalPlugins, TransformPlugin))
//!         // One step of the engine in each tick, after steering.
//!         .insert_resource(TimestepMode::Fixed { dt: 1.0 / 64.0, substeps: 1 })
//!         .add_plugins(RapierPhysicsPlugin::<NoUserData>::default().in_fixed_schedule())
//!         .add_plugins((SteeringPlugin::default(), Rapier2dSteeringPlugin::default()))
//!         .add_systems(Startup, setup)
//! #       .update();
//! #   App::new()
//!         .run();
//! }
//!
//! fn setup(mut commands: Commands, mut worlds: Query<&mut RapierConfiguration>) {
//!     worlds.iter_mut().for_each(|mut world| world.gravity = Vec2::ZERO);
//!     // A wall is an obstacle.
//!     commands.spawn((RigidBody::Fixed, Collider::cuboid(10.0, 40.0), Transform::from_xyz(60.0, 0.0, 0.0)));
//!     // A body with a behavior is an agent. Its mass and its radius are those of the body and its collider.
//!     commands.spawn((
//!         Arrive::new(Vec2::new(150.0, 0.0)),
//!         AvoidObstacles::default(),
//!         (RigidBody::Dynamic, Collider::ball(6.0), ColliderMassProperties::Mass(2.0), LockedAxes::ROTATION_LOCKED),
//!         // The max force is mass · acceleration.
//!         SteeringAgent { max_speed: 60.0, max_force: 2.0 * 200.0, ..default() },
//!     ));
//! }
//! ```
//!
//! `docs/physics.md` in the repository says what flows where, which shapes are obstacles, and what to watch for.

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
