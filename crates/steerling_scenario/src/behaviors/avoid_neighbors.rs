//! Avoid neighbors: pass others without touching them.

use bevy::ecs::world::EntityRef;
use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::behaviors::fields::{BehaviorFields, component, constraint_radius};
use crate::json::number::{Finite, Groups, NonNegative};
use crate::json::strict::present;
use crate::mapping::value::fields;

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AvoidNeighbors {
    /// How far ahead in time others matter, s. Default: twice the time that it needs to stop, plus the time in which it
    /// covers eight of its radii.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub look_ahead: Option<NonNegative>,
    /// Only others in any of these groups are avoided, one bit each. Default: all.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub groups: Option<Groups>,
    /// Factor on its contribution. Default: 1.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub weight: Option<Finite>,
}

fields!(AvoidNeighbors => plugin::AvoidNeighbors { ; look_ahead = time_horizon, groups, weight }, Default::default);

impl BehaviorFields for AvoidNeighbors {
    component!(plugin::AvoidNeighbors);

    fn perception_radius(agent: EntityRef, body: &plugin::SteeringAgent) -> f32 {
        constraint_radius::<plugin::AvoidNeighbors>(agent, body)
    }
}
