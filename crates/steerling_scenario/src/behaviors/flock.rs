//! Flock: separation, alignment and cohesion in one.

use bevy::ecs::world::{EntityRef, EntityWorldMut};
use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::behaviors::fields::{BehaviorFields, behavior_radius, set};
use crate::behaviors::target::TargetEntities;
use crate::json::number::{Count, Finite, Groups, NonNegative};
use crate::json::strict::{Object, present};

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Flock {
    /// Keeps away from others nearby.
    #[serde(default)]
    pub separation: Object<FlockPart>,
    /// Moves at the velocity of others.
    #[serde(default)]
    pub alignment: Object<FlockPart>,
    /// Moves to the center of the others.
    #[serde(default)]
    pub cohesion: Object<FlockPart>,
    /// Only others in any of these groups count, one bit each. Default: all.
    #[serde(default, deserialize_with = "present")]
    pub groups: Option<Groups>,
    /// Only this many others count, the nearest ones. Default: 64.
    #[serde(default, deserialize_with = "present")]
    pub max_neighbors: Option<Count>,
    /// Factor on its contribution. Default: 1.
    #[serde(default, deserialize_with = "present")]
    pub weight: Option<Finite>,
}

impl BehaviorFields for Flock {
    type Components = (plugin::Flock,);

    fn perception_radius(agent: EntityRef, body: &plugin::SteeringAgent) -> f32 {
        behavior_radius::<plugin::Flock>(agent, body)
    }

    fn insert(&self, agent: &mut EntityWorldMut, _: &TargetEntities) {
        let mut flock = plugin::Flock {
            separation: self.separation.component(),
            alignment: self.alignment.component(),
            cohesion: self.cohesion.component(),
            ..plugin::Flock::default()
        };
        set(&mut flock.groups, self.groups);
        set(&mut flock.max_neighbors, self.max_neighbors);
        set(&mut flock.weight, self.weight);
        agent.insert(flock);
    }
}

/// One of the three parts of `flock`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FlockPart {
    /// Distance within which others count, units. Default: a multiple of its own radius.
    #[serde(default, deserialize_with = "present")]
    pub radius: Option<NonNegative>,
    /// Angle within which others count, rad, centered on the direction of motion. Default: all around.
    #[serde(default, deserialize_with = "present")]
    pub field_of_view: Option<NonNegative>,
    /// Strength of the force, mass · units/s². Default: a share of max force.
    #[serde(default, deserialize_with = "present")]
    pub weight: Option<Finite>,
}

impl FlockPart {
    fn component(&self) -> plugin::FlockPart {
        let mut part = plugin::FlockPart::default();
        set(&mut part.radius, self.radius);
        set(&mut part.field_of_view, self.field_of_view);
        set(&mut part.strength, self.weight);
        part
    }
}
