//! Alignment: move at the velocity of others.

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
pub(crate) struct Alignment(Around);

impl Value<plugin::Alignment> for Alignment {
    fn value(&self, entities: &Entities) -> plugin::Alignment {
        self.0.value(entities)
    }

    fn of(component: &plugin::Alignment, place: &Place) -> Option<Self> {
        Value::of(component, place).map(Self)
    }
}

impl BehaviorFields for Alignment {
    component!(plugin::Alignment);

    fn perception_radius(agent: EntityRef, body: &plugin::SteeringAgent) -> f32 {
        behavior_radius::<plugin::Alignment>(agent, body)
    }
}
