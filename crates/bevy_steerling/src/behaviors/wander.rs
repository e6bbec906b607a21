//! Roam about.

use bevy::ecs::system::SystemParamItem;
use bevy::math::ops;
use bevy::prelude::*;

use crate::agent::random::{SteeringRng, SteeringSeed};
use crate::agent::{Agent, SteeringAgent};
use crate::engine::behavior::SteeringBehavior;
use crate::engine::figure::Figure;
use crate::engine::wish::Wish;
use crate::math::{Vector, normalize, unit_vector};

/// Roams about at full speed, with smooth random turns.
///
#[cfg_attr(doc, doc = figure!("wander"))]
///
/// *Wander: three walkers roam about from one place, each from its own random numbers.*
///
/// # Formula
///
/// A point moves at random along a circle in front of the agent, and the agent steers to it:
/// `w = n(velocity) · distance + radius · (cos angle, sin angle)`, after Craig Reynolds (Steering Behaviors for
/// Autonomous Characters, 1999). After each use the angle changes by `angle_change · √tick · (U − ½)`, with `U` random in
/// [0, 1): the statistics of a random walk do not depend on the tick rate. The angle is in world axes.
///
/// # When to use it
///
/// For agents with nothing better to do: animals, guards, crowds in the background. A smaller `radius` gives calmer paths, a larger
/// `angle_change` more nervous ones.
///
/// # Combines with
///
/// Nearly everything, as the behavior for quiet times. It always wants full speed: beside behaviors that want to stand still give it a
/// small weight, or remove it. With [`Contain`](crate::constraints::contain::Contain), a wanderer turns away from the rim in an arc.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// commands.spawn((Wander::default(), Transform::default()));
/// # }
/// ```
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
#[require(SteeringAgent, WanderState)]
pub struct Wander {
    /// How far ahead the center of the circle is, units, > 0. Default: the distance that the agent runs at max speed in half a second.
    /// With a negative distance it turns around all the time.
    pub distance: Option<f32>,
    /// The radius of the circle, units, 0 to `distance`: the larger, the sharper the turns. Default: the distance that the agent runs at
    /// max speed in a quarter of a second. With 0 it goes straight on; above `distance` it may turn on the spot.
    pub radius: Option<f32>,
    /// How quickly the point moves along the circle, radians per √second, ≥ 0: within one second the angle strays by about 0.3
    /// times this. Default: 4. With 0 the agent ends up going straight.
    pub angle_change: f32,
    /// Where on the circle the point starts, radians counterclockwise from +x. Default: random.
    pub initial_angle: Option<f32>,
    /// How the point becomes a force. Default: [`WanderDrive::Seek`].
    pub drive: WanderDrive,
    /// The factor on the force. Default: 1. A negative weight turns the force around.
    pub weight: f32,
}

/// The random walk of a [`Wander`]: written each tick. Clones start anew, with random numbers of their own.
#[derive(Component, Clone, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
#[component(clone_behavior = Ignore)]
pub struct WanderState {
    /// Where on the circle the point is, radians; `None` before the first tick.
    angle: Option<f32>,
    /// Seeded from [`SteeringSeed`] and [`SteeringId`](crate::agent::SteeringId) in the first tick.
    random: Option<SteeringRng>,
}

impl WanderState {
    /// Where on the circle the point is, radians counterclockwise from +x; `None` before the agent first wanders.
    pub fn angle(&self) -> Option<f32> {
        self.angle
    }
}

/// How [`Wander`] turns the displacement `w` to its point into a force.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
pub enum WanderDrive {
    /// Desired velocity `n(w) · max_speed`: only the ratio of radius to distance matters.
    #[default]
    Seek,
    /// Force `w / tick²`, the classic articles'. It drowns other behaviors at usual speeds and changes with the tick rate.
    Displacement,
}

