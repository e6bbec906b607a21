//! The trait of behaviors.

use bevy::ecs::component::Mutable;
use bevy::ecs::system::{ReadOnlySystemParam, SystemParamItem};
use bevy::prelude::*;

use crate::agent::{Agent, SteeringAgent};
use crate::engine::figure::Figure;
use crate::engine::wish::Wish;
use crate::math::Vector;
use crate::perception::target::Target;

/// A steering behavior: a component that decides what its agent wants. It decides in every tick or, if the agent has a
/// [`SteeringRate`](crate::agent::SteeringRate), whenever the agent thinks.
///
/// All built-in behaviors implement this trait. To write your own, require [`SteeringAgent`] and register the component with
/// [`add_steering_behavior`](crate::engine::registry::SteeringAppExt::add_steering_behavior). Insert the component to turn the behavior
/// on, and remove it to turn it off.
///
/// A behavior returns a [`Wish`]. The engine turns the wish into a force, and handles weights, arbitration, body limits, traces and
/// multithreading. The component holds settings, which steering never writes. What the behavior remembers between ticks is in its
/// [`State`](Self::State).
///
/// # Example
///
/// An agent that stays away from the y axis:
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
    /// The component that holds the behavior's state between ticks. Add it to the behavior's `#[require]`, and give it
    /// `#[component(clone_behavior = Custom(component_clone_ignore))]` so that clones of the agent start with a new state. With
    /// `clone_behavior = Ignore`, Bevy would also skip the component when it loads a saved world. Use [`Stateless`] for behaviors without state.
    type State: Component<Mutability = Mutable> + Default;

    /// What [`wish`](Self::wish) reads from the world in addition to the agent: a `Res`, a `Query`,
    /// [`Targets`](crate::perception::target::Targets), a tuple of these, or `()`. It must not read
    /// [`SteeringForce`](crate::agent::SteeringForce) or the state.
    type Param: ReadOnlySystemParam + 'static;

    /// Returns what the behavior wants. A wish whose force is not finite counts as [`Wish::Nothing`]. Changes to `state` do not trigger
    /// change detection.
    fn wish(&self, state: &mut Self::State, agent: &Agent, param: &SystemParamItem<'_, '_, Self::Param>) -> Wish;

    /// The factor on the force of the wish. Default: 1.
    fn weight(&self) -> f32 {
        1.0
    }

    /// The priority in an [`Arbitration`](crate::engine::arbitration::Arbitration) that has no rule for it; higher priorities come first.
    /// Default: 20, like the plugin's behaviors that go to a target.
    fn priority(&self) -> i32 {
        20
    }

    /// The targets of the behavior, for [events](crate::events). Default: none.
    fn aims(&self) -> [Option<Aim>; 2] {
        [None, None]
    }

    /// How far the behavior perceives [`Neighbors`](crate::perception::neighbors::Neighbors), units. Default: 0. The neighbor index is
    /// built in each tick in which any behavior has a radius above 0.
    fn perception_radius(&self, _agent: &SteeringAgent) -> f32 {
        0.0
    }

    /// Draws what the behavior perceives and where it wants to go. With the feature `debug`, `SteeringDebugPlugin` displays it. Default:
    /// nothing.
    fn draw(
        &self,
        _state: &Self::State,
        _agent: &Agent,
        _param: &SystemParamItem<'_, '_, Self::Param>,
        _figure: &mut Figure,
    ) {
    }

    /// Whether to call [`computed_force`](Self::computed_force) before [`wish`](Self::wish). Default: `false`.
    const PRECOMPUTED: bool = false;

    /// The force that a system has already computed for this agent, including the weight. If there is one and it is finite,
    /// [`wish`](Self::wish) is not called and the engine does not read the components of the agent, which is faster in large crowds. Only
    /// called if [`PRECOMPUTED`](Self::PRECOMPUTED).
    fn computed_force(&self, _agent: Entity, _param: &SystemParamItem<'_, '_, Self::Param>) -> Option<Vector> {
        None
    }

    /// Whether to call [`is_concerned`](Self::is_concerned) for a batch of agents before [`wish`](Self::wish). This is faster if most
    /// agents are not concerned. Default: `false`.
    const PREFILTERED: bool = false;

    /// A cheap check of whether the behavior may want anything. If it returns `false`, [`wish`](Self::wish) is not called and the state is
    /// reset. Only called if [`PREFILTERED`](Self::PREFILTERED).
    fn is_concerned(&self, _agent: &Agent, _param: &SystemParamItem<'_, '_, Self::Param>) -> bool {
        true
    }

    /// Whether the engine calls [`wishes`](Self::wishes) for eight agents that are adjacent in memory. Default: `false`.
    const EIGHT_AT_ONCE: bool = false;

    /// The wishes of eight agents, each equal to the result of [`wish`](Self::wish). Computing them together, with SIMD instructions, is
    /// faster in large crowds. Only called if [`EIGHT_AT_ONCE`](Self::EIGHT_AT_ONCE).
    fn wishes(
        settings: &[Self; 8],
        states: &mut [Self::State; 8],
        agents: &[Agent; 8],
        param: &SystemParamItem<'_, '_, Self::Param>,
    ) -> [Wish; 8]
    where
        Self: Sized,
    {
        core::array::from_fn(|lane| settings[lane].wish(&mut states[lane], &agents[lane], param))
    }

    /// The minimum number of agents for which the engine uses several threads. Choose a lower number for an expensive behavior. Default:
    /// 4096.
    const PARALLEL_THRESHOLD: usize = 4_096;
}

/// The [`State`](SteeringBehavior::State) of behaviors that have none. It is never inserted.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stateless;

/// A target of a behavior, and what it means to reach it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    /// The target. When it is gone, [`TargetLost`](crate::events::TargetLost) is triggered.
    pub target: Target,
    /// When [`Arrived`](crate::events::Arrived) is triggered.
    pub arrival: Arrival,
    /// Whether reaching an entity triggers [`Caught`](crate::events::Caught).
    pub catches: bool,
}

/// When an agent has [arrived](crate::events::Arrived) at the target of a behavior.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Arrival {
    /// Never.
    #[default]
    Never,
    /// When it is near the target and slow.
    AtRest {
        /// The distance that counts as near, units, unless
        /// [`arrival_distance`](crate::events::SteeringEvents::arrival_distance) is larger.
        tolerance: f32,
    },
    /// When it is near, at any speed.
    Passing,
}

impl Aim {
    /// An aim that triggers neither `Arrived` nor `Caught`.
    #[inline]
    pub const fn at(target: Target) -> Self {
        Self { target, arrival: Arrival::Never, catches: false }
    }

    /// Sets when the agent has arrived.
    #[must_use]
    pub const fn with_arrival(self, arrival: Arrival) -> Self {
        Self { arrival, ..self }
    }

    /// Sets that reaching an entity catches it.
    #[must_use]
    pub const fn catching(self) -> Self {
        Self { catches: true, ..self }
    }
}
