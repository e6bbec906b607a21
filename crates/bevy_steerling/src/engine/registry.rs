//! The registry of behaviors and constraints, and the order in which they run.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::TypeId;

use bevy::ecs::archetype::Archetype;
use bevy::ecs::component::{ComponentId, Components};
use bevy::ecs::schedule::ScheduleConfigs;
use bevy::ecs::system::{ScheduleSystem, SystemParamItem};
use bevy::prelude::*;

use crate::agent::SteeringAgent;
use crate::engine::aims::{AimList, AimsOf, ListAims};
use crate::engine::behavior::SteeringBehavior;
use crate::engine::constraint::SteeringConstraint;
use crate::engine::contributor::{Adds, Bends, Contributor};
use crate::engine::name::BehaviorName;
use crate::engine::runner;
use crate::perception::PerceptionRadiusSystems;
use crate::perception::neighbors::{Neighbors, Radii};
use crate::tick::schedule::{SteeringSchedule, is_in_use};

/// Registers behaviors and constraints in an [`App`].
pub trait SteeringAppExt {
    /// Runs the behavior `B` on every agent that has it, after the plugin's behaviors and those registered before.
    ///
    /// Registering a behavior again has no effect.
    ///
    /// # Panics
    ///
    /// When the app first runs, if [`SteeringBehavior::Param`] conflicts with the data that steering writes.
    fn add_steering_behavior<B: SteeringBehavior>(&mut self) -> &mut Self
    where
        for<'w, 's> SystemParamItem<'w, 's, B::Param>: Sync;

    /// Runs the constraint `C` on every agent that has it, before the plugin's constraints and after those registered before.
    ///
    /// Registering a constraint again has no effect.
    ///
    /// # Panics
    ///
    /// When the app first runs, if [`SteeringConstraint::Param`] conflicts with the data that steering writes.
    fn add_steering_constraint<C: SteeringConstraint>(&mut self) -> &mut Self
    where
        for<'w, 's> SystemParamItem<'w, 's, C::Param>: Sync;
}

impl SteeringAppExt for App {
    fn add_steering_behavior<B: SteeringBehavior>(&mut self) -> &mut Self
    where
        for<'w, 's> SystemParamItem<'w, 's, B::Param>: Sync,
    {
        register::<Adds<B>>(self, Phase::UserBehaviors, Registration::default());
        self
    }

    fn add_steering_constraint<C: SteeringConstraint>(&mut self) -> &mut Self
    where
        for<'w, 's> SystemParamItem<'w, 's, C::Param>: Sync,
    {
        register::<Bends<C>>(self, Phase::UserConstraints, Registration::default());
        self
    }
}

/// The phases in which behaviors and constraints run, in this order. Within a phase they run in the order of registration.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Phase {
    /// The plugin's behaviors, the most urgent first.
    Behaviors,
    UserBehaviors,
    /// Bodies with limits follow the total of the behaviors.
    Bodies,
    UserConstraints,
    /// The plugin's constraints that do not depend on other agents.
    Constraints,
    /// The plugin's constraints that read the preferred velocities of other agents.
    AvoidingConstraints,
    /// The plugin's constraints that read what other agents want after all of the above.
    QueueingConstraints,
}

/// The position of a behavior in its phase.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct InOrder(Phase, usize);

/// The behaviors and constraints registered so far, in the order in which they run.
#[derive(Resource, Default)]
pub(crate) struct Registry(Vec<Entry>);

pub(crate) struct Entry {
    settings: TypeId,
    phase: Phase,
    pub name: BehaviorName,
    aims: Box<dyn ListAims>,
}

impl Registry {
    /// The behaviors that agents of an archetype have, as numbers that stay the same until another behavior is registered.
    pub fn behaviors_of(&self, archetype: &Archetype, components: &Components) -> impl Iterator<Item = u16> {
        let has = |entry: &Entry| components.get_id(entry.settings).is_some_and(|id| archetype.contains(id));
        let behaviors = (0..).zip(&self.0).take_while(|(_, entry)| entry.phase <= Phase::UserBehaviors);
        behaviors.filter(move |(_, entry)| has(entry)).map(|(number, _)| number)
    }

    pub fn get(&self, number: u16) -> &Entry {
        &self.0[usize::from(number)]
    }

    /// Lists the aims of each behavior for the agents with the component `marker`.
    pub fn list_aims(&mut self, world: &mut World, marker: ComponentId, lists: &mut Vec<AimList>) {
        let count = self.0.partition_point(|entry| entry.phase <= Phase::UserBehaviors);
        lists.resize_with(count, AimList::default);
        for (entry, list) in self.0.iter_mut().zip(lists) {
            let settings = world.components().get_id(entry.settings);
            if settings.is_some_and(|settings| world.archetypes().component_index().contains_key(&settings)) {
                entry.aims.list(world, marker, list);
            } else {
                list.clear();
            }
        }
    }
}

