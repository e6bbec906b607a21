//! The agents of a simulation, including removed ones.

use bevy::prelude::*;
use bevy_steerling::math::Vector;
use bevy_steerling::prelude::*;
use twox_hash::XxHash64;

use crate::dimension::position;

/// The state of an agent at the end of a tick.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentState {
    /// Its id in the file.
    pub id: String,
    /// Its position, units.
    pub position: Vector,
    /// Its velocity, units/s.
    pub velocity: Vector,
    /// The force applied in the tick, mass · units/s².
    pub force: Vector,
    /// The displacement by knockback in the tick, in addition to its velocity, units.
    pub knocked: Vector,
}

/// All agents in the order of their ids.
pub(crate) struct Agents {
    entities: Vec<Entity>,
    states: Vec<AgentState>,
    numbers: Vec<usize>,
    removed: Vec<Removed>,
}

/// An agent that was removed.
struct Removed {
    number: usize,
    /// Its last state.
    state: AgentState,
    /// The end of the tick of that state, seconds.
    time: f64,
}

impl Agents {
    pub fn new(agents: Vec<(String, Entity)>) -> Self {
        let (ids, entities): (Vec<String>, Vec<Entity>) = agents.into_iter().unzip();
        let state = |id| AgentState {
            id,
            position: Vector::ZERO,
            velocity: Vector::ZERO,
            force: Vector::ZERO,
            knocked: Vector::ZERO,
        };
        let numbers = (0..ids.len()).collect();
        Self { entities, states: ids.into_iter().map(state).collect(), numbers, removed: Vec::new() }
    }

    /// Reads the current states.
    pub fn update(&mut self, world: &World) {
        for (state, &entity) in self.states.iter_mut().zip(&self.entities) {
            let entity = world.entity(entity);
            let Ok((transform, velocity, force)) = entity.get_components::<(&Transform, &Velocity, &SteeringForce)>()
            else {
                continue;
            };
            state.position = position(transform);
            state.velocity = velocity.0;
            state.force = force.0;
            state.knocked = entity.get().map_or(Vector::ZERO, Knockback::way);
        }
    }

    /// Removes the agents at these indices, which are sorted.
    pub fn remove(&mut self, indices: &[usize], time: f64, world: &mut World) {
        for entity in take_out(&mut self.entities, indices) {
            world.despawn(entity);
        }
        let (numbers, states) = (take_out(&mut self.numbers, indices), take_out(&mut self.states, indices));
        self.removed.extend(numbers.into_iter().zip(states).map(|(number, state)| Removed { number, state, time }));
    }

    pub fn entities(&self) -> &[Entity] {
        &self.entities
    }

    pub fn states(&self) -> &[AgentState] {
        &self.states
    }

    /// The number of each agent: its index at the start, which does not change when others are removed.
    pub fn numbers(&self) -> &[usize] {
        &self.numbers
    }

    /// The number and the time of each removed agent.
    pub fn removed(&self) -> impl Iterator<Item = (usize, f64)> {
        self.removed.iter().map(|agent| (agent.number, agent.time))
    }

    /// A hash of all positions and velocities in the order of the ids, including the last ones of removed agents.
    pub fn state_hash(&self) -> u64 {
        let removed = self.removed.iter().map(|agent| (agent.number, &agent.state));
        let mut all: Vec<_> = self.numbers.iter().copied().zip(&self.states).chain(removed).collect();
        all.sort_by_key(|(number, _)| *number);
        let bytes: Vec<u8> = all
            .into_iter()
            .flat_map(|(_, state)| [state.position, state.velocity])
            .flat_map(|vector| vector.to_array())
            .flat_map(|number| number.to_bits().to_le_bytes())
            .collect();
        XxHash64::oneshot(0, &bytes)
    }
}

/// Removes and returns the elements at these indices, which are sorted.
fn take_out<T>(list: &mut Vec<T>, indices: &[usize]) -> Vec<T> {
    let mut index = 0..;
    list.extract_if(.., |_| index.next().is_some_and(|index| indices.binary_search(&index).is_ok())).collect()
}
