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
/// The desired change of velocity is `−max_speed · Σg · Σ g·n(d)`. The sums are over the agents within the radius `R`, `d` is the
/// displacement to an agent, and `n(d)` is the unit vector along it. The intrusion `g = (R/|d| − 1)/2` is 0 at the radius, and 1 at a third
/// of it, where two bodies of the same size touch by default. The force is `change · mass / response time`, as for the wish of
/// [`Arrive`](crate::behaviors::arrive::Arrive), so weights mean the same for both.
///
/// So next to a single other agent at a third of the radius, Separation and [`Seek`](crate::behaviors::seek::Seek) with the same weight are
/// in balance, at every tick rate. (Above mass 1, the force of `Seek` does not grow with the mass, so heavy agents keep farther apart.) The
/// factor `Σg` is not in the classic formula. Without it, the outer agents of a crowd would push those in the middle into each other,
/// because agents in the middle are pushed from all sides. A change of velocity does not brake: a crowd with no other behavior drifts
/// apart.
///
/// With `max_separation`, the force is the classic one: `−n(mean displacement to the agents within the radius) · max_separation` (Fernando
/// Bevilacqua, Understanding Steering Behaviors: Queue, 2013). It is as strong at the edge of the radius as right next to another agent, so
/// agents that head for the same place jitter. Its balance with other wishes depends on the tick rate.
///
/// Agents in exactly the same place push each other apart in opposite directions, which are determined by their
/// [`SteeringId`](crate::agent::SteeringId)s.
///
/// # When to use it
///
/// To keep a loose distance: for hunters around their prey, a roaming crowd, or agents that head for the same place, which come to rest
/// side by side. Agents that run into each other still touch for a moment.
/// [`AvoidNeighbors`](crate::constraints::avoid_neighbors::AvoidNeighbors) predicts collisions, and [`Solid`](crate::world::solid::Solid)
/// makes them impossible. Very light or small agents that cover their own size in less than five ticks may tremble in a crowd: a
/// [`response_time`](crate::agent::SteeringAgent::response_time) of a tenth of a second calms them.
///
/// # Combines with
///
/// Every behavior that brings agents together: [`Seek`](crate::behaviors::seek::Seek), [`Pursue`](crate::behaviors::pursue::Pursue),
/// [`Arrive`](crate::behaviors::arrive::Arrive), [`Wander`](crate::behaviors::wander::Wander). With
/// [`Alignment`](crate::behaviors::alignment::Alignment) and [`Cohesion`](crate::behaviors::cohesion::Cohesion), use
/// [`Flock`](crate::behaviors::flock::Flock) instead. [`GroupWeights`](crate::perception::flocking::GroupWeights) make some groups count
/// more than others.
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
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[require(SteeringAgent)]
pub struct Separation {
    /// Agents whose centers are within this distance are neighbors, units, ≥ 0. Default: six times the agent's radius. With a negative
    /// radius there are no neighbors. Agents usually come to rest at a third to a half of the radius from each other.
    pub radius: Option<f32>,
    /// The magnitude of the classic force, mass · units/s², ≥ 0. A negative value draws agents together. Default: none, which gives a
    /// desired change of velocity that grows as others come closer.
    pub max_separation: Option<f32>,
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

    /// Sets [`max_separation`](Self::max_separation), mass · units/s².
    #[must_use]
    pub fn with_max_separation(self, force: f32) -> Self {
        Self { max_separation: Some(force), ..self }
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
    pub(crate) fn radius_for(&self, agent_radius: f32) -> f32 {
        self.radius.unwrap_or(agent_radius * 6.0)
    }
}

/// The change of velocity away from neighbors; zero without neighbors. It is computed from the sum of the directions to them, each times
/// its intrusion `g`, and the sum of the intrusions.
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

/// The classic force away from neighbors, computed from the sum of the displacements to them; zero without neighbors.
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
        // The change of velocity is a product of two sums of `g`. The sums here are of `2·g`, hence the 4.
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
        // One of the two is always zero.
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
