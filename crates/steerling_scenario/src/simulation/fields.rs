//! Spawning flow fields.

use bevy::prelude::*;

use crate::scenario::flow_fields::flow_fields;
use crate::scenario::scene::Scenario;

/// Spawns the scenario's flow fields.
pub(crate) fn spawn(world: &mut World, scenario: &Scenario) -> Vec<(String, Entity)> {
    let fields = scenario.file.fields.iter().zip(flow_fields(&scenario.file));
    // They were checked when the file was read.
    let valid = fields.filter_map(|(field, component)| Some((field.id.clone(), component.ok()?)));
    valid.map(|(id, field)| (id.clone(), world.spawn((Name::new(id), field, Transform::default())).id())).collect()
}
