//! What happens to agents, told to observers: who has arrived, lost its target, caught its quarry, is stuck, or is about to run into
//! something.
//!
//! Who has [`SteeringEvents`] is watched, and everything is told once, when it begins. What could flicker is told again only after it
//! was clearly over:
//!
//! | event | told when | again only after |
//! |---|---|---|
//! | [`TargetLost`] | the target of a behavior is gone | it was found again |
//! | [`Arrived`] | the agent is at the target of [`Arrive`], and slow, or at that of [`Seek`] | it was twice as far away |
//! | [`Caught`] | the quarry of [`Pursue`], or an entity that it [`Seek`]s, is within reach | that quarry was twice as far away |
//! | [`Unstuck`] | it was stuck, and got away or no longer wants to | – |
//! | [`Stuck`] | it wants to move, and has not for a while | it was unstuck |
//! | [`CollisionImminent`] | it touches another agent or an obstacle soon, if both go on as they do | even twice as large it would not touch that one within twice the time |
//!
//! # Order
//!
//! Everything is noticed in [`SteeringSystems::React`], at the end of the tick, on the state of which all of it is true, and told right
//! then: agent by agent in the order of their [`SteeringId`]s, and of each agent in the order of the table above; of several targets in
//! the order in which behaviors run, of several collisions the soonest first, and of those at the same time agents before
//! obstacles and smaller numbers first. So the order does not depend on that of entities or of spawning.
//!
//! Observers may do anything. What an observer does has been done when the next one is told; who is despawned by it, or loses
//! [`SteeringEvents`], is told nothing more, and nobody is told of others that are gone.

mod collisions;
mod progress;
mod targets;

use alloc::vec::Vec;
use core::mem;

use bevy::ecs::entity::MapEntities;
use bevy::ecs::query::QueryData;
use bevy::ecs::schedule::common_conditions::any_with_component;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use crate::agent::SteeringId;
use crate::engine::behavior::{AgentData, BehaviorSystems, LookSystems, TickParam};
use crate::engine::maneuver;
use crate::math::{self, Vector};
use crate::perception::neighbors::{self, Neighbors};
use crate::perception::obstacles::Obstacles;
use crate::prelude::*;
use collisions::Sightings;
use progress::Progress;

pub use collisions::time_to_touch;

/// Tells observers what happens to an agent: see the [module](self) for what is told when, and in which order.
///
/// An agent without it is not watched, and costs nothing. Watching changes no motion.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// fn setup(mut commands: Commands) {
///     let prey = commands.spawn((Wander::default(), Transform::from_xyz(300.0, 0.0, 0.0))).id();
///     commands.spawn((Pursue::new(prey), SteeringEvents::default(), Transform::default())).observe(eat);
/// }
///
/// fn eat(caught: On<Caught>, mut commands: Commands) {
///     commands.entity(caught.quarry).despawn();
/// }
/// ```
#[derive(Component, Clone, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
#[require(SteeringAgent)]
pub struct SteeringEvents {
    /// [`Arrived`]: how far from the agent's center its target is at most, units, ≥ 0; of a target that is an agent, its body.
    /// Default: 1.1 of the agent's radius. Never less than what [`Arrive::arrival_tolerance`] is.
    pub arrival_distance: Option<f32>,
    /// [`Caught`]: how far from the agent's center the body of its quarry is at most, units, ≥ 0. Default: 1.1 of the agent's radius,
    /// so that bodies which touch, as solid ones do, are caught.
    pub reach: Option<f32>,
    /// [`Stuck`]: for how long it has not moved, s; zero for never. Default: one second, and the time in which the agent can turn round
    /// at full speed.
    pub patience: Option<f32>,
    /// [`CollisionImminent`]: how long it takes at most until they touch, s; zero for never. Default: the time in which the agent can
    /// stop from max speed, which is twice what is left when it must begin to brake before a wall.
    pub warning_time: Option<f32>,
    /// What has been told, and what there is to know for that. Written each tick.
    #[entities]
    pub memory: EventMemory,
}

impl SteeringEvents {
    /// Sets the [`arrival_distance`](Self::arrival_distance), units.
    #[must_use]
    pub fn with_arrival_distance(self, distance: f32) -> Self {
        Self { arrival_distance: Some(distance), ..self }
    }

    /// Sets the [`reach`](Self::reach), units.
    #[must_use]
    pub fn with_reach(self, distance: f32) -> Self {
        Self { reach: Some(distance), ..self }
    }

    /// Sets the [`patience`](Self::patience), s.
    #[must_use]
    pub fn with_patience(self, time: f32) -> Self {
        Self { patience: Some(time), ..self }
    }

    /// Sets the [`warning_time`](Self::warning_time), s.
    #[must_use]
    pub fn with_warning_time(self, time: f32) -> Self {
        Self { warning_time: Some(time), ..self }
    }
}

