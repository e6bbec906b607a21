//! Weights of neighbors, by group.

use alloc::vec::Vec;

use bevy::prelude::*;

use crate::agent::GroupMask;

/// How much neighbors count for an agent's [`Separation`](crate::behaviors::separation::Separation),
/// [`Alignment`](crate::behaviors::alignment::Alignment), [`Cohesion`](crate::behaviors::cohesion::Cohesion) and
/// [`Flock`](crate::behaviors::flock::Flock), by group.
///
/// A neighbor gets the weight of the first entry that shares a group with it, or 1 if there is no such entry. A neighbor with a weight of 2
/// has the effect of two neighbors in the same place.
///
/// # Example
///
/// Sheep that pay much more attention to the dog than to each other:
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// const SHEEP: GroupMask = GroupMask::bit(0);
/// const DOGS: GroupMask = GroupMask::bit(1);
/// commands.spawn((Separation::default(), SteeringGroups(SHEEP), GroupWeights::new([(DOGS, 10.0)])));
/// # }
/// ```
#[derive(Component, Clone, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub struct GroupWeights(pub Vec<GroupWeight>);

/// How much the members of some groups count: see [`GroupWeights`].
#[derive(Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub struct GroupWeight {
    /// The groups, as a bit mask.
    pub groups: GroupMask,
    /// The factor on what their members contribute, ≥ 0. Negative values and NaN count as 0.
    pub weight: f32,
}

impl GroupWeights {
    /// Creates the component from pairs of groups and weights.
    pub fn new(weights: impl IntoIterator<Item = (GroupMask, f32)>) -> Self {
        Self(weights.into_iter().map(|(groups, weight)| GroupWeight { groups, weight }).collect())
    }

    /// The weight of a neighbor in these groups.
    pub fn of(&self, groups: GroupMask) -> f32 {
        self.0.iter().find(|entry| entry.groups.intersects(groups)).map_or(1.0, |entry| entry.weight.max(0.0))
    }
}
