//! Agents: the components that they have, their numbers and groups, what their bodies can do, and how behaviors see them.

mod components;
mod groups;
mod id;
mod limits;
pub mod random;
pub(crate) mod view;

pub use components::{ExternalMovement, HardStop, SteeringAgent, SteeringForce, Velocity};
pub use groups::{GroupMask, SteeringGroups};
pub(crate) use id::number_early_agents;
pub use id::{NextSteeringId, SteeringId};
pub use limits::{BodyLimits, Vehicle};
pub(crate) use limits::Drive;
pub use view::Agent;
