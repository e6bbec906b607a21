//! Behaviors and constraints as the runner sees them: components that contribute to the force of their agent.

use core::marker::PhantomData;

use bevy::ecs::component::Mutable;
use bevy::ecs::system::{ReadOnlySystemParam, SystemParamItem};
use bevy::prelude::*;

#[cfg(not(dim3))]
use crate::agent::BodyLimits;
use crate::agent::{Agent, SteeringAgent};
use crate::engine::behavior::{Aim, SteeringBehavior};
use crate::engine::constraint::SteeringConstraint;
use crate::engine::figure::Figure;
use crate::engine::wish::Wish;
use crate::math::Vector;
use crate::math::lanes::LANES;

/// The common interface of behaviors and constraints.
pub(crate) trait Contributor: Send + Sync + 'static {
    type Settings: Component;
    type State: Component<Mutability = Mutable> + Default;
    type Param: ReadOnlySystemParam + 'static;
    const PREFILTERED: bool;
    const PRECOMPUTED: bool;
    const EIGHT_AT_ONCE: bool = false;
    /// Whether it reads the place that the agent's behaviors want to get to.
    const READS_DESTINATION: bool;
    const PARALLEL_THRESHOLD: usize;

    fn is_concerned(settings: &Self::Settings, agent: &Agent, param: &SystemParamItem<Self::Param>) -> bool;

    /// The wish for the contribution, which is added to `agent.force`.
    fn wish(
        settings: &Self::Settings,
        state: &mut Self::State,
        agent: &Agent,
        param: &SystemParamItem<Self::Param>,
    ) -> Wish;

    /// The wishes of eight agents. Only called if [`EIGHT_AT_ONCE`](Self::EIGHT_AT_ONCE).
    fn wishes(
        settings: &[Self::Settings; LANES],
        states: &mut [Self::State; LANES],
        agents: &[Agent; LANES],
        param: &SystemParamItem<Self::Param>,
    ) -> [Wish; LANES] {
        core::array::from_fn(|lane| Self::wish(&settings[lane], &mut states[lane], &agents[lane], param))
    }

    /// The force for [`wish`](Self::wish), if a system has already computed it.
    fn computed_force(settings: &Self::Settings, agent: Entity, param: &SystemParamItem<Self::Param>)
    -> Option<Vector>;

    fn weight(settings: &Self::Settings) -> f32;

    fn priority(settings: &Self::Settings) -> i32;

    /// An agent with body limits, as the contributor should see it.
    #[cfg(not(dim3))]
    fn with_limits(agent: &Agent, limits: &BodyLimits) -> Agent;

    fn aims(settings: &Self::Settings) -> [Option<Aim>; 2];

    fn perception_radius(settings: &Self::Settings, agent: &SteeringAgent) -> f32;

    #[cfg_attr(not(feature = "debug"), expect(dead_code, reason = "figures are for the feature `debug`"))]
    fn draw(
        settings: &Self::Settings,
        state: &Self::State,
        agent: &Agent,
        param: &SystemParamItem<Self::Param>,
        figure: &mut Figure,
    );
}

/// A behavior: it adds to the total.
pub(crate) struct Adds<B>(PhantomData<fn(B)>);

impl<B: SteeringBehavior> Contributor for Adds<B> {
    type Settings = B;
    type State = B::State;
    type Param = B::Param;
    const PREFILTERED: bool = B::PREFILTERED;
    const PRECOMPUTED: bool = B::PRECOMPUTED;
    const READS_DESTINATION: bool = false;
    const EIGHT_AT_ONCE: bool = B::EIGHT_AT_ONCE;
    const PARALLEL_THRESHOLD: usize = B::PARALLEL_THRESHOLD;

    #[inline(always)]
    fn is_concerned(settings: &B, agent: &Agent, param: &SystemParamItem<B::Param>) -> bool {
        settings.is_concerned(agent, param)
    }

    #[inline(always)]
    fn wish(settings: &B, state: &mut B::State, agent: &Agent, param: &SystemParamItem<B::Param>) -> Wish {
        settings.wish(state, agent, param)
    }

    #[inline(always)]
    fn wishes(
        settings: &[B; LANES],
        states: &mut [B::State; LANES],
        agents: &[Agent; LANES],
        param: &SystemParamItem<B::Param>,
    ) -> [Wish; LANES] {
        B::wishes(settings, states, agents, param)
    }

    #[inline(always)]
    fn computed_force(settings: &B, agent: Entity, param: &SystemParamItem<B::Param>) -> Option<Vector> {
        settings.computed_force(agent, param)
    }

    #[inline(always)]
    fn weight(settings: &B) -> f32 {
        settings.weight()
    }

    fn priority(settings: &B) -> i32 {
        settings.priority()
    }

    #[cfg(not(dim3))]
    fn with_limits(agent: &Agent, _: &BodyLimits) -> Agent {
        *agent
    }

    fn aims(settings: &B) -> [Option<Aim>; 2] {
        settings.aims()
    }

    #[inline(always)]
    fn perception_radius(settings: &B, agent: &SteeringAgent) -> f32 {
        settings.perception_radius(agent)
    }

    fn draw(settings: &B, state: &B::State, agent: &Agent, param: &SystemParamItem<B::Param>, figure: &mut Figure) {
        settings.draw(state, agent, param, figure);
    }
}

/// A constraint: it replaces the total, so its contribution is the difference.
pub(crate) struct Bends<C>(PhantomData<fn(C)>);

impl<C: SteeringConstraint> Contributor for Bends<C> {
    type Settings = C;
    type State = C::State;
    type Param = C::Param;
    const PREFILTERED: bool = C::PREFILTERED;
    const PRECOMPUTED: bool = false;
    const READS_DESTINATION: bool = true;
    const EIGHT_AT_ONCE: bool = C::EIGHT_AT_ONCE;
    const PARALLEL_THRESHOLD: usize = C::PARALLEL_THRESHOLD;

    #[inline(always)]
    fn is_concerned(settings: &C, agent: &Agent, param: &SystemParamItem<C::Param>) -> bool {
        settings.is_concerned(agent, param)
    }

    #[inline(always)]
    fn wish(settings: &C, state: &mut C::State, agent: &Agent, param: &SystemParamItem<C::Param>) -> Wish {
        Wish::Force(settings.constrain(state, agent, param) - agent.force)
    }

    #[inline(always)]
    fn wishes(
        settings: &[C; LANES],
        states: &mut [C::State; LANES],
        agents: &[Agent; LANES],
        param: &SystemParamItem<C::Param>,
    ) -> [Wish; LANES] {
        let totals = C::constrain_eight(settings, states, agents, param);
        core::array::from_fn(|lane| Wish::Force(totals[lane] - agents[lane].force))
    }

    #[inline(always)]
    fn computed_force(_: &C, _: Entity, _: &SystemParamItem<C::Param>) -> Option<Vector> {
        None
    }

    #[inline(always)]
    fn weight(settings: &C) -> f32 {
        settings.weight()
    }

    fn priority(_: &C) -> i32 {
        0
    }

    #[cfg(not(dim3))]
    fn with_limits(agent: &Agent, limits: &BodyLimits) -> Agent {
        limits.braking_agent(agent)
    }

    fn aims(_: &C) -> [Option<Aim>; 2] {
        [None, None]
    }

    #[inline(always)]
    fn perception_radius(settings: &C, agent: &SteeringAgent) -> f32 {
        settings.perception_radius(agent)
    }

    fn draw(settings: &C, state: &C::State, agent: &Agent, param: &SystemParamItem<C::Param>, figure: &mut Figure) {
        settings.draw(state, agent, param, figure);
    }
}
