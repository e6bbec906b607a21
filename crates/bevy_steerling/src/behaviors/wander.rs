//! Wander: roam at random.

use bevy::ecs::component::component_clone_ignore;
use bevy::ecs::system::SystemParamItem;
use bevy::math::ops;
use bevy::prelude::*;

#[cfg(dim3)]
use crate::agent::random::direction_from;
use crate::agent::random::{SteeringRng, SteeringSeed};
use crate::agent::{Agent, SteeringAgent};
use crate::engine::behavior::SteeringBehavior;
use crate::engine::figure::Figure;
use crate::engine::wish::Wish;
#[cfg(not(dim3))]
use crate::math::unit_vector;
use crate::math::{Vector, normalize};

/// Roams at full speed, with smooth random turns.
///
#[cfg_attr(doc, doc = figure!("wander"))]
///
#[cfg_attr(not(dim3), doc = "*Wander: three agents start in one place, each with its own random numbers.*")]
///
/// # Formula
///
#[cfg_attr(
    not(dim3),
    doc = "A point moves at random along a circle ahead of the agent, and the agent seeks it. The displacement to the point is"
)]
#[cfg_attr(
    not(dim3),
    doc = "`w = n(velocity) · distance + radius · (cos angle, sin angle)` (Craig Reynolds, Steering Behaviors for Autonomous Characters, 1999)."
)]
#[cfg_attr(
    not(dim3),
    doc = "The angle is measured in world axes. In each tick it changes by `angle_change · √tick · (U − ½)`, with `U` uniformly distributed in"
)]
#[cfg_attr(not(dim3), doc = "[0, 1), so that the statistics of the random walk do not depend on the tick rate.")]
#[cfg_attr(
    dim3,
    doc = "A point moves at random on a sphere ahead of the agent, and the agent seeks it. The displacement to the point is"
)]
#[cfg_attr(
    dim3,
    doc = "`w = n(velocity) · distance + radius · direction` (Craig Reynolds, Steering Behaviors for Autonomous Characters, 1999), with a unit"
)]
#[cfg_attr(
    dim3,
    doc = "vector in world axes. In each tick the direction turns by the part of `angle_change · √tick · (U − ½)` at a right angle to it. The three"
)]
#[cfg_attr(
    dim3,
    doc = "numbers of `U` are uniformly distributed in [0, 1), so the statistics of the random walk do not depend on the tick rate."
)]
///
/// # When to use it
///
/// For agents without a goal: animals, guards, crowds in the background. A smaller `radius` makes the motion calmer, and a larger
/// `angle_change` makes it more erratic.
///
/// # Combines with
///
/// Nearly all other behaviors. `Wander` always wants full speed. Next to behaviors that want to stand still, give it a small weight, or
/// remove it. With [`Contain`](crate::constraints::contain::Contain), the agent turns away from the boundary in an arc.
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
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[require(SteeringAgent, WanderState)]
pub struct Wander {
    /// The distance to the center of the circle or, in three dimensions, the sphere, units, > 0. Default: the distance that the agent
    /// covers in half a second at max speed. With a negative distance the agent keeps turning around.
    pub distance: Option<f32>,
    /// The radius of the circle or sphere, units, 0 to `distance`. A larger radius makes turns sharper. Default: the distance that the
    /// agent covers in a quarter of a second at max speed. With 0 the agent moves in a straight line. With more than `distance` it may turn
    /// on the spot.
    pub radius: Option<f32>,
    /// How quickly the point moves on the circle or sphere, radians/√s, ≥ 0. Default: 4. After one second, the standard deviation of the
    /// angle is about 0.3 times this value. With 0 the agent eventually moves in a straight line.
    pub angle_change: f32,
    /// The initial angle of the point on the circle, radians counterclockwise from +x. Default: random.
    #[cfg(not(dim3))]
    pub initial_angle: Option<f32>,
    /// The initial direction of the point on the sphere, a unit vector. Default: random.
    #[cfg(dim3)]
    pub initial_direction: Option<Vector>,
    /// How the displacement to the point becomes a force. Default: [`WanderDrive::Seek`].
    pub drive: WanderDrive,
    /// The factor on the force. Default: 1. A negative weight reverses the force.
    pub weight: f32,
}

/// The random walk of a [`Wander`]. Updated every tick. Cloned entities start with a new state and their own random numbers.
#[derive(Component, Clone, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[component(clone_behavior = Custom(component_clone_ignore))]
pub struct WanderState {
    /// The angle of the point on the circle, radians; `None` before the first tick.
    #[cfg(not(dim3))]
    angle: Option<f32>,
    /// The direction of the point on the sphere, a unit vector; `None` before the first tick.
    #[cfg(dim3)]
    direction: Option<Vector>,
    /// Seeded from [`SteeringSeed`] and [`SteeringId`](crate::agent::SteeringId) in the first tick.
    random: Option<SteeringRng>,
}

impl WanderState {
    /// The angle of the point on the circle, radians counterclockwise from +x; `None` before the agent first wanders.
    #[cfg(not(dim3))]
    pub fn angle(&self) -> Option<f32> {
        self.angle
    }

    /// The direction of the point on the sphere, a unit vector; `None` before the agent first wanders.
    #[cfg(dim3)]
    pub fn direction(&self) -> Option<Vector> {
        self.direction
    }
}

