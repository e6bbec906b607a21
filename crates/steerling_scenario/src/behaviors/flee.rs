//! Flee: run away from a target at full speed.

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
pub(crate) struct Flee {
    /// The target.
    pub target: OneKey<Target>,
    /// The behavior ignores targets farther away than this, units. Default: no limit; for a group, the distance that
    /// the agent covers in a second at max speed.
    #[serde(default, deserialize_with = "present")]
    pub panic_distance: Option<NonNegative>,
    /// Factor on its contribution. Default: 1.
    #[serde(default, deserialize_with = "present")]
    pub weight: Option<Finite>,
}

impl BehaviorFields for Flee {
    type Components = (plugin::Flee,);

    fn perception_radius(agent: EntityRef, body: &plugin::SteeringAgent) -> f32 {
        behavior_radius::<plugin::Flee>(agent, body)
    }

    fn targets(&self) -> Vec<(&'static str, &Target)> {
        vec![("target", &self.target.0)]
    }

    fn insert(&self, agent: &mut EntityWorldMut, targets: &TargetEntities) {
        let mut flee = plugin::Flee::new(targets.find(&self.target.0));
        set(&mut flee.panic_distance, self.panic_distance);
        set(&mut flee.weight, self.weight);
        agent.insert(flee);
    }
}
