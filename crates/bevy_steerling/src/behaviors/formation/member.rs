//! The members of formations.

use alloc::collections::BTreeSet;

use bevy::ecs::template::FromTemplate;
use bevy::prelude::*;

use crate::agent::SteeringAgent;
use crate::behaviors::formation::state::FormationSlot;

/// Keeps a slot in the [`Formation`](crate::behaviors::formation::Formation) of an anchor.
///
/// This is a relationship: Bevy maintains the list of members, [`FormationMembers`], on the anchor. Insert this component to join a
/// formation, replace it to change to another one, and remove it to leave. [`FormationSlot`] has the agent's slot.
///
/// # Formula
///
/// Let `p` be the displacement to the slot and `w` the velocity of the slot. The agent moves at `w + u`, where `u` points to the slot.
/// `|u|` is the highest speed from which the agent can stop in its slot ([`braking_speed`](crate::engine::approach::braking_speed)),
/// limited so that `|w + u|` is at most max speed. The component of `u` along `w` is at most the distance that the agent is behind, divided
/// by 0.5 s. So the agent catches up gently behind the one in front, and has no lag once it is in its slot.
///
/// If a static obstacle blocks the way to its slot, the agent follows the trail of the anchor. It goes to the latest place on the trail
/// that it can reach in a straight line, as far behind the anchor as its slot. So the formation can pass gates that are narrower than
/// itself.
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
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[relationship(relationship_target = FormationMembers)]
#[require(SteeringAgent, FormationSlot)]
pub struct InFormation(#[entities] pub Entity);

/// The agents that are [`InFormation`] around this entity. Maintained by Bevy.
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
