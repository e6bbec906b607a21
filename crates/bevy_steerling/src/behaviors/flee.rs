//! Run away from a target.

use bevy::ecs::system::SystemParamItem;
use bevy::prelude::*;

use crate::agent::random::angle_from;
use crate::engine::behavior::{Agent, SteeringBehavior};
use crate::engine::figure::Figure;
use crate::math::{Vector, normalize, unit_vector};
use crate::perception::target::{Kinematics, Target, Targets};
use crate::prelude::SteeringAgent;

/// Members of a group matter, where no panic distance says how far, within the way that the agent runs in so many seconds.
const GROUP_TIME: f32 = 1.0;

/// The length of the mean way out from which on several that are fled from agree well enough.
const AGREEMENT: f32 = 0.25;

/// Nearer than this, units, is no nearer: the weights of those fled from stay finite.
const NEAREST: f32 = 1e-15;

/// Runs away from a target at full speed.
///
#[cfg_attr(doc, doc = figure!("flee"))]
///
/// *Flee: three agents run straight on until the threat is within panic distance, and away from it then.*
///
/// # Formula
///
/// Desired velocity: `−n(target − position) · max_speed` (Craig Reynolds, Steering Behaviors for Autonomous Characters,
/// 1999). From the target's own place it runs in a direction that follows from its
/// [`SteeringId`](crate::agent::SteeringId). Farther away than the panic distance, where one is set, it wants nothing and
/// keeps its velocity.
///
/// # From a group
///
/// From a [`Target::Group`] it runs away from every member within the panic distance `D`, the near ones above all. Each is `dᵢ`
/// away, and away from it leads the unit vector `aᵢ`; then the mean way out is
///
/// `a = Σ wᵢ·aᵢ / Σ wᵢ`, with `wᵢ = 1/dᵢ − 1/D`,
///
/// so that nobody matters suddenly who comes within `D` of an agent that already flees. As long as the members about agree
/// (`|a| ≥ ¼`) the desired velocity is `n(a) · max_speed`. An agent that they surround has no way out: what it desires gets shorter
/// with `4·|a|`, and the rest is a direction of its own that follows from its number. So nothing jumps as it goes through the
/// midst of them, and it does not stop there. A single member is fled from as any target.
///
/// # Parameters
///
/// | parameter | unit | range | default | beyond that |
/// |---|---|---|---|---|
/// | [`target`](Self::target) | – | a place, an entity, a group | – | one that is gone gives no force |
/// | [`panic_distance`](Self::panic_distance) | units | ≥ 0 | none; of a group `max_speed · 1 s` | below 0 it never flees |
/// | [`weight`](Self::weight) | – | ≥ 0 | 1 | below 0 it wants the opposite |
///
/// # When to use it
///
/// To keep away from a place or a thing that stands or moves slowly. From something fast, that comes to get it, an agent runs
/// better by [`Evade`](crate::behaviors::evade::Evade). Without a panic distance it runs for ever.
///
/// # Combines with
///
/// What the agent does while it is calm: [`Wander`](crate::behaviors::wander::Wander),
/// [`Arrive`](crate::behaviors::arrive::Arrive) at its own place, [`Flock`](crate::behaviors::flock::Flock). Give `Flee` the
/// larger weight (4, say), so that it wins in a panic. [`Contain`](crate::constraints::contain::Contain) or
/// [`SteeringBounds`](crate::math::space::SteeringBounds) keep it from running out of the world,
/// [`AvoidObstacles`](crate::constraints::avoid_obstacles::AvoidObstacles) out of walls.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # const SHARKS: u32 = 1 << 1;
/// # fn setup(mut commands: Commands) {
/// commands.spawn((Flee::new(Vec2::new(200.0, 0.0)).with_panic_distance(150.0), Transform::default()));
/// // From every shark.
/// commands.spawn((Flee::new(Target::Group(SHARKS)).with_panic_distance(150.0), Transform::default()));
/// # }
/// ```
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
#[require(SteeringAgent)]
pub struct Flee {
    /// What to run away from.
    #[entities]
    pub target: Target,
    /// Targets farther away than this do not matter, units. Default: all do; of a group, those no farther than the agent runs in a
    /// second at max speed.
    pub panic_distance: Option<f32>,
    /// Factor on the contribution. Default: 1.
    pub weight: f32,
}

impl Flee {
    /// Runs away from `target`, a `Vec2` or an `Entity`, however far away it is.
    pub fn new(target: impl Into<Target>) -> Self {
        Self { target: target.into(), panic_distance: None, weight: 1.0 }
    }

    /// Sets the [`panic_distance`](Self::panic_distance), units.
    #[must_use]
    pub fn with_panic_distance(self, distance: f32) -> Self {
        Self { panic_distance: Some(distance), ..self }
    }

    /// Sets the [`weight`](Self::weight).
    #[must_use]
    pub fn with_weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }
}

impl Flee {
    /// By value, so that otherwise the agent stays in registers.
    #[cold]
    #[inline(never)]
    fn steer_from_group(&self, agent: Agent, targets: &Targets, groups: u32) -> Vector {
        let to_member = |member: &Kinematics| agent.to(member.position);
        force_away_from_group(&agent, targets, groups, self.panic_distance, to_member)
    }
}

/// The velocity with which an agent flees from a target displaced by `to_target`: zero when both are in one place.
///
/// ```
/// # use bevy::math::Vec2;
/// # use bevy_steerling::behaviors::flee::desired_velocity;
/// assert_eq!(desired_velocity(Vec2::new(30.0, 40.0), 10.0), Vec2::new(-6.0, -8.0));
/// ```
#[inline]
pub fn desired_velocity(to_target: Vector, max_speed: f32) -> Vector {
    -normalize(to_target) * max_speed
}

