//! Markers: points that jump from place to place.

use bevy::prelude::*;

use crate::dimension::set_position;
use crate::file::marker::MarkerEntry;
use crate::json::number::vector;
use crate::scenario::scene::Scenario;
use crate::simulation::clock::Clock;

/// The times and places of a marker.
#[derive(Component)]
pub(crate) struct Marker(pub Vec<MarkerEntry>);

/// Spawns the scenario's markers. Returns their names, sorted, and entities.
pub(crate) fn spawn(world: &mut World, scenario: &Scenario) -> Vec<(String, Entity)> {
    let markers = scenario.file.markers.0.iter();
    markers
        .map(|(name, entries)| {
            (name.clone(), world.spawn((Name::new(name.clone()), Transform::default(), Marker(entries.clone()))).id())
        })
        .collect()
}

pub(crate) fn jump(mut markers: Query<(&Marker, &mut Transform)>, clock: Res<Clock>) {
    let now = clock.start_of_tick();
    for (Marker(entries), mut transform) in &mut markers {
        // The last entry that is due, or the first entry before its time.
        let next = entries.partition_point(|entry| entry.time.0 <= now);
        set_position(&mut transform, vector(entries[next.saturating_sub(1)].place));
    }
}
