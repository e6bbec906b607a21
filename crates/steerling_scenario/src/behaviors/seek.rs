//! Seek: run to a target at full speed.

use bevy::ecs::world::EntityWorldMut;
use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::behaviors::fields::{BehaviorFields, set};
use crate::behaviors::target::{Target, TargetEntities};
use crate::json::number::Finite;
use crate::json::strict::{OneKey, present};

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Seek {
    /// The target.
    pub target: OneKey<Target>,
    /// Factor on its contribution. Default: 1.
    #[serde(default, deserialize_with = "present")]
    pub weight: Option<Finite>,
}

impl BehaviorFields for Seek {
    type Components = (plugin::Seek,);

    fn targets(&self) -> Vec<(&'static str, &Target)> {
        vec![("target", &self.target.0)]
    }

    fn insert(&self, agent: &mut EntityWorldMut, targets: &TargetEntities) {
        let mut seek = plugin::Seek::new(targets.find(&self.target.0));
        set(&mut seek.weight, self.weight);
        agent.insert(seek);
    }
}
