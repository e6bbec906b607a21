//! Separation, alignment and cohesion with one neighbor search.

use core::f32::consts::TAU;

use bevy::ecs::system::SystemParamItem;
use bevy::prelude::*;

use crate::agent::{Agent, GroupMask, SteeringAgent};
use crate::behaviors::cohesion;
use crate::engine::behavior::{Stateless, SteeringBehavior};
use crate::engine::figure::Figure;
use crate::engine::wish::Wish;
use crate::math::Vector;
use crate::math::lanes::{Lanes, VectorOf};
use crate::perception::field_of_view::Cones;
use crate::perception::flocking::{CrowdParam, NeighborKernel, Perceiver, Perceiving, Sums, force_of_one};

/// Flocks with nearby agents: keeps apart from them, matches their velocity, and stays with them.
///
#[cfg_attr(doc, doc = figure!("flock"))]
///
#[cfg_attr(
    not(dim3),
    doc = "*Flock: birds that start in all directions keep apart, head the same way and stay together.*"
)]
///
/// # Formula
///
/// The force is `w₁·n(Σ −d/|d|²) + w₂·n(v̄ − v) + w₃·n(n(Σ d)·s − v)`, where `n(x)` is the unit vector along `x`, `d` are the displacements
/// to the neighbors of each part, `v̄` is the mean of their velocities, `v` is the agent's velocity, `s` is its `max_speed`, and `w` are
/// the strengths of the parts. Each part is a unit vector times its strength, as in Reynolds's `OpenSteer`, so it does not depend on the
/// number of neighbors. Separation weights near neighbors most. Alignment steers to the mean velocity of the neighbors, and cohesion to
/// full speed toward their mean position. A part without neighbors contributes nothing.
///
/// All three parts share one neighbor search. This is much faster than [`Separation`](crate::behaviors::separation::Separation),
/// [`Alignment`](crate::behaviors::alignment::Alignment) and [`Cohesion`](crate::behaviors::cohesion::Cohesion) on the same agent, which
/// search three times. A crowd is fastest if all parts have the same radius, see all around and consider all groups.
///
/// # When to use it
///
/// For birds, fish, herds and swarms of any size. To keep several flocks in the same area apart, give them different
/// [`SteeringGroups`](crate::agent::SteeringGroups) and set `groups`. A larger cohesion radius makes fewer and larger flocks; stronger
/// separation makes them looser.
///
/// # Combines with
///
/// - [`Flee`](crate::behaviors::flee::Flee) or [`Evade`](crate::behaviors::evade::Evade) from a group of hunters, with a weight of about 4.
/// - [`Wander`](crate::behaviors::wander::Wander) or [`Seek`](crate::behaviors::seek::Seek) with a small weight, to give the flock a
///   direction.
/// - [`AvoidObstacles`](crate::constraints::avoid_obstacles::AvoidObstacles) and [`Contain`](crate::constraints::contain::Contain).
/// - [`GroupWeights`](crate::perception::flocking::GroupWeights), to make some groups count more than others.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// let mut flock = Flock::default();
/// // Birds keep a little more distance and do not see what is behind them.
/// flock.separation.radius = Some(40.0);
/// flock.alignment.field_of_view = 4.0;
/// flock.cohesion.field_of_view = 4.0;
/// for x in 0..20 {
///     commands.spawn((
///         flock.clone(),
///         Velocity(Vec2::new(50.0, x as f32)),
///         Transform::from_xyz(0.0, x as f32 * 20.0, 0.0),
///     ));
/// }
/// # }
/// ```
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[require(SteeringAgent)]
pub struct Flock {
    /// Keeps apart from neighbors. Default: a radius of four times the agent's own, a strength of 0.45 times its `max_force`.
    pub separation: FlockPart,
    /// Matches the velocity of neighbors. Default: a radius of six times the agent's own, a strength of 0.3 times its `max_force`.
    pub alignment: FlockPart,
    /// Moves toward the center of neighbors. Default: a radius of eight times the agent's own, a strength of 0.3 times its `max_force`.
    pub cohesion: FlockPart,
    /// The groups whose members are neighbors, as a bit mask: see [`SteeringGroups`](crate::agent::SteeringGroups). Default: all. With 0
    /// there are no neighbors.
    pub groups: GroupMask,
    /// The maximum number of neighbors. The nearest agents are chosen; of equally near agents, those with the smallest
    /// [`SteeringId`](crate::agent::SteeringId)s. With 0 there are no neighbors. If a crowd is so dense that more than about
    /// [`MOST_CANDIDATES`](crate::perception::neighbors::MOST_CANDIDATES) agents are within a radius, only that many are considered.
    /// Default: 64.
    pub max_neighbors: u32,
    /// The factor on the force. Default: 1. A negative weight reverses the force.
    pub weight: f32,
}

