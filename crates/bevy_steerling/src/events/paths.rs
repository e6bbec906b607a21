//! Detects that an agent passes the points of its path.

use bevy::prelude::*;

use crate::behaviors::follow_path::{FollowPath, PathProgress};
use crate::events::happenings::Happening;
use crate::events::types::{PathFinished, WaypointReached};
use crate::events::watch::{EventState, PathNews};

/// Detects which points the agent has reached, and whether it is at the end.
pub(super) fn notice(
    state: &mut EventState,
    entity: Entity,
    follow: &FollowPath,
    progress: &PathProgress,
    tell: &mut impl FnMut(Happening),
) {
    let (start, next) = progress.reached();
    let mut news = state.path;
    if news.start != start {
        news = PathNews { start, next, finished: false };
    }
    for number in news.next..next {
        tell(Happening::WaypointReached(WaypointReached { entity, index: follow.waypoint(number) }));
    }
    if progress.is_finished() && !news.finished {
        tell(Happening::PathFinished(PathFinished { entity }));
    }
    state.path = PathNews { start, next: news.next.max(next), finished: progress.is_finished() };
}
