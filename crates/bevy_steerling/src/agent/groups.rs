//! Groups of agents, and layers of obstacles.

use core::ops::{BitAnd, BitOr, BitOrAssign, Not};

use bevy::prelude::*;

/// A set of up to 32 groups of agents, or layers of obstacles.
///
/// Define a constant for each group of your game, and combine them with `|`. Masks are used for the groups of an agent
/// ([`SteeringGroups`]), for the groups that a behavior targets or perceives
/// ([`Target::Group`](crate::perception::target::Target::Group), `groups` fields), and for the layers of an
/// [`Obstacle`](crate::perception::obstacles::Obstacle).
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
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", serde(transparent))]
pub struct GroupMask(u32);

impl GroupMask {
    /// No group.
    pub const NONE: Self = Self(0);
    /// Every group.
    pub const ALL: Self = Self(u32::MAX);
    /// Group 0: the group of agents without [`SteeringGroups`], and the default layer of obstacles.
    pub const DEFAULT: Self = Self(1);

    /// The group with this number, 0 to 31.
    ///
    /// # Panics
    ///
    /// If `number` is above 31. In a constant, this is a compile-time error.
    pub const fn bit(number: u32) -> Self {
        assert!(number < 32, "group numbers must be from 0 to 31");
        Self(1 << number)
    }

    /// The groups whose bits are set in `bits`.
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// One bit per group.
    #[inline]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The groups in either mask. Like `|`, but also for constants.
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether the masks have a group in common.
    #[inline]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether a constraint with this mask considers an agent in the groups `other`. [`ALL`](Self::ALL) considers every agent; other masks
    /// consider agents in one of their groups.
    #[inline]
    pub(crate) const fn considers(self, other: Self) -> bool {
        self.0 == u32::MAX || self.intersects(other)
    }

    /// Whether the mask contains all groups of `other`.
    #[inline]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether the mask contains no group.
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
/// An agent without this component belongs to the default group. An agent can be a member of several groups. An agent in no group
/// ([`GroupMask::NONE`]) is never found by its group.
///
/// Groups are used by behaviors that target a group ([`Target::Group`](crate::perception::target::Target::Group)) and by behaviors that
/// perceive only some groups or weight them differently ([`GroupWeights`](crate::perception::flocking::GroupWeights)). Games can read them
/// in [`Neighbor::groups`](crate::perception::neighbors::Neighbor::groups).
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
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub struct SteeringGroups(pub GroupMask);