/// What has happened to an agent that is still so, and was told: what [`SteeringEvents`] remembers from tick to tick.
#[derive(Clone, Debug, Default, PartialEq, Reflect, MapEntities)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
pub struct EventMemory {
    /// The velocity that its behaviors want, units/s.
    wish: Vector,
    /// How fast it would go but for its queue, units/s.
    open: f32,
    /// Behaviors whose target it is at, and behaviors whose target is gone: a bit for each.
    arrived: u8,
    lost: u8,
    #[entities]
    caught: Vec<Entity>,
    #[entities]
    warned: Vec<Entity>,
    progress: Progress,
}

/// A behavior that has a [`Target`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Reflect)]
#[reflect(Clone, Debug, PartialEq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
pub enum TargetedBehavior {
    /// Of [`Evade`].
    Evade,
    /// Of [`Flee`].
    Flee,
    /// Of [`Pursue`].
    Pursue,
    /// Of [`Arrive`].
    Arrive,
    /// Of [`Seek`].
    Seek,
    /// Of [`MatchVelocity`].
    MatchVelocity,
}

/// An agent is at the target of a behavior: [`Arrive`], at which it is slow by then (relative to the target at most a tenth of its max
/// speed), or [`Seek`], which runs past it and so arrives each time it comes back.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// commands
///     .spawn((Arrive::new(Vec2::new(200.0, 0.0)), SteeringEvents::default()))
///     .observe(|arrived: On<Arrived>| println!("{} is at {:?}", arrived.entity, arrived.target));
/// # }
/// ```
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
pub struct Arrived {
    /// The agent.
    pub entity: Entity,
    /// Which behavior brought it there.
    pub behavior: TargetedBehavior,
    /// What that aims at.
    pub target: Target,
}

/// The target of a behavior is gone: despawned, without its `Transform`, or a group of which no other member is left; or it was not
/// there to begin with. The behavior does nothing until there is one.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// fn give_up(lost: On<TargetLost>, mut commands: Commands) {
///     if lost.behavior == TargetedBehavior::Pursue {
///         commands.entity(lost.entity).remove::<Pursue>().insert(Wander::default());
///     }
/// }
/// # App::new().add_observer(give_up);
/// ```
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
pub struct TargetLost {
    /// The agent.
    pub entity: Entity,
    /// Whose target it was.
    pub behavior: TargetedBehavior,
    /// What the behavior aims at; of an entity all that is left.
    pub target: Target,
}

/// A pursuer has its quarry within reach: what it [`Pursue`]s, or an entity or group that it [`Seek`]s. Of a group, every member that is
/// the nearest in turn is caught on its own.
///
/// It is told on the pursuer, so that it is told once to those who observe everybody. What happens to the quarry is up to the observer:
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # #[derive(Component)] struct Health(f32);
/// fn bite(caught: On<Caught>, mut victims: Query<&mut Health>) {
///     if let Ok(mut health) = victims.get_mut(caught.quarry) {
///         health.0 -= 10.0;
///     }
/// }
/// # App::new().add_observer(bite);
/// ```
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
pub struct Caught {
    /// The pursuer.
    pub entity: Entity,
    /// Whom it caught.
    pub quarry: Entity,
}

/// An agent wants to move and does not: for its [`patience`](SteeringEvents::patience) it has wanted at least a tenth of its max speed,
/// and has not got a tenth of that way.
///
/// What it wants is what its behaviors want together, before [`Contain`], [`AvoidObstacles`], [`AvoidNeighbors`] and [`Queue`] say
/// what is possible: a dead end, a crowd that lets nobody through and a target behind the edge of the world make it stuck. Who is at
/// rest at its target wants nothing, and who runs to and fro about one gets on each time; neither is stuck. Nor is who waits its turn
/// because of [`Queue`], however long: to wait is what it wants. Only who is first there, and held up by something else, is.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// fn look_for_another_way(stuck: On<Stuck>, mut commands: Commands) {
///     commands.entity(stuck.entity).insert(Wander::default().with_weight(5.0));
/// }
/// # App::new().add_observer(look_for_another_way);
/// ```
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
pub struct Stuck {
    /// The agent.
    pub entity: Entity,
    /// The velocity that it wanted in the mean, units/s.
    pub wish: Vector,
}

/// An agent that was [`Stuck`] has got away, twice as far as makes it stuck, or has not wanted to for half its
/// [`patience`](SteeringEvents::patience).
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// fn go_on(unstuck: On<Unstuck>, mut commands: Commands) {
///     commands.entity(unstuck.entity).remove::<Wander>();
/// }
/// # App::new().add_observer(go_on);
/// ```
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq, Eq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
pub struct Unstuck {
    /// The agent.
    pub entity: Entity,
}

/// An agent is about to run into another agent or an obstacle: within its [`warning_time`](SteeringEvents::warning_time) their bodies
/// touch, if both go on at their velocities.
///
/// Each of two agents is told, if it is watched. Of obstacles those count which the agent minds: in the layers of its [`AvoidObstacles`]
/// and [`Solid`], and all if it has neither. It sees as far as two such agents come toward each other in that time: something much
/// faster is noticed later.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// fn honk(collision: On<CollisionImminent>) {
///     println!("{}: {} in {:.1} s!", collision.entity, collision.other, collision.time);
/// }
/// # App::new().add_observer(honk);
/// ```
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
pub struct CollisionImminent {
    /// The agent.
    pub entity: Entity,
    /// What it is about to run into: an agent or an obstacle.
    pub other: Entity,
    /// How long that takes, s.
    pub time: f32,
}

