//! The components of agents.

use bevy::ecs::component::component_clone_ignore;
use bevy::prelude::*;

use crate::agent::id::SteeringId;
use crate::math::Vector;

/// An agent: a body that steering moves.
///
/// Every behavior requires this component, so spawn it only if the defaults do not fit. It requires [`Velocity`], [`SteeringForce`],
/// [`SteeringId`] and `Transform`.
#[cfg_attr(
    not(dim3),
    doc = "The position is that of the `Transform` in the [`SteeringPlane`](crate::math::plane::SteeringPlane). The height above the plane is never written."
)]
#[cfg_attr(dim3, doc = "The position is that of the `Transform`.")]
/// The scale is never written, and the rotation only by [`FaceVelocity`](crate::motion::facing::FaceVelocity) and
/// [`Face`](crate::behaviors::face::Face). Agents are root entities, without a parent.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// fn setup(mut commands: Commands) {
///     commands.spawn((
///         SteeringAgent { max_speed: 120.0, max_force: 400.0, ..default() },
///         Velocity(Vec2::new(60.0, 0.0)),
///         Transform::from_xyz(-200.0, 0.0, 0.0),
///     ));
/// }
/// ```
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[require(Transform, Velocity, SteeringForce, SteeringId)]
pub struct SteeringAgent {
    /// The mass, > 0. Default: 1. Values below 1e-9 and NaN count as 1e-9.
    ///
    /// The acceleration of an agent is at most `max_force / mass`. As in the classic articles, the force for a wish does not grow with
    /// masses above 1. So a heavy agent takes `mass` response times to reach the velocity that its behaviors want, and a light agent takes
    /// one. See [`Agent::force_toward`](crate::agent::Agent::force_toward) for the formula. If a heavy agent should move the same way at
    /// every tick rate, set a [`response_time`](Self::response_time) of several ticks.
    pub mass: f32,
    /// The speed limit, units/s, ≥ 0. Default: 100. Negative values and NaN count as 0.
    pub max_speed: f32,
    /// The limit of the total force, mass · units/s², ≥ 0. Default: 300. Negative values and NaN count as 0.
    pub max_force: f32,
    /// The radius of the body, units, ≥ 0. Default: 8. Negative values and NaN count as 0.
    pub radius: f32,
    /// The time in which the agent responds to a wish, seconds. Default: 0. Values shorter than a tick count as one tick, which is the
    /// immediate response of the classic articles. Larger values make the motion softer.
    pub response_time: f32,
}

impl Default for SteeringAgent {
    fn default() -> Self {
        Self { mass: 1.0, max_speed: 100.0, max_force: 300.0, radius: 8.0, response_time: 0.0 }
    }
}

/// The smallest effective mass.
const MIN_MASS: f32 = 1e-9;

impl SteeringAgent {
    /// The mass, always positive.
    #[inline]
    pub(crate) fn effective_mass(&self) -> f32 {
        self.mass.max(MIN_MASS)
    }

    /// The divisor in [`Agent::force_toward`](crate::agent::Agent::force_toward): the response time in a tick of this length, seconds,
    /// divided by the mass if that is below 1.
    pub(crate) fn effective_response_time(&self, tick: f32) -> f32 {
        self.response_time.max(tick) / self.effective_mass().min(1.0)
    }
}

/// The velocity of an entity, units/s.
///
/// Steering writes it on agents. On other entities, the game may write it for behaviors that predict the motion of their target, such as
/// [`Pursue`](crate::behaviors::pursue::Pursue). An entity without a velocity counts as standing still.
///
/// Change detection is triggered only for agents whose velocity has changed.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// // An agent that already moves, and a ball that others can pursue.
/// commands.spawn((Wander::default(), Velocity(Vec2::new(50.0, 0.0))));
/// commands.spawn((Transform::default(), Velocity(Vec2::new(0.0, -120.0))));
/// # }
/// ```
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect, Deref, DerefMut)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub struct Velocity(pub Vector);

