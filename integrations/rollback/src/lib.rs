//! Steering that [`bevy_ggrs`] rolls back and simulates again.
//!
//! [`SteeringRollbackPlugin`] runs `bevy_steerling` in the [`GgrsSchedule`] and registers everything that it remembers between ticks. A game
//! adds it after the [`GgrsPlugin`](bevy_ggrs::GgrsPlugin), in place of the `SteeringPlugin`:
//!
//! ```
//! use bevy::prelude::*;
//! use bevy_ggrs::prelude::*;
//! use steerling_rollback::SteeringRollbackPlugin;
//!
//! App::new().add_plugins((MinimalPlugins, GgrsPlugin::<GgrsConfig<u8>>::default(), SteeringRollbackPlugin::default()));
//! ```
//!
//! # What is rolled back
//!
//! - Every agent, obstacle and flow field: they require [`Rollback`]. Other entities at which agents aim need [`Rollback`] from the game.
//! - `Transform`, and every component of the plugin: settings, because games insert and remove behaviors, and state.
//! - The seed, the bounds, the plane and the next free number of an agent.
//!
//! Entities may be despawned at once or with
//! [`despawn_rollback`](bevy_ggrs::RollbackDespawnCommandExtension::despawn_rollback). An entity that a rollback spawns again has
//! another id; targets and formations follow it. The anchor of a [`Formation`] should be despawned at once: `despawn_rollback` only hides it,
//! and its formation is handed over when it is really gone, at a different time on each machine.
//!
//! # What is not
//!
//! - The indexes of neighbors and obstacles, which are rebuilt or compared with the world in each tick. One detail of the index of obstacles
//!   is remembered: whether an obstacle without [`Velocity`] moved in the last two ticks. Only flow fields depend on it. Obstacles that move
//!   in a game with flow fields need a `Velocity`.
//! - The indexes before steering has run: they hold what the last simulated frame saw. Rules that search them run after steering.
//! - Events: a frame that is simulated again triggers its events again. Observers should write only what is rolled back.
//! - Change detection. After a rollback, the settings of behaviors count as unchanged. Systems that set behaviors run before
//!   [`RunSteeringSystems`], so that they set them again in the frames that are simulated again.
//!
//! [`Formation`]: bevy_steerling::prelude::Formation
//! [`GgrsSchedule`]: bevy_ggrs::GgrsSchedule
//! [`Rollback`]: bevy_ggrs::Rollback
//! [`RunSteeringSystems`]: bevy_steerling::prelude::RunSteeringSystems
//! [`Velocity`]: bevy_steerling::prelude::Velocity

mod checksums;
pub mod hunt;
mod register;
mod relations;
pub mod socket;

pub use register::SteeringRollbackPlugin;
