//! Steering beside avian3d.

use bevy::ecs::schedule::{InternedScheduleLabel, ScheduleLabel};
use bevy::prelude::*;

use avian3d as avian;
use avian3d::parry;

#[path = "shared/bodies.rs"]
mod bodies;
#[path = "engine.rs"]
mod engine;
#[path = "shared/obstacles.rs"]
mod obstacles;
#[path = "shared/plugin.rs"]
mod plugin;
#[path = "shared/radius.rs"]
mod radius;
#[path = "shared/spatial.rs"]
mod shapes;
#[path = "shared/vectors3d.rs"]
mod vectors;

/// Steering beside avian3d, on a plane of a 3D world. Add it after `SteeringPlugin` and `PhysicsPlugins`, and insert
/// [`SteeringPlane::XZ`](bevy_steerling::prelude::SteeringPlane::XZ) for the ground. Height belongs to the engine: gravity acts on it, and
/// steering forces do not.
///
/// Every dynamic body with a [`SteeringAgent`](bevy_steerling::prelude::SteeringAgent) is pushed by its steering force, and the colliders of
/// static and kinematic bodies are obstacles. See the [crate](crate) for an example.
pub struct Avian3dSteeringPlugin {
    schedule: InternedScheduleLabel,
}

impl Avian3dSteeringPlugin {
    /// The plugin for steering in this schedule: that of the `SteeringPlugin`. It should run once before each step of the engine.
    pub fn new(schedule: impl ScheduleLabel) -> Self {
        Self { schedule: schedule.intern() }
    }
}

impl Default for Avian3dSteeringPlugin {
    /// Steering in `FixedUpdate`. Avian steps in `FixedPostUpdate`.
    fn default() -> Self {
        Self::new(FixedUpdate)
    }
}

impl Plugin for Avian3dSteeringPlugin {
    fn build(&self, app: &mut App) {
        plugin::build(app, self.schedule);
    }
}
