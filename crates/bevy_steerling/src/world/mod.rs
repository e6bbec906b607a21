//! What the world does to agents that have moved: edges and solid bodies.

pub(crate) mod bounds;
pub mod solid;
