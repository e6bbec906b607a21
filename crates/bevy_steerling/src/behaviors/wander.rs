//! Roam about.

use bevy::ecs::system::SystemParamItem;
use bevy::math::ops;
use bevy::prelude::*;

use crate::agent::random::{SteeringRng, SteeringSeed};
use crate::engine::behavior::{Agent, SteeringBehavior};
use crate::engine::figure::Figure;
use crate::engine::heading::{Heading, Wish};
use crate::math::{Vector, normalize, unit_vector};
use crate::prelude::SteeringAgent;

/// Roams about: at full speed, turning this way and that, without jerks.
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
/// # Parameters
///
/// | parameter | unit | range | default | beyond that |
/// |---|---|---|---|---|
/// | [`distance`](Self::distance) | units | > 0 | `max_speed · ½ s` | below 0 it turns round all the time |
/// | [`radius`](Self::radius) | units | 0 to `distance` | `max_speed · ¼ s` | 0: straight on; above `distance` it may turn on the spot |
/// | [`angle_change`](Self::angle_change) | rad/√s | ≥ 0 | 4 | 0: it ends up going straight along `angle` |
/// | [`angle`](Self::angle) | rad | any | random | written by the behavior |
/// | [`drive`](Self::drive) | – | `Seek`, `Displacement` | `Seek` | – |
/// | [`weight`](Self::weight) | – | ≥ 0 | 1 | below 0 it wants the opposite |
/// | [`random`](Self::random) | – | – | from seed and id | written by the behavior |
///
/// # When to use it
///
/// For whoever has nothing better to do: animals, guards, crowds in the background. Smaller `radius` for calm ways, larger
/// `angle_change` for nervous ones.
///
/// # Combines with
///
/// Nearly everything, as what is done in quiet times. It always wants full speed, so beside behaviors that want to stand still it
/// needs a small weight, or is removed. [`Contain`](crate::constraints::contain::Contain) is made for it: a wanderer turns away
/// from the rim in an arc.
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
#[require(SteeringAgent)]
pub struct Wander {
    /// How far ahead the center of the circle is, units. Default: what the agent runs at max speed in half a second.
    pub distance: Option<f32>,
    /// Radius of the circle, units: compared to the distance it says how sharply the agent turns. Default: what the agent
    /// runs at max speed in a quarter of a second.
    pub radius: Option<f32>,
    /// How lively the point moves along the circle, radians per √second: within a second the angle strays by about 0.3
    /// times this. Default: 4.
    pub angle_change: f32,
    /// Where on the circle the point is, radians counterclockwise from +x; changes as the agent wanders. Default: drawn
    /// at random when the agent first wanders.
    pub angle: Option<f32>,
    /// What becomes of the point. Default: [`Drive::Seek`].
    pub drive: Drive,
    /// Factor on the contribution. Default: 1.
    pub weight: f32,
    /// The agent's own random numbers. Default: seeded from [`SteeringSeed`] and
    /// [`SteeringId`](crate::agent::SteeringId) when the agent first wanders. Clear it in a clone of an agent that already
    /// wanders, or both draw the same numbers.
    pub random: Option<SteeringRng>,
}

/// How [`Wander`] turns the displacement `w` to its point into a force.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
pub enum Drive {
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
            angle: None,
            drive: Drive::Seek,
            weight: 1.0,
            random: None,
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

    /// Sets the [`angle`](Self::angle) to start with, radians.
    #[must_use]
    pub fn with_angle(self, angle: f32) -> Self {
        Self { angle: Some(angle), ..self }
    }

    /// Sets the [`drive`](Self::drive).
    #[must_use]
    pub fn with_drive(self, drive: Drive) -> Self {
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

/// Which of an agent's random streams is Wander's.
const RANDOM_STREAM: u64 = 0;

impl Wander {
    /// How far ahead the circle is, and its radius, units.
    #[inline]
    fn circle_for(&self, max_speed: f32) -> (f32, f32) {
        (self.distance.unwrap_or(max_speed * 0.5), self.radius.unwrap_or(max_speed * 0.25))
    }
}

impl SteeringBehavior for Wander {
    type Param = Res<'static, SteeringSeed>;

    #[inline]
    fn steer(&mut self, agent: &Agent, seed: &SystemParamItem<'_, '_, Self::Param>) -> Vector {
        self.wish(agent, &mut (), seed).force(agent)
    }

    #[inline]
    fn weight(&self) -> f32 {
        self.weight
    }

    fn priority(&self) -> i32 {
        0
    }

    fn draw(&self, agent: &Agent, _: &SystemParamItem<'_, '_, Self::Param>, figure: &mut Figure) {
        let (distance, radius) = self.circle_for(agent.max_speed);
        let center = agent.position + normalize(agent.velocity) * distance;
        figure.circle(center, radius);
        figure.point(center + unit_vector(self.angle.unwrap_or_default()) * radius);
    }
}

impl Heading for Wander {
    const LOOKS_AHEAD: bool = true;
    type Memo = ();

    #[inline(always)]
    fn wish(&mut self, agent: &Agent, _: &mut (), seed: &SystemParamItem<'_, '_, Self::Param>) -> Wish {
        use core::f32::consts::{PI, TAU};

        let random = self.random.get_or_insert_with(|| SteeringRng::new(**seed, agent.id, RANDOM_STREAM));
        let angle = self.angle.unwrap_or_else(|| random.uniform() * TAU);
        let next = angle + self.angle_change * ops::sqrt(agent.tick) * (random.uniform() - 0.5);
        // Small angles keep their digits however long the walk.
        self.angle = Some(if next.abs() > PI { next - TAU * ops::round(next / TAU) } else { next });

        let (distance, radius) = self.circle_for(agent.max_speed);
        match self.drive {
            Drive::Seek => Wish::Ahead { distance, radius, angle },
            Drive::Displacement => {
                Wish::Force(displacement(agent.velocity, distance, radius, angle) / (agent.tick * agent.tick))
            }
        }
    }
}
