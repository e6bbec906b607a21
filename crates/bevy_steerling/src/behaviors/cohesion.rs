//! Stay with the others.

use core::f32::consts::TAU;

use bevy::ecs::system::SystemParamItem;
use bevy::prelude::*;
use wide::f32x8;

use crate::agent::Agent;
use crate::agent::SteeringAgent;
use crate::engine::behavior::{Stateless, SteeringBehavior};
use crate::engine::figure::Figure;
use crate::engine::wish::Wish;
use crate::math::{Vector, normalize};
use crate::perception::field_of_view::Cones;
use crate::perception::flocking::{self, AroundParam, Eight, Flocking, Perceiver, Sums, Vectors};

/// Goes to the middle of the agents around it.
///
#[cfg_attr(doc, doc = figure!("cohesion"))]
///
/// *Cohesion: a scattered crowd draws together; Separation keeps it from being one point.*
///
/// # Formula
///
/// Desired velocity: `n(mean place − position) · max_speed`: it seeks the mean of their positions. Nothing without any.
///
/// # Parameters
///
/// | parameter | unit | range | default | beyond that |
/// |---|---|---|---|---|
/// | [`radius`](Self::radius) | units | ≥ 0 | 8 · the agent's radius | below 0: nobody counts |
/// | [`field_of_view`](Self::field_of_view) | rad | 0 to 2π | 2π | above 2π all round; below 0 only straight ahead |
/// | [`groups`](Self::groups) | bits | any | all | 0: nobody counts |
/// | [`max_neighbors`](Self::max_neighbors) | agents | ≥ 0 | 64 | 0: nobody counts |
/// | [`weight`](Self::weight) | – | ≥ 0 | 1 | below 0 it wants the opposite |
///
/// # When to use it
///
/// For groups that gather and stay together. It always wants full speed, so a crowd that has come together keeps swarming.
///
/// # Combines with
///
/// [`Separation`](crate::behaviors::separation::Separation), without which the crowd becomes one heap. With
/// [`Alignment`](crate::behaviors::alignment::Alignment), too, use [`Flock`](crate::behaviors::flock::Flock): it is all three at
/// the cost of one. [`GroupWeights`](crate::perception::flocking::GroupWeights) make some groups count more.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// for x in 0..10 {
///     commands.spawn((Cohesion::default(), Separation::default(), Transform::from_xyz(x as f32 * 40.0, 0.0, 0.0)));
/// }
/// # }
/// ```
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
#[require(SteeringAgent)]
pub struct Cohesion {
    /// Agents whose centers are within this distance count, units. Default: eight times the agent's own radius.
    pub radius: Option<f32>,
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

impl Default for Cohesion {
    fn default() -> Self {
        Self { radius: None, field_of_view: TAU, groups: u32::MAX, max_neighbors: 64, weight: 1.0 }
    }
}

impl Cohesion {
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
        self.radius.unwrap_or(agent_radius * 8.0)
    }
}

/// At full speed to the mean place, given the sum of the displacements to the others.
///
/// ```
/// # use bevy::math::Vec2;
/// # use bevy_steerling::behaviors::cohesion::desired_velocity;
/// assert_eq!(desired_velocity(Vec2::new(0.0, 12.0), 5.0), Vec2::new(0.0, 5.0));
/// ```
#[inline]
pub fn desired_velocity(sum_of_displacements: Vector, max_speed: f32) -> Vector {
    // The mean has the direction of the sum.
    normalize(sum_of_displacements) * max_speed
}

impl Flocking for Cohesion {
    const PLACES: bool = true;

    #[inline]
    fn perceiver(&self, body: &SteeringAgent, tick: f32, cones: &mut Cones) -> Perceiver {
        Perceiver {
            radii: [self.radius_for(body.radius); 3],
            cones: [cones.get(0, self.field_of_view); 3],
            groups: self.groups,
            most: self.max_neighbors,
            terms: [self.weight, body.response_time.max(tick), body.max_speed.max(0.0), 0.0],
            alone: false,
        }
    }

    #[inline]
    fn force(eight: &Eight, sums: &Sums) -> Vectors {
        let alone = sums.place_count.simd_le(f32x8::ZERO);
        let desired = sums.places.normalized().scaled(eight.terms[2]);
        desired.minus(eight.velocity).scaled(eight.terms[0] / eight.terms[1]).unless(alone)
    }
}

impl Cohesion {
    /// The force, unweighted.
    pub(crate) fn force_on(&self, agent: &Agent, around: &SystemParamItem<AroundParam>) -> Vector {
        let sums = flocking::add_up_one(self, agent, around);
        if sums.place_count > 0.0 {
            agent.force_toward(desired_velocity(sums.places, agent.max_speed))
        } else {
            Vector::ZERO
        }
    }
}

impl SteeringBehavior for Cohesion {
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
        10
    }

    #[inline]
    fn perception_radius(&self, agent: &SteeringAgent) -> f32 {
        self.radius_for(agent.radius)
    }

    fn draw(&self, _: &Stateless, agent: &Agent, around: &SystemParamItem<'_, '_, Self::Param>, figure: &mut Figure) {
        figure.sector(agent.position, self.radius_for(agent.radius), agent.velocity, self.field_of_view);
        let sums = flocking::add_up_one(self, agent, around);
        if sums.place_count > 0.0 {
            figure.point(agent.position + sums.places / sums.place_count);
        }
    }
}