/// One of the parts of [`Flock`].
#[derive(Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub struct FlockPart {
    /// Agents whose centers are within this distance are neighbors, units, ≥ 0. Default: a multiple of the agent's radius: see [`Flock`].
    /// With a negative radius there are no neighbors.
    pub radius: Option<f32>,
    /// The field of view, centered on the agent's velocity, radians, 0 to 2π. Default: 2π, all around. Larger values count as 2π. With a
    /// negative value the agent sees only straight ahead. An agent at rest always sees all around.
    pub field_of_view: f32,
    /// The magnitude of the part's force, mass · units/s², ≥ 0. Default: a share of the agent's `max_force`: see [`Flock`]. A negative
    /// strength reverses the force.
    pub strength: Option<f32>,
}

impl Default for FlockPart {
    fn default() -> Self {
        Self { radius: None, field_of_view: TAU, strength: None }
    }
}

impl FlockPart {
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

    /// Sets the [`strength`](Self::strength), mass · units/s².
    #[must_use]
    pub fn with_strength(self, force: f32) -> Self {
        Self { strength: Some(force), ..self }
    }
}

impl Default for Flock {
    fn default() -> Self {
        Self {
            separation: FlockPart::default(),
            alignment: FlockPart::default(),
            cohesion: FlockPart::default(),
            groups: GroupMask::ALL,
            max_neighbors: 64,
            weight: 1.0,
        }
    }
}

/// The default radii, as multiples of the agent's own.
const RADII: [f32; 3] = [4.0, 6.0, 8.0];

/// The default strengths, as shares of the agent's max force.
const STRENGTHS: [f32; 3] = [0.45, 0.3, 0.3];

impl Flock {
    /// Sets the same [`radius`](FlockPart::radius) for all three parts, units.
    #[must_use]
    pub fn with_radius(self, radius: f32) -> Self {
        Self {
            separation: self.separation.with_radius(radius),
            alignment: self.alignment.with_radius(radius),
            cohesion: self.cohesion.with_radius(radius),
            ..self
        }
    }

    /// Sets the radius, the field of view and the strength of [`separation`](Self::separation).
    #[must_use]
    pub fn with_separation(self, part: FlockPart) -> Self {
        Self { separation: part, ..self }
    }

    /// Sets the radius, the field of view and the strength of [`alignment`](Self::alignment).
    #[must_use]
    pub fn with_alignment(self, part: FlockPart) -> Self {
        Self { alignment: part, ..self }
    }

