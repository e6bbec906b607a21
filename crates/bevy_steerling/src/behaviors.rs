//! The behaviors that come with the plugin, a module each.

use bevy::app::App;
use bevy::reflect::GetTypeRegistration;

use crate::behavior::{self, BehaviorSystems, SteeringBehavior};
use crate::prelude::*;

pub mod arrive;
pub mod avoid_obstacles;
pub mod evade;
pub mod flee;
pub mod pursue;
pub mod queue;
pub mod seek;
pub mod separation;
pub mod wander;

/// Registers all of them, most urgent first: contributions are added up in this order.
pub(crate) fn register(app: &mut App) {
    register_one::<Separation>(app);
    register_one::<Evade>(app);
    register_one::<Flee>(app);
    register_one::<Pursue>(app);
    register_one::<Arrive>(app);
    register_one::<Seek>(app);
    register_one::<Wander>(app);
    // These act on the sum of the others.
    app.register_type::<AvoidObstacles>();
    behavior::register::<AvoidObstacles>(app, BehaviorSystems::Restraining);
    app.register_type::<Queue>();
    behavior::register::<Queue>(app, BehaviorSystems::Restraining);
}

fn register_one<B: SteeringBehavior + GetTypeRegistration>(app: &mut App)
where
    for<'w, 's> SystemParamItem<'w, 's, B::Param>: Sync,
{
    app.register_type::<B>();
    behavior::register::<B>(app, BehaviorSystems::BuiltIn);
}
