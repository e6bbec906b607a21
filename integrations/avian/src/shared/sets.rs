//! System sets.

use bevy::prelude::*;

/// The sets of systems before and after steering, in the schedule of the plugin.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BodySystems {
    /// Before [`RunSteeringSystems`](bevy_steerling::prelude::RunSteeringSystems): dynamic bodies become agents; velocities, masses and radii
    /// are read from the engine, and obstacles are made of colliders.
    Read,
    /// After [`RunSteeringSystems`](bevy_steerling::prelude::RunSteeringSystems): forces are applied to bodies for the next step of the engine.
    Push,
}
