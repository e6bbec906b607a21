//! What a behavior wants.

use crate::agent::Agent;
use crate::engine::approach::Approach;
use crate::math::{Vector, normalize, unit_vector};

/// What a behavior wants of its agent in a tick. The engine turns it into a force, with the agent's mass, response time and, on a body
/// with [`BodyLimits`](crate::agent::BodyLimits), its maneuvers.
///
/// # Example
///
/// ```
/// # use bevy::math::Vec2;
/// # use bevy_steerling::behavior_prelude::*;
/// let wish = Wish::seek(Vec2::new(30.0, 40.0));
/// assert_eq!(wish, Wish::Place { displacement: Vec2::new(30.0, 40.0), approach: Approach::FullSpeed });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Wish {
    /// Nothing: no force.
    #[default]
    Nothing,
    /// To move at this velocity, units/s. The force is [`Agent::force_toward`] it.
    Velocity(Vector),
    /// To get to a place. A body with limits maneuvers there.
    Place {
        /// The displacement from the agent to the place, units.
        displacement: Vector,
        /// How to go there.
        approach: Approach,
    },
    /// To go at full speed toward a point on a circle ahead of the agent, of which the angle is known: that of
    /// [`Wander`](crate::behaviors::wander::Wander).
    CircleAhead {
        /// How far ahead the center is, units.
        distance: f32,
        /// The radius, units.
        radius: f32,
        /// The angle of the point, radians counterclockwise from +x.
        angle: f32,
    },
    /// This very force, mass · units / s².
    Force(Vector),
}

impl Wish {
    /// To run to the place at `displacement` at full speed, and past it.
    #[inline]
    pub const fn seek(displacement: Vector) -> Self {
        Self::Place { displacement, approach: Approach::FullSpeed }
    }

    /// To go to the place at `displacement` and stop there, braking as late as the agent can.
    #[inline]
    pub const fn arrive(displacement: Vector) -> Self {
        Self::Place { displacement, approach: Approach::Braking { tolerance: 0.0 } }
    }

    /// The force that answers the wish, on an agent whose body has no limits.
    #[inline]
    pub fn force(self, agent: &Agent) -> Vector {
        match self {
            Self::Nothing => Vector::ZERO,
            Self::Velocity(velocity) => agent.force_toward(velocity),
            Self::Place { displacement, approach } => approach.force(agent, displacement),
            Self::CircleAhead { distance, radius, angle } => {
                let point = normalize(agent.velocity) * distance + unit_vector(angle) * radius;
                Approach::FullSpeed.force(agent, point)
            }
            Self::Force(force) => force,
        }
    }
}

impl From<Option<Self>> for Wish {
    fn from(wish: Option<Self>) -> Self {
        wish.unwrap_or_default()
    }
}
