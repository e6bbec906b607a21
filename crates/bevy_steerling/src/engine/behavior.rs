//! What a behavior is.

use bevy::ecs::component::Mutable;
use bevy::ecs::system::{ReadOnlySystemParam, SystemParamItem};
use bevy::prelude::*;

use crate::agent::{Agent, SteeringAgent};
use crate::engine::figure::Figure;
use crate::engine::wish::Wish;
use crate::perception::target::Target;

/// A steering behavior: a component that says each tick what its agent should do.
///
/// All built-in behaviors implement this trait. Register a behavior with
/// [`add_steering_behavior`](crate::engine::registry::SteeringAppExt::add_steering_behavior) and require [`SteeringAgent`]. Then
/// inserting the component turns the behavior on, and removing it turns it off.
///
/// A behavior returns a [`Wish`]. The engine turns wishes into force, multiplies by the weight, arbitrates, drives bodies with limits,
/// writes traces, and uses threads. The component itself holds settings and is never written; what a behavior remembers from tick to
/// tick is its [`State`](Self::State).
///
/// # Example
///
/// An agent that keeps away from the vertical line through the origin:
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// use bevy_steerling::behavior_prelude::*;
///
/// #[derive(Component)]
/// #[require(SteeringAgent)]
/// struct AvoidTheMiddle;
///
/// impl SteeringBehavior for AvoidTheMiddle {
///     type State = Stateless;
///     type Param = ();
///
///     fn wish(&self, _: &mut Stateless, agent: &Agent, _: &SystemParamItem<Self::Param>) -> Wish {
///         Wish::Velocity(Vec2::new(agent.position.x.signum() * agent.max_speed, 0.0))
///     }
/// }
///
/// # App::new().add_plugins(SteeringPlugin::default())
/// .add_steering_behavior::<AvoidTheMiddle>()
/// # ;
/// ```
pub trait SteeringBehavior: Component {
    /// What the behavior remembers from tick to tick: a component of its own, so that a clone of the agent starts anew (derive it with
    /// `#[component(clone_behavior = Ignore)]`). The behavior requires it. [`Stateless`] for nothing.
    type State: Component<Mutability = Mutable> + Default;

    /// What [`wish`](Self::wish) reads of the world besides the agent: a `Res`, a `Query`, several in a tuple,
    /// [`Targets`](crate::perception::target::Targets), or `()`. It must not read [`SteeringForce`](crate::agent::SteeringForce) or the
    /// state.
    type Param: ReadOnlySystemParam + 'static;

    /// What the behavior wants. A wish whose force is not finite counts as nothing. Changes to `state` do not trigger change detection.
    fn wish(&self, state: &mut Self::State, agent: &Agent, param: &SystemParamItem<'_, '_, Self::Param>) -> Wish;

    /// The factor on the force that answers the wish.
    fn weight(&self) -> f32 {
        1.0
    }

    /// The urgency for agents with a prioritized [`Arbitration`](crate::engine::arbitration::Arbitration) that does not set one: higher
    /// priorities come first. Default: 20, as for the plugin's behaviors that go to a target.
    fn priority(&self) -> i32 {
        20
    }

    /// What the behavior aims at, for [events](crate::events). Default: nothing.
    fn aims(&self) -> [Option<Aim>; 2] {
        [None, None]
    }

    /// How far the behavior perceives [`Neighbors`](crate::perception::neighbors::Neighbors), units. The neighbor index is built each
    /// tick to suit the largest radius of any behavior, and not at all while all are zero.
    fn perception_radius(&self, _agent: &SteeringAgent) -> f32 {
        0.0
    }

    /// Draws what the behavior perceives and where it wants to go. With the feature `debug`, `SteeringDebugPlugin` shows the figure.
    /// Default: nothing.
    fn draw(
        &self,
        _state: &Self::State,
        _agent: &Agent,
        _param: &SystemParamItem<'_, '_, Self::Param>,
        _figure: &mut Figure,
    ) {
    }

    /// Whether [`is_concerned`](Self::is_concerned) is worth asking for many agents before the wish of any.
    const PREFILTERED: bool = false;

    /// A quick test whether the behavior may want anything of the agent. For an agent that it does not concern the wish is not asked
    /// for, and the state is reset. Only called if [`PREFILTERED`](Self::PREFILTERED).
    fn is_concerned(&self, _agent: &Agent, _param: &SystemParamItem<'_, '_, Self::Param>) -> bool {
        true
    }

    /// From how many agents on threads pay off; fewer for expensive behaviors.
    const PARALLEL_THRESHOLD: usize = 4_096;
}

/// The [`State`](SteeringBehavior::State) of behaviors that remember nothing. It is never inserted.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stateless;

/// A target that a behavior has, and what reaching it means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    /// The target. While there is none, [`TargetLost`](crate::events::TargetLost).
    pub target: Target,
    /// When the agent has [`Arrived`](crate::events::Arrived).
    pub arrival: Arrival,
    /// Whether reaching an entity [catches](crate::events::Caught) it.
    pub catches: bool,
}

/// When an agent has [`Arrived`](crate::events::Arrived) at the target of a behavior.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Arrival {
    /// Never.
    #[default]
    Never,
    /// When it is near and slow.
    AtRest {
        /// At least this near counts, units.
        tolerance: f32,
    },
    /// When it comes near, however fast.
    Passing,
}

impl Aim {
    /// A target that the agent neither arrives at nor catches.
    #[inline]
    pub const fn at(target: Target) -> Self {
        Self { target, arrival: Arrival::Never, catches: false }
    }

    /// Sets when the agent has arrived.
    #[must_use]
    pub const fn with_arrival(self, arrival: Arrival) -> Self {
        Self { arrival, ..self }
    }

    /// Makes reaching an entity catch it.
    #[must_use]
    pub const fn catching(self) -> Self {
        Self { catches: true, ..self }
    }
}
