//! Follow leader: walk behind a leader, out of its way.

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
pub(crate) struct FollowLeader {
    /// The leader.
    pub leader: OneKey<Target>,
    /// How far behind the leader it goes, units. Default: five times its radius.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub distance: Option<NonNegative>,
    /// Distance that it keeps from other followers, units. Default: three times its radius.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub spacing: Option<NonNegative>,
    /// Factor on its contribution. Default: 1.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub weight: Option<Finite>,
}

fields!(
    FollowLeader => plugin::FollowLeader { leader: plugin::Target; distance, spacing, weight },
    plugin::FollowLeader::new
);

impl BehaviorFields for FollowLeader {
    component!(plugin::FollowLeader);

    fn perception_radius(agent: EntityRef, body: &plugin::SteeringAgent) -> f32 {
        behavior_radius::<plugin::FollowLeader>(agent, body)
    }

    fn targets(&self) -> Vec<(&'static str, &Target)> {
        vec![("leader", &self.leader.0)]
    }
}
