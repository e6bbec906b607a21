//! The number of neighbors that agents perceive.

use bevy_steerling::prelude::{Neighbors, SteeringAgent};

use crate::behaviors::perception_radius;
use crate::simulation::agents::AgentState;
use crate::simulation::headless::Simulation;

/// The number of neighbors within the largest perception radius of an agent in the last tick, at the start of which the
/// agents were in the states `before`: the mean over the agents that perceive neighbors. `None` if there are none.
pub(crate) fn neighbors_per_agent(simulation: &Simulation, before: &[AgentState]) -> Option<f64> {
    let neighbors = simulation.world().resource::<Neighbors>();
    let (mut perceivers, mut perceived) = (0_usize, 0_usize);
    for (&entity, after) in simulation.entities().iter().zip(simulation.agents()) {
        let agent = simulation.world().entity(entity);
        let state = before.binary_search_by(|state| state.id.cmp(&after.id)).map(|index| &before[index]);
        let (Ok(state), Some(body)) = (state, agent.get::<SteeringAgent>()) else {
            continue;
        };
        let radius = perception_radius(agent, body);
        if radius > 0.0 {
            perceivers += 1;
            let others = neighbors.within(state.position, radius).filter(|(neighbor, _)| neighbor.entity != entity);
            perceived += others.count();
        }
    }
    (perceivers > 0).then(|| perceived as f64 / perceivers as f64)
}
