//! The components of agents apart from behaviors, and the fields of a file that stand for them.

use bevy::prelude::*;
use bevy_steerling::math::Vector;
use bevy_steerling::prelude::*;

use crate::behaviors::fields::{self, read};
use crate::file::agents::Kind;
use crate::json::number::Rate;
use crate::mapping::entities::Entities;
use crate::mapping::place::Place;
use crate::mapping::value::Value;

/// Inserts the optional components apart from behaviors.
pub(crate) fn insert_properties(agent: &mut EntityWorldMut, kind: &Kind) {
    let entities = &Entities::default();
    if kind.groups.is_some() {
        agent.insert(SteeringGroups(kind.groups()));
    }
    if kind.solid {
        agent.insert(Solid::default());
    }
    #[cfg(not(dim3))]
    insert::<BodyLimits>(agent, &kind.limits, entities);
    insert::<Arbitration>(agent, &kind.arbitration, entities);
    insert::<Knockback>(agent, &kind.impulse, entities);
    if let Some(sight) = &kind.sight {
        // It looks where it goes.
        let sight: Sight = sight.value(entities);
        agent.insert((sight, FaceVelocity::default()));
    }
    if let Some(rate) = kind.rate {
        agent.insert(SteeringRate::every(rate.into()));
    }
    if kind.events {
        agent.insert(SteeringEvents::default());
    }
}

fn insert<C: Component>(agent: &mut EntityWorldMut, fields: &Option<impl Value<C>>, entities: &Entities) {
    if let Some(fields) = fields {
        fields::insert::<C>(fields, agent, entities);
    }
}

/// Returns the fields of a file that stand for the components of an agent, apart from its behaviors, and notes what a file cannot express.
pub(crate) fn properties_of(agent: EntityRef, place: &Place) -> Kind {
    let body = agent.get::<SteeringAgent>().copied().unwrap_or_default();
    let mut kind = Kind::of(&body, place).unwrap_or_default();
    if let Some(velocity) = agent.get::<Velocity>().filter(|velocity| !is_rest(velocity)) {
        kind.velocity = Value::of(&velocity.0, &place.field("velocity"));
    }
    if let Some(groups) = agent.get::<SteeringGroups>().filter(|groups| **groups != SteeringGroups::default()) {
        kind.groups = Value::of(&groups.0, &place.field("groups"));
    }
    kind.solid = agent.contains::<Solid>();
    #[cfg(not(dim3))]
    {
        kind.limits = limits_of(agent, &place.field("limits"));
    }
    kind.arbitration = read::<Arbitration, _>(agent, &place.field("arbitration"));
    if agent.get::<Knockback>().is_some_and(|knockback| !is_rest(&knockback.velocity)) {
        kind.impulse = read::<Knockback, _>(agent, &place.field("impulse"));
    }
    kind.sight = read::<Sight, _>(agent, &place.field("sight"));
    if let Some(rate) = agent.get::<SteeringRate>().filter(|rate| rate.ticks > 1) {
        kind.rate = Some(Rate::nearest(rate.ticks.into(), &place.field("rate")));
    }
    kind.events = agent.contains::<SteeringEvents>();
    note_settings(agent, place);
    kind
}

/// Whether a velocity is zero, and not negative zero.
fn is_rest(velocity: &Vector) -> bool {
    velocity.to_array().iter().all(|coordinate| coordinate.to_bits() == 0)
}

/// Limits, with the present heading as the first one.
#[cfg(not(dim3))]
fn limits_of(agent: EntityRef, place: &Place) -> Option<crate::json::strict::Object<crate::file::limits::Limits>> {
    let mut limits = agent.get::<BodyLimits>()?.clone();
    let vehicle = agent.get::<bevy_steerling::agent::Vehicle>();
    limits.initial_heading = vehicle.and_then(|vehicle| vehicle.heading()).or(limits.initial_heading);
    Value::of(&limits, place)
}

/// Notes settings that a file cannot express.
fn note_settings(agent: EntityRef, place: &Place) {
    let (default_face, events) = (FaceVelocity::default(), agent.get::<SteeringEvents>());
    let (face, has_sight) = (agent.get::<FaceVelocity>(), agent.contains::<Sight>());
    for (is_there, what) in [
        (agent.get::<Solid>().is_some_and(|solid| *solid != Solid::default()), "`Solid::layers`"),
        (events.is_some_and(|events| *events != SteeringEvents::default()), "the fields of `SteeringEvents`"),
        (agent.contains::<GroupWeights>(), "`GroupWeights`"),
        (agent.contains::<ExternalMovement>(), "`ExternalMovement`: in the file, steering moves the agent"),
        (!has_sight && face.is_some(), "`FaceVelocity` without `Sight`"),
        (has_sight && face != Some(&default_face), "`Sight` without the default `FaceVelocity`"),
    ] {
        if is_there {
            place.note(what);
        }
    }
}
