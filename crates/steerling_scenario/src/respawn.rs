//! Agents that enter some area are put back to a start.

use bevy::prelude::*;
use bevy_steerling::prelude::*;

use crate::crowds::{PLACES, confine, random_place};
use crate::file::{Area, Respawn, vector};
use crate::scenario::Scenario;

#[derive(Resource)]
pub(crate) struct Respawns {
    areas: Vec<Respawn>,
    count: u64,
}

/// An agent that may be put back.
#[derive(Component)]
pub(crate) struct Respawning {
    /// Which areas it was inside, so that it is known when it comes in.
    inside: Vec<bool>,
    /// From where it was put back in the last tick, if it was.
    left: Option<Vec2>,
    random: SteeringRng,
}

/// Makes agents respawn, where the scenario says so.
pub(crate) fn set_up(world: &mut World, scenario: &Scenario, agents: impl Iterator<Item = Entity>) {
    let areas: Vec<Respawn> = scenario.file.respawns.iter().map(|respawn| respawn.0.clone()).collect();
    for agent in agents.filter(|_| !areas.is_empty()) {
        let mut agent = world.entity_mut(agent);
        if let Ok((id, transform)) = agent.get_components::<(&SteeringId, &Transform)>() {
            let random = SteeringRng::new(SteeringSeed(scenario.file.seed.0), *id, PLACES);
            let inside = areas_around(transform, &areas).collect();
            agent.insert(Respawning { inside, left: None, random });
        }
    }
    world.insert_resource(Respawns { areas, count: 0 });
}

/// How many times an agent was put back.
pub(crate) fn count(world: &World) -> u64 {
    world.get_resource::<Respawns>().map_or(0, |respawns| respawns.count)
}

/// From where an agent was put back in the last tick, if it was.
pub(crate) fn left(world: &World, agent: Entity) -> Option<Vec2> {
    world.get::<Respawning>(agent)?.left
}

pub(crate) fn respawn(
    mut agents: Query<(&mut Transform, &mut Respawning)>,
    mut respawns: ResMut<Respawns>,
    bounds: Res<SteeringBounds>,
) {
    let Respawns { areas, count } = &mut *respawns;
    for (mut transform, mut agent) in &mut agents {
        agent.left = None;
        let was_inside = agent.inside.iter();
        let entered = areas_around(&transform, areas).zip(was_inside).position(|(is, was)| is && !was);
        if let Some(entered) = entered {
            agent.left = Some(transform.translation.truncate());
            let place = confine(random_place(&areas[entered].to, &mut agent.random), &bounds);
            transform.translation = place.extend(transform.translation.z);
            *count += 1;
        }
        agent.inside = areas_around(&transform, areas).collect();
    }
}

/// Of each area, whether the agent is inside.
fn areas_around(transform: &Transform, areas: &[Respawn]) -> impl Iterator<Item = bool> {
    let position = transform.translation.truncate();
    areas.iter().map(move |Respawn { inside, .. }| {
        let Area { min, max } = inside.0;
        position.cmpge(vector(min)).all() && position.cmple(vector(max)).all()
    })
}
