//! Flee: run away from a target.

use bevy::ecs::system::SystemParamItem;
use bevy::prelude::*;

use crate::agent::random::direction_from;
use crate::agent::{Agent, GroupMask, SteeringAgent};
use crate::engine::behavior::{Aim, Stateless, SteeringBehavior};
use crate::engine::figure::Figure;
use crate::engine::wish::Wish;
use crate::math::{Vector, normalize};
use crate::perception::target::{Kinematics, Target, Targets};

/// The default panic distance for a group is the distance that the agent covers in this time at max speed, seconds.
const GROUP_TIME: f32 = 1.0;

/// If the mean direction away is at least this long, the agent follows it at full speed.
const AGREEMENT: f32 = 0.25;

/// Smaller distances are clamped to this, units, so that weights stay finite.
const NEAREST: f32 = 1e-15;

/// Runs away from a target at full speed.
///
#[cfg_attr(doc, doc = figure!("flee"))]
///
#[cfg_attr(
    not(dim3),
    doc = "*Flee: three agents run straight on until the threat is within their panic distance. Then they run away from it.*"
)]
///
/// # Formula
/// The desired velocity is `−n(target − position) · max_speed`, where `n` normalizes a vector (Craig Reynolds, Steering Behaviors for
/// Autonomous Characters, 1999). If both are in the same place, the agent's [`SteeringId`](crate::agent::SteeringId) determines the
/// direction. Beyond the panic distance the force is zero, so the agent keeps its velocity.
///
/// # Groups
///
/// With a [`Target::Group`], the agent flees from every member within the panic distance `D`. Nearer members count more. Let `dᵢ` be the
/// distance to a member and `aᵢ` the unit vector away from it. The mean direction away is
///
/// `a = Σ wᵢ·aᵢ / Σ wᵢ`, where `wᵢ = 1/dᵢ − 1/D`.
///
/// So a member that comes within `D` starts with a weight of zero. If the directions agree (`|a| ≥ ¼`), the desired velocity is
/// `n(a) · max_speed`. If the agent is surrounded, the desired velocity is a blend of `4·a` and a direction determined by its id. The
/// desired velocity is therefore continuous, and the agent does not stop between two members. A single member has the same effect as any
/// other target.
/// # When to use it
///
/// To keep away from a place, or from something slow. [`Evade`](crate::behaviors::evade::Evade) is better against a fast pursuer. Without
/// a panic distance the agent never stops fleeing.
///
/// # Combines with
///
/// Behaviors for quiet times, such as [`Wander`](crate::behaviors::wander::Wander), [`Arrive`](crate::behaviors::arrive::Arrive) at a home,
/// or [`Flock`](crate::behaviors::flock::Flock). Give `Flee` a larger weight, such as 4, so that it dominates in a panic.
/// [`Contain`](crate::constraints::contain::Contain) or [`SteeringBounds`](crate::math::space::SteeringBounds) keeps the agent in the
/// world, and [`AvoidObstacles`](crate::constraints::avoid_obstacles::AvoidObstacles) keeps it out of walls.
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # const SHARKS: GroupMask = GroupMask::bit(1);
/// # fn setup(mut commands: Commands) {
/// commands.spawn((Flee::new(Vec2::new(200.0, 0.0)).with_panic_distance(150.0), Transform::default()));
/// // From every shark.
/// commands.spawn((Flee::new(Target::Group(SHARKS)).with_panic_distance(150.0), Transform::default()));
/// # }
/// ```
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[require(SteeringAgent)]
pub struct Flee {
    /// The threat. If the target no longer exists, the behavior applies no force.
    #[entities]
    pub target: Target,
    /// The distance within which the agent flees, units, ≥ 0. Default: no limit; for a group, the distance that the agent covers in one
    /// second at max speed. With a negative distance it never flees.
    pub panic_distance: Option<f32>,
    /// The factor on the force. Default: 1. A negative weight reverses the force.
    pub weight: f32,
}

