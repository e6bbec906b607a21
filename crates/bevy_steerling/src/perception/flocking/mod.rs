//! Behaviors that add something up over all neighbors, for a whole crowd: eight agents side by side, neighbors one after another.
//!
//! What such a behavior means is what its [`steer`](SteeringBehavior::steer) computes for one agent. This is the same, faster,
//! for the usual case. Where it is not (somebody else in exactly the same place, several equally near where the cap is reached, weights
//! by group, a world so small that one sees others on both sides) it leaves the agent to `steer`.

use alloc::vec::Vec;

use bevy::ecs::system::SystemParamItem;
use bevy::prelude::*;

use crate::agent::Agent;
use crate::agent::SteeringAgent;
use crate::math::Vector;
use crate::perception::field_of_view::{ALL_ROUND, Cones, sees};
use crate::perception::neighbors::{Neighbors, direction_to_coincident};

mod lanes;
mod perceivers;

pub(crate) use lanes::{Eight, LANES, Sums, Vectors, together};
pub(crate) use perceivers::{PARALLEL_THRESHOLD, Perceivers, add_up, by_rows, look};

/// How far and wide an agent looks, and what else the behavior needs to know of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Perceiver {
    /// How far for each of nearness, places and motion, units; less than zero where it does not look at all.
    pub radii: [f32; 3],
    /// See [`cone`](crate::perception::field_of_view::cone).
    pub cones: [f32; 3],
    /// Who counts.
    pub groups: u32,
    /// How many count at most.
    pub most: u32,
    /// What the behavior makes of the sums.
    pub terms: [f32; 4],
    /// Whether it is left to `steer`; see [`look`].
    pub alone: bool,
}

impl Perceiver {
    /// The farthest that it looks, units.
    fn reach(&self) -> f32 {
        self.radii.into_iter().fold(0.0, f32::max)
    }
}

/// A behavior whose force follows from sums over neighbors.
pub(crate) trait Flocking: bevy::ecs::component::Component {
    // What is added up:

    /// The displacements, each divided by the square of its length.
    const NEARNESS: bool = false;
    /// The displacements.
    const PLACES: bool = false;
    /// The velocities.
    const MOTION: bool = false;
    /// Whether who is in the same place counts in `PLACES` as if at the rim, in the direction of
    /// [`direction_to_coincident`]. In `NEARNESS` that is always so.
    const COINCIDENT: bool = false;

    /// What is to be known of an agent with this behavior in a tick of this length. `cones` makes cones of fields of view.
    fn perceiver(&self, body: &SteeringAgent, tick: f32, cones: &mut Cones) -> Perceiver;

    /// What [`steer`](SteeringBehavior::steer) gives, times [`weight`](SteeringBehavior::weight).
    fn force(eight: &Eight, sums: &Sums) -> Vectors;
}

/// What these behaviors read.
pub(crate) type AroundParam = (Res<'static, Neighbors>, Query<'static, 'static, &'static GroupWeights>);

/// How much others count for an agent's [`Separation`](crate::behaviors::separation::Separation),
/// [`Alignment`](crate::behaviors::alignment::Alignment), [`Cohesion`](crate::behaviors::cohesion::Cohesion) and
/// [`Flock`](crate::behaviors::flock::Flock), by group.
///
/// The first entry that has a group of the other decides; without one the other counts once. Who counts twice is like two others
/// in the same place. Numbers below zero and NaN are read as zero.
///
/// # Example
///
/// Sheep that mind the dog much more than each other:
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// const SHEEP: u32 = 1 << 0;
/// const DOGS: u32 = 1 << 1;
/// commands.spawn((Separation::default(), SteeringGroups(SHEEP), GroupWeights::new([(DOGS, 10.0)])));
/// # }
/// ```
#[derive(Component, Clone, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
pub struct GroupWeights(pub Vec<GroupWeight>);

/// How much the members of some groups count: see [`GroupWeights`].
#[derive(Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
pub struct GroupWeight {
    /// The groups, a bit for each.
    pub groups: u32,
    /// How many times their members count, ≥ 0.
    pub weight: f32,
}

impl GroupWeights {
    /// From groups and weights.
    pub fn new(weights: impl IntoIterator<Item = (u32, f32)>) -> Self {
        Self(weights.into_iter().map(|(groups, weight)| GroupWeight { groups, weight }).collect())
    }

    /// How much a member of these groups counts.
    pub fn of(&self, groups: u32) -> f32 {
        self.0.iter().find(|entry| entry.groups & groups != 0).map_or(1.0, |entry| entry.weight.max(0.0))
    }
}

/// Nearer than the root of this is as near as can be, units².
const TINY_SQUARED: f32 = 1e-20;

/// Less than this many neighbors are read as this many where a mean is taken, when they count for next to nothing.
pub(crate) const MIN_COUNT: f32 = 1e-20;

/// Sums over the neighbors of one agent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct SumsOfOne {
    pub nearness: Vector,
    pub places: Vector,
    pub place_count: f32,
    pub motion: Vector,
    pub motion_count: f32,
}

/// The sums over the neighbors of one agent, whatever they are like.
pub(crate) fn add_up_one<B: Flocking>(
    behavior: &B,
    agent: &Agent,
    (neighbors, weights): &SystemParamItem<AroundParam>,
) -> SumsOfOne {
    let body = SteeringAgent {
        mass: agent.mass,
        max_speed: agent.max_speed,
        max_force: agent.max_force,
        radius: agent.radius,
        response_time: agent.response_time,
    };
    let perceiver = behavior.perceiver(&body, agent.tick, &mut Cones::default());
    let weights = weights.get(agent.entity).ok();
    let counts = |part: usize, to: Vector| {
        let radius = perceiver.radii[part];
        radius >= 0.0 && to.length_squared() <= radius * radius && sees(perceiver.cones[part], agent.velocity, to)
    };
    let in_any_group = neighbors.are_all_in(perceiver.groups);
    let all_round = |part: usize| perceiver.radii[part] == perceiver.reach() && perceiver.cones[part] == ALL_ROUND;
    let everywhere = [0, 1, 2].into_iter().any(all_round);
    let accepts = |place: usize, to: Vector| {
        (in_any_group || perceiver.groups & neighbors.groups(place) != 0)
            && (everywhere || counts(0, to) || counts(1, to) || counts(2, to))
    };
    let mut sums = SumsOfOne::default();
    neighbors.for_each_nearest_place(agent, perceiver.reach(), perceiver.most as usize, accepts, |place, to| {
        let weight = weights.map_or(1.0, |weights| weights.of(neighbors.groups(place)));
        let apart = if to == Vector::ZERO {
            // As urgent as can be.
            direction_to_coincident(agent.id, neighbors.id(place)) * perceiver.reach()
        } else {
            to
        };
        if counts(0, to) {
            sums.nearness += apart * (weight / to.length_squared().max(TINY_SQUARED));
        }
        if counts(1, to) {
            sums.places += if B::COINCIDENT { apart } else { to } * weight;
            sums.place_count += weight;
        }
        if counts(2, to) {
            sums.motion += neighbors.bodies()[place].velocity * weight;
            sums.motion_count += weight;
        }
    });
    sums
}
