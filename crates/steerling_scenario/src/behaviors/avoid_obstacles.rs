//! Avoid obstacles: steer around them.

use bevy::ecs::world::{EntityRef, EntityWorldMut};
use bevy_steerling::behaviors::avoid_with_feelers::FeelerPush;
use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::behaviors::fields::{BehaviorFields, insert, one_of, read};
use crate::file::planar::LeaveDeadEnds;
use crate::json::number::{Finite, Layers, NonNegative};
use crate::json::strict::{present, words};
use crate::mapping::entities::Entities;
use crate::mapping::place::Place;
use crate::mapping::value::fields;

#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AvoidObstacles {
    /// How far ahead obstacles matter, units. Default: twice the stopping distance from max speed, plus twice its
    /// radius.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub look_ahead: Option<NonNegative>,
    /// Limit of the force, mass · units/s². Default: max force.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub max_avoid_force: Option<NonNegative>,
    /// The direction in which `"points"` pushes. Default: `"lateral"`.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub steer: Option<AvoidSteer>,
    /// How obstacles are detected. Default: `"swept"`.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub detection: Option<Detection>,
    /// Only obstacles in any of these layers matter, one bit each. Default: all.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub layers: Option<Layers>,
    /// Whether it gets out of dead ends. Default: no.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub leave_dead_ends: Option<LeaveDeadEnds>,
    /// Factor on its contribution. Default: 1.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub weight: Option<Finite>,
}

impl AvoidObstacles {
    fn has_feelers(&self) -> bool {
        self.detection.is_some_and(bool::from)
    }
}

fields!(
    AvoidObstacles => plugin::AvoidObstacles {
       ; look_ahead, max_avoid_force, layers, #[cfg(not(dim3))] leave_dead_ends, weight
    },
    Default::default,
    ..Self::default()
);
fields!(
    AvoidObstacles => plugin::AvoidWithFeelers { ; look_ahead, max_avoid_force, steer = push, layers, weight },
    Default::default,
    ..Self { detection: Some(Detection(true)), ..Self::default() }
);

impl BehaviorFields for AvoidObstacles {
    type Components = (plugin::AvoidObstacles, plugin::AvoidWithFeelers);

    fn check(&self) -> Result<(), String> {
        if self.steer.is_some() && !self.has_feelers() {
            return Err("steer: expected none, because the `detection` is not \"points\"".to_owned());
        }
        Ok(())
    }

    fn insert(&self, agent: &mut EntityWorldMut, entities: &Entities) {
        if self.has_feelers() {
            insert::<plugin::AvoidWithFeelers>(self, agent, entities);
        } else {
            insert::<plugin::AvoidObstacles>(self, agent, entities);
        }
    }

    fn read(agent: EntityRef, place: &Place) -> Option<Self> {
        one_of(
            read::<plugin::AvoidObstacles, _>(agent, place),
            read::<plugin::AvoidWithFeelers, _>(agent, place),
            place,
        )
    }
}

words!(AvoidSteer(FeelerPush): "lateral" => FeelerPush::Lateral, "radial" => FeelerPush::Radial);
// Whether feelers detect obstacles.
words!(Detection(bool): "swept" => false, "points" => true);
