//! Writing the scene in a world as a scenario file.

pub(crate) mod agents;
pub(crate) mod find;
pub(crate) mod formations;
pub(crate) mod markers;
pub(crate) mod obstacles;
pub(crate) mod scene;
pub(crate) mod state;
pub(crate) mod text;
