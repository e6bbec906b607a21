//! What a constraint is.

use bevy::ecs::component::Mutable;
use bevy::ecs::system::{ReadOnlySystemParam, SystemParamItem};
use bevy::prelude::*;

use crate::agent::{Agent, SteeringAgent};
use crate::engine::figure::Figure;
use crate::math::Vector;

/// A steering constraint: a component that bends the total of what the behaviors of its agent want.
///
/// Constraints run in [`SteeringSystems::Constrain`](crate::tick::schedule::SteeringSystems::Constrain), after
/// [`Arbitration`](crate::engine::arbitration::Arbitration), which never leaves one out. A game's own run before the plugin's, in the
/// order in which they were registered. The plugin's are [`Contain`](crate::constraints::contain::Contain),
/// [`AvoidObstacles`](crate::constraints::avoid_obstacles::AvoidObstacles),
/// [`AvoidNeighbors`](crate::constraints::avoid_neighbors::AvoidNeighbors),
/// [`ClassicQueue`](crate::constraints::classic_queue::ClassicQueue) and [`Queue`](crate::constraints::queue::Queue), in this order.
///
/// On an agent with [`BodyLimits`](crate::agent::BodyLimits), `agent.max_force` is the force that it can brake with.
///
/// # Example
///
/// A walker that never pushes to the left:
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
    /// What the constraint remembers from tick to tick: see [`SteeringBehavior::State`](crate::engine::behavior::SteeringBehavior::State).
    type State: Component<Mutability = Mutable> + Default;

    /// What [`constrain`](Self::constrain) reads of the world: see
    /// [`SteeringBehavior::Param`](crate::engine::behavior::SteeringBehavior::Param).
    type Param: ReadOnlySystemParam + 'static;

    /// The new total, mass · units / s²: what comes nearest to `agent.force`, the total so far, and keeps the constraint. A total that
    /// is not finite is ignored. Changes to `state` do not trigger change detection.
    fn constrain(&self, state: &mut Self::State, agent: &Agent, param: &SystemParamItem<'_, '_, Self::Param>)
    -> Vector;

    /// How far the total is bent: 1 to the new total, 0 not at all. A constraint with a weight below 1 promises nothing.
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

    /// See [`SteeringBehavior::PARALLEL_THRESHOLD`](crate::engine::behavior::SteeringBehavior::PARALLEL_THRESHOLD).
    const PARALLEL_THRESHOLD: usize = 4_096;
}
