//! Follow field: go where a flow field leads.

use bevy::ecs::entity::Entity;
use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::behaviors::fields::{BehaviorFields, component};
use crate::json::number::Finite;
use crate::json::strict::present;
use crate::mapping::entities::Entities;
use crate::mapping::place::Place;
use crate::mapping::value::{Value, fields};

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FollowField {
    /// The id of the field, one of the scenario's `fields`.
    pub field: String,
    /// Whether it comes to rest at a goal. Default: true.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub stop: Option<bool>,
    /// Factor on its contribution. Default: 1.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub weight: Option<Finite>,
}

/// The id of a flow field.
impl Value<Entity> for String {
    fn value(&self, entities: &Entities) -> Entity {
        entities.fields[self.as_str()]
    }

    fn of(field: &Entity, place: &Place) -> Option<Self> {
        let id = place.names.fields.get(field);
        if id.is_none() {
            place.note("the flow field is not in the file");
        }
        id.cloned()
    }
}

fields!(FollowField => plugin::FollowField { field: Entity; stop, weight }, plugin::FollowField::new);

impl BehaviorFields for FollowField {
    component!(plugin::FollowField);

    fn flow_field(&self) -> Option<&str> {
        Some(&self.field)
    }
}
