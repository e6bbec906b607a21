//! Cohesion: stay close to others.

use bevy::ecs::world::EntityRef;
use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::behaviors::around::Around;
use crate::behaviors::fields::{BehaviorFields, behavior_radius, component};
use crate::mapping::entities::Entities;
use crate::mapping::place::Place;
use crate::mapping::value::Value;

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(transparent)]
pub(crate) struct Cohesion(Around);

impl Value<plugin::Cohesion> for Cohesion {
    fn value(&self, entities: &Entities) -> plugin::Cohesion {
        self.0.value(entities)
    }

    fn of(component: &plugin::Cohesion, place: &Place) -> Option<Self> {
        Value::of(component, place).map(Self)
    }
}

impl BehaviorFields for Cohesion {
    component!(plugin::Cohesion);

    fn perception_radius(agent: EntityRef, body: &plugin::SteeringAgent) -> f32 {
        behavior_radius::<plugin::Cohesion>(agent, body)
    }
}
