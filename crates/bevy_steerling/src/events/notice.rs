//! The system that detects the events of a tick.

use bevy::prelude::*;

use crate::agent::view::AgentData;
use crate::behaviors::follow_path::{FollowPath, PathProgress};
use crate::behaviors::follow_wall::FollowWallState;
use crate::constraints::avoid_obstacles::AvoidObstacles;
use crate::events::collisions::{self, Sightings};
use crate::events::happenings::Happenings;
use crate::events::paths;
use crate::events::progress;
use crate::events::surroundings::Surroundings;
use crate::events::targets::{self, WatchedAims};
use crate::events::walls;
use crate::events::watch::{EventState, SteeringEvents};
use crate::math::{self, Vector};
use crate::tick::TickParam;
use crate::world::solid::Solid;

/// Detects what has happened to the watched agents.
pub(super) fn notice(
    mut agents: Query<(
        &SteeringEvents,
        &mut EventState,
        AgentData,
        Option<&AvoidObstacles>,
        Option<&Solid>,
        Option<(&FollowPath, &PathProgress)>,
        Option<&FollowWallState>,
    )>,
    aims: Res<WatchedAims>,
    surroundings: Surroundings,
    tick: TickParam,
    mut happenings: ResMut<Happenings>,
    mut sightings: Local<Sightings>,
) {
    let frame = tick.frame();
    for (events, mut state, data, avoid, solid, follow, wall) in &mut agents {
        let mut agent = data.agent(Vector::ZERO, frame);
        agent.velocity = math::finite_or_zero(agent.velocity);
        // An agent whose position is not finite gets no events until it is finite again.
        if !agent.position.is_finite() {
            continue;
        }
        let (id, state) = (agent.id, state.bypass_change_detection());
        let mut tell = |happening| {
            let place = happenings.0.len();
            happenings.0.push((id, place, happening));
        };
        let layers = collisions::minded_layers(avoid, solid);
        targets::notice(events, state, &agent, aims.of(agent.entity), &surroundings, &mut tell);
        if let Some((follow, progress)) = follow {
            paths::notice(state, agent.entity, follow, progress, &mut tell);
        }
        walls::notice(state, agent.entity, wall, &mut tell);
        progress::notice(events, state, &agent, &mut tell);
        collisions::notice(events, state, &agent, layers, &surroundings, &mut sightings, &mut tell);
    }
}
