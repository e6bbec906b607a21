//! Contain: stay inside a region.

use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::behaviors::fields::{BehaviorFields, component};
use crate::json::number::{Finite, NonNegative};
use crate::json::strict::{OneKey, present};
use crate::mapping::entities::Entities;
use crate::mapping::place::Place;
use crate::mapping::value::{Field, Value};
use crate::shapes::PlacedShape;
use crate::shapes::checks::check_region;
use crate::shapes::fields::Region;
use crate::shapes::primitives::{contain_in, placed_region};
use crate::shapes::reverse::region_of;

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Contain {
    /// The region to stay in.
    pub region: OneKey<Region>,
    /// The distance at which its edge starts to matter, units. Default: twice the stopping distance from max speed,
    /// plus twice the radius.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub look_ahead: Option<NonNegative>,
    /// Factor on its contribution. Default: 1.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub weight: Option<Finite>,
}

impl Value<plugin::Contain> for Contain {
    fn value(&self, entities: &Entities) -> plugin::Contain {
        let mut contain = contain_in(&self.region.0);
        self.look_ahead.set(&mut contain.look_ahead, entities);
        self.weight.set(&mut contain.weight, entities);
        contain
    }

    fn of(contain: &plugin::Contain, place: &Place) -> Option<Self> {
        let plugin::Contain { region: _, center: _, rotation: _, look_ahead, weight } = contain;
        let default = plugin::Contain::default();
        Some(Self {
            region: OneKey(region_of(contain, &place.field("region"))?),
            look_ahead: Field::of(look_ahead, &default.look_ahead, &place.field("look_ahead"))?,
            weight: Field::of(weight, &default.weight, &place.field("weight"))?,
        })
    }
}

impl BehaviorFields for Contain {
    component!(plugin::Contain);

    fn region(&self) -> Option<PlacedShape> {
        Some(placed_region(&self.region.0))
    }

    fn check(&self) -> Result<(), String> {
        check_region(&self.region.0).map_err(|problem| format!("region.{problem}"))
    }
}
