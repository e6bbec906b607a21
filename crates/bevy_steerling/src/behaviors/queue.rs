//! Queue up instead of pushing in.

use bevy::ecs::system::SystemParamItem;
use bevy::prelude::*;

use crate::behavior::{Agent, SteeringBehavior};
use crate::behaviors::separation::Separation;
use crate::math::{Vector, normalize};
use crate::neighbors::Neighbors;
use crate::prelude::SteeringAgent;

/// Brakes behind other agents instead of pushing in: a crowd before a door becomes a queue.
///
/// The classic articles' (Fernando Bevilacqua, Understanding Steering Behaviors: Queue, 2013). An agent looks at a place
/// ahead of it, `position + n(velocity) · look_ahead`. While another agent is within `radius` of that place it brakes: it
/// takes back most of what all its other behaviors want together, `F`, and asks to stand still,
/// `−brake · F − velocity/response_time`. A hard stop is quicker: it takes velocity away at once,
/// `v' = hard_stop · v + F/m · h`. Which of them acts when is up to the [`style`](Self::style).
///
/// Queue runs after all other behaviors, in [`SteeringSystems::Restrain`](crate::schedule::SteeringSystems::Restrain),
/// so that it sees their sum.
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
///         Queue::default(),
///         Transform::from_xyz(20.0 * x as f32, 0.0, 0.0),
///     ));
/// }
/// # }
/// ```
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
#[require(SteeringAgent)]
pub struct Queue {
    /// How far ahead the place is that should be free, units, ≥ 0. Default: three times the agent's own radius.
    pub look_ahead: Option<f32>,
    /// Agents whose centers are within this distance of that place are in the way, and those within this distance of the
    /// agent itself crowd it, units. Default: three times the agent's own radius.
    pub radius: Option<f32>,
    /// What it does about them. Default: [`QueueStyle::Brake`].
    pub style: QueueStyle,
    /// The share of the other behaviors' force that braking takes back, ≥ 0. Default: 0.8.
    pub brake: f32,
    /// The share of its velocity that a hard stop leaves the agent with each tick, however long the tick is, 0 to 1.
    /// Default: 0.3.
    pub hard_stop: f32,
    /// How it keeps apart while it brakes in style [`QueueStyle::BrakeAndSeparate`]. Default: that of [`Separation`].
    pub separation: Separation,
    /// Factor on the force, but not on the hard stop. Default: 1.
    pub weight: f32,
    /// Whether the hard stop acts in this tick: found out anew in each. The velocity of an agent with
    /// [`ExternalMovement`](crate::agent::ExternalMovement) is not touched; whatever moves it may look here.
    pub stopping: bool,
}

/// What [`Queue`] does about others ahead and around.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
pub enum QueueStyle {
    /// With another agent ahead it stops hard. It does not brake.
    HardStop,
    /// With another agent ahead it brakes. It never stops hard.
    #[default]
    Brake,
    /// With another agent ahead it brakes; when it is crowded it stops hard.
    BrakeAndHardStop,
    /// The same, and while it brakes it keeps apart from others: [`Separation`], which is not braked.
    BrakeAndSeparate,
}

impl Default for Queue {
    fn default() -> Self {
        Self {
            look_ahead: None,
            radius: None,
            style: QueueStyle::default(),
            brake: 0.8,
            hard_stop: 0.3,
            separation: Separation::default(),
            weight: 1.0,
            stopping: false,
        }
    }
}

impl Queue {
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

    /// Sets the [`style`](Self::style).
    #[must_use]
    pub fn with_style(self, style: QueueStyle) -> Self {
        Self { style, ..self }
    }

    /// Sets the share of the other behaviors' force that is taken back by the [`brake`](Self::brake).
    #[must_use]
    pub fn with_brake(self, brake: f32) -> Self {
        Self { brake, ..self }
    }

