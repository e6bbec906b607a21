//! The ids of agents.

use alloc::vec::Vec;

use bevy::ecs::component::component_clone_ignore;
use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::world::DeferredWorld;
use bevy::prelude::*;

/// The id number of an agent. It seeds the agent's random numbers, breaks ties between agents in the same place, and determines the order
/// of sums.
///
/// An agent without a given number gets a number above all previous ones when it is spawned. A cloned agent gets its own number. If results
/// must not depend on the order of spawning, as in networked games or replays, give every agent a number. Numbers should be unique: the
/// plugin does not specify how it breaks ties between agents with the same number.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// commands.spawn((Wander::default(), SteeringId::new(42)));
/// # }
/// ```
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[component(on_insert = number_agent, clone_behavior = Custom(component_clone_ignore))]
pub struct SteeringId(u64);

impl SteeringId {
    /// A placeholder for the next free number, replaced when the component is inserted.
    const UNNUMBERED: Self = Self(u64::MAX);

    /// Creates an id with this number. `u64::MAX` is reserved: like the default, it is replaced by the next free number.
    pub const fn new(number: u64) -> Self {
        Self(number)
    }

    /// The number.
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl Default for SteeringId {
    fn default() -> Self {
        Self::UNNUMBERED
    }
}

/// The next free [`SteeringId`], larger than that of any agent so far.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Resource, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub struct NextSteeringId(u64);

fn number_agent(mut world: DeferredWorld, context: HookContext) {
    let Some(given) = world.get::<SteeringId>(context.entity).copied() else { return };
    // The plugin has not been added yet; it will number the agent.
    let Some(mut next) = world.get_resource_mut::<NextSteeringId>() else { return };
    let id = if given == SteeringId::UNNUMBERED { SteeringId(next.0) } else { given };
    next.0 = next.0.max(id.0.saturating_add(1)).min(SteeringId::UNNUMBERED.0 - 1);
    if id != given
        && let Some(mut unnumbered) = world.get_mut::<SteeringId>(context.entity)
    {
        *unnumbered = id;
    }
}

/// Gives ids to the agents that were spawned before the plugin was added.
pub(crate) fn number_early_agents(world: &mut World) {
    let early: Vec<(Entity, SteeringId)> =
        world.query::<(Entity, &SteeringId)>().iter(world).map(|(entity, id)| (entity, *id)).collect();
    for (entity, id) in early {
        world.entity_mut(entity).insert(id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::components::SteeringAgent;

    fn spawn(world: &mut World, id: SteeringId) -> Entity {
        world.spawn((SteeringAgent::default(), id)).id()
    }

    fn number(world: &World, entity: Entity) -> u64 {
        world.get::<SteeringId>(entity).unwrap().get()
    }

    #[test]
    fn agents_are_numbered_in_spawn_order_above_given_numbers() {
        let mut world = World::new();
        world.init_resource::<NextSteeringId>();
        let numbers = [SteeringId::default(), SteeringId::new(77), SteeringId::default(), SteeringId::new(5)]
            .map(|id| spawn(&mut world, id))
            .map(|entity| number(&world, entity));
        assert_eq!(numbers, [0, 77, 78, 5]);
    }

    #[test]
    fn clones_and_early_agents_get_a_number_of_their_own() {
        let mut world = World::new();
        let early = [SteeringId::new(3), SteeringId::default()].map(|id| spawn(&mut world, id));
        world.init_resource::<NextSteeringId>();
        number_early_agents(&mut world);
        let clone = world.entity_mut(early[1]).clone_and_spawn();
        let numbers = [early[0], early[1], clone].map(|entity| number(&world, entity));
        assert_eq!(numbers, [3, 4, 5]);
        world.entity_mut(clone).insert(SteeringId::default());
        assert_eq!(number(&world, clone), 6);
    }
}
