//! Wander: roam at random.

use bevy::ecs::world::EntityWorldMut;
use bevy_steerling::behaviors::wander::WanderDrive;
use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::behaviors::fields::{BehaviorFields, set};
use crate::behaviors::target::TargetEntities;
use crate::file::planar::Angle;
use crate::json::number::{Finite, NonNegative};
use crate::json::strict::{present, words};

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wander {
    /// Distance from the agent to the center of the wander circle or sphere, units. Default: the distance covered in half a
    /// second at max speed.
    #[serde(default, deserialize_with = "present")]
    pub distance: Option<NonNegative>,
    /// Radius of the wander circle or sphere, units. Default: the distance covered in a quarter of a second at max speed.
    #[serde(default, deserialize_with = "present")]
    pub radius: Option<NonNegative>,
    /// How fast the point on it drifts, rad/√s. Default: 4.
    #[serde(default, deserialize_with = "present")]
    pub angle_change: Option<NonNegative>,
    /// The angle at which the point starts, rad. Default: random.
    #[serde(default, deserialize_with = "present")]
    pub angle: Option<Angle>,
    /// How the point is turned into a force. Default: `"seek"`.
    #[serde(default, deserialize_with = "present")]
    pub drive: Option<Drive>,
    /// Factor on its contribution. Default: 1.
    #[serde(default, deserialize_with = "present")]
    pub weight: Option<Finite>,
}

impl BehaviorFields for Wander {
    type Components = (plugin::Wander,);

    fn insert(&self, agent: &mut EntityWorldMut, _: &TargetEntities) {
        let mut wander = plugin::Wander::default();
        set(&mut wander.distance, self.distance);
        set(&mut wander.radius, self.radius);
        set(&mut wander.angle_change, self.angle_change);
        #[cfg(not(dim3))]
        set(&mut wander.initial_angle, self.angle);
        set(&mut wander.drive, self.drive);
        set(&mut wander.weight, self.weight);
        agent.insert(wander);
    }
}

words!(Drive(WanderDrive): "seek" => WanderDrive::Seek, "displacement" => WanderDrive::Displacement);
