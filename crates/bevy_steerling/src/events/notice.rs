//! The system that detects the events of a tick.

use bevy::prelude::*;

use crate::agent::view::AgentData;
use crate::events::collisions::{self, Sightings};
use crate::events::happenings::Happenings;
use crate::events::paths;
use crate::events::progress;
use crate::events::surroundings::{Surroundings, WatchedData};
use crate::events::targets::{self, FoundTargets, WatchedAims};
#[cfg(not(dim3))]
use crate::events::walls;
use crate::events::watch::{EventState, SteeringEvents};
use crate::math::{self, Vector};
use crate::tick::TickParam;

/// Detects the events of watched agents.
pub(super) fn notice(
    mut agents: Query<(&SteeringEvents, &mut EventState, AgentData, WatchedData)>,
    aims: Res<WatchedAims>,
    surroundings: Surroundings,
    tick: TickParam,
    mut happenings: ResMut<Happenings>,
    mut sightings: Local<Sightings>,
    mut found: Local<FoundTargets>,
) {
    let frame = tick.frame();
    let mut next = 0;
    sightings.bodies.note(agents.iter().len(), &surroundings);
    for (events, mut state, data, watched) in &mut agents {
        let mut agent = data.agent(Vector::ZERO, frame);
        agent.velocity = math::finite_or_zero(agent.velocity);
        // Events are detected in every tick, even if the agent does not think in every tick.
        agent.tick = frame.length;
        // An agent whose position is not finite gets no events until it is finite again.
        if !agent.position.is_finite() {
            continue;
        }
        let (id, state) = (agent.id, state.bypass_change_detection());
        let mut tell = |happening| {
            let place = happenings.0.len();
            happenings.0.push((id, place, happening));
        };
        let aims = aims.of(agent.entity, &mut next);
        found.find(&agent, aims, &surroundings);
        let settling = watched.settling.copied().unwrap_or_default();
        targets::notice(events, state, &agent, aims, &found, &settling, &surroundings, &mut tell);
        if let Some((follow, progress)) = watched.follow {
            paths::notice(state, agent.entity, follow, progress, &mut tell);
        }
        // An agent looks for walls only when it thinks.
        #[cfg(not(dim3))]
        if data.is_thinking() || watched.wall.is_none() {
            walls::notice(state, agent.entity, watched.wall.map(|(_, progress)| progress), &mut tell);
        }
        let is_there = settling.is_there() || targets::is_at_target(events, &agent, aims, &found);
        progress::notice(events, state, &agent, is_there, &mut tell);
        collisions::notice(events, state, &agent, &watched, &surroundings, &mut sightings, &mut tell);
    }
}
