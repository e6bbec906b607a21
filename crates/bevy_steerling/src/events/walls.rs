//! Detects that an agent has no wall to follow.

use bevy::prelude::*;

use crate::behaviors::follow_wall::FollowWallState;
use crate::events::happenings::Happening;
use crate::events::types::WallLost;
use crate::events::watch::EventState;

/// Detects whether an agent with `FollowWall` has no wall.
pub(super) fn notice(
    state: &mut EventState,
    entity: Entity,
    wall: Option<&FollowWallState>,
    tell: &mut impl FnMut(Happening),
) {
    let lost = wall.is_some_and(|wall| wall.place().is_none());
    if lost && !state.wall_lost {
        tell(Happening::WallLost(WallLost { entity }));
    }
    state.wall_lost = lost;
}
