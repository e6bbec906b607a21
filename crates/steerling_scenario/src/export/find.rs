//! Finding entities, in an order that does not depend on archetypes.

use bevy::ecs::entity_disabling::Disabled;
use bevy::prelude::*;

use crate::mapping::place::Names;

/// Returns the entities that have a component, and notes those that are disabled.
pub(crate) fn entities_with<C: Component>(names: &Names, kind: &str) -> Vec<Entity> {
    for entity in found::<(With<C>, With<Disabled>)>(names.world) {
        names.notes.add(&name_of(names.world, entity, kind), "disabled".to_owned());
    }
    found::<With<C>>(names.world)
}

fn found<F: bevy::ecs::query::QueryFilter>(world: &World) -> Vec<Entity> {
    // There are none if the world does not know the component.
    let query = world.try_query_filtered::<Entity, F>();
    let mut found: Vec<Entity> = query.map(|mut query| query.iter(world).collect()).unwrap_or_default();
    found.sort_by_key(|entity| entity.index_u32());
    found
}

/// The name of an entity for people.
pub(crate) fn name_of(world: &World, entity: Entity, kind: &str) -> String {
    world.get::<Name>(entity).map_or_else(|| format!("{kind} {entity}"), |name| name.as_str().to_owned())
}
