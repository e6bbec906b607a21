//! Obstacle avoidance with feelers, as in the classic articles.

use bevy::ecs::system::SystemParamItem;
use bevy::prelude::*;

use crate::agent::{Agent, GroupMask, SteeringAgent};
use crate::engine::behavior::{Stateless, SteeringBehavior};
use crate::engine::figure::Figure;
use crate::engine::wish::Wish;
#[cfg(dim3)]
use crate::math::placement::right_of;
use crate::math::{Vector, normalize};
use crate::perception::obstacles::{ObstacleView, Obstacles};

/// Pushes the agent away from an [`Obstacle`](crate::perception::obstacles::Obstacle) that contains one of three points ahead of it, as in
/// the classic articles.
///
#[cfg_attr(doc, doc = figure!("avoid_with_feelers"))]
///
#[cfg_attr(
    not(dim3),
    doc = "*`AvoidWithFeelers`: agents on their way to the right go around circles, and their bodies graze them.*"
)]
///
/// These feelers miss thin obstacles and ignore the size of the body.
/// [`AvoidObstacles`](crate::constraints::avoid_obstacles::AvoidObstacles) tests the path of the whole body instead.
///
/// # Formula
///
/// The feelers are three points: `look_ahead` ahead of the agent, half as far ahead, and the agent's own position. If any of them is inside
/// an obstacle, the desired change of velocity has the length of the agent's max speed. With `max_avoid_force`, the force has that length
/// instead. Its direction is perpendicular to the heading or, with [`FeelerPush::Radial`], from the center of the obstacle to the farthest
/// feeler (Craig Reynolds, Steering Behaviors for Autonomous Characters, 1999; Fernando Bevilacqua, Understanding Steering Behaviors:
/// Collision Avoidance, 2013). Of several obstacles, only the one with the nearest center pushes.
///
/// # When to use it
///
/// To reproduce the articles, and for large round obstacles that agents may graze. It costs less than `AvoidObstacles`, but agents may
/// touch obstacles. The push does not depend on the distance to the obstacle, so its priority in an
/// [`Arbitration`](crate::engine::arbitration::Arbitration) is lower than that of [`Separation`](crate::behaviors::separation::Separation).
///
/// # Combines with
///
/// [`Seek`](crate::behaviors::seek::Seek) and [`Wander`](crate::behaviors::wander::Wander).
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// commands.spawn((Obstacle::new(Circle::new(50.0)), Transform::from_xyz(100.0, 10.0, 0.0)));
/// commands.spawn((Seek::new(Vec2::new(300.0, 0.0)), AvoidWithFeelers::default(), Transform::default()));
/// # }
/// ```
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[require(SteeringAgent)]
pub struct AvoidWithFeelers {
    /// The length of the longest feeler, units. Default: twice the stopping distance from max speed plus twice the agent's radius.
    pub look_ahead: Option<f32>,
    /// The length of the force before the weight is applied, mass · units/s². Default: none. The behavior then wants to change the velocity
    /// by `max_speed`, which gives the force `max_speed · mass / response time`.
    pub max_avoid_force: Option<f32>,
    /// The direction of the force. Default: [`FeelerPush::Lateral`].
    pub push: FeelerPush,
    /// The layers of the obstacles to avoid. Default: all.
    pub layers: GroupMask,
    /// The factor on the force. Default: 1. A negative weight reverses the force.
    pub weight: f32,
}

/// The direction in which [`AvoidWithFeelers`] pushes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub enum FeelerPush {
    /// Perpendicular to the heading, away from the obstacle's center. An agent that heads straight for the center still turns.
    #[default]
    Lateral,
    /// From the obstacle's center to the farthest feeler. An agent that heads straight for the center only brakes.
    Radial,
}

impl Default for AvoidWithFeelers {
    fn default() -> Self {
        Self { look_ahead: None, max_avoid_force: None, push: FeelerPush::Lateral, layers: GroupMask::ALL, weight: 1.0 }
    }
}

impl AvoidWithFeelers {
    /// Sets [`look_ahead`](Self::look_ahead), units.
    #[must_use]
    pub fn with_look_ahead(self, distance: f32) -> Self {
        Self { look_ahead: Some(distance), ..self }
    }

    /// Sets [`max_avoid_force`](Self::max_avoid_force), mass · units/s².
    #[must_use]
    pub fn with_max_avoid_force(self, force: f32) -> Self {
        Self { max_avoid_force: Some(force), ..self }
    }

