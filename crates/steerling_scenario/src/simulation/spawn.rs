//! Spawning agents.

use std::collections::HashMap;

use bevy::prelude::*;
use bevy_steerling::math::Vector;
use bevy_steerling::prelude::*;

use crate::dimension::set_position;
use crate::json::strict::OneKey;
use crate::mapping::entities::Entities;
use crate::mapping::value::Value;
use crate::scenario::agents::{StartingAgent, steering_id};
use crate::scenario::scene::Scenario;
use crate::simulation::properties::insert_properties;

/// Spawns the scenario's agents. Returns them in the order of their ids.
pub(crate) fn spawn(
    world: &mut World,
    scenario: &Scenario,
    markers: &[(String, Entity)],
    fields: &[(String, Entity)],
) -> Vec<(String, Entity)> {
    // The plugin does not have to sort agents that are spawned in the order of their steering ids.
    let mut by_number: Vec<_> = scenario.agents.iter().map(|agent| (steering_id(&agent.id), agent)).collect();
    by_number.sort_by_key(|(number, _)| *number);
    let spawned: Vec<(&StartingAgent, Entity)> = by_number
        .into_iter()
        .map(|(number, agent)| {
            let mut transform = Transform::default();
            set_position(&mut transform, agent.position);
            let body: SteeringAgent = agent.kind.value(&Entities::default());
            let name = Name::new(agent.id.clone());
            let mut entity = world.spawn((body, number, Velocity(agent.velocity), transform, name));
            insert_properties(&mut entity, &agent.kind);
            if scenario.explained {
                entity.insert(SteeringTrace::default());
            }
            (agent, entity.id())
        })
        .collect();

    // Behaviors may refer to any agent, so all agents come first.
    let mut targets = Entities {
        start: Vector::ZERO,
        markers: by_name(markers),
        fields: by_name(fields),
        agents: spawned.iter().map(|(agent, entity)| (agent.id.as_str(), *entity)).collect::<HashMap<_, _>>(),
    };
    for &(agent, entity) in &spawned {
        targets.start = agent.position;
        let mut entity = world.entity_mut(entity);
        for OneKey(behavior) in &agent.kind.behaviors {
            behavior.fields().insert(&mut entity, &targets);
        }
    }

    spawn_formations(world, scenario, &targets.agents);
    let mut agents: Vec<_> = spawned.into_iter().map(|(agent, entity)| (agent.id.clone(), entity)).collect();
    agents.sort();
    agents
}

/// Makes anchors and members of agents.
fn spawn_formations(world: &mut World, scenario: &Scenario, entities: &HashMap<&str, Entity>) {
    let entity = |agent: usize| entities[scenario.agents[agent].id.as_str()];
    for (formation, troop) in scenario.file.formations.iter().zip(&scenario.troops) {
        let anchor = entity(troop.anchor);
        world.entity_mut(anchor).insert(formation.component());
        for member in &troop.members {
            world.entity_mut(entity(*member)).insert(InFormation(anchor));
        }
    }
}

fn by_name(entities: &[(String, Entity)]) -> HashMap<&str, Entity> {
    entities.iter().map(|(name, entity)| (name.as_str(), *entity)).collect()
}