    /// Sets the radius, the field of view and the strength of [`cohesion`](Self::cohesion).
    #[must_use]
    pub fn with_cohesion(self, part: FlockPart) -> Self {
        Self { cohesion: part, ..self }
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
    fn parts(&self) -> [&FlockPart; 3] {
        [&self.separation, &self.alignment, &self.cohesion]
    }

    /// The radius of each part, units.
    #[inline]
    fn radii(&self, agent_radius: f32) -> [f32; 3] {
        let [separation, alignment, cohesion] = self.parts();
        [
            separation.radius.unwrap_or(agent_radius * RADII[0]),
            alignment.radius.unwrap_or(agent_radius * RADII[1]),
            cohesion.radius.unwrap_or(agent_radius * RADII[2]),
        ]
    }

    /// The strength of each part, mass · units/s².
    #[inline]
    fn strengths(&self, max_force: f32) -> [f32; 3] {
        let [separation, alignment, cohesion] = self.parts();
        [
            separation.strength.unwrap_or(max_force * STRENGTHS[0]),
            alignment.strength.unwrap_or(max_force * STRENGTHS[1]),
            cohesion.strength.unwrap_or(max_force * STRENGTHS[2]),
        ]
    }
}

/// The sum of the directions of separation, alignment and cohesion, times their strengths.
///
/// `nearness` is the sum of the displacements to the neighbors, each divided by the square of its length. `alignment` is the change of
/// velocity to the mean velocity of the neighbors, and `cohesion` the change to full speed toward their mean position.
///
/// ```
/// # use bevy::math::Vec2;
/// # use bevy_steerling::behaviors::flock::force;
/// let neighbor = Vec2::new(0.0, 2.0);
/// let (alignment, cohesion) = (Vec2::new(90.0, 0.0), Vec2::new(0.0, 50.0));
/// assert_eq!(force(neighbor / neighbor.length_squared(), alignment, cohesion, [12.0, 8.0, 5.0]), Vec2::new(8.0, -7.0));
/// ```
#[inline]
pub fn force(nearness: Vector, alignment: Vector, cohesion: Vector, strengths: [f32; 3]) -> Vector {
    sum_of_parts::<f32>(nearness.into(), alignment.into(), cohesion.into(), strengths).into()
}

#[inline(always)]
fn sum_of_parts<L: Lanes>(
    nearness: VectorOf<L>,
    alignment: VectorOf<L>,
    cohesion: VectorOf<L>,
    [separate, align, cohere]: [L; 3],
) -> VectorOf<L> {
    nearness.normalized() * -separate + alignment.normalized() * align + cohesion.normalized() * cohere
}

impl NeighborKernel for Flock {
    const DIFFERENT: bool = true;
    const NEARNESS: bool = true;
    const PLACES: bool = true;
    const MOTION: bool = true;

    #[inline]
    fn perceiver(&self, body: &SteeringAgent, _: f32, cones: &mut Cones) -> Perceiver {
        let [separation, alignment, cohesion] = self.radii(body.radius);
        let [separate, align, cohere] = self.strengths(body.max_force.max(0.0));
        let [s, a, c] = self.parts();
        Perceiver {
            radii: [separation, cohesion, alignment],
            cones: [cones.get(0, s.field_of_view), cones.get(1, c.field_of_view), cones.get(2, a.field_of_view)],
            groups: self.groups,
            most: self.max_neighbors,
            terms: [separate, align, cohere, body.max_speed.max(0.0)],
            weight: self.weight,
            ..Perceiver::BLIND
        }
    }

    #[inline(always)]
    fn force<L: Lanes>(own: &Perceiving<L>, sums: &Sums<L>) -> VectorOf<L> {
        let [separate, align, cohere, max_speed] = own.terms;
        let nobody = max_speed.splat(0.0);
        let alignment = (sums.mean_velocity() - own.velocity).masked(sums.motion_count.simd_gt(nobody));
        let desired = cohesion::toward(sums.places, max_speed);
        let cohesion = (desired - own.velocity).masked(sums.place_count.simd_gt(nobody));
        sum_of_parts(sums.nearness, alignment, cohesion, [separate, align, cohere])
    }
}

impl SteeringBehavior for Flock {
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
        self.radii(agent.radius).into_iter().fold(0.0, f32::max)
    }

    fn draw(&self, _: &Stateless, agent: &Agent, _: &SystemParamItem<'_, '_, Self::Param>, figure: &mut Figure) {
        for (part, radius) in self.parts().into_iter().zip(self.radii(agent.radius)) {
            figure.sector(agent.position, radius, agent.velocity, part.field_of_view);
        }
    }
}