    /// Sets [`push`](Self::push).
    #[must_use]
    pub fn with_push(self, push: FeelerPush) -> Self {
        Self { push, ..self }
    }

    /// Sets the [`layers`](Self::layers).
    #[must_use]
    pub fn with_layers(self, layers: GroupMask) -> Self {
        Self { layers, ..self }
    }

    /// Sets the [`weight`](Self::weight).
    #[must_use]
    pub fn with_weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }

    #[inline(always)]
    fn look_ahead_for(&self, agent: &Agent) -> f32 {
        self.look_ahead.unwrap_or(agent.default_look_ahead())
    }

    /// The center and radius of a circle or sphere around all three feelers, with a margin for rounding.
    #[inline(always)]
    fn reach(agent: &Agent, look_ahead: f32) -> (Vector, f32) {
        let middle = agent.position + normalize(agent.velocity) * (0.5 * look_ahead);
        (middle, 0.501 * look_ahead + 1e-6 * middle.abs().max_element())
    }
}

/// The unit vector perpendicular to `heading` that points away from a center at the displacement `to_center`.
#[cfg(not(dim3))]
fn beside(heading: Vector, to_center: Vector) -> Vector {
    let right = -heading.perp();
    if to_center.dot(right) > 0.0 { -right } else { right }
}

#[cfg(dim3)]
fn beside(heading: Vector, to_center: Vector) -> Vector {
    let across = to_center - heading * to_center.dot(heading);
    if across.length_squared() > 1e-8 * to_center.length_squared() { -normalize(across) } else { right_of(heading) }
}

impl SteeringBehavior for AvoidWithFeelers {
    type State = Stateless;
    type Param = Res<'static, Obstacles>;
    const PREFILTERED: bool = true;
    const PARALLEL_THRESHOLD: usize = 16_384;

    #[inline(always)]
    fn is_concerned(&self, agent: &Agent, obstacles: &SystemParamItem<'_, '_, Self::Param>) -> bool {
        let (middle, reach) = Self::reach(agent, self.look_ahead_for(agent));
        !obstacles.is_clear(middle, reach)
    }

    fn wish(&self, _: &mut Stateless, agent: &Agent, obstacles: &SystemParamItem<'_, '_, Self::Param>) -> Wish {
        let look_ahead = self.look_ahead_for(agent);
        let strength = agent.max_speed * agent.mass / agent.response_time;
        let strength = self.max_avoid_force.unwrap_or(strength);
        let heading = normalize(agent.velocity);
        let (middle, half) = Self::reach(agent, look_ahead);
        let (around, reach) = if middle.is_finite() { (middle, half) } else { (agent.position, look_ahead) };
        let mut nearest: Option<(f32, Vector)> = None;
        obstacles.for_each_around(around, reach, &ObstacleView::of(agent, self.layers), |obstacle, _| {
            let position = obstacle.shape.center() - agent.to(obstacle.shape.center());
            let ahead = position + heading * look_ahead;
            let points = [ahead, position + heading * (0.5 * look_ahead), position];
            let center = obstacle.shape.center();
            let distance = position.distance_squared(center);
            // A little more than the extent, for rounding.
            let extent_squared = obstacle.shape.extent() * obstacle.shape.extent() * 1.0001;
            let is_in = |point: &Vector| {
                point.distance_squared(center) <= extent_squared && obstacle.shape.distance(*point).0 <= 0.0
            };
            if nearest.is_none_or(|(nearest, _)| distance < nearest) && points.iter().any(is_in) {
                let push = match self.push {
                    FeelerPush::Radial => normalize(ahead - center),
                    FeelerPush::Lateral => beside(heading, center - position),
                };
                nearest = Some((distance, push * strength));
            }
        });
        nearest.map(|(_, push)| Wish::Force(push)).into()
    }

    #[inline]
    fn weight(&self) -> f32 {
        self.weight
    }

    fn priority(&self) -> i32 {
        40
    }

    fn draw(
        &self,
        _: &Stateless,
        agent: &Agent,
        obstacles: &SystemParamItem<'_, '_, Self::Param>,
        figure: &mut Figure,
    ) {
        let (heading, look_ahead) = (normalize(agent.velocity), self.look_ahead_for(agent));
        let ahead = agent.position + heading * look_ahead;
        figure.line(agent.position, ahead);
        figure.point(agent.position.midpoint(ahead));
        figure.point(ahead);
        figure.first_obstacle(agent, heading, look_ahead, self.layers, obstacles);
    }
}
