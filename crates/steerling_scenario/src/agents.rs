//! The agents of a simulation: who is there, and who was.

use bevy::prelude::*;
use bevy_steerling::prelude::*;
use twox_hash::XxHash64;

use crate::simulation::AgentState;

/// All agents, ordered by id.
pub(crate) struct Agents {
    entities: Vec<Entity>,
    states: Vec<AgentState>,
    numbers: Vec<usize>,
    removed: Vec<Removed>,
}

/// An agent that is no more.
struct Removed {
    number: usize,
    /// As it was last.
    state: AgentState,
    /// At the end of which tick that was, seconds.
    time: f64,
}

impl Agents {
    /// Of these ids, which are in order.
    pub fn new(agents: Vec<(String, Entity)>) -> Self {
        let (ids, entities): (Vec<String>, Vec<Entity>) = agents.into_iter().unzip();
        let state =
            |id| AgentState { id, position: Vec2::ZERO, velocity: Vec2::ZERO, force: Vec2::ZERO, knocked: Vec2::ZERO };
        let numbers = (0..ids.len()).collect();
        Self { entities, states: ids.into_iter().map(state).collect(), numbers, removed: Vec::new() }
    }

    /// Reads how they are now.
    pub fn update(&mut self, world: &World) {
        for (state, &entity) in self.states.iter_mut().zip(&self.entities) {
            let entity = world.entity(entity);
            let Ok((transform, velocity, force)) = entity.get_components::<(&Transform, &Velocity, &SteeringForce)>()
            else {
                continue;
            };
            state.position = transform.translation.truncate();
            state.velocity = velocity.0;
            state.force = force.0;
            state.knocked = entity.get().map_or(Vec2::ZERO, Knockback::way);
        }
    }

    /// Removes those at these places, which are in order, at this time.
    pub fn remove(&mut self, places: &[usize], time: f64, world: &mut World) {
        for entity in take_out(&mut self.entities, places) {
            world.despawn(entity);
        }
        let (numbers, states) = (take_out(&mut self.numbers, places), take_out(&mut self.states, places));
        self.removed.extend(numbers.into_iter().zip(states).map(|(number, state)| Removed { number, state, time }));
    }

    pub fn entities(&self) -> &[Entity] {
        &self.entities
    }

    pub fn states(&self) -> &[AgentState] {
        &self.states
    }

    /// The place of each in the order of ids at the start, which stays the same when others are removed.
    pub fn numbers(&self) -> &[usize] {
        &self.numbers
    }

    /// The number and the time of each that was removed.
    pub fn removed(&self) -> impl Iterator<Item = (usize, f64)> {
        self.removed.iter().map(|agent| (agent.number, agent.time))
    }

    /// A fingerprint of all positions and velocities, of those removed the last ones, in the order of ids.
    pub fn state_hash(&self) -> u64 {
        let removed = self.removed.iter().map(|agent| (agent.number, &agent.state));
        let mut all: Vec<_> = self.numbers.iter().copied().zip(&self.states).chain(removed).collect();
        all.sort_by_key(|(number, _)| *number);
        let bytes: Vec<u8> = all
            .into_iter()
            .flat_map(|(_, state)| [state.position.x, state.position.y, state.velocity.x, state.velocity.y])
            .flat_map(|number| number.to_bits().to_le_bytes())
            .collect();
        XxHash64::oneshot(0, &bytes)
    }
}

/// Takes out what is at these places, which are in order.
fn take_out<T>(list: &mut Vec<T>, places: &[usize]) -> Vec<T> {
    let mut index = 0..;
    list.extract_if(.., |_| index.next().is_some_and(|index| places.binary_search(&index).is_ok())).collect()
}
