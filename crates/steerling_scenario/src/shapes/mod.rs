//! Shapes of obstacles and regions: their fields, checks, and the plugin's shapes made from them.

mod capsule;
pub(crate) mod obstacle;
pub(crate) mod placing;
#[cfg(not(dim3))]
mod planar;
pub(crate) mod simplest;
#[cfg(dim3)]
mod spatial;
pub(crate) mod turning;

pub(crate) use bevy_steerling::behavior_prelude::PlacedShape;
#[cfg(not(dim3))]
pub(crate) use planar::{checks, fields, primitives, reverse};
#[cfg(dim3)]
pub(crate) use spatial::{checks, fields, primitives, reverse};
