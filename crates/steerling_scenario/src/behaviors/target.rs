//! Targets of behaviors.

use std::collections::HashMap;

use bevy::ecs::entity::Entity;
use bevy_steerling::math::Vector;
use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::json::number::{Groups, Point, vector};

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Target {
    /// A fixed point.
    Point(Point),
    /// The point opposite the agent's position at the start: that position, mirrored at this point.
    Mirrored(Point),
    /// The marker with this name.
    Marker(String),
    /// Another agent, by its id.
    Agent(String),
    /// Other agents in any of these groups, one bit each: the nearest one. `flee` and `evade` take all of them into
    /// account.
    Group(Groups),
}

/// What the targets of an agent may refer to.
pub(crate) struct TargetEntities<'a> {
    /// The position of the agent at the start, units.
    pub start: Vector,
    pub markers: HashMap<&'a str, Entity>,
    pub agents: HashMap<&'a str, Entity>,
    pub fields: HashMap<&'a str, Entity>,
}

impl TargetEntities<'_> {
    /// The plugin's target. The names were checked when the file was read.
    pub fn find(&self, target: &Target) -> plugin::Target {
        match target {
            Target::Point(point) => plugin::Target::Point(vector(*point)),
            Target::Mirrored(center) => plugin::Target::Point(mirrored(self.start, *center)),
            Target::Marker(name) => plugin::Target::Entity(self.markers[name.as_str()]),
            Target::Agent(id) => plugin::Target::Entity(self.agents[id.as_str()]),
            Target::Group(groups) => plugin::Target::Group((*groups).into()),
        }
    }
}

/// A position, mirrored at a point.
pub(crate) fn mirrored(position: Vector, center: Point) -> Vector {
    2.0 * vector(center) - position
}
