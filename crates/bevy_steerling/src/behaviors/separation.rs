//! Keep away from other agents.

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
use crate::perception::flocking::{CrowdParam, NeighborKernel, Perceiver, Perceiving, Sums, force_of_one};

/// Keeps away from other agents within a radius.
///
#[cfg_attr(doc, doc = figure!("separation"))]
///
#[cfg_attr(not(dim3), doc = "*Separation: a tight crowd moves apart until nobody is within the radius of another.*")]
///
/// # Formula
///
/// Force: `−n(mean displacement to the agents within the radius) · max_separation`, where `n(x)` is the unit vector along `x`
/// (Fernando Bevilacqua, Understanding Steering Behaviors: Queue, 2013). Agents in exactly the same place push each other
/// apart in opposite directions, which follow from their [`SteeringId`](crate::agent::SteeringId)s.
///
/// # When to use it
///
/// To keep a loose distance: hunters around their prey, a crowd that roams. The force is as strong at the edge of the radius as right
/// beside another agent, so agents that want to be in one place jitter. A
/// [`response_time`](crate::agent::SteeringAgent::response_time) of a fifth of a second or a smaller `max_separation` calms them.
/// Separation does not keep bodies from touching: [`AvoidNeighbors`](crate::constraints::avoid_neighbors::AvoidNeighbors) predicts
/// collisions, and [`Solid`](crate::world::solid::Solid) makes them impossible.
///
/// # Combines with
///
/// Every behavior that brings agents together: [`Seek`](crate::behaviors::seek::Seek),
/// [`Pursue`](crate::behaviors::pursue::Pursue), [`Arrive`](crate::behaviors::arrive::Arrive),
/// [`Wander`](crate::behaviors::wander::Wander). With [`Alignment`](crate::behaviors::alignment::Alignment) and
/// [`Cohesion`](crate::behaviors::cohesion::Cohesion) use [`Flock`](crate::behaviors::flock::Flock) instead.
/// [`GroupWeights`](crate::perception::flocking::GroupWeights) make some groups count more.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// for x in 0..10 {
///     commands.spawn((
///         Seek::new(Vec2::new(200.0, 0.0)),
///         Separation::default(),
///         Transform::from_xyz(x as f32, 0.0, 0.0),
///     ));
/// }
/// # }
/// ```
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
#[require(SteeringAgent)]
pub struct Separation {
    /// The distance within which the centers of other agents count, units, ≥ 0. Default: four times the agent's own radius.
    /// Within a negative radius nobody counts.
    pub radius: Option<f32>,
    /// The magnitude of the force, mass · units / s², ≥ 0. Default: the agent's `max_force`. Below 0 it draws agents together.
    pub max_separation: Option<f32>,
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

impl Default for Separation {
    fn default() -> Self {
        Self {
            radius: None,
            max_separation: None,
            field_of_view: TAU,
            groups: GroupMask::ALL,
            max_neighbors: 64,
            weight: 1.0,
        }
    }
}

impl Separation {
    /// Sets the [`radius`](Self::radius), units.
    #[must_use]
    pub fn with_radius(self, radius: f32) -> Self {
        Self { radius: Some(radius), ..self }
    }

    /// Sets [`max_separation`](Self::max_separation), mass · units / s².
    #[must_use]
    pub fn with_max_separation(self, force: f32) -> Self {
        Self { max_separation: Some(force), ..self }
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
    pub(crate) fn radius_for(&self, agent_radius: f32) -> f32 {
        self.radius.unwrap_or(agent_radius * 4.0)
    }
}

/// The force away from neighbors, given the sum of the displacements to them; zero without neighbors.
///
/// ```
/// # use bevy::math::Vec2;
/// # use bevy_steerling::behaviors::separation::force;
/// assert_eq!(force(Vec2::new(3.0, 4.0), 10.0), Vec2::new(-6.0, -8.0));
/// assert_eq!(force(Vec2::ZERO, 10.0), Vec2::ZERO);
/// ```
#[inline]
pub fn force(sum_of_displacements: Vector, max_separation: f32) -> Vector {
    away_from::<f32>(sum_of_displacements.into(), max_separation).into()
}

/// The mean displacement has the direction of the sum.
#[inline(always)]
fn away_from<L: Lanes>(sum_of_displacements: VectorOf<L>, max_separation: L) -> VectorOf<L> {
    sum_of_displacements.normalized() * -max_separation
}

impl NeighborKernel for Separation {
    const PLACES: bool = true;
    const COINCIDENT: bool = true;

    #[inline]
    fn perceiver(&self, body: &SteeringAgent, _: f32, cones: &mut Cones) -> Perceiver {
        Perceiver {
            radii: [self.radius_for(body.radius); 3],
            cones: [cones.get(0, self.field_of_view); 3],
            groups: self.groups,
            most: self.max_neighbors,
            terms: [self.max_separation.unwrap_or(body.max_force.max(0.0)), 0.0, 0.0, 0.0],
            weight: self.weight,
            ..Perceiver::BLIND
        }
    }

    #[inline(always)]
    fn force<L: Lanes>(own: &Perceiving<L>, sums: &Sums<L>) -> VectorOf<L> {
        let [max_separation, ..] = own.terms;
        away_from(sums.places, max_separation)
    }
}

impl SteeringBehavior for Separation {
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
        50
    }

    #[inline]
    fn perception_radius(&self, agent: &SteeringAgent) -> f32 {
        self.radius_for(agent.radius)
    }

    fn draw(&self, _: &Stateless, agent: &Agent, _: &SystemParamItem<'_, '_, Self::Param>, figure: &mut Figure) {
        figure.sector(agent.position, self.radius_for(agent.radius), agent.velocity, self.field_of_view);
    }
}
