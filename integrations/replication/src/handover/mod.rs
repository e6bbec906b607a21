//! A border between the regions of two servers.
//!
//! Each server steers the agents on its side. An agent that crosses the border is handed over with everything that steering remembers
//! about it, and behaves afterward as if nothing had happened. Near the border, each server has ghosts of the other's agents: agents with
//! [`ExternalMovement`](bevy_steerling::prelude::ExternalMovement) that its own agents avoid, pursue or flock with.
//!
//! # Exactly once
//!
//! A server that hands an agent over first gives it up: the agent becomes a ghost, and the server keeps its state until the other has
//! acknowledged it. Until then it sends the state again and again. The other server takes each numbered handover once, and acknowledges every
//! copy. So messages may be lost, repeated, delayed and reordered: an agent is never steered by both servers, and never lost. While
//! a handover is on its way, nobody steers the agent.
//!
//! This holds as long as both servers run. An agent that only a crashed server knew is gone, as is everything else on that server.
//!
//! # What a game has to do
//!
//! - Give every agent a [`SteeringId`](bevy_steerling::prelude::SteeringId) that is unique over both servers: see [`ServerIds`].
//! - Give other entities at which agents aim, such as flow fields and moving marks, the same id on both servers. A target that does not exist
//!   on the other server is lost, like a despawned one.
//! - Register its own components for [`hand_over`](BorderAppExt::hand_over), on both servers.

mod border;
mod ids;
mod link;
mod state;

pub use border::{Border, BorderPlugin, BorderSystems, Ghost, Handovers, TakenOver};
pub use ids::ServerIds;
pub use link::{Datagrams, Link, UdpLink};
pub use state::{AgentState, BorderAppExt};
