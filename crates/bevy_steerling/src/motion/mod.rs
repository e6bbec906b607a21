//! From force to velocity to `Transform`.

pub mod facing;
pub(crate) mod integrate;
pub mod knockback;
