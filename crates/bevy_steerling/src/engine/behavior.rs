//! What a behavior is, and the one system that runs any.

use alloc::vec::Vec;
use core::any::TypeId;
use core::ops::Range;

use bevy::ecs::change_detection::ContiguousMut;
use bevy::ecs::component::Mutable;
use bevy::ecs::query::QueryData;
use bevy::ecs::schedule::ScheduleConfigs;
use bevy::ecs::system::{ReadOnlySystemParam, ScheduleSystem, StaticSystemParam, SystemParam, SystemParamItem};
use bevy::prelude::*;

use crate::agent::{SteeringAgent, SteeringForce, SteeringId, Velocity};
use crate::constraints::avoid_obstacles::{self, AvoidObstacles};
use crate::engine::body::BodyLimits;
use crate::engine::contribution_log::{self, LoggedCrowd, Unlogged};
use crate::engine::figure::Figure;
use crate::engine::heading::{self, Heading};
use crate::math::space::{Space, SteeringBounds};
use crate::math::{self, Vector};
use crate::perception::flocking::{self, AroundParam, NeighborKernel, Perceivers};
use crate::perception::neighbors::{Neighbors, PARALLEL_PASS};
use crate::tick::non_finite::Mender;
use crate::tick::schedule::{SteeringSchedule, SteeringThreads};
use crate::tick::threads;

/// A steering behavior: a component that says each tick what force its agent wants.
///
/// All built-in behaviors are made with it. Register it with
/// [`add_steering_behavior`](SteeringAppExt::add_steering_behavior) and require [`SteeringAgent`], so that adding the
/// component turns the behavior on, and removing it turns it off.
///
/// [`Param`](Self::Param) is what `steer` reads of the world besides the agent itself: a `Res`, a `Query`, several in a
/// tuple, [`Targets`](crate::perception::target::Targets), or `()`. It must not contain the behavior itself, [`SteeringForce`] or
/// anything mutable: access to them would conflict with the system that runs the behavior, and the app would panic when
/// it starts.
///
/// # Example
///
/// An agent that keeps away from the vertical line through the origin:
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// #[derive(Component)]
/// #[require(SteeringAgent)]
/// struct ShunTheMiddle;
///
/// impl SteeringBehavior for ShunTheMiddle {
///     type Param = ();
///
///     fn steer(&mut self, agent: &Agent, _: &SystemParamItem<Self::Param>) -> Vec2 {
///         agent.force_toward(Vec2::new(agent.position.x.signum() * agent.max_speed, 0.0))
///     }
/// }
///
/// # App::new().add_plugins(SteeringPlugin::default())
/// .add_steering_behavior::<ShunTheMiddle>()
/// # ;
/// ```
pub trait SteeringBehavior: Component<Mutability = Mutable> {
    /// What [`steer`](Self::steer) reads of the world.
    type Param: ReadOnlySystemParam + 'static;

    /// The force this behavior wants, mass · units / s², before its [`weight`](Self::weight).
    ///
    /// Nothing wanted is `Vec2::ZERO`. A result that is not finite counts as nothing. Changes to `self` do not trigger
    /// change detection.
    fn steer(&mut self, agent: &Agent, param: &SystemParamItem<'_, '_, Self::Param>) -> Vector;

    /// The same for an agent whose body has limits: what it can do about its goal as a car, a ship or a missile. Default: as
    /// [`steer`](Self::steer).
    fn steer_limited(
        &mut self,
        agent: &Agent,
        _limits: &mut BodyLimits,
        param: &SystemParamItem<'_, '_, Self::Param>,
    ) -> Vector {
        self.steer(agent, param)
    }

    /// The factor on what `steer` returns.
    fn weight(&self) -> f32 {
        1.0
    }

    /// How urgent it is to agents with a prioritized [`Arbitration`](crate::engine::arbitration::Arbitration) that say nothing else: what has
    /// the higher priority comes first. Default: 20, as for the plugin's behaviors that have a target to go to.
    fn priority(&self) -> i32 {
        20
    }

    /// Whether it bends the sum of what the others want instead of adding to it. Such a behavior runs in
    /// [`SteeringSystems::Constrain`](crate::tick::schedule::SteeringSystems::Constrain), finds in [`Agent::force`] what came of
    /// [`Arbitration`](crate::engine::arbitration::Arbitration), and has its say in every mode. Default: no.
    const ACTS_ON_SUM: bool = false;