/// What has happened in a tick and is to be told.
#[derive(Resource, Default)]
pub(crate) struct Happenings(Vec<(SteeringId, usize, Happening)>);

#[derive(Clone, Copy)]
enum Happening {
    TargetLost(TargetLost),
    Arrived(Arrived),
    Caught(Caught),
    Unstuck(Unstuck),
    Stuck(Stuck),
    CollisionImminent(CollisionImminent),
}

impl Happening {
    /// To whom, and whoever else must be there.
    fn entities(&self) -> (Entity, Option<Entity>) {
        match *self {
            Self::TargetLost(TargetLost { entity, .. })
            | Self::Arrived(Arrived { entity, .. })
            | Self::Unstuck(Unstuck { entity })
            | Self::Stuck(Stuck { entity, .. }) => (entity, None),
            Self::Caught(Caught { entity, quarry }) => (entity, Some(quarry)),
            Self::CollisionImminent(CollisionImminent { entity, other, .. }) => (entity, Some(other)),
        }
    }

    fn trigger(self, world: &mut World) {
        match self {
            Self::TargetLost(event) => world.trigger(event),
            Self::Arrived(event) => world.trigger(event),
            Self::Caught(event) => world.trigger(event),
            Self::Unstuck(event) => world.trigger(event),
            Self::Stuck(event) => world.trigger(event),
            Self::CollisionImminent(event) => world.trigger(event),
        }
    }
}

/// The behaviors of an agent that matter to what happens to it.
#[derive(QueryData)]
pub(crate) struct Behaviors {
    evade: Option<&'static Evade>,
    flee: Option<&'static Flee>,
    pursue: Option<&'static Pursue>,
    arrive: Option<&'static Arrive>,
    seek: Option<&'static Seek>,
    match_velocity: Option<&'static MatchVelocity>,
    avoid_obstacles: Option<&'static AvoidObstacles>,
    solid: Option<&'static Solid>,
}

/// What there is besides the agent.
#[derive(SystemParam)]
pub(crate) struct Surroundings<'w, 's> {
    targets: Targets<'w, 's>,
    /// As old as the tick: where they are now is in `bodies`.
    neighbors: Res<'w, Neighbors>,
    obstacles: Res<'w, Obstacles>,
    bodies: Query<'w, 's, (&'static Transform, &'static Velocity, &'static SteeringAgent)>,
}

/// Finds out what has happened to whom.
fn notice(
    mut agents: Query<(&mut SteeringEvents, AgentData, Behaviors)>,
    surroundings: Surroundings,
    tick: TickParam,
    mut happenings: ResMut<Happenings>,
    mut sightings: Local<Sightings>,
) {
    let (length, space) = (tick.length(), tick.space());
    for (mut events, data, behaviors) in &mut agents {
        let mut agent = data.agent(Vector::ZERO, length, space);
        agent.velocity = math::finite_or_zero(agent.velocity);
        // Whoever is nowhere is told when it is somewhere again.
        if !agent.position.is_finite() {
            continue;
        }
        let (id, events) = (agent.id, events.bypass_change_detection());
        let mut tell = |happening| {
            let place = happenings.0.len();
            happenings.0.push((id, place, happening));
        };
        targets::notice(events, &agent, &behaviors, &surroundings, &mut tell);
        progress::notice(events, &agent, &mut tell);
        collisions::notice(events, &agent, &behaviors, &surroundings, &mut sightings, &mut tell);
    }
}

/// Triggers the events.
fn tell(world: &mut World) {
    let mut happenings = mem::take(&mut world.resource_mut::<Happenings>().0);
    happenings.sort_unstable_by_key(|(id, place, _)| (*id, *place));
    for (.., happening) in happenings.drain(..) {
        let (agent, other) = happening.entities();
        let is_there = |entity| world.get_entity(entity).is_ok();
        if world.get::<SteeringEvents>(agent).is_some() && other.is_none_or(is_there) {
            happening.trigger(world);
            world.flush();
        }
    }
    // The list keeps its memory.
    world.resource_mut::<Happenings>().0 = happenings;
}

pub(crate) fn register(app: &mut App) {
    app.init_resource::<Happenings>().register_type::<SteeringEvents>().add_systems(
        SteeringSchedule,
        (
            collisions::look.in_set(SteeringSystems::Sense).after(LookSystems).before(neighbors::index_neighbors),
            progress::note_wishes.in_set(SteeringSystems::Constrain).before(maneuver::turn_bodies),
            progress::note_open_ways
                .in_set(SteeringSystems::Constrain)
                .after(BehaviorSystems::Avoiding)
                .before(BehaviorSystems::Queueing),
            progress::note_who_waits.in_set(SteeringSystems::Constrain).after(BehaviorSystems::Queueing),
            (notice, tell).chain().in_set(SteeringSystems::React),
        )
            .run_if(any_with_component::<SteeringEvents>),
    );
}
