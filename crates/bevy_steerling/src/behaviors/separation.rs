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
/// Desired change of velocity: `−max_speed · Σg · Σ g·n(d)`. The sums are over the agents within the radius `R`, `d` is the
/// displacement to an agent, `n(d)` the unit vector along it, and `g = (R/|d| − 1)/2` says how far the agent intrudes: not at all at
/// the radius, 1 at a third of it, where two bodies of the same size touch by default. The change is answered on the scale of all
/// wishes, with the force `change · mass / response time`, as that of [`Arrive`](crate::behaviors::arrive::Arrive).
///
/// So beside one other agent at a third of the radius, Separation and [`Seek`](crate::behaviors::seek::Seek) with the same weight are
/// an even match, at every tick rate. (Above mass 1, a force that answers `Seek` does not grow, so heavy agents keep farther apart.)
/// The factor `Σg` is our own: agents in the middle of a crowd are pushed from all sides, and without it, the outer ones would push
/// them into each other. A change of velocity does not brake: a crowd that only separates drifts apart.
///
/// With `max_separation`, the force is the classic one: `−n(mean displacement to the agents within the radius) · max_separation`
/// (Fernando Bevilacqua, Understanding Steering Behaviors: Queue, 2013). It is as strong at the edge of the radius as right beside
/// another agent, so agents that want to be in one place jitter, and its balance with wishes changes with the tick rate.
///
/// Agents in exactly the same place push each other apart in opposite directions, which follow from their
/// [`SteeringId`](crate::agent::SteeringId)s.
///
/// # When to use it
///
/// To keep a loose distance: hunters around their prey, a crowd that roams, agents that want to be in one place. They come to rest side
/// by side. Agents that run into each other still touch for a moment:
/// [`AvoidNeighbors`](crate::constraints::avoid_neighbors::AvoidNeighbors) predicts collisions, and
/// [`Solid`](crate::world::solid::Solid) makes them impossible. Very light or small agents that cross their own size in less than five
/// ticks may tremble in a crowd: a [`response_time`](crate::agent::SteeringAgent::response_time) of a tenth of a second calms them.
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
    /// The distance within which the centers of other agents count, units, ≥ 0. Default: six times the agent's own radius.
    /// Within a negative radius nobody counts. Agents usually come to rest at a third to a half of it.
    pub radius: Option<f32>,
    /// The magnitude of the classic force, mass · units / s², ≥ 0. Below 0 it draws agents together. Default: none, a wish that grows
    /// as others come closer.
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
        self.radius.unwrap_or(agent_radius * 6.0)
    }
}

/// The change of velocity away from neighbors, given the sum of the directions to them times their intrusions `g`, and the sum of
/// the intrusions; zero without neighbors.
///
/// ```
/// # use bevy::math::Vec2;
/// # use bevy_steerling::behaviors::separation::velocity_change;
/// // One agent at a third of the radius: full speed away from it.
/// assert_eq!(velocity_change(Vec2::X, 1.0, 100.0), Vec2::new(-100.0, 0.0));
/// // Between two, the nearer one counts more.
/// assert_eq!(velocity_change(Vec2::X * 1.5 - Vec2::X, 2.5, 100.0), Vec2::new(-125.0, 0.0));
/// ```
#[inline]
pub fn velocity_change(sum_of_directions: Vector, sum_of_intrusions: f32, max_speed: f32) -> Vector {
    sum_of_directions * (-max_speed * sum_of_intrusions)
}

/// The classic force away from neighbors, given the sum of the displacements to them; zero without neighbors.
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
    const INTRUSION: bool = true;
    const COINCIDENT: bool = true;

    #[inline]
    fn perceiver(&self, body: &SteeringAgent, tick: f32, cones: &mut Cones) -> Perceiver {
        let radius = self.radius_for(body.radius);
        // The change of velocity is per intrusion: `g` is half of one.
        let push = body.max_speed.max(0.0) * body.effective_mass() / (4.0 * body.response_time.max(tick));
        let [max_separation, push] = self.max_separation.map_or([0.0, push], |force| [force, 0.0]);
        Perceiver {
            radii: [radius; 3],
            cones: [cones.get(0, self.field_of_view); 3],
            groups: self.groups,
            most: self.max_neighbors,
            terms: [max_separation, push, 0.0, 0.0],
            intrusion_radius: radius,
            weight: self.weight,
            ..Perceiver::BLIND
        }
    }

    #[inline(always)]
    fn force<L: Lanes>(own: &Perceiving<L>, sums: &Sums<L>) -> VectorOf<L> {
        // One of the two is zero.
        let [max_separation, push, ..] = own.terms;
        away_from(sums.places, max_separation) + sums.intrusion * (sums.intrusions * -push)
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
