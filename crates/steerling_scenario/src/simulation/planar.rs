//! Spawning what exists only in two dimensions: formations and bodies with limits.

use std::collections::HashMap;

use bevy::prelude::*;
use bevy_steerling::prelude::*;

use crate::file::agents::Kind;
use crate::scenario::scene::Scenario;

/// Makes anchors and members of agents.
pub(crate) fn spawn_formations(world: &mut World, scenario: &Scenario, entities: &HashMap<&str, Entity>) {
    let entity = |agent: usize| entities[scenario.agents[agent].id.as_str()];
    for (formation, troop) in scenario.file.formations.iter().zip(&scenario.troops) {
        let anchor = entity(troop.anchor);
        world.entity_mut(anchor).insert(formation.component());
        for member in &troop.members {
            world.entity_mut(entity(*member)).insert(InFormation(anchor));
        }
    }
}

/// Inserts the limits of a body.
pub(crate) fn insert_limits(entity: &mut EntityWorldMut, kind: &Kind) {
    if let Some(limits) = &kind.limits {
        entity.insert(limits.component());
    }
}
