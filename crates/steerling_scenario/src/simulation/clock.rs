//! The time since a scenario was spawned.

use bevy::prelude::*;

/// The number of ticks since the scenario was spawned, and their length in seconds.
#[derive(Resource)]
pub(crate) struct Clock {
    ticks: u64,
    tick: f64,
}

impl Clock {
    pub fn new(tick: f64) -> Self {
        Self { ticks: 0, tick }
    }

    /// The length of a tick, seconds.
    pub fn tick(&self) -> f64 {
        self.tick
    }

    /// The time since the start, seconds.
    pub fn elapsed(&self) -> f64 {
        self.ticks as f64 * self.tick
    }

    /// The time a thousandth of a tick after the start of the current tick, seconds, so that rounding does not matter.
    pub fn start_of_tick(&self) -> f64 {
        (self.ticks as f64 + 0.001) * self.tick
    }

    /// The times at the start and at the end of the last tick, seconds.
    pub fn last_tick(&self) -> (f64, f64) {
        (self.ticks.saturating_sub(1) as f64 * self.tick, self.ticks as f64 * self.tick)
    }

    /// The time at the end of the current tick, seconds.
    pub fn end_of_tick(&self) -> f64 {
        (self.ticks + 1) as f64 * self.tick
    }
}

pub(crate) fn advance(mut clock: ResMut<Clock>) {
    clock.ticks += 1;
}
