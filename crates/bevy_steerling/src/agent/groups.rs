//! Groups of agents, and layers of obstacles.

use core::ops::{BitAnd, BitOr, BitOrAssign, Not};

use bevy::prelude::*;

/// A set of up to 32 groups of agents, or layers of obstacles.
///
/// A game gives its groups names once, as constants, and combines them with `|`. The same type says what an agent belongs to
/// ([`SteeringGroups`]), whom a behavior is about ([`Target::Group`](crate::perception::target::Target::Group), the `groups` of a
/// behavior), and which obstacles matter (the `layers` of an [`Obstacle`](crate::perception::obstacles::Obstacle)).
///
/// # Example
///
/// ```
/// # use bevy_steerling::prelude::*;
/// const FISH: GroupMask = GroupMask::bit(0);
/// const SHARKS: GroupMask = GroupMask::bit(1);
///
/// let swimmers = FISH | SHARKS;
/// assert!(swimmers.intersects(SHARKS));
/// assert!(!FISH.intersects(SHARKS));
/// assert!(GroupMask::ALL.contains(swimmers));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
#[cfg_attr(feature = "serialize", serde(transparent))]
pub struct GroupMask(u32);

impl GroupMask {
    /// No group.
    pub const NONE: Self = Self(0);
    /// Every group.
    pub const ALL: Self = Self(u32::MAX);
    /// The first group: that of agents without [`SteeringGroups`], and the layer of obstacles that name none.
    pub const DEFAULT: Self = Self(1);

    /// One group by its number, 0 to 31.
    ///
    /// # Panics
    ///
    /// If `number` is above 31; in a constant, that is an error at compile time.
    pub const fn bit(number: u32) -> Self {
        assert!(number < 32, "groups have numbers from 0 to 31");
        Self(1 << number)
    }

    /// The groups whose bits are set.
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// A bit for each group.
    #[inline]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The groups of both. It is `|` for constants.
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether the two have a group in common.
    #[inline]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether all groups of `other` are in it.
    #[inline]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether it has no group.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl Default for GroupMask {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl BitOr for GroupMask {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        self.union(other)
    }
}

impl BitOrAssign for GroupMask {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl BitAnd for GroupMask {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl Not for GroupMask {
    type Output = Self;

    fn not(self) -> Self {
        Self(!self.0)
    }
}

/// The groups that an agent belongs to: prey and predators, teams, species. Default: [`GroupMask::DEFAULT`].
///
/// An agent without this component belongs to the default group. An agent in several groups is a member of each. An agent in none
/// ([`GroupMask::NONE`]) is not found by anything that looks for a group. Groups matter to behaviors that aim at one
/// ([`Target::Group`](crate::perception::target::Target::Group)), to behaviors that only perceive some groups or weigh them differently
/// ([`GroupWeights`](crate::perception::flocking::GroupWeights)), and to games that read
/// [`Neighbor::groups`](crate::perception::neighbors::Neighbor::groups).
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// const FISH: GroupMask = GroupMask::bit(0);
/// const SHARKS: GroupMask = GroupMask::bit(1);
///
/// fn setup(mut commands: Commands) {
///     commands.spawn((Wander::default(), Evade::new(Target::Group(SHARKS)), SteeringGroups(FISH)));
///     commands.spawn((Pursue::new(Target::Group(FISH)), SteeringGroups(SHARKS)));
/// }
/// ```
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Reflect, Deref, DerefMut)]
#[reflect(Component, Clone, Debug, Default, PartialEq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
pub struct SteeringGroups(pub GroupMask);
