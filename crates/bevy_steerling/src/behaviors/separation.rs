//! Keep away from other agents.

use core::f32::consts::TAU;

use bevy::ecs::system::SystemParamItem;
use bevy::prelude::*;

use crate::agent::Agent;
use crate::agent::SteeringAgent;
use crate::engine::behavior::{Stateless, SteeringBehavior};
use crate::engine::figure::Figure;
use crate::engine::wish::Wish;
use crate::math::{Vector, normalize};
use crate::perception::field_of_view::Cones;
use crate::perception::flocking::{self, AroundParam, Eight, Flocking, Perceiver, Sums, Vectors};

/// Keeps away from other agents within a radius.
///
#[cfg_attr(doc, doc = figure!("separation"))]
///
/// *Separation: a tight crowd moves apart until nobody is within the radius of another.*
///
/// # Formula
///
/// Force: `−n(mean displacement to the agents within radius) · max_separation`, the classic articles'. Agents in exactly
/// one place push each other apart, in opposite directions that follow from their
/// [`SteeringId`](crate::agent::SteeringId)s.
///
/// # Parameters
///
/// | parameter | unit | range | default | beyond that |
/// |---|---|---|---|---|
/// | [`radius`](Self::radius) | units | ≥ 0 | 4 · the agent's radius | below 0: nobody counts |
/// | [`max_separation`](Self::max_separation) | mass · units/s² | ≥ 0 | the agent's `max_force` | below 0 it draws together |
/// | [`field_of_view`](Self::field_of_view) | rad | 0 to 2π | 2π | above 2π all round; below 0 only straight ahead |
/// | [`groups`](Self::groups) | bits | any | all | 0: nobody counts |
/// | [`max_neighbors`](Self::max_neighbors) | agents | ≥ 0 | 64 | 0: nobody counts |
/// | [`weight`](Self::weight) | – | ≥ 0 | 1 | below 0 it wants the opposite |
///
/// # When to use it
///
/// To keep a loose distance: hunters round their prey, a crowd that roams. It pushes as hard at the rim of the radius as right
/// beside another, so agents that want to be in one place jitter; a [`response_time`](crate::agent::SteeringAgent::response_time)
/// of a fifth of a second or a smaller `max_separation` calms them. It does not keep bodies from touching:
/// [`AvoidNeighbors`](crate::constraints::avoid_neighbors::AvoidNeighbors) foresees that, [`Solid`](crate::world::solid::Solid) makes it
/// impossible.
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
    /// Agents whose centers are within this distance count, units. Default: four times the agent's own radius.
    pub radius: Option<f32>,
    /// How hard to push, mass · units / s². Default: the agent's max force.
    pub max_separation: Option<f32>,
    /// Agents within this angle count, radians: half of it to each side of the way the agent moves. At rest it sees all round.
    /// Default: 2π, all round.
    pub field_of_view: f32,
    /// Agents in any of these groups count, a bit for each. Default: all.
    pub groups: u32,
    /// So many agents count at most, the nearest; of those equally near the ones with the smaller numbers. Of no more than about
    /// [`MOST_CANDIDATES`](crate::perception::neighbors::MOST_CANDIDATES) agents around, whatever the radius. Default: 64.
    pub max_neighbors: u32,
    /// Factor on the contribution. Default: 1.
    pub weight: f32,
}

impl Default for Separation {
    fn default() -> Self {
        Self {
            radius: None,
            max_separation: None,
            field_of_view: TAU,
            groups: u32::MAX,
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

    /// Sets the [`groups`](Self::groups) that count.
    #[must_use]
    pub fn with_groups(self, groups: u32) -> Self {
        Self { groups, ..self }
    }

    /// Sets the cap: [`max_neighbors`](Self::max_neighbors).
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
    // The mean has the direction of the sum.
    -normalize(sum_of_displacements) * max_separation
}

impl Flocking for Separation {
    const PLACES: bool = true;
    const COINCIDENT: bool = true;

    #[inline]
    fn perceiver(&self, body: &SteeringAgent, _: f32, cones: &mut Cones) -> Perceiver {
        Perceiver {
            radii: [self.radius_for(body.radius); 3],
            cones: [cones.get(0, self.field_of_view); 3],
            groups: self.groups,
            most: self.max_neighbors,
            terms: [self.max_separation.unwrap_or(body.max_force.max(0.0)) * self.weight, 0.0, 0.0, 0.0],
            alone: false,
        }
    }

    #[inline]
    fn force(eight: &Eight, sums: &Sums) -> Vectors {
        sums.places.normalized().scaled(-eight.terms[0])
    }
}

impl Separation {
    /// The force, unweighted.
    pub(crate) fn force_on(&self, agent: &Agent, around: &SystemParamItem<AroundParam>) -> Vector {
        let sums = flocking::add_up_one(self, agent, around);
        force(sums.places, self.max_separation.unwrap_or(agent.max_force))
    }
}

impl SteeringBehavior for Separation {
    type State = Stateless;
    type Param = AroundParam;

    fn wish(&self, _: &mut Stateless, agent: &Agent, around: &SystemParamItem<'_, '_, Self::Param>) -> Wish {
        Wish::Force(self.force_on(agent, around))
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
