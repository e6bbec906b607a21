//! Hold: stay at a place, and go back to it.

use bevy::ecs::world::EntityWorldMut;
use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::behaviors::fields::{BehaviorFields, set};
use crate::behaviors::target::TargetEntities;
use crate::json::number::{Finite, Point, vector};
use crate::json::strict::present;

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Hold {
    /// The place, units. Default: where the agent starts.
    #[serde(default, deserialize_with = "present")]
    pub place: Option<Point>,
    /// Factor on its contribution. Default: 1.
    #[serde(default, deserialize_with = "present")]
    pub weight: Option<Finite>,
}

impl BehaviorFields for Hold {
    type Components = (plugin::Hold,);

    fn insert(&self, agent: &mut EntityWorldMut, _: &TargetEntities) {
        let mut hold = plugin::Hold { place: self.place.map(vector), ..plugin::Hold::default() };
        set(&mut hold.weight, self.weight);
        agent.insert(hold);
    }
}
