//! Offset pursuit: keep a place beside a leader.

use bevy::ecs::world::EntityWorldMut;
use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::behaviors::arrive::SlowingRadius;
use crate::behaviors::fields::{BehaviorFields, set};
use crate::behaviors::prediction::Prediction;
use crate::behaviors::target::{Target, TargetEntities};
use crate::json::number::{Finite, Point, vector};
use crate::json::strict::{OneKey, present};

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OffsetPursuit {
    /// The leader.
    pub leader: OneKey<Target>,
    /// The place: how far ahead of the leader and how far to its left, and how far above it in three dimensions, units.
    pub offset: Point,
    /// Slows down linearly within this distance, units, or as late as possible: `"auto"`, the default.
    #[serde(default, deserialize_with = "present")]
    pub slowing_radius: Option<SlowingRadius>,
    /// How far ahead it predicts the place. Default: `"proportional"`.
    #[serde(default, deserialize_with = "present")]
    pub prediction: Option<Prediction>,
    /// Factor on its contribution. Default: 1.
    #[serde(default, deserialize_with = "present")]
    pub weight: Option<Finite>,
}

impl BehaviorFields for OffsetPursuit {
    type Components = (plugin::OffsetPursuit,);

    fn targets(&self) -> Vec<(&'static str, &Target)> {
        vec![("leader", &self.leader.0)]
    }

    fn insert(&self, agent: &mut EntityWorldMut, targets: &TargetEntities) {
        let mut pursuit = plugin::OffsetPursuit::new(targets.find(&self.leader.0), vector(self.offset));
        set(&mut pursuit.slowing_radius, self.slowing_radius);
        set(&mut pursuit.prediction, self.prediction);
        set(&mut pursuit.weight, self.weight);
        agent.insert(pursuit);
    }
}
