//! The system that detects the events of a tick.

use bevy::ecs::query::QueryData;
use bevy::prelude::*;

use crate::agent::view::AgentData;
#[cfg(not(dim3))]
use crate::behaviors::follow_path::{FollowPath, PathProgress};
#[cfg(not(dim3))]
use crate::behaviors::follow_wall::FollowWallState;
#[cfg(not(dim3))]
use crate::constraints::avoid_obstacles::AvoidObstacles;
use crate::events::collisions::{self, Sightings};
#[cfg(not(dim3))]
use crate::events::happenings::Happening;
use crate::events::happenings::Happenings;
#[cfg(not(dim3))]
use crate::events::paths;
use crate::events::progress;
use crate::events::surroundings::Surroundings;
use crate::events::targets::{self, WatchedAims};
#[cfg(not(dim3))]
use crate::events::walls;
use crate::events::watch::{EventState, SteeringEvents};
use crate::math::{self, Vector};
use crate::tick::TickParam;
#[cfg(not(dim3))]
use crate::world::solid::Solid;

/// What only planar agents have.
#[derive(QueryData)]
pub(super) struct PlanarData {
    #[cfg(not(dim3))]
    avoid: Option<&'static AvoidObstacles>,
    #[cfg(not(dim3))]
    solid: Option<&'static Solid>,
    #[cfg(not(dim3))]
    follow: Option<(&'static FollowPath, &'static PathProgress)>,
    #[cfg(not(dim3))]
    wall: Option<&'static FollowWallState>,
}

#[cfg(not(dim3))]
impl PlanarDataItem<'_, '_> {
    /// Detects the events of paths and walls.
    fn notice(&self, state: &mut EventState, agent: Entity, tell: &mut impl FnMut(Happening)) {
        if let Some((follow, progress)) = self.follow {
            paths::notice(state, agent, follow, progress, tell);
        }
        walls::notice(state, agent, self.wall, tell);
    }
}

/// Detects what has happened to the watched agents.
pub(super) fn notice(
    mut agents: Query<(&SteeringEvents, &mut EventState, AgentData, PlanarData)>,
    aims: Res<WatchedAims>,
    surroundings: Surroundings,
    tick: TickParam,
    mut happenings: ResMut<Happenings>,
    mut sightings: Local<Sightings>,
) {
    let frame = tick.frame();
    for (events, mut state, data, planar) in &mut agents {
        #[cfg(dim3)]
        let PlanarDataItem { .. } = planar;
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
        targets::notice(events, state, &agent, aims.of(agent.entity), &surroundings, &mut tell);
        #[cfg(not(dim3))]
        planar.notice(state, agent.entity, &mut tell);
        progress::notice(events, state, &agent, &mut tell);
        #[cfg(not(dim3))]
        let layers = collisions::minded_layers(planar.avoid, planar.solid);
        collisions::notice(
            events,
            state,
            &agent,
            #[cfg(not(dim3))]
            layers,
            &surroundings,
            &mut sightings,
            &mut tell,
        );
    }
}