/// How [`Wander`] turns the displacement `w` to its point into a force.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub enum WanderDrive {
    /// The desired velocity is `n(w) · max_speed`. Only the ratio of `radius` to `distance` matters.
    #[default]
    Seek,
    /// The force is `w / tick²`, as in the classic articles. It depends on the tick rate and usually overwhelms other behaviors.
    Displacement,
}

impl Default for Wander {
    fn default() -> Self {
        Self {
            distance: None,
            radius: None,
            angle_change: 4.0,
            #[cfg(not(dim3))]
            initial_angle: None,
            #[cfg(dim3)]
            initial_direction: None,
            drive: WanderDrive::Seek,
            weight: 1.0,
        }
    }
}

impl Wander {
    /// Sets the [`distance`](Self::distance) and the [`radius`](Self::radius) of the circle or sphere, units.
    #[must_use]
    pub fn with_circle(self, distance: f32, radius: f32) -> Self {
        Self { distance: Some(distance), radius: Some(radius), ..self }
    }

    /// Sets [`angle_change`](Self::angle_change), radians/√s.
    #[must_use]
    pub fn with_angle_change(self, angle_change: f32) -> Self {
        Self { angle_change, ..self }
    }

    /// Sets the [`initial_angle`](Self::initial_angle), radians.
    #[cfg(not(dim3))]
    #[must_use]
    pub fn with_initial_angle(self, angle: f32) -> Self {
        Self { initial_angle: Some(angle), ..self }
    }

    /// Sets the [`initial_direction`](Self::initial_direction), a unit vector.
    #[cfg(dim3)]
    #[must_use]
    pub fn with_initial_direction(self, direction: Vector) -> Self {
        Self { initial_direction: Some(direction), ..self }
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

/// The displacement from an agent to its point, on a circle of `radius` with its center `distance` ahead.
///
/// ```
/// # use bevy::math::Vec2;
/// # use bevy_steerling::behaviors::wander::displacement;
/// assert_eq!(displacement(Vec2::new(7.0, 0.0), 10.0, 5.0, 0.0), Vec2::new(15.0, 0.0));
/// ```
#[cfg(not(dim3))]
#[inline]
pub fn displacement(velocity: Vector, distance: f32, radius: f32, angle: f32) -> Vector {
    normalize(velocity) * distance + unit_vector(angle) * radius
}

/// The displacement from an agent to its point, on a sphere of `radius` with its center `distance` ahead.
#[cfg(dim3)]
#[inline]
pub fn displacement(velocity: Vector, distance: f32, radius: f32, direction: Vector) -> Vector {
    normalize(velocity) * distance + direction * radius
}

/// A unit vector after a random step on the sphere. Along each axis perpendicular to it, the angle changes as on a circle.
#[cfg(dim3)]
fn step(direction: Vector, change: f32, random: &mut SteeringRng) -> Vector {
    let step = Vector::from_array([(); 3].map(|()| random.uniform() - 0.5)) * change;
    let across = step - direction * step.dot(direction);
    let (sin, cos) = ops::sin_cos(across.length());
    normalize(direction * cos + normalize(across) * sin)
}

/// The stream of random numbers: see [`SteeringRng::new`].
const RANDOM_STREAM: u64 = 0;

impl Wander {
    /// The distance to the center of the circle, and its radius, units.
    #[inline]
    fn circle_for(&self, max_speed: f32) -> (f32, f32) {
        (self.distance.unwrap_or(max_speed * 0.5), self.radius.unwrap_or(max_speed * 0.25))
    }
}

impl SteeringBehavior for Wander {
    type State = WanderState;
    type Param = Res<'static, SteeringSeed>;
    const PARALLEL_THRESHOLD: usize = 16_384;

    #[cfg(dim3)]
    fn wish(&self, state: &mut WanderState, agent: &Agent, seed: &SystemParamItem<'_, '_, Self::Param>) -> Wish {
        let random = state.random.get_or_insert_with(|| SteeringRng::new(**seed, agent.id, RANDOM_STREAM));
        let before = state
            .direction
            .or(self.initial_direction)
            .map(normalize)
            .filter(|before| before.is_finite() && *before != Vector::ZERO);
        let direction = before.unwrap_or_else(|| direction_from(random.uniform().to_bits().into()));
        state.direction = Some(step(direction, self.angle_change * ops::sqrt(agent.tick), random));

        let (distance, radius) = self.circle_for(agent.max_speed);
        let displacement = displacement(agent.velocity, distance, radius, direction);
        match self.drive {
            WanderDrive::Seek => Wish::seek(displacement),
            WanderDrive::Displacement => Wish::Force(displacement / (agent.tick * agent.tick)),
        }
    }

    #[cfg(not(dim3))]
    #[inline(always)]
    fn wish(&self, state: &mut WanderState, agent: &Agent, seed: &SystemParamItem<'_, '_, Self::Param>) -> Wish {
        use core::f32::consts::{PI, TAU};

        let random = state.random.get_or_insert_with(|| SteeringRng::new(**seed, agent.id, RANDOM_STREAM));
        let angle = state.angle.or(self.initial_angle).unwrap_or_else(|| random.uniform() * TAU);
        let next = angle + self.angle_change * ops::sqrt(agent.tick) * (random.uniform() - 0.5);
        // Wrapping the angle keeps its precision.
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
        #[cfg(not(dim3))]
        let direction = unit_vector(state.angle.unwrap_or_default());
        #[cfg(dim3)]
        let direction = state.direction.unwrap_or_default();
        figure.point(center + direction * radius);
    }
}
