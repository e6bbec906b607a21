//! Flee: run away from a target at full speed.

use bevy::ecs::world::EntityRef;
use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::behaviors::fields::{BehaviorFields, behavior_radius, component};
use crate::behaviors::target::Target;
use crate::json::number::{Finite, NonNegative};
use crate::json::strict::{OneKey, present};
use crate::mapping::value::fields;

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Flee {
    /// The target.
    pub target: OneKey<Target>,
    /// The behavior ignores targets farther away than this, units. Default: no limit; for a group, the distance that
    /// the agent covers in a second at max speed.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub panic_distance: Option<NonNegative>,
    /// Factor on its contribution. Default: 1.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub weight: Option<Finite>,
}

fields!(Flee => plugin::Flee { target: plugin::Target; panic_distance, weight }, plugin::Flee::new);

impl BehaviorFields for Flee {
    component!(plugin::Flee);

    fn perception_radius(agent: EntityRef, body: &plugin::SteeringAgent) -> f32 {
        behavior_radius::<plugin::Flee>(agent, body)
    }

    fn targets(&self) -> Vec<(&'static str, &Target)> {
        vec![("target", &self.target.0)]
    }
}
