//! Agents: their components, ids and groups, the limits of their bodies, random numbers, and the view of an agent that behaviors get.

mod components;
mod groups;
mod heading;
mod id;
#[cfg(not(dim3))]
mod limits;
pub(crate) mod list;
#[cfg(dim3)]
mod no_limits;
pub mod random;
mod rate;
pub(crate) mod view;

pub(crate) use components::FollowsForce;
pub use components::{ExternalMovement, HardStop, MovedByForce, SteeringAgent, SteeringForce, Velocity};
pub use groups::{GroupMask, SteeringGroups};
pub(crate) use heading::heading_along;
pub use id::{NextSteeringId, SteeringId};
#[cfg(not(dim3))]
pub(crate) use limits::Drive;
#[cfg(not(dim3))]
pub use limits::{BodyLimits, Vehicle};
#[cfg(dim3)]
pub(crate) use no_limits::BodyLimits;
pub use rate::{RateState, SteeringRate};
pub use view::Agent;

use bevy::app::{App, Plugin};

/// Assigns ids to agents and registers their components.
pub(crate) struct AgentPlugin;

impl Plugin for AgentPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<NextSteeringId>()
            .init_resource::<random::SteeringSeed>()
            .register_type::<SteeringAgent>()
            .register_type::<Velocity>()
            .register_type::<SteeringForce>()
            .register_type::<SteeringId>()
            .register_type::<NextSteeringId>()
            .register_type::<SteeringGroups>()
            .register_type::<ExternalMovement>()
            .register_type::<MovedByForce>()
            .register_type::<HardStop>()
            .register_type::<SteeringRate>()
            .register_type::<RateState>()
            .register_type::<random::SteeringSeed>();
        #[cfg(not(dim3))]
        app.register_type::<BodyLimits>().register_type::<Vehicle>();
        id::number_early_agents(app.world_mut());
    }
}