/// The total steering force on an agent, mass · units/s².
///
/// The force is cleared at the start of each tick. Behaviors add to it in
/// [`SteeringSystems::Steer`](crate::tick::schedule::SteeringSystems::Steer), constraints bend it in
/// [`SteeringSystems::Constrain`](crate::tick::schedule::SteeringSystems::Constrain), and
/// [`SteeringSystems::Integrate`](crate::tick::schedule::SteeringSystems::Integrate) truncates it to [`SteeringAgent::max_force`]. After
/// that, it can be read until the next tick. To push an agent, add to the force in a system in
/// [`SteeringSchedule`](crate::tick::schedule::SteeringSchedule) between `Sense` and `Steer`. For agents that do not think in every tick,
/// see [`SteeringRate`](crate::agent::SteeringRate).
///
/// The force changes in nearly every tick, so writing it does not trigger change detection.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// fn wind(mut agents: Query<&mut SteeringForce>) {
///     for mut force in &mut agents {
///         force.0 += Vec2::new(50.0, 0.0);
///     }
/// }
/// # App::new()
/// .add_systems(SteeringSchedule, wind.after(SteeringSystems::Sense).before(SteeringSystems::Steer))
/// # ;
/// ```
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect, Deref, DerefMut)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub struct SteeringForce(pub Vector);

/// Marks an agent that something other than steering moves, such as a physics engine, the player or an animation.
///
/// The behaviors of the agent run, and its [`SteeringForce`] is truncated to max force as usual. Steering does not write its `Transform` or
/// [`Velocity`], and the edges of the world do not affect it. The system that moves the agent should also write its `Velocity`, so that
/// other agents can predict its motion. They expect it to keep that velocity. If the agent follows its steering force instead, add
/// [`MovedByForce`].
///
/// # Example
///
/// A physics body that is pushed by steering:
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # #[derive(Component)] struct ExternalForce(Vec2);
/// fn setup(mut commands: Commands) {
///     commands.spawn((Seek::new(Vec2::ZERO), MovedByForce, ExternalForce(Vec2::ZERO)));
/// }
///
/// fn push(mut bodies: Query<(&mut ExternalForce, &SteeringForce), With<MovedByForce>>) {
///     for (mut body, steering) in &mut bodies {
///         body.0 = steering.0;
///     }
/// }
/// ```
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub struct ExternalMovement;

/// Marks an agent with [`ExternalMovement`] that follows its [`SteeringForce`], such as a body that a physics engine pushes with this
/// force.
///
/// Other agents then expect it to go where its behaviors want to, like agents that steering moves. With
/// [`AvoidNeighbors`](crate::constraints::avoid_neighbors::AvoidNeighbors), two such agents share the detour, and a crowd settles at its
/// destination.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[require(ExternalMovement)]
pub struct MovedByForce;

/// The agents that follow their steering force.
pub(crate) type FollowsForce = Or<(Without<ExternalMovement>, With<MovedByForce>)>;

/// The share of its velocity that an agent keeps in this tick, before the force acts. Default: 1.
#[cfg_attr(
    not(dim3),
    doc = "A constraint such as [`ClassicQueue`](crate::constraints::classic_queue::ClassicQueue) lowers it for a hard stop."
)]
#[cfg_attr(dim3, doc = "A constraint lowers it for a hard stop.")]
///
/// A constraint that uses this component as its [`State`](crate::engine::constraint::SteeringConstraint::State) writes it in every tick.
/// Cloned entities start with a new one. Steering does not apply it to an agent with [`ExternalMovement`]; the system that moves the agent
/// may read it.
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[component(clone_behavior = Custom(component_clone_ignore))]
pub struct HardStop {
    kept: f32,
}

impl Default for HardStop {
    fn default() -> Self {
        Self { kept: 1.0 }
    }
}

impl HardStop {
    /// Keeps this share of the velocity, from 0 (a full stop) to 1. Values outside this range are clamped; NaN counts as 0.
    pub fn keeping(share: f32) -> Self {
        // NaN passes through `clamp`.
        Self { kept: share.clamp(0.0, 1.0).max(0.0) }
    }

    /// The share of its velocity that the agent keeps.
    #[inline]
    pub fn kept(&self) -> f32 {
        self.kept
    }

    /// Whether the agent loses any of its velocity.
    pub fn is_stopping(&self) -> bool {
        self.kept < 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hard_stop_never_speeds_up_or_reverses() {
        for (share, kept) in [(0.3, 0.3), (-1.0, 0.0), (2.0, 1.0), (f32::NAN, 0.0), (f32::INFINITY, 1.0)] {
            assert_eq!(HardStop::keeping(share).kept(), kept);
        }
        assert!(!HardStop::default().is_stopping());
    }
}
