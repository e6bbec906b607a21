//! The trait of the fields of a behavior.

use bevy::ecs::component::Component;
use bevy::ecs::world::{EntityRef, EntityWorldMut};
use bevy_steerling::behavior_prelude::SteeringBehavior;
use bevy_steerling::behavior_prelude::SteeringConstraint;
use bevy_steerling::prelude::{BehaviorName, SteeringAgent};

use crate::behaviors::target::Target;
#[cfg(dim3)]
use crate::json::planar::OnlyInPlane;
use crate::mapping::entities::Entities;
use crate::mapping::place::Place;
use crate::mapping::value::Value;
use crate::shapes::PlacedShape;

/// The fields of a behavior in a file.
pub(crate) trait BehaviorFields {
    /// The steering components that [`insert`](Self::insert) chooses from. Arbitration rules for the behavior's key
    /// apply to all of them.
    type Components: ComponentSet
    where
        Self: Sized;

    /// The radius within which the behavior counts the neighbors of an agent, units; zero if it does not.
    fn perception_radius(_agent: EntityRef, _body: &SteeringAgent) -> f32
    where
        Self: Sized,
    {
        0.0
    }

    /// The behavior's targets, each with its path within the fields.
    fn targets(&self) -> Vec<(&'static str, &Target)> {
        Vec::new()
    }

    /// The id of the flow field that the behavior follows, if any.
    fn flow_field(&self) -> Option<&str> {
        None
    }

    /// The region that the behavior keeps an agent in, if any.
    fn region(&self) -> Option<PlacedShape> {
        None
    }

    /// Checks what the types of the fields cannot express. The error is the path within the fields and what was
    /// expected there.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }

    /// Adds the behavior to an agent. Missing fields keep the defaults of the plugin.
    fn insert(&self, agent: &mut EntityWorldMut, entities: &Entities);

    /// Returns the fields in a file for this behavior of an agent. Returns `None` if the agent does not have it, or, with a note, if a file
    /// cannot express it.
    fn read(agent: EntityRef, place: &Place) -> Option<Self>
    where
        Self: Sized;
}

/// The items of [`BehaviorFields`] for a behavior that is one component.
macro_rules! component {
    ($Component:ty) => {
        type Components = ($Component,);

        fn insert(&self, agent: &mut bevy::ecs::world::EntityWorldMut, entities: &$crate::mapping::entities::Entities) {
            $crate::behaviors::fields::insert::<$Component>(self, agent, entities);
        }

        fn read(agent: bevy::ecs::world::EntityRef, place: &$crate::mapping::place::Place) -> Option<Self> {
            $crate::behaviors::fields::read::<$Component, _>(agent, place)
        }
    };
}

pub(crate) use component;

/// Adds the component that the fields stand for to an agent.
pub(crate) fn insert<C: Component>(fields: &impl Value<C>, agent: &mut EntityWorldMut, entities: &Entities) {
    agent.insert(fields.value(entities));
}

/// The fields that stand for a component of an agent, if it has that component.
pub(crate) fn read<C: Component, F: Value<C>>(agent: EntityRef, place: &Place) -> Option<F> {
    F::of(agent.get::<C>()?, place)
}

/// Returns the fields of a behavior that is one of two components. If an agent has both, notes it and returns the first.
pub(crate) fn one_of<F>(one: Option<F>, other: Option<F>, place: &Place) -> Option<F> {
    if one.is_some() && other.is_some() {
        place.note("the agent has two of these, but a file has only one");
    }
    one.or(other)
}

#[cfg(dim3)]
impl BehaviorFields for OnlyInPlane {
    type Components = ();

    fn insert(&self, _: &mut EntityWorldMut, _: &Entities) {
        match *self {}
    }

    fn read(_: EntityRef, _: &Place) -> Option<Self> {
        None
    }
}

/// The steering components of one behavior, as a tuple.
pub(crate) trait ComponentSet {
    /// Their names.
    fn names() -> Vec<BehaviorName>;
}

#[cfg(dim3)]
impl ComponentSet for () {
    fn names() -> Vec<BehaviorName> {
        Vec::new()
    }
}

impl<A: Component> ComponentSet for (A,) {
    fn names() -> Vec<BehaviorName> {
        vec![BehaviorName::of::<A>()]
    }
}

impl<A: Component, B: Component> ComponentSet for (A, B) {
    fn names() -> Vec<BehaviorName> {
        vec![BehaviorName::of::<A>(), BehaviorName::of::<B>()]
    }
}

/// The perception radius of a behavior of an agent, units; zero if the agent does not have it.
pub(crate) fn behavior_radius<B: SteeringBehavior>(agent: EntityRef, body: &SteeringAgent) -> f32 {
    agent.get::<B>().map_or(0.0, |behavior| behavior.perception_radius(body))
}

/// The perception radius of a constraint of an agent, units; zero if the agent does not have it.
pub(crate) fn constraint_radius<C: SteeringConstraint>(agent: EntityRef, body: &SteeringAgent) -> f32 {
    agent.get::<C>().map_or(0.0, |constraint| constraint.perception_radius(body))
}
