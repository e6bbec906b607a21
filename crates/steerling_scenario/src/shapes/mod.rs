//! Shapes of obstacles and regions: their fields, checks, and the plugin's shapes made from them.

#[cfg(not(dim3))]
pub(crate) mod convex;
#[cfg(not(dim3))]
pub(crate) mod fields;
#[cfg(dim3)]
pub(crate) mod none;
#[cfg(not(dim3))]
pub(crate) mod obstacle;
#[cfg(not(dim3))]
pub(crate) mod primitives;

#[cfg(not(dim3))]
pub(crate) use bevy_steerling::behavior_prelude::PlacedShape;
#[cfg(dim3)]
pub(crate) use none::PlacedShape;
