//! Follow a path.

mod behavior;
mod course;
mod drive;
mod plan;
mod progress;
mod route;
mod settings;
#[cfg(test)]
mod tests;

pub use progress::PathProgress;
pub use route::{PathEnd, PathVisit};
pub use settings::FollowPath;
