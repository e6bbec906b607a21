//! Alignment: move at the velocity of others.

use bevy::ecs::world::{EntityRef, EntityWorldMut};
use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::behaviors::around::Around;
use crate::behaviors::fields::{BehaviorFields, behavior_radius, set};
use crate::behaviors::target::TargetEntities;

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(crate) struct Alignment(Around);

impl BehaviorFields for Alignment {
    type Components = (plugin::Alignment,);

    fn perception_radius(agent: EntityRef, body: &plugin::SteeringAgent) -> f32 {
        behavior_radius::<plugin::Alignment>(agent, body)
    }

    fn insert(&self, agent: &mut EntityWorldMut, _: &TargetEntities) {
        let mut alignment = plugin::Alignment::default();
        set(&mut alignment.radius, self.0.radius);
        set(&mut alignment.field_of_view, self.0.field_of_view);
        set(&mut alignment.groups, self.0.groups);
        set(&mut alignment.max_neighbors, self.0.max_neighbors);
        set(&mut alignment.weight, self.0.weight);
        agent.insert(alignment);
    }
}
