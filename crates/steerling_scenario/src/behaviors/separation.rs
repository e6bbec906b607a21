//! Separation: keep away from others.

use bevy::ecs::world::{EntityRef, EntityWorldMut};
use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::behaviors::fields::{BehaviorFields, behavior_radius, set};
use crate::behaviors::target::TargetEntities;
use crate::json::number::{Count, Finite, Groups, NonNegative};
use crate::json::strict::present;

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Separation {
    /// Distance within which others are kept away from, units. Default: a multiple of its own radius.
    #[serde(default, deserialize_with = "present")]
    pub radius: Option<NonNegative>,
    /// Length of the classic force, mass · units/s². Default: none, a wish that grows as others come closer.
    #[serde(default, deserialize_with = "present")]
    pub max_separation: Option<NonNegative>,
    /// Angle within which others count, rad, centered on the direction of motion. Default: all around.
    #[serde(default, deserialize_with = "present")]
    pub field_of_view: Option<NonNegative>,
    /// Only others in any of these groups count, one bit each. Default: all.
    #[serde(default, deserialize_with = "present")]
    pub groups: Option<Groups>,
    /// Only this many others count, the nearest ones. Default: 64.
    #[serde(default, deserialize_with = "present")]
    pub max_neighbors: Option<Count>,
    /// Factor on its contribution. Default: 1.
    #[serde(default, deserialize_with = "present")]
    pub weight: Option<Finite>,
}

impl Separation {
    pub fn component(&self) -> plugin::Separation {
        let mut separation = plugin::Separation::default();
        set(&mut separation.radius, self.radius);
        set(&mut separation.max_separation, self.max_separation);
        set(&mut separation.field_of_view, self.field_of_view);
        set(&mut separation.groups, self.groups);
        set(&mut separation.max_neighbors, self.max_neighbors);
        set(&mut separation.weight, self.weight);
        separation
    }
}

impl BehaviorFields for Separation {
    type Components = (plugin::Separation,);

    fn perception_radius(agent: EntityRef, body: &plugin::SteeringAgent) -> f32 {
        behavior_radius::<plugin::Separation>(agent, body)
    }

    fn insert(&self, agent: &mut EntityWorldMut, _: &TargetEntities) {
        agent.insert(self.component());
    }
}
