//! Match the velocity of nearby agents.

use core::f32::consts::TAU;

use bevy::ecs::system::SystemParamItem;
use bevy::prelude::*;

use crate::agent::{Agent, GroupMask, SteeringAgent};
use crate::engine::behavior::{Stateless, SteeringBehavior};
use crate::engine::figure::Figure;
use crate::engine::wish::Wish;
use crate::math::Vector;
use crate::math::lanes::{Lanes, VectorOf};
use crate::perception::field_of_view::Cones;
use crate::perception::flocking::{CrowdParam, NeighborKernel, Perceiver, Perceiving, Sums, force_of_one, mean};

/// Matches the mean velocity of nearby agents.
///
#[cfg_attr(doc, doc = figure!("alignment"))]
///
#[cfg_attr(not(dim3), doc = "*Alignment: agents that start in all directions agree on a velocity.*")]
///
/// # Formula
///
/// The desired velocity is the mean of the neighbors' velocities. Without neighbors the force is zero. Reynolds (1999) averages headings;
/// averaging velocities makes the crowd agree on a speed as well.
///
/// # When to use it
///
/// For streams, shoals and herds that move in the same direction but do not stay together. If the velocities in a crowd cancel out, the
/// crowd comes to a stop: add [`Wander`](crate::behaviors::wander::Wander) or [`Seek`](crate::behaviors::seek::Seek) to keep it moving. To
/// match the velocity of *one* target, use [`MatchVelocity`](crate::behaviors::match_velocity::MatchVelocity).
///
/// # Combines with
///
/// With [`Separation`](crate::behaviors::separation::Separation) and [`Cohesion`](crate::behaviors::cohesion::Cohesion) it forms a flock.
/// [`Flock`](crate::behaviors::flock::Flock) combines all three at the cost of one.
/// [`GroupWeights`](crate::perception::flocking::GroupWeights) make some groups count more than others.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// for x in 0..10 {
///     commands.spawn((Wander::default(), Alignment::default(), Transform::from_xyz(x as f32 * 20.0, 0.0, 0.0)));
/// }
/// # }
/// ```
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[require(SteeringAgent)]
pub struct Alignment {
    /// Agents whose centers are within this distance are neighbors, units, ≥ 0. Default: six times the agent's radius. With a negative
    /// radius there are no neighbors.
    pub radius: Option<f32>,
    /// The field of view, centered on the agent's velocity, radians, 0 to 2π. Default: 2π, all around. Larger values count as 2π. With a
    /// negative value the agent sees only straight ahead. An agent at rest always sees all around.
    pub field_of_view: f32,
    /// The groups whose members are neighbors, as a bit mask: see [`SteeringGroups`](crate::agent::SteeringGroups). Default: all. With 0
    /// there are no neighbors.
    pub groups: GroupMask,
    /// The maximum number of neighbors. The nearest agents are chosen; of equally near agents, those with the smallest
    /// [`SteeringId`](crate::agent::SteeringId)s. With 0 there are no neighbors. If a crowd is so dense that more than about
    /// [`MOST_CANDIDATES`](crate::perception::neighbors::MOST_CANDIDATES) agents are within the radius, only that many are considered.
    /// Default: 64.
    pub max_neighbors: u32,
    /// The factor on the force. Default: 1. A negative weight reverses the force.
    pub weight: f32,
}

impl Default for Alignment {
    fn default() -> Self {
        Self { radius: None, field_of_view: TAU, groups: GroupMask::ALL, max_neighbors: 64, weight: 1.0 }
    }
}

impl Alignment {
    /// Sets the [`radius`](Self::radius), units.
    #[must_use]
    pub fn with_radius(self, radius: f32) -> Self {
        Self { radius: Some(radius), ..self }
    }

    /// Sets the [`field_of_view`](Self::field_of_view), radians.
    #[must_use]
    pub fn with_field_of_view(self, angle: f32) -> Self {
        Self { field_of_view: angle, ..self }
    }

    /// Sets the [`groups`](Self::groups) whose members are neighbors.
    #[must_use]
    pub fn with_groups(self, groups: GroupMask) -> Self {
        Self { groups, ..self }
    }

    /// Sets [`max_neighbors`](Self::max_neighbors), the maximum number of neighbors.
    #[must_use]
    pub fn with_max_neighbors(self, count: u32) -> Self {
        Self { max_neighbors: count, ..self }
    }

    /// Sets the [`weight`](Self::weight).
    #[must_use]
    pub fn with_weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }

    #[inline]
    fn radius_for(&self, agent_radius: f32) -> f32 {
        self.radius.unwrap_or(agent_radius * 6.0)
    }
}

/// The mean of velocities, computed from their sum and their number; `None` if there are none.
///
/// ```
/// # use bevy::math::Vec2;
/// # use bevy_steerling::behaviors::alignment::desired_velocity;
/// assert_eq!(desired_velocity(Vec2::new(6.0, 2.0), 2.0), Some(Vec2::new(3.0, 1.0)));
/// assert_eq!(desired_velocity(Vec2::ZERO, 0.0), None);
/// ```
#[inline]
pub fn desired_velocity(sum_of_velocities: Vector, count: f32) -> Option<Vector> {
    (count > 0.0).then(|| mean::<f32>(sum_of_velocities.into(), count).into())
}

impl NeighborKernel for Alignment {
    const MOTION: bool = true;

    #[inline]
    fn perceiver(&self, body: &SteeringAgent, tick: f32, cones: &mut Cones) -> Perceiver {
        Perceiver {
            radii: [self.radius_for(body.radius); 3],
            cones: [cones.get(0, self.field_of_view); 3],
            groups: self.groups,
            most: self.max_neighbors,
            terms: [body.effective_response_time(tick), 0.0, 0.0, 0.0],
            weight: self.weight,
            ..Perceiver::BLIND
        }
    }

    #[inline(always)]
    fn force<L: Lanes>(own: &Perceiving<L>, sums: &Sums<L>) -> VectorOf<L> {
        let [response_time, ..] = own.terms;
        let force = (sums.mean_velocity() - own.velocity) * (response_time.splat(1.0) / response_time);
        force.masked(sums.motion_count.simd_gt(response_time.splat(0.0)))
    }
}

impl SteeringBehavior for Alignment {
    type State = Stateless;
    type Param = CrowdParam<Self>;
    const PRECOMPUTED: bool = true;

    fn wish(&self, _: &mut Stateless, agent: &Agent, (around, _): &SystemParamItem<'_, '_, Self::Param>) -> Wish {
        Wish::Force(force_of_one(self, agent, around))
    }

    #[inline]
    fn computed_force(&self, agent: Entity, (around, crowd): &SystemParamItem<'_, '_, Self::Param>) -> Option<Vector> {
        crowd.force(agent, &around.0)
    }

    #[inline]
    fn weight(&self) -> f32 {
        self.weight
    }

    fn priority(&self) -> i32 {
        10
    }

    #[inline]
    fn perception_radius(&self, agent: &SteeringAgent) -> f32 {
        self.radius_for(agent.radius)
    }

    fn draw(&self, _: &Stateless, agent: &Agent, _: &SystemParamItem<'_, '_, Self::Param>, figure: &mut Figure) {
        figure.sector(agent.position, self.radius_for(agent.radius), agent.velocity, self.field_of_view);
    }
}
