//! The constraints that come with the plugin: they bend the total of what the behaviors want.

pub mod avoid_neighbors;
pub mod avoid_obstacles;
pub mod contain;
pub(crate) mod force_limits;
pub mod queue;
