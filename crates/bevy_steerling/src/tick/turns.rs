//! Which agents think in a tick.

use bevy::prelude::*;

use crate::agent::{BodyLimits, RateState, SteeringId, SteeringRate};

/// Decides which agents think in this tick.
pub(crate) fn take_turns(mut agents: Query<(Option<&SteeringRate>, &SteeringId, &mut RateState, Has<BodyLimits>)>) {
    agents.iter_mut().for_each(|(rate, id, mut state, has_limits)| {
        let ticks = rate.filter(|_| !has_limits).map_or(1, |rate| rate.ticks.max(1));
        state.bypass_change_detection().begin(ticks, *id);
    });
}
