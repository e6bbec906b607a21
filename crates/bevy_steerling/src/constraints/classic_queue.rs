//! Queuing as in the classic articles.

use bevy::ecs::system::SystemParamItem;
use bevy::prelude::*;

use crate::agent::{Agent, HardStop, SteeringAgent};
use crate::behaviors::separation::Separation;
use crate::engine::constraint::SteeringConstraint;
use crate::engine::figure::Figure;
use crate::math::{Vector, normalize};
use crate::perception::flocking::{AroundParam, force_of_one};

/// Queues as in the classic articles: the agent brakes while another agent is ahead of it.
///
#[cfg_attr(doc, doc = figure!("classic_queue"))]
///
/// *`ClassicQueue`: agents that seek a door brake behind each other.*
///
/// This constraint bends the total of the behaviors. In a game, prefer [`Queue`](crate::constraints::queue::Queue), which keeps agents in
/// order and apart.
///
/// # Formula
///
/// The agent checks the point `position + n(velocity) · look_ahead`. While another agent is within `radius` of that point, the agent
/// brakes: it adds `−brake · F − velocity/response_time · min(mass, 1)` to the total `F`. A hard stop works faster, because it reduces the
/// velocity directly: `v' = kept_velocity · v + F/m · h`. The [`style`](Self::style) determines when each of the two is used (Fernando
/// Bevilacqua, Understanding Steering Behaviors: Queue, 2013).
///
/// # When to use it
///
/// To reproduce the articles. In the repository, `docs/doorway.md` compares its styles with people at a door.
///
/// # Combines with
///
/// [`Seek`](crate::behaviors::seek::Seek) of a point beyond the door and
/// [`AvoidWithFeelers`](crate::behaviors::avoid_with_feelers::AvoidWithFeelers) for its walls.
/// [`ClassicQueueStyle::BrakeAndSeparate`] may push an agent into an obstacle.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// for x in 0..10 {
///     commands.spawn((
///         Seek::new(Vec2::new(90.0, 200.0)),
///         ClassicQueue::new(ClassicQueueStyle::BrakeAndHardStop),
///         Transform::from_xyz(20.0 * x as f32, 0.0, 0.0),
///     ));
/// }
/// # }
/// ```
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[require(SteeringAgent, HardStop)]
pub struct ClassicQueue {
    /// The reaction to others ahead of the agent or around it. Default: [`ClassicQueueStyle::Brake`].
    pub style: ClassicQueueStyle,
    /// The distance to the point that should be free, units, ≥ 0. Default: three times the agent's radius. Negative values count as 0.
    pub look_ahead: Option<f32>,
    /// The distance within which others are in the way, units, ≥ 0. It is measured from the center of the other agent to the point ahead
    /// or, for [crowding](ClassicQueueStyle::BrakeAndHardStop), to the agent itself. Default: three times the agent's radius. With a
    /// negative radius, no agent is in the way.
    pub radius: Option<f32>,
    /// The share of the total that braking cancels, 0 to 1. Default: 0.8. Above 1 the agent is pushed backward.
    pub brake: f32,
    /// The share of its velocity that the agent keeps in each tick of a hard stop, 0 to 1, regardless of the length of the tick. Default:
    /// 0.3. See [`HardStop`].
    pub kept_velocity: f32,
    /// The separation of [`ClassicQueueStyle::BrakeAndSeparate`]. Default: the default of [`Separation`].
    pub separation: Separation,
    /// The factor on the braking force, but not on the hard stop. Default: 1.
    pub weight: f32,
}

/// The reaction of an agent with [`ClassicQueue`] to others ahead of it or around it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub enum ClassicQueueStyle {
    /// A hard stop while another agent is ahead. No braking.
    HardStop,
    /// Braking while another agent is ahead. No hard stop.
    #[default]
    Brake,
    /// Braking while another agent is ahead, and a hard stop while another agent crowds this one.
    BrakeAndHardStop,
    /// Like `BrakeAndHardStop`, with [`Separation`] while the agent brakes.
    BrakeAndSeparate,
}

impl Default for ClassicQueue {
    fn default() -> Self {
        Self::new(ClassicQueueStyle::default())
    }
}

impl ClassicQueue {
    /// Creates a queue with this style.
    pub fn new(style: ClassicQueueStyle) -> Self {
        Self {
            style,
            look_ahead: None,
            radius: None,
            brake: 0.8,
            kept_velocity: 0.3,
            separation: Separation::default(),
            weight: 1.0,
        }
    }

    /// Sets [`look_ahead`](Self::look_ahead), units.
    #[must_use]
    pub fn with_look_ahead(self, distance: f32) -> Self {
        Self { look_ahead: Some(distance), ..self }
    }

    /// Sets the [`radius`](Self::radius), units.
    #[must_use]
    pub fn with_radius(self, radius: f32) -> Self {
        Self { radius: Some(radius), ..self }
    }

    /// Sets [`brake`](Self::brake), the share of the total that braking cancels.
    #[must_use]
    pub fn with_brake(self, brake: f32) -> Self {
        Self { brake, ..self }
    }

