//! Orbit: circle a target at a distance.

use bevy::ecs::world::EntityWorldMut;
use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::behaviors::fields::{BehaviorFields, set};
use crate::behaviors::target::{Target, TargetEntities};
use crate::json::number::{Finite, NonNegative};
use crate::json::strict::{OneKey, present};

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Orbit {
    /// The target in the center.
    pub around: OneKey<Target>,
    /// Radius of the circle, units.
    pub radius: NonNegative,
    /// Whether it goes clockwise. Default: no.
    #[serde(default)]
    pub clockwise: bool,
    /// Factor on its contribution. Default: 1.
    #[serde(default, deserialize_with = "present")]
    pub weight: Option<Finite>,
}

impl BehaviorFields for Orbit {
    type Components = (plugin::Orbit,);

    fn targets(&self) -> Vec<(&'static str, &Target)> {
        vec![("around", &self.around.0)]
    }

    fn insert(&self, agent: &mut EntityWorldMut, targets: &TargetEntities) {
        let mut orbit = plugin::Orbit::new(targets.find(&self.around.0), self.radius.into());
        orbit.clockwise = self.clockwise;
        set(&mut orbit.weight, self.weight);
        agent.insert(orbit);
    }
}
