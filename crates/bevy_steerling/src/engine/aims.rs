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

/// If more agents than this are not found at once, the list is sorted.
const MOST_MISSES: usize = 16;

/// The aims of all agents with a behavior. The list is empty if none of them has an aim.
#[derive(Default)]
pub(crate) struct AimList {
    /// In the order of their tables, or sorted by entity.
    agents: Vec<AgentAims>,
    /// The place after the agent that was found last.
    next: usize,
    /// The number of agents that were not found at once.
    misses: usize,
}

impl AimList {
    pub fn clear(&mut self) {
        self.agents.clear();
        (self.next, self.misses) = (0, 0);
    }

    /// The aims of an agent. Agents that are searched for in the order of the list are found at once.
    pub fn of(&mut self, agent: Entity) -> Option<&AgentAims> {
        if self.agents.is_empty() {
            return None;
        }
        if self.agents.get(self.next).is_none_or(|aims| aims.agent != agent) {
            self.next = self.search(agent)?;
        }
        self.next += 1;
        self.agents.get(self.next - 1)
    }

    #[cold]
    fn search(&mut self, agent: Entity) -> Option<usize> {
        self.misses += 1;
        if self.misses == MOST_MISSES {
            self.agents.sort_unstable_by_key(|aims| aims.agent);
        }
        if self.misses >= MOST_MISSES {
            return self.agents.binary_search_by_key(&agent, |aims| aims.agent).ok();
        }
        self.agents.iter().position(|aims| aims.agent == agent)
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
