//! Spawning flow fields.

use bevy::prelude::*;

use crate::scenario::scene::Scenario;

/// Spawns the scenario's flow fields.
pub(crate) fn spawn(world: &mut World, scenario: &Scenario) -> Vec<(String, Entity)> {
    let ids = scenario.file.fields.iter().map(|field| field.id.clone());
    let fields = ids.zip(scenario.fields.iter().cloned());
    fields.map(|(id, field)| (id.clone(), world.spawn((Name::new(id), field, Transform::default())).id())).collect()
}
