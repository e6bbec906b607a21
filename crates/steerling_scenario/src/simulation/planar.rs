//! Spawning what exists only in two dimensions: flow fields and bodies with limits.

use bevy::prelude::*;

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

/// Inserts the limits of a body.
pub(crate) fn insert_limits(entity: &mut EntityWorldMut, kind: &Kind) {
    if let Some(limits) = &kind.limits {
        entity.insert(limits.component());
    }
}
