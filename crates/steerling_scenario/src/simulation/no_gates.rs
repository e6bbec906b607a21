//! Gates, of which there are none in three dimensions.

use bevy_steerling::math::Vector;

use crate::scenario::scene::Scenario;
use crate::simulation::agents::AgentState;
use crate::simulation::gate_summary::GateSummary;

#[derive(Default)]
pub(crate) struct Gates(());

impl Gates {
    pub fn new(_: &Scenario, _: &[AgentState]) -> Self {
        Self(())
    }

    pub fn record(&mut self, _agent: usize, _from: Vector, _to: Vector, _start: f64, _tick: f64) -> bool {
        false
    }

    pub fn summaries(&self, _: &[(usize, f64)], _end: f64) -> Vec<GateSummary> {
        Vec::new()
    }
}
