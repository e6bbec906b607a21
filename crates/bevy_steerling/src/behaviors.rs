//! The behaviors that come with the plugin, a module each.

use bevy::app::App;
use bevy::reflect::GetTypeRegistration;

use crate::behavior::{self, BehaviorSystems, SteeringBehavior};
use crate::prelude::*;

pub mod arrive;
pub mod avoid_neighbors;
pub mod avoid_obstacles;
pub mod contain;
pub mod evade;
pub mod flee;
pub mod pursue;
pub mod queue;
pub mod seek;
pub mod separation;
pub mod wander;

/// Registers all of them, most urgent first: contributions are added up in this order.
pub(crate) fn register(app: &mut App) {
    register_one::<Separation>(app, BehaviorSystems::BuiltIn);
    register_one::<Evade>(app, BehaviorSystems::BuiltIn);
    register_one::<Flee>(app, BehaviorSystems::BuiltIn);
    register_one::<Pursue>(app, BehaviorSystems::BuiltIn);
    register_one::<Arrive>(app, BehaviorSystems::BuiltIn);
    register_one::<Seek>(app, BehaviorSystems::BuiltIn);
    register_one::<Wander>(app, BehaviorSystems::BuiltIn);
    // These act on the sum of the others.
    register_one::<Contain>(app, BehaviorSystems::Restraining);
    register_one::<AvoidObstacles>(app, BehaviorSystems::Restraining);
    register_one::<AvoidNeighbors>(app, BehaviorSystems::Avoiding);
    register_one::<Queue>(app, BehaviorSystems::Queueing);
}

fn register_one<B: SteeringBehavior + GetTypeRegistration>(app: &mut App, systems: BehaviorSystems)
where
    for<'w, 's> SystemParamItem<'w, 's, B::Param>: Sync,
{
    app.register_type::<B>();
    behavior::register::<B>(app, systems);
}
