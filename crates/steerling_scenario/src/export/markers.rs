//! Markers: targets that are no agents.

use bevy::prelude::*;
use bevy_steerling::math::Vector;
use bevy_steerling::prelude::Velocity;

use crate::dimension::{plane_of, point};
use crate::export::find::entities_with;
use crate::file::marker::MarkerEntry;
use crate::json::number::{Finite, exact_point};
use crate::json::strict::UniqueMap;
use crate::mapping::place::{Names, Place};
use crate::mapping::value::Value;
use crate::simulation::clock::Clock;
use crate::simulation::markers::Marker;

/// Gives names to the markers of a scenario, so that targets get others.
pub(crate) fn find(names: &Names) {
    for marker in entities_with::<Marker>(names, "marker") {
        names.marker(marker);
    }
}

/// The markers of a file: those of a scenario, and one for each target that is no agent.
pub(crate) fn write(names: &Names) -> UniqueMap<Vec<MarkerEntry>> {
    let entries = |(name, entity): (String, Entity)| {
        let entries = entries(names, entity, &name);
        (name, entries)
    };
    UniqueMap(names.markers().into_iter().map(entries).collect())
}

fn entries(names: &Names, entity: Entity, name: &str) -> Vec<MarkerEntry> {
    let place = Place::new(names, name);
    if let (Some(Marker(entries)), Some(clock)) = (names.world.get(entity), names.world.get_resource::<Clock>()) {
        return left(entries, clock);
    }
    if names.world.get(entity).is_some_and(|velocity: &Velocity| velocity.0 != Vector::ZERO) {
        place.note("a target that moves, but is no agent: in the file, it stands still");
    }
    let at = point(position(names.world, entity), plane_of(names.world));
    // A target at no place is no target.
    let at = Value::of(&at, &place).unwrap_or_else(|| exact_point(Vector::ZERO));
    vec![MarkerEntry { time: Finite(0.0), place: at }]
}

/// The entries that still count, from the present one on.
fn left(entries: &[MarkerEntry], clock: &Clock) -> Vec<MarkerEntry> {
    if clock.elapsed() == 0.0 {
        return entries.to_vec();
    }
    let due = entries.partition_point(|entry| entry.time.0 <= clock.start_of_tick());
    let left = entries[due.saturating_sub(1)..].iter();
    left.map(|entry| MarkerEntry { time: Finite((entry.time.0 - clock.elapsed()).max(0.0)), ..*entry }).collect()
}

/// The position of an entity, which may have parents.
fn position(world: &World, entity: Entity) -> Vec3 {
    let mut position = world.get::<Transform>(entity).map_or(Vec3::ZERO, |transform| transform.translation);
    let mut child = entity;
    while let Some(ChildOf(parent)) = world.get(child) {
        position = world.get::<Transform>(*parent).map_or(position, |parent| parent.transform_point(position));
        child = *parent;
    }
    position
}
