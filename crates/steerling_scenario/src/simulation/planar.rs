//! Spawning what exists only in two dimensions: flow fields, formations and bodies with limits.

use std::collections::HashMap;

use bevy::prelude::*;
use bevy_steerling::prelude::*;

use crate::file::agents::Kind;
use crate::scenario::flow_fields::flow_fields;
use crate::scenario::scene::Scenario;

/// Spawns the scenario's flow fields.
pub(crate) fn spawn_fields(world: &mut World, scenario: &Scenario) -> Vec<(String, Entity)> {
    let fields = scenario.file.fields.iter().zip(flow_fields(&scenario.file));
    // They were checked when the file was read.
    let valid = fields.filter_map(|(field, component)| Some((field.id.clone(), component.ok()?)));
    valid.map(|(id, field)| (id, world.spawn((field, Transform::default())).id())).collect()
}

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
