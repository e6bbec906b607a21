//! What others know of an agent that avoids them: what it wants, and whether they keep it from it.

use core::f32::consts::FRAC_PI_8;

use bevy::prelude::*;

use crate::agent::Agent;
use crate::math::{Vector, turn_between};

/// An agent that has circled by more than this angle, radians, begins to go first or to make way. At three times the angle it does so
/// entirely.
const CIRCLING: f32 = FRAC_PI_8;

/// An agent that others keep from moving for the time constant below counts as circling by this angle, radians.
const STANDING: f32 = 6.0 * CIRCLING;

/// The time constant with which an agent forgets that it has circled, as a share of its time horizon.
const MEMORY: f32 = 1.5;

/// An agent that wants less than this share of its max speed is not held up.
pub(super) const IDLE: f32 = 0.1;

/// The velocity that an agent wants before it avoids its neighbors. They read it to predict its motion. Written each tick on agents with
/// [`AvoidNeighbors`](crate::constraints::avoid_neighbors::AvoidNeighbors); clones start anew.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
#[component(clone_behavior = Ignore)]
pub struct PreferredVelocity {
    /// The velocity that it wants, units/s; see [`Agent::preferred_velocity`].
    pub velocity: Vector,
    /// The angle by which this velocity has turned lately while the agent was held up, radians, counterclockwise, in three dimensions as
    /// seen from above. It grows while the agent circles around a place that others keep it from, and, in either direction, while it
    /// stands in a jam.
    pub circled: f32,
}

impl PreferredVelocity {
    pub(super) fn update(&mut self, agent: &Agent, is_held_up: bool, time_horizon: f32) {
        let velocity = agent.preferred_velocity();
        // The direction of an agent that wants next to nothing means nothing.
        let circled = if velocity.length() <= IDLE * agent.max_speed {
            0.0
        } else {
            let memory = (MEMORY * time_horizon).min(f32::MAX);
            let stands = is_held_up && agent.velocity.length() <= IDLE * agent.max_speed;
            let more = if stands { STANDING * (agent.tick / memory) } else { 0.0 };
            let angle = if is_held_up { turn_between(self.velocity, velocity) } else { 0.0 };
            self.circled * (memory / (agent.tick + memory)) + angle + if self.circled < 0.0 { -more } else { more }
        };
        *self = Self { velocity, circled: if circled.is_finite() { circled } else { 0.0 } };
    }

    /// Whether the agent circles around a place or stands in a jam, 0 to 1.
    pub(super) fn stuck(&self) -> f32 {
        (0.5 * (self.circled.abs() / CIRCLING - 1.0)).clamp(0.0, 1.0)
    }
}
