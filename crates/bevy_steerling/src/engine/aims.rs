//! The aims of all agents that have a behavior.

use alloc::vec::Vec;

use bevy::ecs::component::ComponentId;
use bevy::prelude::*;

use crate::engine::behavior::Aim;
use crate::engine::contributor::Contributor;

/// The aims of an agent.
pub(crate) struct AgentAims {
    agent: Entity,
    pub aims: [Option<Aim>; 2],
    /// Whether the game has set the behavior since the aims were last listed.
    pub is_set: bool,
}

/// The aims of all agents with a behavior, in the order of their tables. The list is empty if none of them has an aim.
#[derive(Default)]
pub(crate) struct AimList {
    agents: Vec<AgentAims>,
    /// The place after the agent that was found last.
    next: usize,
}

impl AimList {
    pub fn clear(&mut self) {
        self.agents.clear();
        self.next = 0;
    }

    /// The aims of an agent. If agents are searched for in the order of their tables, each is found at once.
    pub fn of(&mut self, agent: Entity) -> Option<&AgentAims> {
        let (before, after) = self.agents.split_at(self.next);
        let found = (self.next..).zip(after).chain((0..).zip(before)).find(|(_, aims)| aims.agent == agent);
        let (place, aims) = found?;
        self.next = place + 1;
        Some(aims)
    }
}

/// Lists the aims of a behavior.
pub(crate) trait ListAims: Send + Sync {
    /// Lists the aims of all agents that have the behavior and the component `marker`.
    fn list(&mut self, world: &mut World, marker: ComponentId, list: &mut AimList);
}

/// Lists the aims of the behavior `C`.
pub(crate) struct AimsOf<C: Contributor>(Option<QueryState<(Entity, Ref<'static, C::Settings>)>>);

impl<C: Contributor> Default for AimsOf<C> {
    fn default() -> Self {
        Self(None)
    }
}

impl<C: Contributor> ListAims for AimsOf<C> {
    fn list(&mut self, world: &mut World, marker: ComponentId, list: &mut AimList) {
        list.clear();
        let query = self.0.get_or_insert_with(|| QueryBuilder::new(world).with_id(marker).build());
        let mut has_aims = false;
        list.agents.extend(query.iter(world).map(|(agent, settings)| {
            let aims = C::aims(&settings);
            has_aims |= aims != [None, None];
            AgentAims { agent, aims, is_set: settings.is_changed() }
        }));
        if !has_aims {
            list.agents.clear();
        }
    }
}
