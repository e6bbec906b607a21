//! The agents of a scenario at the start.

use std::sync::Arc;

use bevy_steerling::math::Vector;
use bevy_steerling::prelude::SteeringId;
use twox_hash::XxHash64;

use crate::file::agents::Kind;

/// An agent at the start.
#[derive(Clone, Debug)]
pub(crate) struct StartingAgent {
    pub id: String,
    pub position: Vector,
    pub velocity: Vector,
    pub kind: Arc<Kind>,
}

/// The plugin's id for an id in a file. It does not depend on the other ids.
pub(crate) fn steering_id(id: &str) -> SteeringId {
    // The shift leaves out the largest number, which stands for no id.
    SteeringId::new(XxHash64::oneshot(0, id.as_bytes()) >> 1)
}
