//! The components that steered entities have.

pub mod random;

use alloc::vec::Vec;

use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::world::DeferredWorld;
use bevy::prelude::*;

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
    /// As in the classic articles, a wish becomes a force as if the mass were 1: with another mass a wish for less than max
    /// force is not fulfilled within a response time but by one part in `mass` of it. Where that matters, as when a heavy
    /// agent is to move alike at all tick rates, set a [`response_time`](Self::response_time) of several ticks.
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

/// The groups that an agent belongs to, a bit for each: prey and predators, teams, species. Default: the first one, 1.
///
/// An agent without this component belongs to the first group, too. Who is in several, such as `0b101`, is a member of each;
/// who is in none (0) is found by nobody who looks for a group. Groups matter to those who aim at one
/// ([`Target::Group`](crate::perception::target::Target::Group)), to behaviors that look at some groups only or weigh them differently
/// ([`GroupWeights`](crate::perception::flocking::GroupWeights)), and to games that read
/// [`Neighbor::groups`](crate::perception::neighbors::Neighbor::groups).
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// const FISH: u32 = 1 << 0;
/// const SHARKS: u32 = 1 << 1;
///
/// fn setup(mut commands: Commands) {
///     commands.spawn((Wander::default(), Evade::new(Target::Group(SHARKS)), SteeringGroups(FISH)));
///     commands.spawn((Pursue::new(Target::Group(FISH)), SteeringGroups(SHARKS)));
/// }
/// ```
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash, Reflect, Deref, DerefMut)]
#[reflect(Component, Clone, Debug, Default, PartialEq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
pub struct SteeringGroups(pub u32);

impl Default for SteeringGroups {
    fn default() -> Self {
        Self(1)
    }
}

/// An agent's number: seeds its randomness, breaks ties between agents in the same place, and orders sums.
///
/// Agents are numbered in the order they are spawned, above all numbers given so far; a clone gets a number of its own. A
/// game that needs results that do not depend on that order (over the network, in replays) gives every agent its number.
/// Two agents with the same number are not told apart where only the number could.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// commands.spawn((Wander::default(), SteeringId::new(42)));
/// # }
/// ```
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
#[component(on_insert = number_agent, clone_behavior = Ignore)]
pub struct SteeringId(u64);

impl SteeringId {
    /// Stands for "the next free number" until the component is inserted.
    const UNNUMBERED: Self = Self(u64::MAX);

    /// The given number. `u64::MAX` is not one: it asks to be numbered at spawn, as the default does.
    pub const fn new(number: u64) -> Self {
        Self(number)
    }

    /// The number.
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl Default for SteeringId {
    fn default() -> Self {
        Self::UNNUMBERED
    }
}

/// A number larger than that of any agent so far.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Resource, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
pub struct NextSteeringId(u64);

fn number_agent(mut world: DeferredWorld, context: HookContext) {
    let Some(given) = world.get::<SteeringId>(context.entity).copied() else { return };
    // Without the resource the plugin is still to come, and numbers the agent then.
    let Some(mut next) = world.get_resource_mut::<NextSteeringId>() else { return };
    let id = if given == SteeringId::UNNUMBERED { SteeringId(next.0) } else { given };
    next.0 = next.0.max(id.0.saturating_add(1)).min(SteeringId::UNNUMBERED.0 - 1);
    if id != given
        && let Some(mut unnumbered) = world.get_mut::<SteeringId>(context.entity)
    {
        *unnumbered = id;
    }
}

/// Numbers the agents that were there before the plugin.
pub(crate) fn number_early_agents(world: &mut World) {
    let early: Vec<(Entity, SteeringId)> =
        world.query::<(Entity, &SteeringId)>().iter(world).map(|(entity, id)| (entity, *id)).collect();
    for (entity, id) in early {
        world.entity_mut(entity).insert(id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spawn(world: &mut World, id: SteeringId) -> Entity {
        world.spawn((SteeringAgent::default(), id)).id()
    }

    fn number(world: &World, entity: Entity) -> u64 {
        world.get::<SteeringId>(entity).unwrap().get()
    }

    #[test]
    fn agents_are_numbered_in_spawn_order_above_given_numbers() {
        let mut world = World::new();
        world.init_resource::<NextSteeringId>();
        let numbers = [SteeringId::default(), SteeringId::new(77), SteeringId::default(), SteeringId::new(5)]
            .map(|id| spawn(&mut world, id))
            .map(|entity| number(&world, entity));
        assert_eq!(numbers, [0, 77, 78, 5]);
    }

    #[test]
    fn clones_and_early_agents_get_a_number_of_their_own() {
        let mut world = World::new();
        let early = [SteeringId::new(3), SteeringId::default()].map(|id| spawn(&mut world, id));
        world.init_resource::<NextSteeringId>();
        number_early_agents(&mut world);
        let clone = world.entity_mut(early[1]).clone_and_spawn();
        let numbers = [early[0], early[1], clone].map(|entity| number(&world, entity));
        assert_eq!(numbers, [3, 4, 5]);
        world.entity_mut(clone).insert(SteeringId::default());
        assert_eq!(number(&world, clone), 6);
    }
}
