//! Checks that agents are root entities.

use bevy::prelude::*;

use crate::agent::SteeringAgent;

type NewChildren = (With<SteeringAgent>, With<ChildOf>, Or<(Added<ChildOf>, Added<SteeringAgent>)>);

/// Warns once about each agent that has a parent.
pub(crate) fn warn_about_parents(agents: Query<NameOrEntity, NewChildren>) {
    for agent in &agents {
        log::warn!(
            "agent {agent} has a parent: steering reads and writes its Transform as that of a root entity, so it is only in the \
             right place while the parent is at the origin (reported once for each agent)"
        );
    }
}