/// The names of an entity's behaviors and constraints, including custom ones, in the order in which they run.
pub fn contributors(world: &World, agent: Entity) -> Vec<BehaviorName> {
    let Some((registry, agent)) = world.get_resource::<Registry>().zip(world.get_entity(agent).ok()) else {
        return Vec::new();
    };
    let entries = registry.0.iter().filter(|entry| agent.contains_type_id(entry.settings));
    entries.map(|entry| entry.name.clone()).collect()
}

/// Additional systems of a behavior.
#[derive(Default)]
pub(crate) struct Registration {
    /// Replaces the system that reports the perception radius.
    pub perceive: Option<ScheduleConfigs<ScheduleSystem>>,
    /// Runs before the behavior.
    pub prepare: Option<ScheduleConfigs<ScheduleSystem>>,
}

impl Registration {
    pub fn preparing<P>(prepare: impl IntoScheduleConfigs<ScheduleSystem, P>) -> Self {
        Self { perceive: None, prepare: Some(prepare.into_configs()) }
    }

    pub fn new<P, Q>(
        perceive: impl IntoScheduleConfigs<ScheduleSystem, P>,
        prepare: impl IntoScheduleConfigs<ScheduleSystem, Q>,
    ) -> Self {
        Self { perceive: Some(perceive.into_configs()), prepare: Some(prepare.into_configs()) }
    }
}

/// Adds the systems of a behavior or constraint, unless it is registered already.
pub(crate) fn register<C: Contributor>(app: &mut App, phase: Phase, registration: Registration)
where
    for<'w, 's> SystemParamItem<'w, 's, C::Param>: Sync,
{
    let settings = TypeId::of::<C::Settings>();
    let mut registry = app.world_mut().get_resource_or_init::<Registry>();
    if registry.0.iter().any(|entry| entry.settings == settings) {
        return;
    }
    #[cfg(feature = "debug")]
    let number = registry.0.len();
    let place = registry.0.iter().filter(|entry| entry.phase == phase).count();
    let next = registry.0.partition_point(|entry| entry.phase <= phase);
    let (name, aims) = (BehaviorName::of::<C::Settings>(), Box::new(AimsOf::<C>::default()));
    registry.0.insert(next, Entry { settings, phase, name, aims });

    let run = runner::run::<C>.run_if(is_in_use::<C::Settings>);
    let run = match registration.prepare {
        Some(prepare) => (prepare, run).chain(),
        None => run,
    };
    let mut run = run.in_set(phase).in_set(InOrder(phase, place));
    if let Some(previous) = place.checked_sub(1) {
        run = run.after(InOrder(phase, previous));
    }
    let perceive = registration.perceive.unwrap_or_else(|| report_perception_radius::<C>.into_configs());
    let perceive = perceive.run_if(is_in_use::<C::Settings>);
    // The largest radius does not depend on the order.
    let perceive = perceive.in_set(PerceptionRadiusSystems).ambiguous_with(PerceptionRadiusSystems);
    app.add_systems(SteeringSchedule, (perceive, run));
    #[cfg(feature = "debug")]
    crate::engine::figures::register::<C>(app, number);
}

/// Reports the perception radii of one behavior to the neighbor index.
fn report_perception_radius<C: Contributor>(
    agents: Query<(&C::Settings, &SteeringAgent)>,
    mut neighbors: ResMut<Neighbors>,
) {
    neighbors.widen(&radii_of::<C>(agents.iter()));
}

/// [`report_perception_radius`] for a radius that takes longer to compute than to find out that no agent has changed.
pub(crate) fn report_costly_radius<C: Contributor>(
    agents: Query<(Entity, &C::Settings, &SteeringAgent)>,
    changed: Query<(), (With<C::Settings>, With<SteeringAgent>, Or<(Changed<C::Settings>, Changed<SteeringAgent>)>)>,
    mut neighbors: ResMut<Neighbors>,
    mut known: Local<(Vec<Entity>, Radii)>,
) {
    let (known, radii) = &mut *known;
    // Change detection does not find agents that are gone, or enabled again.
    let entities = || agents.iter().map(|(entity, ..)| entity);
    if !changed.is_empty() || !entities().eq(known.iter().copied()) {
        known.clear();
        known.extend(entities());
        *radii = radii_of::<C>(agents.iter().map(|(_, settings, agent)| (settings, agent)));
    }
    neighbors.widen(radii);
}

fn radii_of<'a, C: Contributor>(agents: impl Iterator<Item = (&'a C::Settings, &'a SteeringAgent)>) -> Radii {
    let mut radii = Radii::default();
    agents.for_each(|(settings, agent)| radii.note(C::perception_radius(settings, agent), 1));
    radii
}