    /// Draws what it looks at and where it wants to go, for pictures of what agents think: with the feature `debug`, the plugin's
    /// `SteeringDebugPlugin` shows it. Default: nothing.
    fn draw(&self, _agent: &Agent, _param: &SystemParamItem<'_, '_, Self::Param>, _figure: &mut Figure) {}

    /// How far this behavior will look around for [`Neighbors`], units. The neighbor index is built each tick to suit
    /// the farthest look of any behavior, and not at all while none looks.
    fn perception_radius(&self, _agent: &SteeringAgent) -> f32 {
        0.0
    }
}

/// The agent that a behavior steers, as it is at the start of the tick.
#[derive(Clone, Copy, Debug)]
pub struct Agent {
    /// Its entity.
    pub entity: Entity,
    /// Its number, for what must be decided somehow, but always the same way.
    pub id: SteeringId,
    /// Position, units.
    pub position: Vector,
    /// Velocity, units per second.
    pub velocity: Vector,
    /// What the behaviors that ran before want together, mass · units / s². To those that
    /// [act on the sum](SteeringBehavior::ACTS_ON_SUM): what [`Arbitration`](crate::engine::arbitration::Arbitration) has left of it.
    pub force: Vector,
    /// Mass, > 0.
    pub mass: f32,
    /// Speed limit, units per second, ≥ 0.
    pub max_speed: f32,
    /// Limit of the total force, mass · units / s², ≥ 0.
    pub max_force: f32,
    /// Radius of the body, units, ≥ 0.
    pub radius: f32,
    /// How long it takes to answer a wish, seconds: at least one tick.
    pub response_time: f32,
    /// Length of the tick, seconds, > 0.
    pub tick: f32,
    /// How distances are measured.
    pub space: Space,
}

impl Agent {
    /// The displacement from the agent to `point`: in a wrapping world the shortest way round.
    #[inline]
    pub fn to(&self, point: Vector) -> Vector {
        self.space.displacement(self.position, point)
    }

    /// The force that asks for `desired_velocity`: `(desired_velocity − velocity) / response_time`.
    ///
    /// This is what turns a wish into a force (Reynolds 1999: steering = desired − velocity). On an agent of mass 1 with
    /// force enough it is fulfilled within one tick.
    #[inline]
    pub fn force_toward(&self, desired_velocity: Vector) -> Vector {
        (desired_velocity - self.velocity) / self.response_time
    }

    /// The velocity that the behaviors that ran before want together, as far as it gets there in a response time, units/s.
    pub(crate) fn wanted_velocity(&self) -> Vector {
        math::truncate(self.velocity + self.force * (self.response_time / self.mass), self.max_speed)
    }

    /// The way in which it can stop from max speed, units.
    pub(crate) fn stopping_distance(&self) -> f32 {
        self.max_speed * self.max_speed * self.mass / (2.0 * self.max_force)
    }

    /// Twice the way in which it can stop from max speed, and twice its radius more, units.
    pub(crate) fn default_look_ahead(&self) -> f32 {
        2.0 * (self.stopping_distance() + self.radius)
    }
}

#[cfg(test)]
impl Agent {
    /// A body of unit size at rest.
    pub(crate) fn at(position: Vector) -> Self {
        Self {
            entity: Entity::PLACEHOLDER,
            id: SteeringId::new(0),
            position,
            velocity: Vector::ZERO,
            force: Vector::ZERO,
            mass: 1.0,
            max_speed: 1.0,
            max_force: 1.0,
            radius: 1.0,
            response_time: 1.0,
            tick: 1.0,
            space: Space::default(),
        }
    }
}

/// An agent's components, as behaviors read them.
#[derive(QueryData)]
#[query_data(contiguous(all))]
pub(crate) struct AgentData {
    pub(crate) entity: Entity,
    id: &'static SteeringId,
    agent: &'static SteeringAgent,
    transform: &'static Transform,
    velocity: &'static Velocity,
}

impl AgentDataItem<'_, '_> {
    pub fn transform(&self) -> &Transform {
        self.transform
    }

    /// As behaviors see it.
    #[inline(always)]
    pub fn agent(&self, force: Vector, tick: f32, space: Space) -> Agent {
        Agent {
            entity: self.entity,
            id: *self.id,
            position: math::position(self.transform),
            velocity: self.velocity.0,
            force,
            mass: self.agent.effective_mass(),
            max_speed: self.agent.max_speed.max(0.0),
            max_force: self.agent.max_force.max(0.0),
            radius: self.agent.radius.max(0.0),
            response_time: self.agent.response_time.max(tick),
            tick,
            space,
        }
    }
}

