//! Updating flow fields when obstacles change.

use bevy::prelude::*;
use log::warn;

use crate::perception::flow_field::field::FlowField;
use crate::perception::obstacles::Obstacles;

/// Updates all fields to the current obstacles.
pub(crate) fn refresh_fields(mut fields: Query<(NameOrEntity, &mut FlowField)>, obstacles: Res<Obstacles>) {
    for (name, mut field) in &mut fields {
        if field.is_outdated(obstacles.version)
            && let Err(error) = field.refresh(&obstacles)
        {
            warn!("{name} has a flow field that cannot be updated: {error}");
        }
    }
}
