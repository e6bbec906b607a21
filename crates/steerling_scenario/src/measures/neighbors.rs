//! The number of neighbors that agents perceive.

use bevy::math::Vec2;
use bevy_steerling::prelude::{Agent, Neighbors, SteeringAgent, SteeringId};

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
        let (Ok(state), Some(body), Some(id)) = (state, agent.get::<SteeringAgent>(), agent.get::<SteeringId>()) else {
            continue;
        };
        let radius = perception_radius(agent, body);
        if radius > 0.0 {
            let agent = Agent {
                entity,
                id: *id,
                position: state.position,
                velocity: state.velocity,
                force: Vec2::ZERO,
                mass: body.mass,
                max_speed: body.max_speed,
                max_force: body.max_force,
                radius: body.radius,
                response_time: body.response_time,
                tick: simulation.tick() as f32,
                space: simulation.space(),
            };
            perceivers += 1;
            neighbors.for_each_within(&agent, radius, |_, _| perceived += 1);
        }
    }
    (perceivers > 0).then(|| perceived as f64 / perceivers as f64)
}
