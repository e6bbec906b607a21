//! Hold: stay at a place, and go back to it.

use bevy::ecs::world::{EntityRef, EntityWorldMut};
use bevy_steerling::behaviors::hold::HoldState;
use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::behaviors::fields::{BehaviorFields, insert};
use crate::json::number::{Finite, Point};
use crate::json::strict::present;
use crate::mapping::entities::Entities;
use crate::mapping::place::Place;
use crate::mapping::value::{Value, fields};

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Hold {
    /// The place, units. Default: where the agent starts.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub place: Option<Point>,
    /// Factor on its contribution. Default: 1.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub weight: Option<Finite>,
}

fields!(Hold => plugin::Hold { ; place, weight }, Default::default);

impl BehaviorFields for Hold {
    type Components = (plugin::Hold,);

    fn insert(&self, agent: &mut EntityWorldMut, entities: &Entities) {
        insert::<plugin::Hold>(self, agent, entities);
    }

    fn read(agent: EntityRef, place: &Place) -> Option<Self> {
        // After the first tick, an agent knows the place where it started.
        let start = agent.get::<HoldState>().and_then(HoldState::place);
        let hold = agent.get::<plugin::Hold>()?;
        Value::of(&plugin::Hold { place: hold.place.or(start), ..hold.clone() }, place)
    }
}
