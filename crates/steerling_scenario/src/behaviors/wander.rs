//! Wander: roam at random.

use bevy_steerling::behaviors::wander::WanderDrive;
use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::behaviors::fields::{BehaviorFields, component};
use crate::file::planar::Angle;
use crate::json::number::{Finite, NonNegative};
use crate::json::strict::{present, words};
use crate::mapping::value::fields;

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wander {
    /// Distance from the agent to the center of the wander circle or sphere, units. Default: the distance covered in half a
    /// second at max speed.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub distance: Option<NonNegative>,
    /// Radius of the wander circle or sphere, units. Default: the distance covered in a quarter of a second at max speed.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub radius: Option<NonNegative>,
    /// How fast the point on it drifts, rad/√s. Default: 4.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub angle_change: Option<NonNegative>,
    /// The angle at which the point starts, rad. Default: random.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub angle: Option<Angle>,
    /// How the point is turned into a force. Default: `"seek"`.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub drive: Option<Drive>,
    /// Factor on its contribution. Default: 1.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub weight: Option<Finite>,
}

fields!(
    Wander => plugin::Wander {
        ; distance, radius, angle_change,
        #[cfg(not(dim3))] angle = initial_angle,
        #[cfg(dim3)] angle = initial_direction,
        drive, weight
    },
    Default::default
);

impl BehaviorFields for Wander {
    component!(plugin::Wander);
}

words!(Drive(WanderDrive): "seek" => WanderDrive::Seek, "displacement" => WanderDrive::Displacement);
