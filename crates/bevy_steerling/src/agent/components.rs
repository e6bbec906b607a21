//! The components that every agent has.

use bevy::prelude::*;

use crate::agent::id::SteeringId;
use crate::math::Vector;

/// A body that steering moves: how heavy, fast, strong and large it is, and how quickly it reacts.
///
/// Every behavior requires this component, so it need only be spawned where the defaults do not fit.
/// It brings [`Velocity`], [`SteeringForce`], [`SteeringId`] and `Transform` along. The position is the
/// `Transform`'s x and y; z, rotation and scale are never written. Agents are root entities (without a parent).
///
/// Values that make no sense are read as the nearest that does: negative or NaN limits as zero, masses below
/// 1e-9 as 1e-9.
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
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
#[require(Transform, Velocity, SteeringForce, SteeringId)]
pub struct SteeringAgent {
    /// How much force it takes to change the velocity, > 0. Default: 1.
    ///
    /// The acceleration of an agent is at most `max_force / mass`. As in the classic articles, the force that answers a wish does
    /// not grow with the mass above 1: a heavy agent takes `mass` response times to reach the velocity that its behaviors want, and
    /// a light one takes one. [`Agent::force_toward`](crate::agent::Agent::force_toward) has the formula. To make a heavy agent move
    /// alike at all tick rates, set a [`response_time`](Self::response_time) of several ticks.
    pub mass: f32,
    /// Speed limit, units per second, ≥ 0. Default: 100.
    pub max_speed: f32,
    /// Limit of the total steering force, mass · units / s², ≥ 0. Default: 300.
    pub max_force: f32,
    /// Radius of the body, units, ≥ 0. Default: 8.
    pub radius: f32,
    /// How long the agent takes to answer a wish, seconds. One tick (the classic, immediate response) where this is
    /// shorter than a tick. Larger values give softer motion. Default: 0.
    pub response_time: f32,
}

impl Default for SteeringAgent {
    fn default() -> Self {
        Self { mass: 1.0, max_speed: 100.0, max_force: 300.0, radius: 8.0, response_time: 0.0 }
    }
}

/// The smallest mass that counts; see [`SteeringAgent`].
const MIN_MASS: f32 = 1e-9;

impl SteeringAgent {
    /// The mass to divide by: positive, whatever the field holds.
    #[inline]
    pub(crate) fn effective_mass(&self) -> f32 {
        self.mass.max(MIN_MASS)
    }
}

/// How fast an entity moves, units per second.
///
/// Steering writes it on agents. On anything else a game may write it itself: behaviors that predict where their
/// target goes (such as [`Pursue`](crate::behaviors::pursue::Pursue)) read it, and count an entity without it as
/// standing still.
///
/// Change detection is triggered only on agents whose velocity really changed.
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
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
pub struct Velocity(pub Vector);

/// The sum of what all behaviors want, mass · units / s².
///
/// Cleared at the start of each tick, filled by the behaviors in
/// [`SteeringSystems::Steer`](crate::tick::schedule::SteeringSystems::Steer), shortened to
/// [`SteeringAgent::max_force`] in [`SteeringSystems::Integrate`](crate::tick::schedule::SteeringSystems::Integrate), and
/// readable from then until the next tick. To push an agent yourself, add to it from a system in
/// [`SteeringSchedule`](crate::tick::schedule::SteeringSchedule) between `Sense` and `Steer`.
///
/// It changes nearly always, so it is written without triggering change detection.
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
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
pub struct SteeringForce(pub Vector);

/// Marks an agent that something else moves: a physics engine, the player, an animation.
///
/// Its behaviors run and its [`SteeringForce`] is ready after each tick, limited to max force as usual, but steering
/// writes neither its `Transform` nor its [`Velocity`], and the world's edges do not touch it. Whatever moves it should
/// write its `Velocity` too, so that others can predict it.
///
/// # Example
///
/// A body of a physics engine, pushed by steering:
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # #[derive(Component)] struct ExternalForce(Vec2);
/// fn setup(mut commands: Commands) {
///     commands.spawn((Seek::new(Vec2::ZERO), ExternalMovement, ExternalForce(Vec2::ZERO)));
/// }
///
/// fn push(mut bodies: Query<(&mut ExternalForce, &SteeringForce), With<ExternalMovement>>) {
///     for (mut body, steering) in &mut bodies {
///         body.0 = steering.0;
///     }
/// }
/// ```
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
pub struct ExternalMovement;

/// The share of its velocity that an agent keeps in this tick, before the force acts: 1, unless a constraint such as
/// [`ClassicQueue`](crate::constraints::classic_queue::ClassicQueue) stops it hard.
///
/// It is state of the tick: constraints that have it as their [`State`](crate::engine::constraint::SteeringConstraint::State) write it
/// anew each time they run, and clones do not share it. The velocity of an agent with [`ExternalMovement`] is not changed; whatever
/// moves that agent may read the share here.
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
#[component(clone_behavior = Ignore)]
pub struct HardStop {
    kept: f32,
}

impl Default for HardStop {
    fn default() -> Self {
        Self { kept: 1.0 }
    }
}

impl HardStop {
    /// Lets the agent keep this share of its velocity: from 0, a full stop, to 1. Values outside count as the nearest of the two, NaN
    /// as 0.
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
