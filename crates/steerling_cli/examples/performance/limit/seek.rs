//! Seek a moving point.

use steerling_scenario::AgentState;
use wide::f32x8;

use super::{Arrays, Body, LANES, Lanes, Limit};

/// Agents that all seek one point.
pub struct Seek {
    count: usize,
    body: Body,
    agents: Arrays,
}

impl Seek {
    pub fn new(agents: &[AgentState], body: Body) -> Self {
        Self { count: agents.len(), body, agents: Arrays::new(agents) }
    }
}

impl Limit for Seek {
    fn tick(&mut self, target: [f32; 2]) {
        for at in (0..self.count).step_by(LANES) {
            let (position, velocity) = (self.agents.position(at), self.agents.velocity(at));
            let force = seek(self.body, position, velocity, target);
            let velocity = self.body.accelerate(velocity, force);
            self.agents.store(at, position + velocity * f32x8::splat(self.body.tick), velocity);
        }
    }

    fn states(&self) -> Vec<[f32; 4]> {
        (0..self.count).map(|at| self.agents.state(at)).collect()
    }
}

/// `(n(d)·s − v)/h`
#[inline(always)]
pub(super) fn seek(body: Body, position: Lanes, velocity: Lanes, target: [f32; 2]) -> Lanes {
    let desired = (Lanes::splat(target) - position).normalize() * f32x8::splat(body.max_speed);
    (desired - velocity) * f32x8::splat(1.0 / body.tick)
}
