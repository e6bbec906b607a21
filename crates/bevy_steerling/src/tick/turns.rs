//! Determines which agents think in a tick.

use bevy::prelude::*;

use crate::agent::{BodyLimits, MovedByForce, RateState, SteeringId, SteeringRate};

/// Agents that must think in every tick, because they have body limits or something else pushes them.
type Restless = Or<(With<BodyLimits>, With<MovedByForce>)>;

/// Determines which agents think in this tick. If an agent's rate has been removed, it thinks at once and in every tick.
pub(crate) fn take_turns(
    mut agents: Query<(Entity, Option<&SteeringRate>, &SteeringId, &mut RateState)>,
    restless: Query<(), Restless>,
    mut commands: Commands,
) {
    agents.iter_mut().for_each(|(agent, rate, id, mut state)| {
        let state = state.bypass_change_detection();
        match rate {
            None => {
                state.begin_at_once();
                commands.entity(agent).try_remove::<RateState>();
            }
            Some(_) if restless.contains(agent) => state.begin_at_once(),
            Some(rate) => state.begin(rate.ticks.max(1), *id),
        }
    });
}
