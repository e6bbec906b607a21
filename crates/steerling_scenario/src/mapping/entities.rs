//! From the names in a file to entities.

use std::collections::HashMap;

use bevy::ecs::entity::Entity;
use bevy_steerling::math::Vector;

/// The entities that the behaviors of an agent may refer to.
#[derive(Default)]
pub(crate) struct Entities<'a> {
    /// The position of the agent at the start, units.
    pub start: Vector,
    pub markers: HashMap<&'a str, Entity>,
    pub agents: HashMap<&'a str, Entity>,
    pub fields: HashMap<&'a str, Entity>,
}
