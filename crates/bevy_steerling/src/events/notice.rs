//! The system that detects the events of a tick.

use bevy::ecs::entity::EntityLocation;
use bevy::prelude::*;

use crate::agent::Agent;
use crate::agent::view::{AgentData, AgentDataItem, TickFrame};
use crate::events::aims::Aims;
use crate::events::happenings::{Happenings, Placed};
use crate::events::paths;
use crate::events::progress;
use crate::events::surroundings::{Surroundings, WatchedData};
use crate::events::targets::{self, FoundTargets};
#[cfg(not(dim3))]
use crate::events::walls;
use crate::events::watch::{EventState, SteeringEvents};
use crate::math::{self, Vector};
use crate::tick::TickParam;

/// An agent at the end of the tick. Events are detected in every tick, even if the agent does not think in every tick.
pub(super) fn at_end_of_tick(data: &AgentDataItem, frame: TickFrame) -> Agent {
    let agent = data.agent(Vector::ZERO, frame);
    Agent { velocity: math::finite_or_zero(agent.velocity), tick: frame.length, ..agent }
}

/// Detects the events of watched agents, except imminent collisions.
pub(super) fn notice(
    mut agents: Query<(&SteeringEvents, &mut EventState, AgentData, WatchedData, EntityLocation)>,
    mut aims: Aims,
    surroundings: Surroundings,
    tick: TickParam,
    mut happenings: ResMut<Happenings>,
    mut found: Local<FoundTargets>,
) {
    let frame = tick.frame();
    aims.start();
    for (place, (events, mut state, data, watched, location)) in agents.iter_mut().enumerate() {
        let agent = at_end_of_tick(&data, frame);
        // An agent whose position is not finite gets no events until it is finite again.
        if !agent.position.is_finite() {
            continue;
        }
        // Steering bypasses change detection when it writes the state.
        let is_restored = state.is_changed();
        let (id, state) = (agent.id, state.bypass_change_detection());
        let mut tell = |happening| {
            let number = happenings.usual.len();
            happenings.usual.push(Placed { id, agent: place, number, happening });
        };
        found.clear();
        aims.for_each(agent.entity, location.archetype_id, is_restored, |aim| {
            found.find(&agent, aim, &surroundings);
        });
        let settling = watched.settling.copied().unwrap_or_default();
        targets::notice(events, state, &agent, &found, &settling, &surroundings, &mut tell);
        if let Some((follow, progress)) = watched.follow {
            paths::notice(state, agent.entity, follow, progress, &mut tell);
        }
        // An agent looks for walls only when it thinks.
        #[cfg(not(dim3))]
        if data.is_thinking() || watched.wall.is_none() {
            walls::notice(state, agent.entity, watched.wall.map(|(_, progress)| progress), &mut tell);
        }
        let is_there = settling.is_there() || targets::is_at_target(events, &agent, &found);
        progress::notice(events, state, &agent, is_there, &mut tell);
    }
}