/// The same of agents one after another.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    entities: &'a [Entity],
    ids: &'a [SteeringId],
    pub bodies: &'a [SteeringAgent],
    transforms: &'a [Transform],
    pub velocities: &'a [Velocity],
}

impl<'a> Rows<'a> {
    /// Some of them.
    #[inline]
    pub fn rows(&self, rows: Range<usize>) -> Self {
        Self {
            entities: &self.entities[rows.clone()],
            ids: &self.ids[rows.clone()],
            bodies: &self.bodies[rows.clone()],
            transforms: &self.transforms[rows.clone()],
            velocities: &self.velocities[rows],
        }
    }

    #[inline(always)]
    pub fn get(&self, row: usize) -> AgentDataItem<'a, 'a> {
        AgentDataItem {
            entity: self.entities[row],
            id: &self.ids[row],
            agent: &self.bodies[row],
            transform: &self.transforms[row],
            velocity: &self.velocities[row],
        }
    }
}

impl<'a> AgentDataContiguousItem<'a, '_> {
    /// All of them.
    #[inline]
    pub fn all(&self) -> Rows<'a> {
        Rows {
            entities: self.entity,
            ids: self.id,
            bodies: self.agent,
            transforms: self.transform,
            velocities: self.velocity,
        }
    }
}

/// What all agents share during a tick.
#[derive(SystemParam)]
pub(crate) struct TickParam<'w> {
    time: Res<'w, Time>,
    bounds: Res<'w, SteeringBounds>,
    pub(crate) threads: Res<'w, SteeringThreads>,
    pub(crate) mender: Mender<'w>,
}

impl TickParam<'_> {
    /// The length of the tick, seconds.
    pub(crate) fn length(&self) -> f32 {
        self.time.delta_secs()
    }

    pub(crate) fn bounds(&self) -> &SteeringBounds {
        &self.bounds
    }

    pub(crate) fn space(&self) -> Space {
        self.bounds.space()
    }
}

/// From how many agents of a kind on it pays to spread a behavior that looks at other entities over threads.
pub(crate) const PARALLEL_THRESHOLD: usize = 4_096;

/// Runs one behavior on all agents that have it.
fn steer<B: SteeringBehavior>(
    agents: Crowd<B>,
    itemized: LoggedCrowd<B>,
    param: StaticSystemParam<B::Param>,
    tick: TickParam,
) where
    for<'w, 's> SystemParamItem<'w, 's, B::Param>: Sync,
{
    let (param, tick) = (&*param, &tick);
    contribution_log::steer(itemized, param, tick);
    steer_each(agents, PARALLEL_THRESHOLD, tick, |behavior, force, data, space| {
        steer_agent(behavior, force, data, param, tick, space);
    });
}

/// The agents with a behavior, but for those whose contributions are [noted one by one](log).
pub(crate) type Crowd<'w, 's, B> = Query<'w, 's, (&'static mut B, &'static mut SteeringForce, AgentData), Unlogged>;

/// Does the same with each of them.
#[inline]
pub(crate) fn steer_each<B: SteeringBehavior>(
    agents: Crowd<B>,
    worthwhile: usize,
    tick: &TickParam,
    steer_one: impl Fn(&mut B, &mut SteeringForce, AgentDataItem, Space) + Sync,
) {
    steer_each_knowing(
        agents,
        worthwhile,
        tick,
        |_| (),
        |behavior, force, (), data, space| {
            steer_one(behavior, force, data, space);
        },
    );
}

/// Does the same with each of them, knowing something about it. That is looked up for many at a time: where it is far apart in memory,
/// the waits are one.
#[inline]
pub(crate) fn steer_each_knowing<B: SteeringBehavior, K: Copy>(
    agents: Crowd<B>,
    worthwhile: usize,
    tick: &TickParam,
    known: impl Fn(Entity) -> K + Sync,
    steer_one: impl Fn(&mut B, &mut SteeringForce, K, AgentDataItem, Space) + Sync,
) {
    let space = tick.space();
    let steer_piece = |(): &mut (), behaviors: &mut [B], forces: &mut [SteeringForce], agents: Rows| {
        let Some(first) = agents.entities.first() else { return };
        let mut all_known = [known(*first); BATCH];
        for (noted, entity) in all_known.iter_mut().zip(agents.entities) {
            *noted = known(*entity);
        }
        let rows = behaviors.iter_mut().zip(forces).zip(all_known).enumerate();
        // Of the loop there is one version for each case, so that a world without seams does not pay for them.
        if space.wraps() {
            rows.for_each(|(row, ((behavior, force), known))| {
                steer_one(behavior, force, known, agents.get(row), space);
            });
        } else {
            rows.for_each(|(row, ((behavior, force), known))| {
                steer_one(behavior, force, known, agents.get(row), Space::default());
            });
        }
    };
    steer_in_pieces(agents, worthwhile, tick, steer_piece, |behavior, force, data| {
        steer_one(behavior, force, known(data.entity), data, space);
    });
}

