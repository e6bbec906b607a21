//! Scenarios in motion: their entities in the world of an app, and the headless app itself.

pub(crate) mod agents;
pub(crate) mod clock;
pub(crate) mod events;
pub(crate) mod fields;
pub(crate) mod gate_summary;
#[cfg(not(dim3))]
pub(crate) mod gates;
pub(crate) mod goals;
pub(crate) mod headless;
pub(crate) mod markers;
pub(crate) mod motion;
#[cfg(dim3)]
pub(crate) mod no_gates;
pub(crate) mod obstacles;
pub(crate) mod properties;
pub(crate) mod respawn;
pub(crate) mod spawn;
pub(crate) mod spawned;
pub(crate) mod threads;

#[cfg(dim3)]
pub(crate) use no_gates as gates;
