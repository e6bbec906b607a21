//! Queue: brake behind others.

use bevy::ecs::world::{EntityRef, EntityWorldMut};
use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::behaviors::fields::{BehaviorFields, constraint_radius, insert, one_of, read};
use crate::behaviors::separation::Separation;
use crate::json::number::{Finite, Fraction, Groups, NonNegative};
use crate::json::strict::{Object, present, words};
use crate::mapping::entities::Entities;
use crate::mapping::place::Place;
use crate::mapping::value::{Field, fields};

#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Queue {
    /// How it reacts to others. Default: `"keep_place"`.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub style: Option<QueueStyle>,
    /// The time gap to the path of an agent ahead, at the current speed, s. Default: 0.25.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub time_gap: Option<NonNegative>,
    /// The time to reach an agent ahead that moves on, at the current speed, to which it falls back gradually, s. Default: 0.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub headway: Option<NonNegative>,
    /// How far ahead the place is that should be free, units. Default: a multiple of its own radius.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub look_ahead: Option<NonNegative>,
    /// Others within this distance of that place block it, and others within this distance of the agent crowd it,
    /// units. Default: a multiple of its own radius.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub radius: Option<NonNegative>,
    /// The share of the other behaviors' force that braking cancels. Default: 0.8.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub brake: Option<NonNegative>,
    /// The share of its velocity that remains after each tick of a hard stop. Default: 0.3.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub hard_stop: Option<Fraction>,
    /// How it separates while it brakes in the style `"brake_and_separate"`. Default: as `separation` does.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub separation: Option<Object<Separation>>,
    /// Only others in any of these groups count, one bit each. Default: all.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub groups: Option<Groups>,
    /// Factor on its contribution. Default: 1.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub weight: Option<Finite>,
}

impl Queue {
    fn classic_style(&self) -> Option<plugin::ClassicQueueStyle> {
        self.style.and_then(Option::from)
    }
}

fields!(
    Queue => plugin::Queue { ; time_gap, headway, groups, weight },
    Default::default,
    ..Self::default()
);
fields!(
    Queue => plugin::ClassicQueue {
       ; style, look_ahead, radius, brake, hard_stop = kept_velocity, separation, weight
    },
    Default::default,
    ..Self::default()
);

/// A classic queue always has its style in the file, because a file without one has the other queue.
impl Field<plugin::ClassicQueueStyle> for Option<QueueStyle> {
    fn set(&self, style: &mut plugin::ClassicQueueStyle, _: &Entities) {
        *style = self.and_then(Option::from).unwrap_or(*style);
    }

    fn of(style: &plugin::ClassicQueueStyle, _: &plugin::ClassicQueueStyle, _: &Place) -> Option<Self> {
        Some(Some(QueueStyle(Some(*style))))
    }
}

impl BehaviorFields for Queue {
    type Components = (plugin::Queue, plugin::ClassicQueue);

    fn perception_radius(agent: EntityRef, body: &plugin::SteeringAgent) -> f32 {
        let classic = constraint_radius::<plugin::ClassicQueue>(agent, body);
        classic.max(constraint_radius::<plugin::Queue>(agent, body))
    }

    fn check(&self) -> Result<(), String> {
        if self.classic_style().is_some() {
            return Ok(());
        }
        let classic = [
            ("look_ahead", self.look_ahead.is_some()),
            ("radius", self.radius.is_some()),
            ("brake", self.brake.is_some()),
            ("hard_stop", self.hard_stop.is_some()),
            ("separation", self.separation.is_some()),
        ];
        classic
            .iter()
            .find(|(_, is_given)| *is_given)
            .map_or(Ok(()), |(field, _)| Err(format!("{field}: expected none, because the `style` is \"keep_place\"")))
    }

    fn insert(&self, agent: &mut EntityWorldMut, entities: &Entities) {
        if self.classic_style().is_some() {
            insert::<plugin::ClassicQueue>(self, agent, entities);
        } else {
            insert::<plugin::Queue>(self, agent, entities);
        }
    }

    fn read(agent: EntityRef, place: &Place) -> Option<Self> {
        one_of(read::<plugin::Queue, _>(agent, place), read::<plugin::ClassicQueue, _>(agent, place), place)
    }
}

words!(QueueStyle(Option<plugin::ClassicQueueStyle>):
    "keep_place" => None,
    "hard_stop" => Some(plugin::ClassicQueueStyle::HardStop),
    "brake" => Some(plugin::ClassicQueueStyle::Brake),
    "brake_and_hard_stop" => Some(plugin::ClassicQueueStyle::BrakeAndHardStop),
    "brake_and_separate" => Some(plugin::ClassicQueueStyle::BrakeAndSeparate));
