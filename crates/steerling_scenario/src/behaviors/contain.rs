//! Contain: stay inside a region.

use bevy::ecs::world::EntityWorldMut;
use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::behaviors::fields::{BehaviorFields, set};
use crate::behaviors::target::TargetEntities;
use crate::json::number::{Finite, NonNegative};
use crate::json::strict::{OneKey, present};
use crate::shapes::PlacedShape;
use crate::shapes::checks::check_region;
use crate::shapes::fields::Region;
use crate::shapes::primitives::{contain_in, placed_region};

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Contain {
    /// The region to stay in.
    pub region: OneKey<Region>,
    /// The distance at which its edge starts to matter, units. Default: twice the stopping distance from max speed,
    /// plus twice the radius.
    #[serde(default, deserialize_with = "present")]
    pub look_ahead: Option<NonNegative>,
    /// Factor on its contribution. Default: 1.
    #[serde(default, deserialize_with = "present")]
    pub weight: Option<Finite>,
}

impl BehaviorFields for Contain {
    type Components = (plugin::Contain,);

    fn region(&self) -> Option<PlacedShape> {
        Some(placed_region(&self.region.0))
    }

    fn check(&self) -> Result<(), String> {
        check_region(&self.region.0).map_err(|problem| format!("region.{problem}"))
    }

    fn insert(&self, agent: &mut EntityWorldMut, _: &TargetEntities) {
        let mut contain = contain_in(&self.region.0);
        set(&mut contain.look_ahead, self.look_ahead);
        set(&mut contain.weight, self.weight);
        agent.insert(contain);
    }
}
