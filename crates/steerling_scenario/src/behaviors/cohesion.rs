//! Cohesion: stay close to others.

use bevy::ecs::world::{EntityRef, EntityWorldMut};
use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::behaviors::around::Around;
use crate::behaviors::fields::{BehaviorFields, behavior_radius, set};
use crate::behaviors::target::TargetEntities;

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(crate) struct Cohesion(Around);

impl BehaviorFields for Cohesion {
    type Components = (plugin::Cohesion,);

    fn perception_radius(agent: EntityRef, body: &plugin::SteeringAgent) -> f32 {
        behavior_radius::<plugin::Cohesion>(agent, body)
    }

    fn insert(&self, agent: &mut EntityWorldMut, _: &TargetEntities) {
        let mut cohesion = plugin::Cohesion::default();
        set(&mut cohesion.radius, self.0.radius);
        set(&mut cohesion.field_of_view, self.0.field_of_view);
        set(&mut cohesion.groups, self.0.groups);
        set(&mut cohesion.max_neighbors, self.0.max_neighbors);
        set(&mut cohesion.weight, self.0.weight);
        agent.insert(cohesion);
    }
}
