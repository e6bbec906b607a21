//! Match the velocity of the agents around.

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

/// Matches the mean velocity of the agents around it.
///
#[cfg_attr(doc, doc = figure!("alignment"))]
///
#[cfg_attr(not(dim3), doc = "*Alignment: agents that start in all directions agree on a velocity.*")]
///
/// # Formula
///
/// Desired velocity: the mean of their velocities. Without neighbors the force is zero. (Reynolds 1999 averages headings; with
/// velocities a crowd agrees on its speed, too.)
///
/// # When to use it
///
/// For streams, shoals and herds that move in the same direction without staying together. A crowd whose velocities cancel out
/// agrees on standing still: [`Wander`](crate::behaviors::wander::Wander) or [`Seek`](crate::behaviors::seek::Seek) keeps it going.
/// To match the velocity of *one* target, use [`MatchVelocity`](crate::behaviors::match_velocity::MatchVelocity).
///
/// # Combines with
///
/// Together with [`Separation`](crate::behaviors::separation::Separation) and [`Cohesion`](crate::behaviors::cohesion::Cohesion)
/// it makes a flock; [`Flock`](crate::behaviors::flock::Flock) is all three at the cost of one.
/// [`GroupWeights`](crate::perception::flocking::GroupWeights) make some groups count more.
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
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
#[require(SteeringAgent)]
pub struct Alignment {
    /// The distance within which the centers of other agents count, units, ≥ 0. Default: six times the agent's own radius.
    /// Within a negative radius nobody counts.
    pub radius: Option<f32>,
    /// The field of view, radians from 0 to 2π: half of it is to each side of the agent's velocity. An agent at rest sees all
    /// round. Default: 2π, all round; above that, too. Below 0 it sees only straight ahead.
    pub field_of_view: f32,
    /// The groups whose members count, a bit for each: see [`SteeringGroups`](crate::agent::SteeringGroups). Default: all. With 0
    /// nobody counts.
    pub groups: GroupMask,
    /// The largest number of agents that count: the nearest, and of those equally near the ones with the smaller
    /// [`SteeringId`](crate::agent::SteeringId)s. With 0 nobody counts. In a crowd so dense that more than about
    /// [`MOST_CANDIDATES`](crate::perception::neighbors::MOST_CANDIDATES) are within the radius, only so many are considered. Default: 64.
    pub max_neighbors: u32,
    /// Factor on the force, ≥ 0. Default: 1. Below 0 the agent does the opposite.
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

    /// Sets the [`groups`](Self::groups) whose members count.
    #[must_use]
    pub fn with_groups(self, groups: GroupMask) -> Self {
        Self { groups, ..self }
    }

    /// Sets the largest number of agents that count: [`max_neighbors`](Self::max_neighbors).
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

/// The mean of velocities, given their sum and number; `None` if there are none.
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
