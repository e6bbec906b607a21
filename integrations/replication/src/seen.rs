//! What clients see of agents.

use bevy::prelude::*;
use bevy_replicon::prelude::*;
use bevy_steerling::prelude::*;
use serde::{Deserialize, Serialize};

/// Where an agent is and how it moves, as clients see it: rounded, in 4 to 8 bytes.
///
/// The server inserts it on agents that clients may see, and writes it in each update.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    position: [i16; 2],
    velocity: [i8; 2],
}

impl Seen {
    /// The step between positions, units. Positions beyond ±4096 units are clamped.
    pub const STEP: f32 = 0.125;
    /// The step between velocities, units/s. Components beyond ±254 units/s are clamped.
    pub const SPEED_STEP: f32 = 2.0;

    /// What is seen of an agent at `position`, units, with `velocity`, units/s. NaN counts as 0.
    pub fn new(position: Vec2, velocity: Vec2) -> Self {
        // Casts saturate.
        Self {
            position: position.to_array().map(|x| (x / Self::STEP).round() as i16),
            velocity: velocity.to_array().map(|v| (v / Self::SPEED_STEP).round() as i8),
        }
    }

    /// The position, units.
    pub fn position(&self) -> Vec2 {
        Vec2::from(self.position.map(f32::from)) * Self::STEP
    }

    /// The velocity, units/s.
    pub fn velocity(&self) -> Vec2 {
        Vec2::from(self.velocity.map(f32::from)) * Self::SPEED_STEP
    }
}

/// What an agent looks like; the numbers are those of the game. Sent once.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kind(pub u8);

/// What a client looks at. A client triggers it with [`client_trigger`](ClientTriggerExt::client_trigger) when its camera has moved.
#[derive(Event, Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LookAt {
    /// The middle of the view, units.
    pub center: Vec2,
    /// How far the client sees, units.
    pub radius: f32,
}

/// Registers what is replicated: [`Seen`], and once [`Kind`] and [`SteeringId`]. Server and clients must agree on it.
pub(crate) fn plugin(app: &mut App) {
    app.replicate::<Seen>()
        .replicate_once::<Kind>()
        .replicate_once::<SteeringId>()
        .add_client_event::<LookAt>(Channel::Ordered);
}
