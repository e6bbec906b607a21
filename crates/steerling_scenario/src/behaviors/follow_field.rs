//! Follow field: go where a flow field leads.

use bevy::ecs::world::EntityWorldMut;
use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::behaviors::fields::{BehaviorFields, set};
use crate::behaviors::target::TargetEntities;
use crate::json::number::Finite;
use crate::json::strict::present;

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FollowField {
    /// The id of the field, one of the scenario's `fields`.
    pub field: String,
    /// Whether it comes to rest at a goal. Default: true.
    #[serde(default, deserialize_with = "present")]
    pub stop: Option<bool>,
    /// Factor on its contribution. Default: 1.
    #[serde(default, deserialize_with = "present")]
    pub weight: Option<Finite>,
}

impl BehaviorFields for FollowField {
    type Components = (plugin::FollowField,);

    fn flow_field(&self) -> Option<&str> {
        Some(&self.field)
    }

    fn insert(&self, agent: &mut EntityWorldMut, targets: &TargetEntities) {
        let mut follow_field = plugin::FollowField::new(targets.fields[self.field.as_str()]);
        set(&mut follow_field.stop, self.stop);
        set(&mut follow_field.weight, self.weight);
        agent.insert(follow_field);
    }
}