/// How many agents are looked at together.
pub(crate) const BATCH: usize = 64;

/// From how many agents of a kind on it pays to spread what is quickly done for each over threads.
pub(crate) const PARALLEL_THRESHOLD_BATCHED: usize = 16_384;

/// Runs one behavior on all agents that have it, up to [`BATCH`] of them at once. What `steer_piece` adds must be the same to the
/// bit as what `steer_one` would; its memo is shared by pieces, and may be forgotten between any two.
#[inline]
pub(crate) fn steer_in_pieces<B: SteeringBehavior, M: Default>(
    mut agents: Crowd<B>,
    worthwhile: usize,
    tick: &TickParam,
    steer_piece: impl Fn(&mut M, &mut [B], &mut [SteeringForce], Rows) + Sync,
    steer_one: impl Fn(&mut B, &mut SteeringForce, AgentDataItem),
) {
    let Ok(tables) = agents.contiguous_iter_mut() else {
        // Not in columns: the behavior, or a component with which the app disables entities, is in sparse storage.
        agents.iter_mut().for_each(|(mut behavior, mut force, data)| {
            steer_one(behavior.bypass_change_detection(), force.bypass_change_detection(), data);
        });
        return;
    };
    let steer_all = |behaviors: &mut [B], forces: &mut [SteeringForce], agents: Rows| {
        let mut memo = M::default();
        for (number, (behaviors, forces)) in behaviors.chunks_mut(BATCH).zip(forces.chunks_mut(BATCH)).enumerate() {
            let start = number * BATCH;
            steer_piece(&mut memo, behaviors, forces, agents.rows(start..start + behaviors.len()));
        }
    };
    for (behaviors, forces, agents) in tables {
        let (behaviors, _) = ContiguousMut::bypass_change_detection_split(behaviors);
        let (forces, _) = ContiguousMut::bypass_change_detection_split(forces);
        let agents = agents.all();
        if !tick.threads.parallel(|| behaviors.len(), worthwhile) {
            steer_all(behaviors, forces, agents);
            continue;
        }
        let share = threads::share(behaviors.len());
        let shares = behaviors.chunks_mut(share).zip(forces.chunks_mut(share)).enumerate();
        threads::work_together(shares, |(number, (behaviors, forces))| {
            let start = number * share;
            let agents = agents.rows(start..start + behaviors.len());
            steer_all(behaviors, forces, agents);
        });
    }
}

#[inline(always)]
pub(crate) fn steer_agent<B: SteeringBehavior>(
    behavior: &mut B,
    force: &mut SteeringForce,
    data: AgentDataItem,
    param: &SystemParamItem<B::Param>,
    tick: &TickParam,
    space: Space,
) {
    let agent = data.agent(force.0, tick.length(), space);
    let wanted = behavior.steer(&agent, param) * behavior.weight();
    force.0 += tick.mender.counted::<B>(&agent, wanted);
}

/// Adds the forces of a behavior of which [`flocking`] has computed most.
fn add_forces<B: NeighborKernel + SteeringBehavior<Param = AroundParam>>(
    agents: Crowd<B>,
    itemized: LoggedCrowd<B>,
    param: StaticSystemParam<B::Param>,
    noted: Res<Perceivers<B>>,
    tick: TickParam,
) {
    let (param, tick) = (&*param, &tick);
    contribution_log::steer_unless_known(itemized, param, tick, |behavior, agent| {
        let known = noted.force(param.0.place_of(agent));
        known.is_finite().then(|| (known, known * behavior.weight()))
    });
    let force_of = |entity: Entity| noted.force(param.0.place_of(entity));
    steer_each_knowing(agents, PARALLEL_PASS, tick, force_of, |behavior, force, known, data, space| {
        let weighted = known * behavior.weight();
        if weighted.is_finite() {
            force.0 += weighted;
        } else {
            steer_agent::<B>(behavior, force, data, param, tick, space);
        }
    });
}

/// Tells the neighbor index how far one behavior looks.
pub(crate) fn look<B: SteeringBehavior>(agents: Query<(&B, &SteeringAgent)>, mut neighbors: ResMut<Neighbors>) {
    let mut farthest = 0.0_f32;
    agents.iter().for_each(|(behavior, agent)| {
        let sight = behavior.perception_radius(agent);
        // Most do not look at all: then there is nothing to wait for.
        if sight > 0.0 {
            farthest = farthest.max(sight);
        }
    });
    neighbors.widen(farthest);
}

