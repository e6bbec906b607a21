//! What a flocking behavior perceives of its neighbors, and the force that it computes from it.

use bevy::prelude::Component;

use crate::agent::{GroupMask, SteeringAgent};
use crate::math::lanes::{Lanes, VectorOf};
use crate::perception::field_of_view::{ALL_ROUND, Cones};

/// How far and how wide an agent perceives, and the values that its behavior needs for the force.
///
/// An agent perceives its neighbors up to three times, each time with a different radius and cone: for the sums of nearness, places and
/// motion. The sums of intrusions use the radius and the cone of places.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Perceiver {
    /// The radii for nearness, places and motion, units. With a negative radius there are no neighbors.
    pub radii: [f32; 3],
    /// The fields of view for nearness, places and motion: see [`cone`](crate::perception::field_of_view::cone).
    pub cones: [f32; 3],
    /// The groups whose members are perceived.
    pub groups: GroupMask,
    /// The maximum number of neighbors.
    pub most: u32,
    /// The values that [`NeighborKernel::force`] gets in [`Perceiving::terms`].
    pub terms: [f32; 4],
    /// The radius of [`Sums::intrusion`], units.
    pub intrusion_radius: f32,
    /// The factor on the force.
    pub weight: f32,
    /// Whether the agent must be computed alone, because it has [`GroupWeights`](crate::perception::flocking::GroupWeights) or a
    /// [`SteeringRate`](crate::agent::SteeringRate). Kernels leave it unchanged.
    pub is_alone: bool,
}

impl Perceiver {
    /// Perceives no one.
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

/// Sums over the neighbors of one agent, or of each of eight agents.
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
    /// The mean velocity of the neighbors; zero without neighbors.
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

/// Smaller counts, which occur only with weights near zero, are clamped to this before dividing by them.
const MIN_COUNT: f32 = 1e-20;

/// A component whose force is computed from sums over neighbors.
///
/// The sums are computed for eight agents at a time, so the force is generic over [`Lanes`].
pub(crate) trait NeighborKernel: Component {
    /// Whether an agent may perceive different neighbors for the three sums. Otherwise all its radii are equal, and so are all its cones.
    const DIFFERENT: bool = false;
    /// Whether [`Sums::nearness`] is needed: the sum of the displacements, each divided by the square of its length.
    const NEARNESS: bool = false;
    /// Whether [`Sums::places`] is needed: the sum of the displacements.
    const PLACES: bool = false;
    /// Whether [`Sums::intrusion`] and [`Sums::intrusions`] are needed. These are the sum of the directions to neighbors, each times its
    /// [`intrusion`](super::sight::intrusion), and the sum of the intrusions. A neighbor in exactly the same place is in the direction of
    /// [`direction_to_coincident`](crate::perception::neighbors::direction_to_coincident).
    const INTRUSION: bool = false;
    /// Whether [`Sums::motion`] is needed: the sum of the velocities.
    const MOTION: bool = false;
    /// Whether [`Sums::places`] counts a neighbor in exactly the same place as being at the distance of the radius, in the direction of
    /// [`direction_to_coincident`](crate::perception::neighbors::direction_to_coincident). [`Sums::nearness`] always does so.
    const COINCIDENT: bool = false;

    /// How an agent with this behavior perceives, in a tick of this length, seconds. `cones` converts fields of view to cones.
    fn perceiver(&self, body: &SteeringAgent, tick: f32, cones: &mut Cones) -> Perceiver;

    /// The force before the behavior's weight, mass · units/s².
    fn force<L: Lanes>(own: &Perceiving<L>, sums: &Sums<L>) -> VectorOf<L>;
}
