//! The aims of watched agents.

use alloc::vec::Vec;
use core::mem;

use bevy::ecs::archetype::{ArchetypeId, Archetypes};
use bevy::ecs::component::Components;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use crate::engine::aims::AimList;
use crate::engine::behavior::Aim;
use crate::engine::name::BehaviorName;
use crate::engine::registry::Registry;
use crate::events::watch::SteeringEvents;

/// The aims of all watched agents: a list for each behavior. The lists keep their capacity between ticks.
#[derive(Resource, Default)]
pub(super) struct WatchedAims(Vec<AimList>);

/// Collects the aims of the behaviors of watched agents.
pub(super) fn collect_aims(world: &mut World) {
    let marker = world.register_component::<SteeringEvents>();
    let mut watched = mem::take(&mut *world.resource_mut::<WatchedAims>());
    let mut registry = mem::take(&mut *world.resource_mut::<Registry>());
    registry.list_aims(world, marker, &mut watched.0);
    *world.resource_mut::<Registry>() = registry;
    *world.resource_mut::<WatchedAims>() = watched;
}

/// An aim of an agent.
pub(super) struct WatchedAim {
    /// Identifies the aim; constant between ticks.
    pub number: u32,
    pub behavior: BehaviorName,
    pub aim: Aim,
    /// Whether the game has set the behavior since the last tick.
    pub is_set: bool,
}

/// The aims of watched agents.
#[derive(SystemParam)]
pub(super) struct Aims<'w, 's> {
    watched: ResMut<'w, WatchedAims>,
    registry: Res<'w, Registry>,
    archetypes: &'w Archetypes,
    components: &'w Components,
    known: Local<'s, KnownArchetype>,
}

/// The archetype of the last agent.
#[derive(Default)]
pub(super) struct KnownArchetype {
    id: Option<ArchetypeId>,
    /// Its behaviors.
    behaviors: Vec<u16>,
}

impl Aims<'_, '_> {
    /// Forgets the archetype of the last agent.
    pub fn start(&mut self) {
        self.known.id = None;
    }

    /// Calls `visit` with the aims of an agent, in the order in which behaviors run. `is_restored` says whether the game has restored the
    /// agent. Its settings are then not new.
    pub fn for_each(
        &mut self,
        agent: Entity,
        archetype: ArchetypeId,
        is_restored: bool,
        mut visit: impl FnMut(WatchedAim),
    ) {
        let KnownArchetype { id, behaviors } = &mut *self.known;
        if *id != Some(archetype) {
            *id = Some(archetype);
            behaviors.clear();
            if let Some(archetype) = self.archetypes.get(archetype) {
                behaviors.extend(self.registry.behaviors_of(archetype, self.components));
            }
        }
        for number in behaviors {
            let Some(found) = self.watched.0.get_mut(usize::from(*number)).and_then(|aims| aims.of(agent)) else {
                continue;
            };
            let is_set = found.is_set && !is_restored;
            for (slot, aim) in (0..).zip(found.aims) {
                if let Some(aim) = aim {
                    let behavior = self.registry.get(*number).name.clone();
                    visit(WatchedAim { number: 2 * u32::from(*number) + slot, behavior, aim, is_set });
                }
            }
        }
    }
}
