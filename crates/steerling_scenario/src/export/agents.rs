//! Agents.

use std::collections::{HashMap, HashSet};

use bevy::prelude::*;
use bevy_steerling::engine::registry::contributors;
use bevy_steerling::prelude::*;

use crate::behaviors::{behaviors_of, key_of};
use crate::dimension::{plane_of, point};
use crate::export::find::entities_with;
use crate::export::state::States;
use crate::file::agents::{Agent, Kind};
use crate::json::number::Point;
use crate::json::strict::Object;
use crate::mapping::place::{Names, Place, unique};
use crate::mapping::value::Value;
use crate::scenario::agents::steering_id;
use crate::simulation::properties::properties_of;

/// An agent that has a place.
pub(crate) struct Found {
    pub id: String,
    pub entity: Entity,
    position: Point,
}

/// Returns the agents of a world in the order of their ids, and notes those without a valid position.
pub(crate) fn find(names: &mut Names) -> Vec<Found> {
    let plane = plane_of(names.world);
    let with_ids = ids(names.world, entities_with::<SteeringAgent>(names, "agent"));
    let with_places = with_ids.into_iter().filter_map(|(entity, id)| {
        let place = Place::of_agent(names, entity, &id);
        let Some(transform) = names.world.get::<Transform>(entity) else {
            place.note("no `Transform`: the agent is left out");
            return None;
        };
        let position = Value::of(&point(transform.translation, plane), &place.field("position"))?;
        Some(Found { id, entity, position })
    });
    let mut agents: Vec<Found> = with_places.collect();
    agents.sort_by(|a, b| a.id.cmp(&b.id));
    names.agents = agents.iter().map(|agent| (agent.entity, agent.id.clone())).collect();
    agents
}

/// A unique id for each agent: its name, if no other agent has it.
fn ids(world: &World, agents: Vec<Entity>) -> Vec<(Entity, String)> {
    let name = |agent: Entity| world.get::<Name>(agent).map(Name::as_str);
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for name in agents.iter().filter_map(|agent| name(*agent)) {
        *counts.entry(name).or_default() += 1;
    }
    let is_unique = |name: &str| counts.get(name) == Some(&1);
    let mut taken: HashSet<String> =
        counts.keys().filter(|name| is_unique(name)).map(|name| (*name).to_owned()).collect();
    let id = |agent: Entity| {
        if let Some(name) = name(agent).filter(|name| is_unique(name)) {
            return (agent, name.to_owned());
        }
        let number = world.get::<SteeringId>(agent).map_or(0, |id| id.get());
        let id = unique(&format!("{} {number}", name(agent).unwrap_or("agent")), |id| taken.contains(id));
        taken.insert(id.clone());
        (agent, id)
    };
    agents.into_iter().map(id).collect()
}

/// Returns the agents for a file, and notes what the file cannot express.
pub(crate) fn write(names: &Names, agents: &[Found]) -> Vec<Object<Agent>> {
    let states = States::new(names.world);
    let write = |found: &Found| {
        let agent = names.world.entity(found.entity);
        let place = Place::of_agent(names, found.entity, &found.id);
        let kind = Kind { behaviors: behaviors_of(agent, &place), ..properties_of(agent, &place) };
        note_others(agent, &place);
        states.note(agent, &place);
        if agent.get::<SteeringId>() != Some(&steering_id(&found.id)) {
            place.note("`SteeringId`: in a file, it follows from the id, so random numbers differ");
        }
        Object(Agent::from_parts(found.id.clone(), found.position, kind))
    };
    agents.iter().map(write).collect()
}

/// Notes custom behaviors and constraints.
fn note_others(agent: EntityRef, place: &Place) {
    for name in contributors(place.names.world, agent.id()) {
        let is_known = key_of(&name).is_some() || name.is::<Formation>() || name.is::<InFormation>();
        if !is_known {
            place.note(&format!("`{name}` is no behavior of scenario files"));
        }
    }
}
