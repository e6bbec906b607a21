//! The trait of constraints.

use bevy::ecs::component::Mutable;
use bevy::ecs::system::{ReadOnlySystemParam, SystemParamItem};
use bevy::prelude::*;

use crate::agent::{Agent, SteeringAgent};
use crate::engine::figure::Figure;
use crate::math::Vector;

/// A steering constraint: a component that bends the total force of its agent's behaviors.
///
/// Constraints run in [`SteeringSystems::Constrain`](crate::tick::schedule::SteeringSystems::Constrain), which lists their order.
/// [`Arbitration`](crate::engine::arbitration::Arbitration) runs earlier and never drops a constraint. Register your own with
/// [`add_steering_constraint`](crate::engine::registry::SteeringAppExt::add_steering_constraint).
///
#[cfg_attr(
    not(dim3),
    doc = "For an agent with [`BodyLimits`](crate::agent::BodyLimits), `agent.max_force` is capped at the force of its maximum braking."
)]
///
/// # Example
///
/// A walker that never accelerates to the left:
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// use bevy_steerling::behavior_prelude::*;
///
/// #[derive(Component)]
/// #[require(SteeringAgent)]
/// struct OneWay;
///
/// impl SteeringConstraint for OneWay {
///     type State = Stateless;
///     type Param = ();
///
///     fn constrain(&self, _: &mut Stateless, agent: &Agent, _: &SystemParamItem<Self::Param>) -> Vec2 {
///         agent.force.max(Vec2::new(0.0, f32::NEG_INFINITY))
///     }
/// }
///
/// # App::new().add_plugins(SteeringPlugin::default())
/// .add_steering_constraint::<OneWay>()
/// # ;
/// ```
pub trait SteeringConstraint: Component {
    /// The component in which the constraint keeps its state between ticks: see
    /// [`SteeringBehavior::State`](crate::engine::behavior::SteeringBehavior::State).
    type State: Component<Mutability = Mutable> + Default;

    /// What [`constrain`](Self::constrain) reads from the world: see
    /// [`SteeringBehavior::Param`](crate::engine::behavior::SteeringBehavior::Param).
    type Param: ReadOnlySystemParam + 'static;

    /// Returns the new total, mass · units/s²: the force closest to `agent.force` (the total so far) that satisfies the constraint. A
    /// result that is not finite is ignored. Changes to `state` do not trigger change detection.
    fn constrain(&self, state: &mut Self::State, agent: &Agent, param: &SystemParamItem<'_, '_, Self::Param>)
    -> Vector;

    /// How far the total is bent, from 0 (not at all) to 1 (to the new total). Default: 1. Below 1 the constraint may be violated.
    fn weight(&self) -> f32 {
        1.0
    }

    /// How far the constraint perceives neighbors, units: see
    /// [`SteeringBehavior::perception_radius`](crate::engine::behavior::SteeringBehavior::perception_radius).
    fn perception_radius(&self, _agent: &SteeringAgent) -> f32 {
        0.0
    }

    /// Draws what the constraint perceives: see [`SteeringBehavior::draw`](crate::engine::behavior::SteeringBehavior::draw).
    fn draw(
        &self,
        _state: &Self::State,
        _agent: &Agent,
        _param: &SystemParamItem<'_, '_, Self::Param>,
        _figure: &mut Figure,
    ) {
    }

    /// See [`SteeringBehavior::PREFILTERED`](crate::engine::behavior::SteeringBehavior::PREFILTERED).
    const PREFILTERED: bool = false;

    /// See [`SteeringBehavior::is_concerned`](crate::engine::behavior::SteeringBehavior::is_concerned).
    fn is_concerned(&self, _agent: &Agent, _param: &SystemParamItem<'_, '_, Self::Param>) -> bool {
        true
    }

    /// See [`SteeringBehavior::EIGHT_AT_ONCE`](crate::engine::behavior::SteeringBehavior::EIGHT_AT_ONCE).
    const EIGHT_AT_ONCE: bool = false;

    /// The new totals of eight agents, each equal to the result of [`constrain`](Self::constrain). See
    /// [`SteeringBehavior::wishes`](crate::engine::behavior::SteeringBehavior::wishes).
    fn constrain_eight(
        constraints: &[Self; 8],
        states: &mut [Self::State; 8],
        agents: &[Agent; 8],
        param: &SystemParamItem<'_, '_, Self::Param>,
    ) -> [Vector; 8]
    where
        Self: Sized,
    {
        core::array::from_fn(|lane| constraints[lane].constrain(&mut states[lane], &agents[lane], param))
    }

    /// See [`SteeringBehavior::PARALLEL_THRESHOLD`](crate::engine::behavior::SteeringBehavior::PARALLEL_THRESHOLD).
    const PARALLEL_THRESHOLD: usize = 4_096;
}
