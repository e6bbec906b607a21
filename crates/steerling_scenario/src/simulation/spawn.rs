//! Spawning agents.

use std::collections::HashMap;

use bevy::prelude::*;
use bevy_steerling::math::Vector;
use bevy_steerling::prelude::*;

use crate::behaviors::target::TargetEntities;
use crate::dimension::set_position;
use crate::file::agents::Kind;
use crate::json::number::NonNegative;
use crate::json::strict::OneKey;
use crate::scenario::agents::{StartingAgent, steering_id};
use crate::scenario::scene::Scenario;

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
            let mut entity = world.spawn((body(&agent.kind), number, Velocity(agent.velocity), transform));
            insert_properties(&mut entity, &agent.kind);
            if scenario.explained {
                entity.insert(SteeringTrace::default());
            }
            (agent, entity.id())
        })
        .collect();

    // Behaviors may refer to any agent, so all agents come first.
    let mut targets = TargetEntities {
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

fn body(kind: &Kind) -> SteeringAgent {
    let default = SteeringAgent::default();
    let or = |number: Option<NonNegative>, default| number.map_or(default, f32::from);
    SteeringAgent {
        mass: kind.mass.map_or(default.mass, f32::from),
        max_speed: or(kind.max_speed, default.max_speed),
        max_force: or(kind.max_force, default.max_force),
        radius: or(kind.radius, default.radius),
        response_time: or(kind.response_time, default.response_time),
    }
}

/// Inserts the optional components apart from behaviors.
fn insert_properties(entity: &mut EntityWorldMut, kind: &Kind) {
    if kind.groups.is_some() {
        entity.insert(SteeringGroups(kind.groups()));
    }
    if kind.solid {
        entity.insert(Solid::default());
    }
    #[cfg(not(dim3))]
    if let Some(limits) = &kind.limits {
        entity.insert(limits.component());
    }
    if let Some(arbitration) = &kind.arbitration {
        entity.insert(arbitration.component());
    }
    if let Some(impulse) = &kind.impulse {
        entity.insert(impulse.component());
    }
    if let Some(sight) = &kind.sight {
        // It looks where it goes.
        entity.insert((sight.component(), FaceVelocity::default()));
    }
    if let Some(rate) = kind.rate {
        entity.insert(SteeringRate::every(rate.into()));
    }
    if kind.events {
        entity.insert(SteeringEvents::default());
    }
}
