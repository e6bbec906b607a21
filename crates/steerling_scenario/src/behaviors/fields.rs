//! The trait of the fields of a behavior.

use std::any::type_name;

use bevy::ecs::world::{EntityRef, EntityWorldMut};
use bevy_steerling::prelude::{Arbitration, PlacedShape, SteeringAgent, SteeringBehavior};

use crate::behaviors::target::{Target, TargetEntities};

/// The fields of a behavior in a file.
pub(crate) trait BehaviorFields {
    /// The steering components that [`insert`](Self::insert) chooses from. Arbitration rules for the behavior's key
    /// apply to all of them.
    type Components: ComponentSet
    where
        Self: Sized;

    /// Whether the benchmark counts the neighbors within the behavior's perception radius.
    fn counts_neighbors() -> bool
    where
        Self: Sized,
    {
        false
    }

    /// The behavior's target, if it has one.
    fn target(&self) -> Option<&Target> {
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
    fn insert(&self, agent: &mut EntityWorldMut, targets: &TargetEntities);
}

/// The steering components of one behavior, as a tuple.
pub(crate) trait ComponentSet {
    /// Whether one of the components has this name.
    fn contains(name: &str) -> bool;

    /// The largest perception radius of the components that an agent has, units.
    fn perception_radius(agent: EntityRef, body: &SteeringAgent) -> f32;

    fn with_priority(arbitration: Arbitration, priority: i32) -> Arbitration;

    fn with_probability(arbitration: Arbitration, probability: f32) -> Arbitration;
}

impl<B: SteeringBehavior> ComponentSet for (B,) {
    fn contains(name: &str) -> bool {
        type_name::<B>().rsplit("::").next() == Some(name)
    }

    fn perception_radius(agent: EntityRef, body: &SteeringAgent) -> f32 {
        agent.get::<B>().map_or(0.0, |behavior| behavior.perception_radius(body))
    }

    fn with_priority(arbitration: Arbitration, priority: i32) -> Arbitration {
        arbitration.with_priority::<B>(priority)
    }

    fn with_probability(arbitration: Arbitration, probability: f32) -> Arbitration {
        arbitration.with_probability::<B>(probability)
    }
}

impl<A: SteeringBehavior, B: SteeringBehavior> ComponentSet for (A, B) {
    fn contains(name: &str) -> bool {
        <(A,)>::contains(name) || <(B,)>::contains(name)
    }

    fn perception_radius(agent: EntityRef, body: &SteeringAgent) -> f32 {
        <(A,)>::perception_radius(agent, body).max(<(B,)>::perception_radius(agent, body))
    }

    fn with_priority(arbitration: Arbitration, priority: i32) -> Arbitration {
        <(B,)>::with_priority(<(A,)>::with_priority(arbitration, priority), priority)
    }

    fn with_probability(arbitration: Arbitration, probability: f32) -> Arbitration {
        <(B,)>::with_probability(<(A,)>::with_probability(arbitration, probability), probability)
    }
}

/// Sets a component's field, if the file gives a value for it.
pub(crate) fn set<T, U: From<T>>(field: &mut U, value: Option<T>) {
    if let Some(value) = value {
        *field = value.into();
    }
}
