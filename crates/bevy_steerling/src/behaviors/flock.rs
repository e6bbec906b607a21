//! Separation, alignment and cohesion in one look.

use core::f32::consts::TAU;

use bevy::ecs::system::SystemParamItem;
use bevy::prelude::*;
use wide::f32x8;

use super::{alignment, cohesion};
use crate::agent::Agent;
use crate::agent::SteeringAgent;
use crate::engine::behavior::{Stateless, SteeringBehavior};
use crate::engine::figure::Figure;
use crate::engine::wish::Wish;
use crate::math::{Vector, normalize};
use crate::perception::field_of_view::Cones;
use crate::perception::flocking::{self, AroundParam, Eight, Flocking, MIN_COUNT, Perceiver, Sums, Vectors};

/// Flocks: keeps apart from the agents around it, moves as they do, and stays with them.
///
#[cfg_attr(doc, doc = figure!("flock"))]
///
/// *Flock: birds that start every which way keep apart, go the same way and hold together.*
///
/// # Formula
///
/// Force: `w₁·n(Σ −d/|d|²) + w₂·n(v̄ − v) + w₃·n(n(Σ d)·s − v)`, with the displacements `d` to the agents that each part sees,
/// the mean `v̄` of their velocities, the agent's velocity `v` and max speed `s`, and the weights `w`: three unit lengths times
/// weights, as in Reynolds's `OpenSteer`. So each part is as strong as its weight says, whatever the number of neighbors. For
/// separation those who are near count more; alignment pushes toward their mean velocity, cohesion toward full speed to their
/// mean place. A part that sees nobody pushes nowhere.
///
/// All three parts share one look at the neighbors: that is much faster than
/// [`Separation`](crate::behaviors::separation::Separation), [`Alignment`](crate::behaviors::alignment::Alignment) and
/// [`Cohesion`](crate::behaviors::cohesion::Cohesion) on the same agent, which are three. Fastest is a crowd whose parts all
/// have the same radius, see all round and look at all groups.
///
/// # Parameters
///
/// Of each part, `separation`, `alignment` and `cohesion`:
///
/// | parameter | unit | range | default | beyond that |
/// |---|---|---|---|---|
/// | [`radius`](FlockPart::radius) | units | ≥ 0 | 4, 6 and 8 · the agent's radius | below 0: nobody counts |
/// | [`field_of_view`](FlockPart::field_of_view) | rad | 0 to 2π | 2π | above 2π all round; below 0 only straight ahead |
/// | [`weight`](FlockPart::weight) | mass · units/s² | ≥ 0 | 0.45, 0.3 and 0.3 · `max_force` | below 0 it pushes the other way |
///
/// Of the whole:
///
/// | parameter | unit | range | default | beyond that |
/// |---|---|---|---|---|
/// | [`groups`](Self::groups) | bits | any | all | 0: nobody counts |
/// | [`max_neighbors`](Self::max_neighbors) | agents | ≥ 0 | 64 | 0: nobody counts |
/// | [`weight`](Self::weight) | – | ≥ 0 | 1 | below 0 it wants the opposite |
///
/// # When to use it
///
/// Birds, fish, herds, swarms of any size. Several flocks in one place are told apart by
/// [`SteeringGroups`](crate::agent::SteeringGroups) and `groups`. A larger radius of cohesion makes fewer and larger flocks; more
/// separation makes them looser.
///
/// # Combines with
///
/// [`Flee`](crate::behaviors::flee::Flee) or [`Evade`](crate::behaviors::evade::Evade) from a group of hunters, with a weight of
/// 4 or so; [`Wander`](crate::behaviors::wander::Wander) or [`Seek`](crate::behaviors::seek::Seek) with a small weight, which
/// gives the flock a way to go; [`AvoidObstacles`](crate::constraints::avoid_obstacles::AvoidObstacles) and
/// [`Contain`](crate::constraints::contain::Contain). [`GroupWeights`](crate::perception::flocking::GroupWeights) make some groups count more.
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
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
#[require(SteeringAgent)]
pub struct Flock {
    /// Away from those near. Default: within four times the agent's own radius, with 0.45 of its max force.
    pub separation: FlockPart,
    /// The way the others move. Default: within six times the agent's own radius, with 0.3 of its max force.
    pub alignment: FlockPart,
    /// To the middle of the others. Default: within eight times the agent's own radius, with 0.3 of its max force.
    pub cohesion: FlockPart,
    /// Agents in any of these groups count, a bit for each. Default: all.
    pub groups: u32,
    /// So many agents count at most, the nearest; of those equally near the ones with the smaller numbers. Of no more than about
    /// [`MOST_CANDIDATES`](crate::perception::neighbors::MOST_CANDIDATES) agents around, whatever the radius. Default: 64.
    pub max_neighbors: u32,
    /// Factor on the contribution. Default: 1.
    pub weight: f32,
}

