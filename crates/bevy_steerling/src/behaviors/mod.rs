//! The behaviors that come with the plugin, a module each.

use bevy::app::App;
use bevy::reflect::GetTypeRegistration;

use crate::constraints::queue;
use crate::engine::behavior::{self, BehaviorSystems, SteeringBehavior};
use crate::engine::heading::Heading;
use crate::perception::flocking::{AroundParam, NeighborKernel};
use crate::prelude::*;

/// What a behavior does, as a picture in its documentation: `figures/NAME.svg`, drawn from `assets/scenarios/figures`.
#[cfg(doc)]
macro_rules! figure {
    ($name:literal) => {
        concat!(
            "<div style=\"max-width: 36em\">\n",
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/figures/", $name, ".svg")),
            "</div>\n"
        )
    };
}

pub mod alignment;
pub mod arrive;
pub mod cohesion;
pub mod evade;
pub mod flee;
pub mod flock;
pub mod match_velocity;
pub mod pursue;
pub mod seek;
pub mod separation;
pub mod wander;

/// Registers all of them, most urgent first: contributions are added up in this order.
pub(crate) fn register(app: &mut App) {
    register_flocking::<Separation>(app);
    register_one::<Evade>(app, BehaviorSystems::BuiltIn);
    register_one::<Flee>(app, BehaviorSystems::BuiltIn);
    register_one::<Pursue>(app, BehaviorSystems::BuiltIn);
    register_one::<Arrive>(app, BehaviorSystems::BuiltIn);
    register_heading::<Seek>(app);
    register_flocking::<Flock>(app);
    register_flocking::<Alignment>(app);
    register_flocking::<Cohesion>(app);
    register_one::<MatchVelocity>(app, BehaviorSystems::BuiltIn);
    register_heading::<Wander>(app);
    // These act on the sum of the others.
    register_one::<Contain>(app, BehaviorSystems::Restraining);
    app.register_type::<AvoidObstacles>();
    behavior::register_avoid_obstacles(app, BehaviorSystems::Restraining);
    register_one::<AvoidNeighbors>(app, BehaviorSystems::Avoiding);
    app.register_type::<Queue>();
    queue::register(app);
}

fn register_one<B: SteeringBehavior + GetTypeRegistration>(app: &mut App, systems: BehaviorSystems)
where
    for<'w, 's> SystemParamItem<'w, 's, B::Param>: Sync,
{
    app.register_type::<B>();
    behavior::register::<B>(app, systems);
}

fn register_heading<B: Heading + GetTypeRegistration>(app: &mut App)
where
    for<'w, 's> SystemParamItem<'w, 's, B::Param>: Sync,
{
    app.register_type::<B>();
    behavior::register_heading::<B>(app, BehaviorSystems::BuiltIn);
}

fn register_flocking<B: NeighborKernel + SteeringBehavior<Param = AroundParam> + GetTypeRegistration>(app: &mut App) {
    app.register_type::<B>();
    behavior::register_flocking::<B>(app, BehaviorSystems::BuiltIn);
}
