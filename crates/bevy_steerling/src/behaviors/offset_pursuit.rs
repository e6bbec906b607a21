//! Offset pursuit: keep a place beside a leader.

use bevy::ecs::system::SystemParamItem;
use bevy::prelude::*;

use crate::agent::{Agent, SteeringAgent};
use crate::behaviors::arrive::SlowingRadius;
use crate::behaviors::leader::{Leader, LeaderHeading, Leaders};
use crate::engine::behavior::{Aim, SteeringBehavior};
use crate::engine::figure::Figure;
use crate::engine::wish::Wish;
use crate::math::Vector;
use crate::perception::prediction::{Prediction, to_predicted};
use crate::perception::target::Target;

/// Keeps a place beside a moving leader, and turns with it.
///
#[cfg_attr(doc, doc = figure!("offset_pursuit"))]
///
#[cfg_attr(not(dim3), doc = "*Two wingmen keep their places beside a leader that turns.*")]
///
/// # Formula
///
/// The place is at `offset` in the frame of the leader's heading. Let `d` be the displacement to it, `w` the leader's velocity and `s` the
/// agent's max speed. The agent arrives at `place + w · T` with `T = |d| / (s + |w|)` (Craig Reynolds, Steering Behaviors for Autonomous
/// Characters, 1999; Mat Buckland, Programming Game AI by Example, 2005). A leader at rest keeps its last heading. A leader that has not
/// moved yet has the heading of its `Transform`.
#[cfg_attr(
    not(dim3),
    doc = "A leader with [`BodyLimits`](crate::agent::BodyLimits) that moves backward keeps its heading."
)]
/// For a [`Target::Group`], the leader is the nearest member.
///
/// # When to use it
///
/// For wingmen, escorts and small formations. Followers need a higher max speed than the leader, because those on the outside of a turn
/// travel farther.
///
/// # Combines with
///
/// [`AvoidObstacles`](crate::constraints::avoid_obstacles::AvoidObstacles) and
/// [`AvoidNeighbors`](crate::constraints::avoid_neighbors::AvoidNeighbors), which let the agent stop right beside walls and other agents.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// let leader = commands.spawn((Wander::default(), SteeringAgent { max_speed: 60.0, ..default() })).id();
/// // Behind it to the left, and to the right.
/// commands.spawn((OffsetPursuit::new(leader, Vec2::new(-30.0, 25.0)), Transform::from_xyz(-60.0, 40.0, 0.0)));
/// commands.spawn((OffsetPursuit::new(leader, Vec2::new(-30.0, -25.0)), Transform::from_xyz(-60.0, -40.0, 0.0)));
/// # }
/// ```
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[require(SteeringAgent, LeaderHeading)]
pub struct OffsetPursuit {
    /// The leader. If the target no longer exists, the behavior applies no force.
    #[entities]
    pub leader: Target,
    /// The place: how far ahead of the leader and how far to its left, units. Negative values are behind and to the right. In three
    /// dimensions, the third number is how far above.
    pub offset: Vector,
    /// How to slow down: see [`SlowingRadius`]. Default: [`SlowingRadius::Auto`].
    pub slowing_radius: SlowingRadius,
    /// How far ahead to predict the place. Default: [`Prediction::Proportional`], with the formula above.
    pub prediction: Prediction,
    /// The factor on the force. Default: 1. A negative weight reverses the force.
    pub weight: f32,
}

impl OffsetPursuit {
    /// Keeps the place at [`offset`](Self::offset), units, in the frame of `leader`, usually an `Entity`.
    pub fn new(leader: impl Into<Target>, offset: Vector) -> Self {
        Self {
            leader: leader.into(),
            offset,
            slowing_radius: SlowingRadius::Auto,
            prediction: Prediction::Proportional,
            weight: 1.0,
        }
    }

    /// Slows down linearly within `radius`, units: [`SlowingRadius::Linear`].
    #[must_use]
    pub fn with_slowing_radius(self, radius: f32) -> Self {
        Self { slowing_radius: SlowingRadius::Linear(radius), ..self }
    }

    /// Sets the [`prediction`](Self::prediction).
    #[must_use]
    pub fn with_prediction(self, prediction: Prediction) -> Self {
        Self { prediction, ..self }
    }

    /// Sets the [`weight`](Self::weight).
    #[must_use]
    pub fn with_weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }

    /// The displacement from the agent to the predicted position of its place.
    fn to_place(&self, agent: &Agent, leader: &Leader) -> Vector {
        let place = leader.place(self.offset);
        let closing = match self.prediction {
            // The agent and the place may approach each other.
            Prediction::Proportional => agent.max_speed + place.velocity.length(),
            Prediction::Fixed(_) | Prediction::Intercept => agent.max_speed,
        };
        to_predicted(&Agent { max_speed: closing, ..*agent }, &place, self.prediction, None)
    }
}

impl SteeringBehavior for OffsetPursuit {
    type State = LeaderHeading;
    type Param = Leaders<'static, 'static>;

    fn wish(&self, state: &mut LeaderHeading, agent: &Agent, leaders: &SystemParamItem<'_, '_, Self::Param>) -> Wish {
        let Some(leader) = leaders.find(agent, self.leader, state) else { return Wish::Nothing };
        *state = leader.seen;
        Wish::Place { displacement: self.to_place(agent, &leader), approach: self.slowing_radius.approach(0.0) }
    }

    #[inline]
    fn weight(&self) -> f32 {
        self.weight
    }

    fn aims(&self) -> [Option<Aim>; 2] {
        [Some(Aim::at(self.leader)), None]
    }

    #[inline]
    fn perception_radius(&self, agent: &SteeringAgent) -> f32 {
        self.leader.perception_radius(agent)
    }

    fn draw(
        &self,
        state: &LeaderHeading,
        agent: &Agent,
        leaders: &SystemParamItem<'_, '_, Self::Param>,
        figure: &mut Figure,
    ) {
        let Some(leader) = leaders.find(agent, self.leader, state) else { return };
        let [leader_at, place] =
            [leader.kinematics.position, leader.place(self.offset).position].map(|at| agent.position + agent.to(at));
        figure.line(leader_at, place);
        figure.line(agent.position, place);
        figure.point(agent.position + self.to_place(agent, &leader));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perception::target::Kinematics;

    #[test]
    fn it_aims_at_where_its_place_will_be() {
        let agent = Agent { max_speed: 6.0, ..Agent::at(Vector::new(-90.0, 50.0)) };
        let kinematics = Kinematics { position: Vector::new(50.0, 0.0), velocity: Vector::new(0.0, 4.0) };
        let leader = Leader { kinematics, heading: Vector::Y, radius: 0.0, seen: LeaderHeading::default() };
        // 20 behind and 40 to the left of a leader that heads up: 100 to the right of the agent and 70 below it.
        let pursuit = OffsetPursuit::new(Vector::ZERO, Vector::new(-20.0, 40.0));
        let d = Vector::new(100.0, -70.0);
        let to_place = pursuit.to_place(&agent, &leader);
        assert!(to_place.distance(d + Vector::new(0.0, 4.0) * (d.length() / 10.0)) < 1e-4, "{to_place}");
        let fixed = pursuit.with_prediction(Prediction::Fixed(2.0)).to_place(&agent, &leader);
        assert!(fixed.distance(d + Vector::new(0.0, 8.0)) < 1e-4, "{fixed}");
    }
}
