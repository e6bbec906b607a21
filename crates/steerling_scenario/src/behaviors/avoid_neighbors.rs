//! Avoid neighbors: pass others without touching them.

use bevy::ecs::world::{EntityRef, EntityWorldMut};
use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::behaviors::fields::{BehaviorFields, constraint_radius, set};
use crate::behaviors::target::TargetEntities;
use crate::json::number::{Finite, Groups, NonNegative};
use crate::json::strict::present;

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AvoidNeighbors {
    /// How far ahead in time others matter, s. Default: twice the time that it needs to stop, plus the time in which it
    /// covers eight of its radii.
    #[serde(default, deserialize_with = "present")]
    pub look_ahead: Option<NonNegative>,
    /// Only others in any of these groups are avoided, one bit each. Default: all.
    #[serde(default, deserialize_with = "present")]
    pub groups: Option<Groups>,
    /// Factor on its contribution. Default: 1.
    #[serde(default, deserialize_with = "present")]
    pub weight: Option<Finite>,
}

impl BehaviorFields for AvoidNeighbors {
    type Components = (plugin::AvoidNeighbors,);

    fn perception_radius(agent: EntityRef, body: &plugin::SteeringAgent) -> f32 {
        constraint_radius::<plugin::AvoidNeighbors>(agent, body)
    }

    fn insert(&self, agent: &mut EntityWorldMut, _: &TargetEntities) {
        let mut avoid_neighbors = plugin::AvoidNeighbors::default();
        set(&mut avoid_neighbors.time_horizon, self.look_ahead);
        set(&mut avoid_neighbors.groups, self.groups);
        set(&mut avoid_neighbors.weight, self.weight);
        agent.insert(avoid_neighbors);
    }
}
