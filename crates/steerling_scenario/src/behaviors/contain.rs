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
use crate::shapes::convex::check_region;
use crate::shapes::fields::Region;
use crate::shapes::primitives::{circle, placed_region, polygon, rectangle};

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
        let mut contain = match &self.region.0 {
            Region::Circle(fields) => {
                let (circle, center) = circle(fields);
                plugin::Contain::new(circle).with_center(center)
            }
            Region::Rectangle(fields) => {
                let (rectangle, center, rotation) = rectangle(fields);
                plugin::Contain::new(rectangle).with_center(center).with_rotation(rotation)
            }
            Region::Polygon(fields) => {
                let (polygon, center) = polygon(fields);
                plugin::Contain::new(polygon).with_center(center)
            }
        };
        set(&mut contain.look_ahead, self.look_ahead);
        set(&mut contain.weight, self.weight);
        agent.insert(contain);
    }
}
