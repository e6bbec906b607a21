//! The behaviors that come with the plugin, a module each.

use bevy::app::App;

use crate::behavior::SteeringAppExt;
use crate::prelude::*;

pub mod arrive;
pub mod evade;
pub mod flee;
pub mod pursue;
pub mod seek;
pub mod separation;
pub mod wander;

/// Registers all of them, most urgent first: contributions are added up in this order.
pub(crate) fn register(app: &mut App) {
    app.register_type::<Separation>()
        .register_type::<Evade>()
        .register_type::<Flee>()
        .register_type::<Pursue>()
        .register_type::<Arrive>()
        .register_type::<Seek>()
        .register_type::<Wander>()
        .add_steering_behavior::<Separation>()
        .add_steering_behavior::<Evade>()
        .add_steering_behavior::<Flee>()
        .add_steering_behavior::<Pursue>()
        .add_steering_behavior::<Arrive>()
        .add_steering_behavior::<Seek>()
        .add_steering_behavior::<Wander>();
}