/// One of the parts of [`Flock`].
#[derive(Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
pub struct FlockPart {
    /// Agents whose centers are within this distance count, units. Default: a multiple of the agent's own radius.
    pub radius: Option<f32>,
    /// Agents within this angle count, radians: half of it to each side of the way the agent moves. At rest it sees all round.
    /// Default: 2π, all round.
    pub field_of_view: f32,
    /// How strong it is, mass · units / s². Default: a share of the agent's max force.
    pub weight: Option<f32>,
}

impl Default for FlockPart {
    fn default() -> Self {
        Self { radius: None, field_of_view: TAU, weight: None }
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

    /// Sets the [`weight`](Self::weight), mass · units / s².
    #[must_use]
    pub fn with_weight(self, force: f32) -> Self {
        Self { weight: Some(force), ..self }
    }
}

impl Default for Flock {
    fn default() -> Self {
        Self {
            separation: FlockPart::default(),
            alignment: FlockPart::default(),
            cohesion: FlockPart::default(),
            groups: u32::MAX,
            max_neighbors: 64,
            weight: 1.0,
        }
    }
}

/// The default radii, as multiples of the agent's own.
const RADII: [f32; 3] = [4.0, 6.0, 8.0];

/// The default weights, as shares of the agent's max force.
const WEIGHTS: [f32; 3] = [0.45, 0.3, 0.3];

impl Flock {
    /// Sets one [`radius`](FlockPart::radius) for all three parts, units.
    #[must_use]
    pub fn with_radius(self, radius: f32) -> Self {
        Self {
            separation: self.separation.with_radius(radius),
            alignment: self.alignment.with_radius(radius),
            cohesion: self.cohesion.with_radius(radius),
            ..self
        }
    }

    /// Sets how [`separation`](Self::separation) looks and how strong it is.
    #[must_use]
    pub fn with_separation(self, part: FlockPart) -> Self {
        Self { separation: part, ..self }
    }

    /// Sets how [`alignment`](Self::alignment) looks and how strong it is.
    #[must_use]
    pub fn with_alignment(self, part: FlockPart) -> Self {
        Self { alignment: part, ..self }
    }

