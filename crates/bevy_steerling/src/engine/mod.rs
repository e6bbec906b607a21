//! From wishes to one force: what a behavior and a constraint are, and the code that runs any of them.

pub mod arbitration;
pub mod behavior;
pub mod body;
pub(crate) mod contribution_log;
pub mod figure;
pub(crate) mod heading;
pub(crate) mod maneuver;
pub mod trace;
