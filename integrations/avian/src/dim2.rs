//! Steering beside avian2d.

use bevy::ecs::schedule::{InternedScheduleLabel, ScheduleLabel};
use bevy::prelude::*;

use avian2d as avian;
use avian2d::parry;

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
#[path = "shared/planar.rs"]
mod shapes;
#[path = "shared/vectors2d.rs"]
mod vectors;

/// Steering beside avian2d. Add it after `SteeringPlugin` and `PhysicsPlugins`. Steering takes place in the plane of x and y.
///
/// Every dynamic body with a [`SteeringAgent`](bevy_steerling::prelude::SteeringAgent) is pushed by its steering force, and the colliders of
/// static and kinematic bodies are obstacles. See the [crate](crate) for an example.
pub struct Avian2dSteeringPlugin {
    schedule: InternedScheduleLabel,
}

impl Avian2dSteeringPlugin {
    /// The plugin for steering in this schedule: that of the `SteeringPlugin`. It should run once before each step of the engine.
    pub fn new(schedule: impl ScheduleLabel) -> Self {
        Self { schedule: schedule.intern() }
    }
}

impl Default for Avian2dSteeringPlugin {
    /// Steering in `FixedUpdate`. Avian steps in `FixedPostUpdate`.
    fn default() -> Self {
        Self::new(FixedUpdate)
    }
}

impl Plugin for Avian2dSteeringPlugin {
    fn build(&self, app: &mut App) {
        plugin::build(app, self.schedule);
    }
}