    /// Sets how [`cohesion`](Self::cohesion) looks and how strong it is.
    #[must_use]
    pub fn with_cohesion(self, part: FlockPart) -> Self {
        Self { cohesion: part, ..self }
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
    fn parts(&self) -> [&FlockPart; 3] {
        [&self.separation, &self.alignment, &self.cohesion]
    }

    /// How far each part looks, units.
    #[inline]
    fn radii(&self, agent_radius: f32) -> [f32; 3] {
        let [separation, alignment, cohesion] = self.parts();
        [
            separation.radius.unwrap_or(agent_radius * RADII[0]),
            alignment.radius.unwrap_or(agent_radius * RADII[1]),
            cohesion.radius.unwrap_or(agent_radius * RADII[2]),
        ]
    }

    /// How strong each part is.
    #[inline]
    fn weights(&self, max_force: f32) -> [f32; 3] {
        let [separation, alignment, cohesion] = self.parts();
        [
            separation.weight.unwrap_or(max_force * WEIGHTS[0]),
            alignment.weight.unwrap_or(max_force * WEIGHTS[1]),
            cohesion.weight.unwrap_or(max_force * WEIGHTS[2]),
        ]
    }
}

/// The sum of the directions of separation, alignment and cohesion, times their weights.
///
/// `nearness` is the sum of the displacements to the neighbors, each divided by the square of its length; the other two are the
/// changes of velocity that would bring the agent to the mean velocity of its neighbors, and to full speed toward their mean place.
///
/// ```
/// # use bevy::math::Vec2;
/// # use bevy_steerling::behaviors::flock::force;
/// let neighbor = Vec2::new(0.0, 2.0);
/// let (alignment, cohesion) = (Vec2::new(90.0, 0.0), Vec2::new(0.0, 50.0));
/// assert_eq!(force(neighbor / neighbor.length_squared(), alignment, cohesion, [12.0, 8.0, 5.0]), Vec2::new(8.0, -7.0));
/// ```
#[inline]
pub fn force(nearness: Vector, alignment: Vector, cohesion: Vector, weights: [f32; 3]) -> Vector {
    normalize(nearness) * -weights[0] + normalize(alignment) * weights[1] + normalize(cohesion) * weights[2]
}

impl Flocking for Flock {
    const NEARNESS: bool = true;
    const PLACES: bool = true;
    const MOTION: bool = true;

    #[inline]
    fn perceiver(&self, body: &SteeringAgent, _: f32, cones: &mut Cones) -> Perceiver {
        let [separation, alignment, cohesion] = self.radii(body.radius);
        let [keep_apart, align, stay] = self.weights(body.max_force.max(0.0));
        let [s, a, c] = self.parts();
        Perceiver {
            radii: [separation, cohesion, alignment],
            cones: [cones.get(0, s.field_of_view), cones.get(1, c.field_of_view), cones.get(2, a.field_of_view)],
            groups: self.groups,
            most: self.max_neighbors,
            terms: [-keep_apart * self.weight, align * self.weight, stay * self.weight, body.max_speed.max(0.0)],
            alone: false,
        }
    }

    #[inline]
    fn force(eight: &Eight, sums: &Sums) -> Vectors {
        let [keep_apart, align, stay, max_speed] = eight.terms;
        let nobody = f32x8::ZERO;
        let mean = sums.motion.scaled(f32x8::ONE / sums.motion_count.fast_max(f32x8::splat(MIN_COUNT)));
        let alignment = mean.minus(eight.velocity).normalized().unless(sums.motion_count.simd_le(nobody));
        let wish = sums.places.normalized().scaled(max_speed);
        let cohesion = wish.minus(eight.velocity).normalized().unless(sums.place_count.simd_le(nobody));
        let separation = sums.nearness.normalized();
        separation.scaled(keep_apart).plus(alignment.scaled(align)).plus(cohesion.scaled(stay))
    }
}

impl Flock {
    /// The force, unweighted.
    pub(crate) fn force_on(&self, agent: &Agent, around: &SystemParamItem<AroundParam>) -> Vector {
        let sums = flocking::add_up_one(self, agent, around);
        let change = |desired: Option<Vector>| desired.map_or(Vector::ZERO, |desired| desired - agent.velocity);
        let alignment = alignment::desired_velocity(sums.motion, sums.motion_count);
        let cohesion = (sums.place_count > 0.0).then(|| cohesion::desired_velocity(sums.places, agent.max_speed));
        force(sums.nearness, change(alignment), change(cohesion), self.weights(agent.max_force))
    }
}

impl SteeringBehavior for Flock {
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
        self.radii(agent.radius).into_iter().fold(0.0, f32::max)
    }

    fn draw(&self, _: &Stateless, agent: &Agent, _: &SystemParamItem<'_, '_, Self::Param>, figure: &mut Figure) {
        for (part, radius) in self.parts().into_iter().zip(self.radii(agent.radius)) {
            figure.sector(agent.position, radius, agent.velocity, part.field_of_view);
        }
    }
}
