//! What the world does to agents that have moved: edges and solid bodies.

pub mod solid;
