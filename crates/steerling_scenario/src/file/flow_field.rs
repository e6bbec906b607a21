//! The fields of a flow field.

use bevy_steerling::perception::flow_field::{FlowFieldError, FlowRecipe};
use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::json::number::{Length, NonNegative, Point, vector};
use crate::mapping::place::Place;
use crate::mapping::value::Value;

/// The shortest ways around the obstacles of the default layer that stand still.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
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

    /// Returns the fields of a component. If a file cannot express it, notes that and returns `None`.
    pub fn of(field: &plugin::FlowField, id: String, place: &Place) -> Option<Self> {
        let Some(FlowRecipe { goals, cell, clearance, layers, updates }) = field.recipe() else {
            place.note("a flow field of given directions");
            return None;
        };
        if layers != plugin::GroupMask::DEFAULT {
            place.note("the layers of a flow field");
        }
        if !updates {
            place.note("manual updates of a flow field");
        }
        Some(Self {
            id,
            toward: goals.iter().map(|goal| Value::of(goal, &place.field("toward"))).collect::<Option<_>>()?,
            cell: Value::of(&cell, &place.field("cell"))?,
            clearance: Value::of(&clearance, &place.field("clearance"))?,
        })
    }
}
