//! Targets of behaviors.

use bevy_steerling::math::Vector;
use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::json::number::{Groups, Point, vector};
use crate::mapping::entities::Entities;
use crate::mapping::place::Place;
use crate::mapping::value::Value;

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
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

/// The names were checked when the file was read.
impl Value<plugin::Target> for Target {
    fn value(&self, entities: &Entities) -> plugin::Target {
        match self {
            Self::Point(point) => plugin::Target::Point(vector(*point)),
            Self::Mirrored(center) => plugin::Target::Point(mirrored(entities.start, *center)),
            Self::Marker(name) => plugin::Target::Entity(entities.markers[name.as_str()]),
            Self::Agent(id) => plugin::Target::Entity(entities.agents[id.as_str()]),
            Self::Group(groups) => plugin::Target::Group((*groups).into()),
        }
    }

    fn of(target: &plugin::Target, place: &Place) -> Option<Self> {
        match target {
            plugin::Target::Point(point) => Value::of(point, place).map(Self::Point),
            plugin::Target::Group(groups) => Value::of(groups, place).map(Self::Group),
            plugin::Target::Entity(entity) if place.agent == Some(*entity) => {
                place.note("the agent itself");
                None
            }
            plugin::Target::Entity(entity) => {
                let agent = || place.names.agents.get(entity).cloned().map(Self::Agent);
                let marker = || place.names.marker(*entity).map(Self::Marker);
                let target = agent().or_else(marker);
                if target.is_none() {
                    place.note("the target is not in the file");
                }
                target
            }
        }
    }
}

/// A position, mirrored at a point.
pub(crate) fn mirrored(position: Vector, center: Point) -> Vector {
    2.0 * vector(center) - position
}