/// The velocity with which an agent flees from several at once, given the weighted mean of unit vectors away from them, and the
/// unit vector in which it goes when it is surrounded: see [`Flee`].
///
/// ```
/// # use bevy::math::Vec2;
/// # use bevy_steerling::behaviors::flee::desired_velocity_from_all;
/// assert_eq!(desired_velocity_from_all(Vec2::new(0.6, 0.0), Vec2::Y, 10.0), Vec2::new(10.0, 0.0));
/// // They nearly cancel out.
/// assert_eq!(desired_velocity_from_all(Vec2::new(0.125, 0.0), Vec2::Y, 10.0), Vec2::new(5.0, 5.0));
/// assert_eq!(desired_velocity_from_all(Vec2::ZERO, Vec2::Y, 10.0), Vec2::new(0.0, 10.0));
/// ```
#[inline]
pub fn desired_velocity_from_all(mean_way_out: Vector, own_way: Vector, max_speed: f32) -> Vector {
    let way_out = mean_way_out / AGREEMENT;
    let urge = way_out.length();
    if urge >= 1.0 { normalize(way_out) * max_speed } else { (way_out + own_way * (1.0 - urge)) * max_speed }
}

/// The force with which `agent` flees from what is displaced by `to_target`, also from its own place.
#[inline]
pub(crate) fn force_away(agent: &Agent, to_target: Vector) -> Vector {
    agent.force_toward(desired_velocity(somewhere(agent, to_target), agent.max_speed))
}

/// The displacement, or where it is zero one that follows from the agent's number.
#[inline]
fn somewhere(agent: &Agent, displacement: Vector) -> Vector {
    if displacement == Vector::ZERO { unit_vector(angle_from(agent.id.get())) } else { displacement }
}

/// Whether something displaced by `to_target` is too far away to matter.
#[inline]
pub(crate) fn is_calm(to_target: Vector, panic_distance: Option<f32>) -> bool {
    panic_distance.is_some_and(|panic_distance| to_target.length() > panic_distance)
}

/// How far it looks around for those it flees from.
#[inline]
pub(crate) fn group_perception_radius(target: Target, panic_distance: Option<f32>, agent: &SteeringAgent) -> f32 {
    match target {
        Target::Group(_) => group_distance(panic_distance, agent.max_speed),
        Target::Point(_) | Target::Entity(_) => 0.0,
    }
}

/// From how far members of a group matter.
#[inline]
fn group_distance(panic_distance: Option<f32>, max_speed: f32) -> f32 {
    panic_distance.unwrap_or(max_speed.max(0.0) * GROUP_TIME)
}

/// The force with which `agent` flees from all members of a group. `predict` says, for a member, by which displacement it is fled
/// from.
pub(crate) fn force_away_from_group(
    agent: &Agent,
    targets: &Targets,
    groups: u32,
    panic_distance: Option<f32>,
    predict: impl Fn(&Kinematics) -> Vector,
) -> Vector {
    let distance = group_distance(panic_distance, agent.max_speed);
    let (mut sum, mut weights, mut count, mut last) = (Vector::ZERO, 0.0, 0_usize, Vector::ZERO);
    targets.for_each_member(agent, groups, distance, |member| {
        let to_member = agent.to(member.position);
        if !is_calm(to_member, Some(distance)) {
            last = predict(member);
            let weight = (1.0 / to_member.length().max(NEAREST) - 1.0 / distance.max(NEAREST)).max(0.0);
            sum += normalize(somewhere(agent, last)) * -weight;
            weights += weight;
            count += 1;
        }
    });
    match count {
        0 => Vector::ZERO,
        1 => force_away(agent, last),
        _ => {
            let own_way = -somewhere(agent, Vector::ZERO);
            let mean = sum / f32::max(weights, f32::MIN_POSITIVE);
            agent.force_toward(desired_velocity_from_all(mean, own_way, agent.max_speed))
        }
    }
}

impl SteeringBehavior for Flee {
    type Param = Targets<'static, 'static>;

    #[inline]
    fn steer(&mut self, agent: &Agent, targets: &SystemParamItem<'_, '_, Self::Param>) -> Vector {
        if let Target::Group(groups) = self.target {
            return self.steer_from_group(*agent, targets, groups);
        }
        let Some(target) = targets.find(self.target) else { return Vector::ZERO };
        let to_target = agent.to(target.position);
        if is_calm(to_target, self.panic_distance) {
            return Vector::ZERO;
        }
        force_away(agent, to_target)
    }

    #[inline]
    fn weight(&self) -> f32 {
        self.weight
    }

    fn priority(&self) -> i32 {
        30
    }

    #[inline]
    fn perception_radius(&self, agent: &SteeringAgent) -> f32 {
        group_perception_radius(self.target, self.panic_distance, agent)
    }

    fn draw(&self, agent: &Agent, targets: &SystemParamItem<'_, '_, Self::Param>, figure: &mut Figure) {
        draw_panic(agent, targets.find_for(agent, self.target), self.panic_distance, figure);
    }
}

/// What is fled from, and from how near.
pub(crate) fn draw_panic(agent: &Agent, from: Option<Kinematics>, panic_distance: Option<f32>, figure: &mut Figure) {
    if let Some(from) = from {
        let place = agent.position + agent.to(from.position);
        figure.point(place);
        if let Some(distance) = panic_distance {
            figure.circle(place, distance);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_up_to_and_including_the_panic_distance() {
        let target = Vector::new(3.0, 4.0);
        assert!(!is_calm(target, None));
        assert!(!is_calm(target, Some(5.0)));
        assert!(is_calm(target, Some(4.999)));
    }
}
