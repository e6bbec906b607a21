//! Move as the others do.

use core::f32::consts::TAU;

use bevy::ecs::system::SystemParamItem;
use bevy::prelude::*;
use wide::f32x8;

use crate::agent::Agent;
use crate::agent::SteeringAgent;
use crate::engine::behavior::{Stateless, SteeringBehavior};
use crate::engine::figure::Figure;
use crate::engine::wish::Wish;
use crate::math::Vector;
use crate::perception::field_of_view::Cones;
use crate::perception::flocking::{self, AroundParam, Eight, Flocking, MIN_COUNT, Perceiver, Sums, Vectors};

/// Moves as the agents around it do.
///
#[cfg_attr(doc, doc = figure!("alignment"))]
///
/// *Alignment: agents that start every which way agree on a velocity.*
///
/// # Formula
///
/// Desired velocity: the mean of their velocities. Nothing without any. (Reynolds 1999 takes headings instead of velocities;
/// with velocities a crowd agrees on its speed too.)
///
/// # Parameters
///
/// | parameter | unit | range | default | beyond that |
/// |---|---|---|---|---|
/// | [`radius`](Self::radius) | units | ≥ 0 | 6 · the agent's radius | below 0: nobody counts |
/// | [`field_of_view`](Self::field_of_view) | rad | 0 to 2π | 2π | above 2π all round; below 0 only straight ahead |
/// | [`groups`](Self::groups) | bits | any | all | 0: nobody counts |
/// | [`max_neighbors`](Self::max_neighbors) | agents | ≥ 0 | 64 | 0: nobody counts |
/// | [`weight`](Self::weight) | – | ≥ 0 | 1 | below 0 it wants the opposite |
///
/// # When to use it
///
/// For streams, shoals and herds that go the same way without keeping together. A crowd whose velocities cancel out agrees on
/// standing still: [`Wander`](crate::behaviors::wander::Wander) or [`Seek`](crate::behaviors::seek::Seek) keeps it going. To move
/// as *one* target does use [`MatchVelocity`](crate::behaviors::match_velocity::MatchVelocity).
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
    /// Agents whose centers are within this distance count, units. Default: six times the agent's own radius.
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

impl Default for Alignment {
    fn default() -> Self {
        Self { radius: None, field_of_view: TAU, groups: u32::MAX, max_neighbors: 64, weight: 1.0 }
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
        self.radius.unwrap_or(agent_radius * 6.0)
    }
}

/// The mean of velocities, given their sum and number; `None` of nobody.
///
/// ```
/// # use bevy::math::Vec2;
/// # use bevy_steerling::behaviors::alignment::desired_velocity;
/// assert_eq!(desired_velocity(Vec2::new(6.0, 2.0), 2.0), Some(Vec2::new(3.0, 1.0)));
/// assert_eq!(desired_velocity(Vec2::ZERO, 0.0), None);
/// ```
#[inline]
pub fn desired_velocity(sum_of_velocities: Vector, count: f32) -> Option<Vector> {
    (count > 0.0).then(|| sum_of_velocities / count.max(MIN_COUNT))
}

impl Flocking for Alignment {
    const MOTION: bool = true;

    #[inline]
    fn perceiver(&self, body: &SteeringAgent, tick: f32, cones: &mut Cones) -> Perceiver {
        Perceiver {
            radii: [self.radius_for(body.radius); 3],
            cones: [cones.get(0, self.field_of_view); 3],
            groups: self.groups,
            most: self.max_neighbors,
            terms: [self.weight, body.response_time.max(tick), 0.0, 0.0],
            alone: false,
        }
    }

    #[inline]
    fn force(eight: &Eight, sums: &Sums) -> Vectors {
        let alone = sums.motion_count.simd_le(f32x8::ZERO);
        let mean = sums.motion.scaled(f32x8::ONE / sums.motion_count.fast_max(f32x8::splat(MIN_COUNT)));
        mean.minus(eight.velocity).scaled(eight.terms[0] / eight.terms[1]).unless(alone)
    }
}

impl Alignment {
    /// The force, unweighted.
    pub(crate) fn force_on(&self, agent: &Agent, around: &SystemParamItem<AroundParam>) -> Vector {
        let sums = flocking::add_up_one(self, agent, around);
        desired_velocity(sums.motion, sums.motion_count).map_or(Vector::ZERO, |desired| agent.force_toward(desired))
    }
}

impl SteeringBehavior for Alignment {
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

    fn draw(&self, _: &Stateless, agent: &Agent, _: &SystemParamItem<'_, '_, Self::Param>, figure: &mut Figure) {
        figure.sector(agent.position, self.radius_for(agent.radius), agent.velocity, self.field_of_view);
    }
}
