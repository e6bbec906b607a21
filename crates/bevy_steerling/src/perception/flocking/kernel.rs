//! What a flocking behavior perceives of its neighbors, and the force that it makes of it.

use bevy::prelude::Component;

use crate::agent::{GroupMask, SteeringAgent};
use crate::math::lanes::{Lanes, VectorOf};
use crate::perception::field_of_view::{ALL_ROUND, Cones};

/// How far and how wide an agent perceives, and the numbers that its behavior needs for the force.
///
/// An agent perceives its neighbors up to three times, each time with a radius and a cone of its own: for the sums of nearness,
/// places and motion. The sums of intrusions have the radius and the cone of places.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Perceiver {
    /// The radii for nearness, places and motion, units. Within a negative radius there is nobody.
    pub radii: [f32; 3],
    /// The fields of view for nearness, places and motion: see [`cone`](crate::perception::field_of_view::cone).
    pub cones: [f32; 3],
    /// The groups whose members are perceived.
    pub groups: GroupMask,
    /// The largest number of neighbors that count.
    pub most: u32,
    /// What [`NeighborKernel::force`] finds in [`Perceiving::terms`].
    pub terms: [f32; 4],
    /// The distance from which on [`Sums::intrusion`] counts neighbors, units.
    pub intrusion_radius: f32,
    /// The factor on the force.
    pub weight: f32,
    /// Whether the agent is computed alone, because it has [`GroupWeights`](crate::perception::flocking::GroupWeights) or a
    /// [`SteeringRate`](crate::agent::SteeringRate). Kernels leave it as it is.
    pub is_alone: bool,
}

impl Perceiver {
    /// Perceives nobody.
    pub const BLIND: Self = Self {
        radii: [-1.0; 3],
        cones: [ALL_ROUND; 3],
        groups: GroupMask::NONE,
        most: 0,
        terms: [0.0; 4],
        intrusion_radius: 0.0,
        weight: 1.0,
        is_alone: false,
    };

    /// The largest of the radii, units.
    pub fn reach(&self) -> f32 {
        self.radii.into_iter().fold(0.0, f32::max)
    }
}

/// The perceiving agent, or eight of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Perceiving<L> {
    pub velocity: VectorOf<L>,
    /// See [`Perceiver::terms`].
    pub terms: [L; 4],
}

/// Sums over the neighbors of one agent, or of each of eight.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Sums<L> {
    pub nearness: VectorOf<L>,
    pub places: VectorOf<L>,
    pub place_count: L,
    pub intrusion: VectorOf<L>,
    pub intrusions: L,
    pub motion: VectorOf<L>,
    pub motion_count: L,
}

impl<L: Lanes> Sums<L> {
    /// The mean velocity of the neighbors; of no neighbors, zero.
    #[inline(always)]
    pub fn mean_velocity(&self) -> VectorOf<L> {
        mean(self.motion, self.motion_count)
    }
}

/// A sum divided by a count.
#[inline(always)]
pub(crate) fn mean<L: Lanes>(sum: VectorOf<L>, count: L) -> VectorOf<L> {
    sum * (count.splat(1.0) / count.fast_max(count.splat(MIN_COUNT)))
}

/// Smaller counts, which only weights near zero give, are raised to this before the division.
const MIN_COUNT: f32 = 1e-20;

/// A component whose force follows from sums over neighbors.
///
/// The sums are taken for eight agents at a time, so the force is written for any [`Lanes`].
pub(crate) trait NeighborKernel: Component {
    /// Whether an agent may perceive different neighbors for the three sums. Otherwise all its radii and all its cones are equal.
    const DIFFERENT: bool = false;
    /// Whether [`Sums::nearness`] is needed: the sum of the displacements, each divided by the square of its length.
    const NEARNESS: bool = false;
    /// Whether [`Sums::places`] is needed: the sum of the displacements.
    const PLACES: bool = false;
    /// Whether [`Sums::intrusion`] and [`Sums::intrusions`] are needed: the sums of the directions to neighbors times their
    /// [`intrusion`](super::sight::intrusion), and of the intrusions. A neighbor in exactly the same place is in the direction of
    /// [`direction_to_coincident`](crate::perception::neighbors::direction_to_coincident).
    const INTRUSION: bool = false;
    /// Whether [`Sums::motion`] is needed: the sum of the velocities.
    const MOTION: bool = false;
    /// Whether [`Sums::places`] has a neighbor in exactly the same place at the distance of the radius, in the direction of
    /// [`direction_to_coincident`](crate::perception::neighbors::direction_to_coincident). For [`Sums::nearness`] that is always so.
    const COINCIDENT: bool = false;

    /// How an agent with this behavior perceives, in a tick of this length, s. `cones` makes cones of fields of view.
    fn perceiver(&self, body: &SteeringAgent, tick: f32, cones: &mut Cones) -> Perceiver;

    /// The force before the behavior's weight, mass · units / s².
    fn force<L: Lanes>(own: &Perceiving<L>, sums: &Sums<L>) -> VectorOf<L>;
}
