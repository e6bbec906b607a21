//! Flock: separation, alignment and cohesion in one.

use bevy::ecs::world::EntityRef;
use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::behaviors::fields::{BehaviorFields, behavior_radius, component};
use crate::json::number::{Count, Finite, Groups, NonNegative};
use crate::json::strict::{Object, present};
use crate::mapping::entities::Entities;
use crate::mapping::place::Place;
use crate::mapping::value::{Field, Value, fields, is_default};

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Flock {
    /// Keeps away from others nearby.
    #[serde(default, skip_serializing_if = "is_default")]
    pub separation: Object<FlockPart>,
    /// Moves at the velocity of others.
    #[serde(default, skip_serializing_if = "is_default")]
    pub alignment: Object<FlockPart>,
    /// Moves to the center of the others.
    #[serde(default, skip_serializing_if = "is_default")]
    pub cohesion: Object<FlockPart>,
    /// Only others in any of these groups count, one bit each. Default: all.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub groups: Option<Groups>,
    /// Only this many others count, the nearest ones. Default: 64.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub max_neighbors: Option<Count>,
    /// Factor on its contribution. Default: 1.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub weight: Option<Finite>,
}

fields!(Flock => plugin::Flock { ; separation, alignment, cohesion, groups, max_neighbors, weight }, Default::default);

impl BehaviorFields for Flock {
    component!(plugin::Flock);

    fn perception_radius(agent: EntityRef, body: &plugin::SteeringAgent) -> f32 {
        behavior_radius::<plugin::Flock>(agent, body)
    }
}

/// One of the three parts of `flock`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FlockPart {
    /// Distance within which others count, units. Default: a multiple of its own radius.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub radius: Option<NonNegative>,
    /// Angle within which others count, rad, centered on the direction of motion. Default: all around.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub field_of_view: Option<NonNegative>,
    /// Strength of the force, mass · units/s². Default: a share of max force.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub weight: Option<Finite>,
}

fields!(FlockPart => plugin::FlockPart { ; radius, field_of_view, weight = strength }, Default::default);

impl Field<plugin::FlockPart> for Object<FlockPart> {
    fn set(&self, part: &mut plugin::FlockPart, entities: &Entities) {
        *part = self.value(entities);
    }

    fn of(part: &plugin::FlockPart, _: &plugin::FlockPart, place: &Place) -> Option<Self> {
        Value::of(part, place)
    }
}