impl Default for Wander {
    fn default() -> Self {
        Self {
            distance: None,
            radius: None,
            angle_change: 4.0,
            initial_angle: None,
            drive: WanderDrive::Seek,
            weight: 1.0,
        }
    }
}

impl Wander {
    /// Sets the circle's [`distance`](Self::distance) and [`radius`](Self::radius), units.
    #[must_use]
    pub fn with_circle(self, distance: f32, radius: f32) -> Self {
        Self { distance: Some(distance), radius: Some(radius), ..self }
    }

    /// Sets [`angle_change`](Self::angle_change), radians per √second.
    #[must_use]
    pub fn with_angle_change(self, angle_change: f32) -> Self {
        Self { angle_change, ..self }
    }

    /// Sets the [`initial_angle`](Self::initial_angle), radians.
    #[must_use]
    pub fn with_initial_angle(self, angle: f32) -> Self {
        Self { initial_angle: Some(angle), ..self }
    }

    /// Sets the [`drive`](Self::drive).
    #[must_use]
    pub fn with_drive(self, drive: WanderDrive) -> Self {
        Self { drive, ..self }
    }

    /// Sets the [`weight`](Self::weight).
    #[must_use]
    pub fn with_weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }
}

/// The displacement from an agent to the point it wanders to, on a circle of `radius` around a center `distance` ahead.
///
/// ```
/// # use bevy::math::Vec2;
/// # use bevy_steerling::behaviors::wander::displacement;
/// assert_eq!(displacement(Vec2::new(7.0, 0.0), 10.0, 5.0, 0.0), Vec2::new(15.0, 0.0));
/// ```
#[inline]
pub fn displacement(velocity: Vector, distance: f32, radius: f32, angle: f32) -> Vector {
    normalize(velocity) * distance + unit_vector(angle) * radius
}

/// The number of this random stream among those of an agent.
const RANDOM_STREAM: u64 = 0;

impl Wander {
    /// How far ahead the circle is, and its radius, units.
    #[inline]
    fn circle_for(&self, max_speed: f32) -> (f32, f32) {
        (self.distance.unwrap_or(max_speed * 0.5), self.radius.unwrap_or(max_speed * 0.25))
    }
}

impl SteeringBehavior for Wander {
    type State = WanderState;
    type Param = Res<'static, SteeringSeed>;
    const PARALLEL_THRESHOLD: usize = 16_384;

    #[inline(always)]
    fn wish(&self, state: &mut WanderState, agent: &Agent, seed: &SystemParamItem<'_, '_, Self::Param>) -> Wish {
        use core::f32::consts::{PI, TAU};

        let random = state.random.get_or_insert_with(|| SteeringRng::new(**seed, agent.id, RANDOM_STREAM));
        let angle = state.angle.or(self.initial_angle).unwrap_or_else(|| random.uniform() * TAU);
        let next = angle + self.angle_change * ops::sqrt(agent.tick) * (random.uniform() - 0.5);
        // Small angles keep their digits however long the walk.
        state.angle = Some(if next.abs() > PI { next - TAU * ops::round(next / TAU) } else { next });

        let (distance, radius) = self.circle_for(agent.max_speed);
        match self.drive {
            WanderDrive::Seek => Wish::CircleAhead { distance, radius, angle },
            WanderDrive::Displacement => {
                Wish::Force(displacement(agent.velocity, distance, radius, angle) / (agent.tick * agent.tick))
            }
        }
    }

    #[inline]
    fn weight(&self) -> f32 {
        self.weight
    }

    fn priority(&self) -> i32 {
        0
    }

    fn draw(&self, state: &WanderState, agent: &Agent, _: &SystemParamItem<'_, '_, Self::Param>, figure: &mut Figure) {
        let (distance, radius) = self.circle_for(agent.max_speed);
        let center = agent.position + normalize(agent.velocity) * distance;
        figure.circle(center, radius);
        figure.point(center + unit_vector(state.angle.unwrap_or_default()) * radius);
    }
}