/// The behaviors registered so far, in order.
#[derive(Resource, Default)]
struct RegisteredBehaviors(Vec<(TypeId, BehaviorSystems)>);

/// What the neighbor index waits for.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct LookSystems;

/// Whose behavior it is: the plugin's run before users', whichever were registered first, and those that restrain the
/// sum of all others after them.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum BehaviorSystems {
    BuiltIn,
    Users,
    /// Users' that act on the sum.
    UsersRestraining,
    /// The plugin's that mind what all others want.
    Restraining,
    /// The plugin's that mind what is left of that: where everybody wants to go.
    Avoiding,
    /// The plugin's that mind what is left of that.
    Queueing,
}

/// The place of a behavior among those of its owner.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct InOrder(BehaviorSystems, usize);

/// Registers behaviors in an [`App`].
pub trait SteeringAppExt {
    /// Makes `B` run on every agent that has it, after the plugin's own behaviors and those registered before; if it
    /// [acts on the sum](SteeringBehavior::ACTS_ON_SUM), before the plugin's that do.
    ///
    /// Registering a behavior again changes nothing.
    ///
    /// # Panics
    ///
    /// When the app first runs, if [`SteeringBehavior::Param`] conflicts with what steering writes.
    fn add_steering_behavior<B: SteeringBehavior>(&mut self) -> &mut Self
    where
        for<'w, 's> SystemParamItem<'w, 's, B::Param>: Sync;
}

impl SteeringAppExt for App {
    fn add_steering_behavior<B: SteeringBehavior>(&mut self) -> &mut Self
    where
        for<'w, 's> SystemParamItem<'w, 's, B::Param>: Sync,
    {
        let systems = if B::ACTS_ON_SUM { BehaviorSystems::UsersRestraining } else { BehaviorSystems::Users };
        register::<B>(self, systems);
        self
    }
}

pub(crate) fn register<B: SteeringBehavior>(app: &mut App, owner: BehaviorSystems)
where
    for<'w, 's> SystemParamItem<'w, 's, B::Param>: Sync,
{
    register_systems::<B>(app, owner, look::<B>.into_configs(), steer::<B>.into_configs());
}

/// The same for a behavior that wants full speed in some direction.
pub(crate) fn register_heading<B: Heading>(app: &mut App, owner: BehaviorSystems)
where
    for<'w, 's> SystemParamItem<'w, 's, B::Param>: Sync,
{
    register_systems::<B>(app, owner, look::<B>.into_configs(), heading::steer::<B>.into_configs());
}

/// The same for [`AvoidObstacles`].
pub(crate) fn register_avoid_obstacles(app: &mut App, owner: BehaviorSystems) {
    let look = look::<AvoidObstacles>.into_configs();
    register_systems::<AvoidObstacles>(app, owner, look, avoid_obstacles::steer.into_configs());
}

/// The same for a behavior that is computed for many agents at once.
pub(crate) fn register_flocking<B: NeighborKernel + SteeringBehavior<Param = AroundParam>>(
    app: &mut App,
    owner: BehaviorSystems,
) {
    app.init_resource::<Perceivers<B>>();
    let steer = (flocking::add_up::<B>, add_forces::<B>).chain();
    register_systems::<B>(app, owner, flocking::note_perceivers::<B>.into_configs(), steer);
}

pub(crate) fn register_systems<B: SteeringBehavior>(
    app: &mut App,
    owner: BehaviorSystems,
    look: ScheduleConfigs<ScheduleSystem>,
    steer: ScheduleConfigs<ScheduleSystem>,
) {
    let mut registered = app.world_mut().get_resource_or_init::<RegisteredBehaviors>();
    let behavior = TypeId::of::<B>();
    if registered.0.iter().any(|(earlier, _)| *earlier == behavior) {
        return;
    }
    let place = registered.0.iter().filter(|(_, earlier_owner)| *earlier_owner == owner).count();
    registered.0.push((behavior, owner));

    let mut steer = steer.in_set(owner).in_set(InOrder(owner, place));
    if let Some(previous) = place.checked_sub(1) {
        steer = steer.after(InOrder(owner, previous));
    }
    // The farthest look is the same in any order.
    let look = look.in_set(LookSystems).ambiguous_with(LookSystems);
    app.add_systems(SteeringSchedule, (look, steer));
    #[cfg(feature = "debug")]
    crate::debug::register::<B>(app);
}
