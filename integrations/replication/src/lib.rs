//! Steering on servers: clients see the agents through [`bevy_replicon`], and servers hand agents to each other at a border.
//!
//! - [`seen`]: what clients get to know about an agent. Steering itself runs only on the server.
//! - [`server`]: which agents each client sees, and how often.
//! - [`client`]: smooth motion between two updates.
//! - [`net`]: connections with `bevy_replicon_renet`, over UDP.
//! - [`handover`]: a border between the regions of two servers.

pub mod client;
pub mod handover;
pub mod net;
pub mod seen;
pub mod server;