    /// Sets [`kept_velocity`](Self::kept_velocity), the share of the velocity that the agent keeps.
    #[must_use]
    pub fn with_kept_velocity(self, share: f32) -> Self {
        Self { kept_velocity: share, ..self }
    }

    /// Sets the [`separation`](Self::separation).
    #[must_use]
    pub fn with_separation(self, separation: Separation) -> Self {
        Self { separation, ..self }
    }

    /// Sets the [`weight`](Self::weight).
    #[must_use]
    pub fn with_weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }

    #[inline]
    fn look_ahead_for(&self, agent_radius: f32) -> f32 {
        self.look_ahead.unwrap_or(agent_radius * 3.0).max(0.0)
    }

    #[inline]
    fn radius_for(&self, agent_radius: f32) -> f32 {
        self.radius.unwrap_or(agent_radius * 3.0)
    }
}

/// The point that should be free, at the distance `look_ahead` ahead of the agent.
///
/// ```
/// # use bevy::math::Vec2;
/// # use bevy_steerling::constraints::classic_queue::place_ahead;
/// assert_eq!(place_ahead(Vec2::new(1.0, 1.0), Vec2::new(3.0, 4.0), 10.0), Vec2::new(7.0, 9.0));
/// // At rest, this is the agent's position.
/// assert_eq!(place_ahead(Vec2::new(1.0, 1.0), Vec2::ZERO, 10.0), Vec2::new(1.0, 1.0));
/// ```
#[inline]
pub fn place_ahead(position: Vector, velocity: Vector, look_ahead: f32) -> Vector {
    position + normalize(velocity) * look_ahead
}

/// The braking force: it cancels a share of the `total` and slows the agent down. For masses below 1, divide the response time by the
/// mass.
///
/// ```
/// # use bevy::math::Vec2;
/// # use bevy_steerling::constraints::classic_queue::braking_force;
/// assert_eq!(braking_force(Vec2::new(10.0, 0.0), 0.5, Vec2::new(4.0, 2.0), 2.0), Vec2::new(-7.0, -1.0));
/// ```
#[inline]
pub fn braking_force(total: Vector, brake: f32, velocity: Vector, response_time: f32) -> Vector {
    -total * brake - velocity / response_time
}

impl SteeringConstraint for ClassicQueue {
    type State = HardStop;
    type Param = AroundParam;

    fn constrain(&self, stop: &mut HardStop, agent: &Agent, around: &SystemParamItem<'_, '_, Self::Param>) -> Vector {
        let neighbors = &around.0;
        let radius = self.radius_for(agent.radius);
        let anyone_near = |position| {
            let mut anyone = false;
            neighbors.for_each_within(&Agent { position, ..*agent }, radius, |_, _| anyone = true);
            anyone
        };
        let blocked = anyone_near(place_ahead(agent.position, agent.velocity, self.look_ahead_for(agent.radius)));
        let stops = match self.style {
            ClassicQueueStyle::HardStop => blocked,
            ClassicQueueStyle::Brake => false,
            ClassicQueueStyle::BrakeAndHardStop | ClassicQueueStyle::BrakeAndSeparate => anyone_near(agent.position),
        };
        *stop = if stops { HardStop::keeping(self.kept_velocity) } else { HardStop::default() };
        if !blocked || self.style == ClassicQueueStyle::HardStop {
            return agent.force;
        }
        let response_time = agent.response_time / agent.mass.min(1.0);
        let braking = braking_force(agent.force, self.brake, agent.velocity, response_time);
        let apart = if self.style == ClassicQueueStyle::BrakeAndSeparate {
            force_of_one(&self.separation, agent, around) * self.separation.weight
        } else {
            Vector::ZERO
        };
        agent.force + (braking + apart)
    }

    #[inline]
    fn weight(&self) -> f32 {
        self.weight
    }

    #[inline]
    fn perception_radius(&self, agent: &SteeringAgent) -> f32 {
        let ahead = self.look_ahead_for(agent.radius) + self.radius_for(agent.radius);
        match self.style {
            ClassicQueueStyle::BrakeAndSeparate => ahead.max(self.separation.radius_for(agent.radius)),
            _ => ahead,
        }
    }

    fn draw(&self, _: &HardStop, agent: &Agent, around: &SystemParamItem<'_, '_, Self::Param>, figure: &mut Figure) {
        let radius = self.radius_for(agent.radius);
        let ahead = place_ahead(agent.position, agent.velocity, self.look_ahead_for(agent.radius));
        figure.line(agent.position, ahead);
        figure.circle(ahead, radius);
        around.0.for_each_within(&Agent { position: ahead, ..*agent }, radius, |_, to| figure.point(ahead + to));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_perceives_as_far_as_its_style_looks() {
        let body = SteeringAgent { radius: 2.0, ..SteeringAgent::default() };
        let queue = ClassicQueue::default().with_separation(Separation::default().with_radius(100.0));
        assert_eq!(queue.perception_radius(&body), 12.0);
        assert_eq!(queue.clone().with_look_ahead(-50.0).with_radius(3.0).perception_radius(&body), 3.0);
        let separating = ClassicQueue { style: ClassicQueueStyle::BrakeAndSeparate, ..queue };
        assert_eq!(separating.perception_radius(&body), 100.0);
    }
}
