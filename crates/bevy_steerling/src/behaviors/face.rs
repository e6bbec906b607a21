//! Face: look at a target.

use bevy::ecs::component::component_clone_ignore;
use bevy::ecs::system::SystemParamItem;
use bevy::prelude::*;

use crate::agent::{Agent, SteeringAgent};
use crate::engine::behavior::{Aim, SteeringBehavior};
use crate::engine::figure::Figure;
use crate::engine::wish::Wish;
use crate::math::Vector;
use crate::perception::target::{Target, Targets};

/// Turns the agent to look at a target, regardless of how it moves.
///
#[cfg_attr(doc, doc = figure!("face"))]
///
#[cfg_attr(not(dim3), doc = "*Face: an agent goes past a tower and looks at it all the way.*")]
///
/// # Formula
///
/// At the end of each tick, the front of the agent points to the target, as [`FaceVelocity`](crate::motion::facing::FaceVelocity) points it
/// along the velocity. The behavior applies no force, so its weight and its priority have no effect. An agent that is exactly at the
/// position of its target keeps its rotation. For a [`Target::Group`], the target is the nearest member.
///
/// If the target no longer exists, [`FaceVelocity`](crate::motion::facing::FaceVelocity) turns the agent, if it has that component.
#[cfg_attr(
    not(dim3),
    doc = "A body with [`BodyLimits`](crate::agent::BodyLimits) moves along its heading, so it cannot look elsewhere, and an agent with"
)]
#[cfg_attr(
    not(dim3),
    doc = "[`ExternalMovement`](crate::agent::ExternalMovement) is turned by the game: on both, `Face` has no effect."
)]
#[cfg_attr(
    dim3,
    doc = "An agent with [`ExternalMovement`](crate::agent::ExternalMovement) is turned by the game: on it, `Face` has no effect."
)]
/// The field of view is still centered on the velocity.
///
/// # When to use it
///
/// For agents that strafe, which shoot at one thing while they move toward another, and for agents that back away from what they look at.
///
/// # Combines with
///
/// Everything that moves the agent, such as [`Orbit`](crate::behaviors::orbit::Orbit), [`Flee`](crate::behaviors::flee::Flee) or
/// [`Hide`](crate::behaviors::hide::Hide).
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// let tower = commands.spawn(Transform::default()).id();
/// commands.spawn((Orbit::new(tower, 120.0), Face::new(tower), Transform::from_xyz(-300.0, 0.0, 0.0)));
/// # }
/// ```
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[require(SteeringAgent, FaceState)]
pub struct Face {
    /// The target. If it no longer exists, the agent keeps its rotation or, with [`FaceVelocity`](crate::motion::facing::FaceVelocity),
    /// faces its velocity.
    #[entities]
    pub target: Target,
    /// The highest turn rate, radians/s, ≥ 0. Default: no limit. Negative values count as 0.
    pub turn_rate: Option<f32>,
}

/// The place that an agent with [`Face`] looks at. Updated every tick. Cloned entities start with a new state.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[component(clone_behavior = Custom(component_clone_ignore))]
pub struct FaceState {
    /// The place of the target at the end of the tick; `None` without a target.
    pub(crate) place: Option<Vector>,
}

impl Face {
    /// Looks at `target`, a point or an `Entity`.
    pub fn new(target: impl Into<Target>) -> Self {
        Self { target: target.into(), turn_rate: None }
    }

    /// Sets the [`turn_rate`](Self::turn_rate), radians/s.
    #[must_use]
    pub fn with_turn_rate(self, turn_rate: f32) -> Self {
        Self { turn_rate: Some(turn_rate), ..self }
    }
}

impl SteeringBehavior for Face {
    type State = FaceState;
    type Param = Targets<'static, 'static>;

    fn wish(&self, state: &mut FaceState, agent: &Agent, targets: &SystemParamItem<'_, '_, Self::Param>) -> Wish {
        let target = targets.find_for(agent, self.target);
        state.place = target.map(|target| target.position + target.velocity * agent.tick);
        Wish::Nothing
    }

    fn aims(&self) -> [Option<Aim>; 2] {
        [Some(Aim::at(self.target)), None]
    }

    #[inline]
    fn perception_radius(&self, agent: &SteeringAgent) -> f32 {
        self.target.perception_radius(agent)
    }

    fn draw(&self, _: &FaceState, agent: &Agent, targets: &SystemParamItem<'_, '_, Self::Param>, figure: &mut Figure) {
        if let Some(target) = targets.find_for(agent, self.target) {
            figure.line(agent.position, agent.position + agent.to(target.position));
        }
    }
}
