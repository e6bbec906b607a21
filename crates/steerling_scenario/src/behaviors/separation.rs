//! Separation: keep away from others.

use bevy::ecs::world::EntityRef;
use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::behaviors::fields::{BehaviorFields, behavior_radius, component};
use crate::json::number::{Count, Finite, Groups, NonNegative};
use crate::json::strict::present;
use crate::mapping::value::fields;

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Separation {
    /// Distance within which others are kept away from, units. Default: a multiple of its own radius.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub radius: Option<NonNegative>,
    /// Length of the classic force, mass · units/s². Default: none, a wish that grows as others come closer.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub max_separation: Option<NonNegative>,
    /// Angle within which others count, rad, centered on the direction of motion. Default: all around.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub field_of_view: Option<NonNegative>,
    /// Only others in any of these groups count, one bit each. Default: all.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub groups: Option<Groups>,
    /// Only this many others count, the nearest ones. Default: 64.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub max_neighbors: Option<Count>,
    /// Factor on its contribution. Default: 1.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub weight: Option<Finite>,
}

fields!(
    Separation => plugin::Separation { ; radius, max_separation, field_of_view, groups, max_neighbors, weight },
    Default::default
);

impl BehaviorFields for Separation {
    component!(plugin::Separation);

    fn perception_radius(agent: EntityRef, body: &plugin::SteeringAgent) -> f32 {
        behavior_radius::<plugin::Separation>(agent, body)
    }
}
