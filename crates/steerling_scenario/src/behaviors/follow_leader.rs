//! Follow leader: walk behind a leader, out of its way.

use bevy::ecs::world::{EntityRef, EntityWorldMut};
use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::behaviors::fields::{BehaviorFields, behavior_radius, set};
use crate::behaviors::target::{Target, TargetEntities};
use crate::json::number::{Finite, NonNegative};
use crate::json::strict::{OneKey, present};

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FollowLeader {
    /// The leader.
    pub leader: OneKey<Target>,
    /// How far behind the leader it goes, units. Default: five times its radius.
    #[serde(default, deserialize_with = "present")]
    pub distance: Option<NonNegative>,
    /// Distance that it keeps from other followers, units. Default: three times its radius.
    #[serde(default, deserialize_with = "present")]
    pub spacing: Option<NonNegative>,
    /// Factor on its contribution. Default: 1.
    #[serde(default, deserialize_with = "present")]
    pub weight: Option<Finite>,
}

impl BehaviorFields for FollowLeader {
    type Components = (plugin::FollowLeader,);

    fn perception_radius(agent: EntityRef, body: &plugin::SteeringAgent) -> f32 {
        behavior_radius::<plugin::FollowLeader>(agent, body)
    }

    fn targets(&self) -> Vec<(&'static str, &Target)> {
        vec![("leader", &self.leader.0)]
    }

    fn insert(&self, agent: &mut EntityWorldMut, targets: &TargetEntities) {
        let mut follow = plugin::FollowLeader::new(targets.find(&self.leader.0));
        set(&mut follow.distance, self.distance);
        set(&mut follow.spacing, self.spacing);
        set(&mut follow.weight, self.weight);
        agent.insert(follow);
    }
}
