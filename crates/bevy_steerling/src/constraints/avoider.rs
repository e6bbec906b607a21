//! The data of agents that avoid others.

use crate::agent::{Agent, GroupMask, SteeringId};
use crate::constraints::goals::Goals;
use crate::constraints::settling::Stopping;
use crate::constraints::walker::Walker;
use crate::math::Vector;

/// An agent that avoids others.
#[derive(Clone, Copy)]
pub(super) struct Avoider {
    pub known: Known,
    /// Set if the force of the agent is computed in this tick, together with the forces of all others.
    pub member: Option<Member>,
}

/// The state of an agent that others read, in addition to its position and velocity.
#[derive(Clone, Copy)]
pub(super) struct Known {
    pub radius: f32,
    /// The groups that it belongs to.
    pub groups: GroupMask,
    /// The groups whose members it avoids.
    pub avoids: GroupMask,
    /// Its motion, if it avoids others. The velocity is not set.
    pub walker: Walker,
    pub stopping: Stopping,
}

/// The input for computing the force with which an agent avoids others.
#[derive(Clone, Copy)]
pub(super) struct Member {
    pub agent: Agent,
    pub detour: f32,
    pub time_horizon: f32,
    /// The groups whose members it avoids.
    pub groups: GroupMask,
    /// The layers of the obstacles that the agent stays clear of.
    pub layers: GroupMask,
    pub goals: Goals,
}

impl Known {
    /// An agent that does not avoid others.
    pub fn new(id: SteeringId, radius: f32, groups: GroupMask) -> Self {
        let walker = Walker::going_on(id, Vector::ZERO);
        Self { radius, groups, avoids: GroupMask::NONE, walker, stopping: Stopping::default() }
    }

    /// The agent as seen by one of these groups.
    pub fn walker(&self, velocity: Vector, groups: GroupMask) -> Walker {
        if self.avoids.considers(groups) {
            Walker { velocity, ..self.walker }
        } else {
            Walker::going_on(self.walker.id, velocity)
        }
    }

    /// The place where the agent wants to stop, as far as agents of these groups can tell. Agents that it does not avoid cannot tell.
    pub fn stopping(&self, groups: GroupMask) -> Stopping {
        if self.avoids.considers(groups) { self.stopping } else { Stopping::default() }
    }
}
