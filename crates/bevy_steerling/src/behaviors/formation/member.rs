//! The members of formations.

use alloc::collections::BTreeSet;

use bevy::ecs::template::FromTemplate;
use bevy::prelude::*;

use crate::agent::SteeringAgent;
use crate::behaviors::formation::state::FormationSlot;

/// Keeps a slot in the [`Formation`](crate::behaviors::formation::Formation) of an anchor.
///
/// This is a relationship: Bevy keeps the list of members on the anchor, [`FormationMembers`]. Insert the component to join, replace it to
/// change to another formation, and remove it to leave. [`FormationSlot`] tells which slot the agent has.
///
/// # Formula
///
/// Let `p` be the displacement to the slot and `w` the velocity of the slot. The agent moves at `w + u`, where `u` points to the slot. `|u|`
/// is the highest speed from which the agent can stop in its slot ([`braking_speed`](crate::engine::approach::braking_speed)), as far as
/// `|w + u|` is within its max speed. So it takes a straight way relative to the formation, and has no lag once it is there.
///
/// If an obstacle that stands still blocks the way to its slot, the agent follows the trail of the anchor: it goes to the latest place of the
/// trail that it can go straight to, as far behind the anchor as its slot. The formation thus passes gates that are narrower than itself.
///
/// # When to use it
///
/// See [`Formation`](crate::behaviors::formation::Formation), which also has an example.
///
/// # Combines with
///
/// [`AvoidNeighbors`](crate::constraints::avoid_neighbors::AvoidNeighbors) and
/// [`AvoidObstacles`](crate::constraints::avoid_obstacles::AvoidObstacles). A member may be the anchor of another formation.
#[derive(Component, FromTemplate, Clone, Debug, PartialEq, Eq, Reflect)]
#[reflect(Component, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
#[relationship(relationship_target = FormationMembers)]
#[require(SteeringAgent, FormationSlot)]
pub struct InFormation(#[entities] pub Entity);

/// The agents that are [`InFormation`] around this entity. Bevy writes it.
#[derive(Component, Clone, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
#[relationship_target(relationship = InFormation)]
pub struct FormationMembers(BTreeSet<Entity>);

impl FormationMembers {
    /// The members, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = Entity> {
        self.0.iter().copied()
    }
}
