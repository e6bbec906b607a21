//! The fields of a flow field.

use bevy_steerling::perception::flow_field::FlowFieldError;
use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::json::number::{Length, NonNegative, Point, vector};

/// The shortest ways around the obstacles of the default layer that stand still.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FlowField {
    /// Its unique name.
    pub id: String,
    /// The goals. Everybody goes to the nearest one.
    #[schemars(length(min = 1))]
    pub toward: Vec<Point>,
    /// The distance between the places for which it is computed, units.
    pub cell: Length,
    /// The distance that ways keep from obstacles, usually the radius of the agents, units.
    pub clearance: NonNegative,
}

impl FlowField {
    /// The plugin's field.
    pub fn component(&self, obstacles: &plugin::Obstacles) -> Result<plugin::FlowField, FlowFieldError> {
        let goals = self.toward.iter().copied().map(vector);
        plugin::FlowField::toward(goals, obstacles, self.cell.into(), self.clearance.into())
    }
}