    /// Sets the share of the velocity that a [`hard_stop`](Self::hard_stop) leaves, 0 to 1.
    #[must_use]
    pub fn with_hard_stop(self, hard_stop: f32) -> Self {
        Self { hard_stop, ..self }
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

    /// The share of its velocity that the agent keeps in this tick.
    #[inline]
    pub(crate) fn kept_velocity(&self) -> f32 {
        // NaN, which passes through `clamp`, is zero.
        if self.stopping { self.hard_stop.clamp(0.0, 1.0).max(0.0) } else { 1.0 }
    }
}

/// The place that should be free, `look_ahead` ahead.
///
/// ```
/// # use bevy::math::Vec2;
/// # use bevy_steerling::behaviors::queue::place_ahead;
/// assert_eq!(place_ahead(Vec2::new(1.0, 1.0), Vec2::new(3.0, 4.0), 10.0), Vec2::new(7.0, 9.0));
/// // At rest that is where the agent is.
/// assert_eq!(place_ahead(Vec2::new(1.0, 1.0), Vec2::ZERO, 10.0), Vec2::new(1.0, 1.0));
/// ```
#[inline]
pub fn place_ahead(position: Vector, velocity: Vector, look_ahead: f32) -> Vector {
    position + normalize(velocity) * look_ahead
}

/// The force that takes back a share of what the `others` among an agent's behaviors want, and asks to stand still.
///
/// ```
/// # use bevy::math::Vec2;
/// # use bevy_steerling::behaviors::queue::braking_force;
/// assert_eq!(braking_force(Vec2::new(10.0, 0.0), 0.5, Vec2::new(4.0, 2.0), 2.0), Vec2::new(-7.0, -1.0));
/// ```
#[inline]
pub fn braking_force(others: Vector, brake: f32, velocity: Vector, response_time: f32) -> Vector {
    -others * brake - velocity / response_time
}

impl SteeringBehavior for Queue {
    type Param = Res<'static, Neighbors>;

    fn steer(&mut self, agent: &Agent, neighbors: &SystemParamItem<'_, '_, Self::Param>) -> Vector {
        let radius = self.radius_for(agent.radius);
        let anyone_near = |position| {
            let mut anyone = false;
            neighbors.for_each_within(&Agent { position, ..*agent }, radius, |_, _| anyone = true);
            anyone
        };
        let blocked = anyone_near(place_ahead(agent.position, agent.velocity, self.look_ahead_for(agent.radius)));
        self.stopping = match self.style {
            QueueStyle::HardStop => blocked,
            QueueStyle::Brake => false,
            QueueStyle::BrakeAndHardStop | QueueStyle::BrakeAndSeparate => anyone_near(agent.position),
        };
        if !blocked || self.style == QueueStyle::HardStop {
            return Vector::ZERO;
        }
        let braking = braking_force(agent.force, self.brake, agent.velocity, agent.response_time);
        if self.style == QueueStyle::BrakeAndSeparate {
            braking + self.separation.steer(agent, neighbors) * self.separation.weight
        } else {
            braking
        }
    }

    #[inline]
    fn weight(&self) -> f32 {
        self.weight
    }

    #[inline]
    fn sight(&self, agent: &SteeringAgent) -> f32 {
        let ahead = self.look_ahead_for(agent.radius) + self.radius_for(agent.radius);
        match self.style {
            QueueStyle::BrakeAndSeparate => ahead.max(self.separation.sight(agent)),
            _ => ahead,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hard_stop_never_speeds_up_or_turns_round() {
        for (hard_stop, kept) in [(0.3, 0.3), (-1.0, 0.0), (2.0, 1.0), (f32::NAN, 0.0), (f32::INFINITY, 1.0)] {
            let queue = Queue { stopping: true, ..Queue::default().with_hard_stop(hard_stop) };
            assert_eq!(queue.kept_velocity(), kept);
            assert_eq!(Queue { stopping: false, ..queue }.kept_velocity(), 1.0);
        }
    }

    #[test]
    fn it_sees_as_far_as_its_style_looks() {
        let body = SteeringAgent { radius: 2.0, ..SteeringAgent::default() };
        let queue = Queue::default().with_separation(Separation::default().with_radius(100.0));
        assert_eq!(queue.sight(&body), 12.0);
        assert_eq!(queue.clone().with_look_ahead(-50.0).with_radius(3.0).sight(&body), 3.0);
        assert_eq!(queue.with_style(QueueStyle::BrakeAndSeparate).sight(&body), 100.0);
    }
}