impl Flee {
    /// Runs away from `target`, a point or an `Entity`, however far away it is.
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
    /// Takes the agent by value, so that it stays in registers in the common case.
    #[cold]
    #[inline(never)]
    fn wish_from_group(&self, agent: Agent, targets: &Targets, groups: GroupMask) -> Wish {
        let to_member = |member: &Kinematics| agent.to(member.position);
        flee_group(&agent, targets, groups, self.panic_distance, to_member)
    }
}

/// The desired velocity of an agent that flees from a target at the displacement `to_target`. Zero if both are in the same place.
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

/// The desired velocity of an agent that flees from several targets at once: see [`Flee`]. `mean_way_out` is the weighted mean of the unit
/// vectors away from them. `own_way` is the unit vector that the agent follows if it is surrounded.
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

/// The wish to flee from a position at the displacement `to_target`, which may be zero.
#[inline]
pub(crate) fn flee(agent: &Agent, to_target: Vector) -> Wish {
    Wish::Velocity(desired_velocity(somewhere(agent, to_target), agent.max_speed))
}

/// The displacement or, if it is zero, a direction determined by the agent's id.
#[inline]
pub(crate) fn somewhere(agent: &Agent, displacement: Vector) -> Vector {
    if displacement == Vector::ZERO { direction_from(agent.id.get()) } else { displacement }
}

/// Whether something at the displacement `to_target` is beyond the panic distance.
#[inline]
pub(crate) fn is_calm(to_target: Vector, panic_distance: Option<f32>) -> bool {
    panic_distance.is_some_and(|panic_distance| to_target.length() > panic_distance)
}

/// How far an agent perceives the members of a group that it flees from.
#[inline]
pub(crate) fn group_perception_radius(target: Target, panic_distance: Option<f32>, agent: &SteeringAgent) -> f32 {
    match target {
        Target::Group(_) => group_distance(panic_distance, agent.max_speed),
        Target::Point(_) | Target::Entity(_) => 0.0,
    }
}

/// The panic distance for the members of a group.
#[inline]
fn group_distance(panic_distance: Option<f32>, max_speed: f32) -> f32 {
    panic_distance.unwrap_or(max_speed.max(0.0) * GROUP_TIME)
}

/// The wish to flee from all members of a group. For each member, `predict` returns the displacement to the point to flee from.
pub(crate) fn flee_group(
    agent: &Agent,
    targets: &Targets,
    groups: GroupMask,
    panic_distance: Option<f32>,
    predict: impl Fn(&Kinematics) -> Vector,
) -> Wish {
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
        0 => Wish::Nothing,
        1 => flee(agent, last),
        _ => {
            let own_way = -somewhere(agent, Vector::ZERO);
            let mean = sum / f32::max(weights, f32::MIN_POSITIVE);
            Wish::Velocity(desired_velocity_from_all(mean, own_way, agent.max_speed))
        }
    }
}

impl SteeringBehavior for Flee {
    type State = Stateless;
    type Param = Targets<'static, 'static>;

    #[inline]
    fn wish(&self, _: &mut Stateless, agent: &Agent, targets: &SystemParamItem<'_, '_, Self::Param>) -> Wish {
        if let Target::Group(groups) = self.target {
            return self.wish_from_group(*agent, targets, groups);
        }
        let Some(target) = targets.find_for(agent, self.target) else { return Wish::Nothing };
        let to_target = agent.to(target.position);
        if is_calm(to_target, self.panic_distance) { Wish::Nothing } else { flee(agent, to_target) }
    }

    #[inline]
    fn weight(&self) -> f32 {
        self.weight
    }

    fn priority(&self) -> i32 {
        30
    }

    fn aims(&self) -> [Option<Aim>; 2] {
        [Some(Aim::at(self.target)), None]
    }

    #[inline]
    fn perception_radius(&self, agent: &SteeringAgent) -> f32 {
        group_perception_radius(self.target, self.panic_distance, agent)
    }

    fn draw(&self, _: &Stateless, agent: &Agent, targets: &SystemParamItem<'_, '_, Self::Param>, figure: &mut Figure) {
        draw_panic(agent, targets.find_for(agent, self.target), self.panic_distance, figure);
    }
}

/// Draws the target and the panic distance.
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
