//! Keep away from other agents.

use bevy::ecs::system::SystemParamItem;
use bevy::prelude::*;

use crate::behavior::{Agent, SteeringBehavior};
use crate::math::{Vector, normalize};
use crate::neighbors::{Neighbors, direction_to_coincident};
use crate::prelude::SteeringAgent;

/// Keeps away from other agents within a radius.
///
/// Force: `−n(mean displacement to the agents within radius) · max_separation`, the classic articles'. Agents in exactly
/// one place push each other apart, in opposite directions that follow from their
/// [`SteeringId`](crate::agent::SteeringId)s.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// for x in 0..10 {
///     commands.spawn((
///         Seek::new(Vec2::new(200.0, 0.0)),
///         Separation::default(),
///         Transform::from_xyz(x as f32, 0.0, 0.0),
///     ));
/// }
/// # }
/// ```
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
#[require(SteeringAgent)]
pub struct Separation {
    /// Agents whose centers are within this distance count, units. Default: four times the agent's own radius.
    pub radius: Option<f32>,
    /// How hard to push, mass · units / s². Default: the agent's max force.
    pub max_separation: Option<f32>,
    /// Factor on the contribution. Default: 1.
    pub weight: f32,
}

impl Default for Separation {
    fn default() -> Self {
        Self { radius: None, max_separation: None, weight: 1.0 }
    }
}

impl Separation {
    /// Sets the [`radius`](Self::radius), units.
    #[must_use]
    pub fn with_radius(self, radius: f32) -> Self {
        Self { radius: Some(radius), ..self }
    }

    /// Sets [`max_separation`](Self::max_separation), mass · units / s².
    #[must_use]
    pub fn with_max_separation(self, force: f32) -> Self {
        Self { max_separation: Some(force), ..self }
    }

    /// Sets the [`weight`](Self::weight).
    #[must_use]
    pub fn with_weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }

    #[inline]
    fn radius_for(&self, agent_radius: f32) -> f32 {
        self.radius.unwrap_or(agent_radius * 4.0)
    }
}

/// The force away from neighbors, given the sum of the displacements to them; zero without neighbors.
///
/// ```
/// # use bevy::math::Vec2;
/// # use bevy_steerling::behaviors::separation::force;
/// assert_eq!(force(Vec2::new(3.0, 4.0), 10.0), Vec2::new(-6.0, -8.0));
/// assert_eq!(force(Vec2::ZERO, 10.0), Vec2::ZERO);
/// ```
#[inline]
pub fn force(sum_of_displacements: Vector, max_separation: f32) -> Vector {
    // The mean has the direction of the sum.
    -normalize(sum_of_displacements) * max_separation
}

impl SteeringBehavior for Separation {
    type Param = Res<'static, Neighbors>;

    fn steer(&mut self, agent: &Agent, neighbors: &SystemParamItem<'_, '_, Self::Param>) -> Vector {
        let radius = self.radius_for(agent.radius);
        let mut sum = Vector::ZERO;
        neighbors.for_each_within(agent, radius, |neighbor, displacement| {
            sum += if displacement == Vector::ZERO {
                // As urgent as can be: counted like a neighbor at the rim, who weighs most in the mean.
                direction_to_coincident(agent.id, neighbor.id) * radius
            } else {
                displacement
            };
        });
        force(sum, self.max_separation.unwrap_or(agent.max_force))
    }

    #[inline]
    fn weight(&self) -> f32 {
        self.weight
    }

    #[inline]
    fn sight(&self, agent: &SteeringAgent) -> f32 {
        self.radius_for(agent.radius)
    }
}
