//! Ids that are unique over all servers.

use bevy::prelude::*;
use bevy_steerling::prelude::*;

/// Gives agents ids that no other server gives: with `n` servers, server `k` gives `k`, `k + n`, `k + 2n` and so on.
///
/// Agents that are spawned without a given id get the next free number of their server, which may be taken on another one.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServerIds {
    next: u64,
    step: u64,
}

impl ServerIds {
    /// The ids of server `number`, which starts at 0, of `servers`.
    pub fn new(number: u32, servers: u32) -> Self {
        Self { next: u64::from(number), step: u64::from(servers.max(1)) }
    }

    /// The next free id.
    pub fn take(&mut self) -> SteeringId {
        let id = SteeringId::new(self.next);
        self.next += self.step;
        id
    }
}
