//! Shapes of obstacles and regions: their fields, checks, and the plugin's shapes made from them.

pub(crate) mod convex;
pub(crate) mod fields;
pub(crate) mod obstacle;
pub(crate) mod primitives;
