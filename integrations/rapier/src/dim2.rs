//! Steering beside `bevy_rapier2d`.

use bevy::ecs::schedule::{InternedScheduleLabel, ScheduleLabel};
use bevy::prelude::*;

use bevy_rapier2d as rapier;
use bevy_rapier2d::parry;

#[path = "../../avian/src/shared/bodies.rs"]
mod bodies;
#[path = "engine.rs"]
mod engine;
#[path = "../../avian/src/shared/obstacles.rs"]
mod obstacles;
#[path = "../../avian/src/shared/plugin.rs"]
mod plugin;
#[path = "../../avian/src/shared/radius.rs"]
mod radius;
#[path = "../../avian/src/shared/planar.rs"]
mod shapes;
#[path = "../../avian/src/shared/vectors2d.rs"]
mod vectors;

/// Steering beside `bevy_rapier2d`. Add it after `SteeringPlugin` and `RapierPhysicsPlugin`. Steering takes place in the plane of x and y.
///
/// Every dynamic body with a [`SteeringAgent`](bevy_steerling::prelude::SteeringAgent) is pushed by its steering force, and the colliders of
/// other bodies are obstacles. See the [crate](crate) for an example.
pub struct Rapier2dSteeringPlugin {
    schedule: InternedScheduleLabel,
}

impl Rapier2dSteeringPlugin {
    /// The plugin for steering in this schedule: that of the `SteeringPlugin`. It should run once before each step of the engine.
    pub fn new(schedule: impl ScheduleLabel) -> Self {
        Self { schedule: schedule.intern() }
    }
}

impl Default for Rapier2dSteeringPlugin {
    /// Steering in `FixedUpdate`, before the engine if it is in the same schedule.
    fn default() -> Self {
        Self::new(FixedUpdate)
    }
}

impl Plugin for Rapier2dSteeringPlugin {
    fn build(&self, app: &mut App) {
        plugin::build(app, self.schedule);
        app.configure_sets(self.schedule, crate::BodySystems::Push.before(rapier::prelude::PhysicsSet::SyncBackend));
    }
}
