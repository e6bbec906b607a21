//! What there is around the agents at the end of a tick.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use crate::agent::{SteeringAgent, Velocity};
use crate::perception::neighbors::Neighbors;
use crate::perception::obstacles::Obstacles;
use crate::perception::target::Targets;

/// What there is besides the agent.
#[derive(SystemParam)]
pub(super) struct Surroundings<'w, 's> {
    pub targets: Targets<'w, 's>,
    /// As they were at the start of the tick; `bodies` says where they are now.
    pub neighbors: Res<'w, Neighbors>,
    pub obstacles: Res<'w, Obstacles>,
    pub bodies: Query<'w, 's, (&'static Transform, &'static Velocity, &'static SteeringAgent)>,
}
