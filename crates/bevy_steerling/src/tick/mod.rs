//! One tick: its schedule, its length, and how its work is spread over threads.

pub(crate) mod non_finite;
pub mod schedule;
pub(crate) mod threads;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use crate::math::space::{Space, SteeringBounds};
use non_finite::Mender;
use schedule::SteeringThreads;

/// What all agents share during a tick.
#[derive(SystemParam)]
pub(crate) struct TickParam<'w> {
    time: Res<'w, Time>,
    bounds: Res<'w, SteeringBounds>,
    pub(crate) threads: Res<'w, SteeringThreads>,
    pub(crate) mender: Mender<'w>,
}

impl TickParam<'_> {
    /// The length of the tick, seconds.
    pub(crate) fn length(&self) -> f32 {
        self.time.delta_secs()
    }

    pub(crate) fn bounds(&self) -> &SteeringBounds {
        &self.bounds
    }

    pub(crate) fn space(&self) -> Space {
        self.bounds.space()
    }
}
