//! Wishes: what behaviors want.

use crate::agent::Agent;
use crate::engine::approach::Approach;
use crate::math::Vector;
#[cfg(not(dim3))]
use crate::math::{normalize, unit_vector};

/// What a behavior wants its agent to do in a tick.
#[cfg_attr(
    not(dim3),
    doc = "The engine turns it into a force. It takes the mass and response time of the agent into account and, for a body with [`BodyLimits`](crate::agent::BodyLimits), its maneuvers."
)]
#[cfg_attr(
    dim3,
    doc = "The engine turns it into a force. It takes the mass and response time of the agent into account."
)]
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
    /// To move at this velocity, units/s. [`Agent::force_toward`] has the formula.
    Velocity(Vector),
    #[cfg_attr(not(dim3), doc = "To get to a place. A body with limits maneuvers to it.")]
    #[cfg_attr(dim3, doc = "To get to a place.")]
    Place {
        /// The displacement from the agent to the place, units.
        displacement: Vector,
        /// How to approach the place.
        approach: Approach,
    },
    /// To move at full speed toward a point on a circle ahead of the agent, as for [`Wander`](crate::behaviors::wander::Wander). The engine
    /// computes the point for many agents at once.
    #[cfg(not(dim3))]
    CircleAhead {
        /// The distance to the center of the circle, units.
        distance: f32,
        /// The radius of the circle, units.
        radius: f32,
        /// The angle of the point on the circle, radians counterclockwise from +x.
        angle: f32,
    },
    /// To apply this force, mass · units/s², regardless of mass and response time.
    Force(Vector),
    /// To apply this force on the way to a place where the agent stops, such as the end of a path. An agent that
    /// [closes up](crate::constraints::settling::Settling) with others at this place goes straight to the place instead.
    Way {
        /// The force, mass · units/s².
        force: Vector,
        /// The displacement from the agent to the place, units.
        end: Vector,
    },
}

impl Wish {
    /// The wish to move to and past the place at `displacement` at full speed.
    #[inline]
    pub const fn seek(displacement: Vector) -> Self {
        Self::Place { displacement, approach: Approach::FullSpeed }
    }

    /// The wish to move to the place at `displacement` and stop there, braking as late as possible.
    #[inline]
    pub const fn arrive(displacement: Vector) -> Self {
        Self::Place { displacement, approach: Approach::Braking { tolerance: 0.0 } }
    }

    /// The force for the wish, for an agent without body limits.
    #[inline(always)]
    pub fn force(self, agent: &Agent) -> Vector {
        match self {
            Self::Nothing => Vector::ZERO,
            Self::Velocity(velocity) => agent.force_toward(velocity),
            Self::Place { displacement, approach } => approach.force(agent, displacement),
            #[cfg(not(dim3))]
            Self::CircleAhead { distance, radius, angle } => {
                let point = normalize(agent.velocity) * distance + unit_vector(angle) * radius;
                Approach::FullSpeed.force(agent, point)
            }
            Self::Force(force) | Self::Way { force, .. } => force,
        }
    }
}

impl From<Option<Self>> for Wish {
    fn from(wish: Option<Self>) -> Self {
        wish.unwrap_or_default()
    }
}
