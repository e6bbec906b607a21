//! Face: look at a target.

use bevy::ecs::world::EntityWorldMut;
use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::behaviors::fields::{BehaviorFields, set};
use crate::behaviors::target::{Target, TargetEntities};
use crate::json::number::NonNegative;
use crate::json::strict::{OneKey, present};

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Face {
    /// The target.
    pub target: OneKey<Target>,
    /// The highest turn rate, rad/s. Default: no limit.
    #[serde(default, deserialize_with = "present")]
    pub turn_rate: Option<NonNegative>,
}

impl BehaviorFields for Face {
    type Components = (plugin::Face,);

    fn targets(&self) -> Vec<(&'static str, &Target)> {
        vec![("target", &self.target.0)]
    }

    fn insert(&self, agent: &mut EntityWorldMut, targets: &TargetEntities) {
        let mut face = plugin::Face::new(targets.find(&self.target.0));
        set(&mut face.turn_rate, self.turn_rate);
        agent.insert(face);
    }
}
